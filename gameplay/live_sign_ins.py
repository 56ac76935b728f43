"""Live streams end with the session or token that opened them: within seconds, in every process, on any database.

Each process looks at all sign-ins of its streams at once every few seconds, in one thread and with three queries,
however many streams there are.
"""

import asyncio
import contextvars
import logging
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

from django.db import connections

from accounts.sign_ins import SignIn, ended
from gameplay.live import Reader

log = logging.getLogger(__name__)

LOOK_EVERY = 4.0
"""Seconds between two looks."""


class Watch:
    """The streams of one event loop, by their sign-ins; looks at these while there are any."""

    def __init__(self) -> None:
        self.readers: dict[SignIn, set[Reader]] = {}
        self.task: asyncio.Task[None] | None = None

    def join(self, sign_in: SignIn | None, reader: Reader) -> None:
        """End this stream with its sign-in. One without ends in its own time."""
        if sign_in is None:
            return
        self.readers.setdefault(sign_in, set()).add(reader)
        if self.task is None:
            # In a context of its own, or the first request's would live as long as the watch.
            self.task = asyncio.create_task(self._run(), context=contextvars.Context())

    def leave(self, sign_in: SignIn | None, reader: Reader) -> None:
        """Forget a stream that has ended."""
        if sign_in is None:
            return
        readers = self.readers.get(sign_in, set())
        readers.discard(reader)
        if not readers:
            self.readers.pop(sign_in, None)
        if not self.readers and self.task is not None:
            self.task.cancel()
            self.task = None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sign-ins")
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                try:
                    over = await loop.run_in_executor(thread, _ended, list(self.readers))
                except Exception as error:
                    log.warning("Sign-ins of live streams cannot be looked at: %s", type(error).__name__)
                    continue
                for reader in [reader for sign_in in over for reader in self.readers.get(sign_in, ())]:
                    reader.end()
        finally:
            thread.shutdown(wait=False)


def _ended(sign_ins: list[SignIn]) -> set[SignIn]:
    """Those that are no longer valid. Gives back this thread's database connections."""
    try:
        return ended(sign_ins)
    finally:
        connections.close_all()


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, Watch] = WeakKeyDictionary()


def watch() -> Watch:
    """The watch of the running event loop: one a process."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())
