"""The broker of a site that has none: a message is a file, and changes hands by being renamed.

Under the folder that the transport's options name,

    waiting/        messages that no worker took yet, named by time, tag and queue; with a dot in front while being written
    taken/<owner>/  messages that a living worker works on; the worker holds a lock on the folder
    spoilt/         messages that cannot be read or that no task answers to, to be looked at by a person

A rename either happens or does not, so nobody ever reads half a message. A message leaves `taken` when it is
acknowledged. The messages of a killed worker go back to `waiting` when the next worker starts: the kernel has
released its lock. A message may so be delivered twice, as with any broker.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any, ClassVar

from kombu.exceptions import ChannelError
from kombu.transport import virtual
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)

MOST_BYTES = 1_000_000
"""A larger message is spoilt: ours carry ids and little else."""

PATIENCE = 0.5
"""Seconds."""
DRAFT_SECONDS = 60
"""Nobody takes so long to write a message."""


class Channel(virtual.Channel):
    """Kombu's virtual channel over the folder; it sends to queues by name, direct or by topic."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        root = Path(connection.client.transport_options["folder"])
        self._waiting, self._taken, self._spoilt = root / "waiting", root / "taken", root / "spoilt"
        self._desk: Desk | None = None
        self._listed: dict[str, deque[str]] = {}
        self._claimed: dict[str, Path] = {}

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        name = f"{time.time_ns():020}-{message['properties']['delivery_tag']}.{queue}.msg"
        draft = self._waiting / f".{name}"
        try:
            self._waiting.mkdir(parents=True, exist_ok=True)
            draft.write_text(dumps(message))
            draft.rename(self._waiting / name)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise ChannelError(f"The message could not be written to {self._waiting}.") from error

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        desk = self._sit_down()
        for name in self._names(queue):
            path = self._claim(name, desk)
            message = path and self._read(path)
            if path and message:
                self._claimed[message["properties"]["delivery_tag"]] = path
                return message
        raise Empty

    def _names(self, queue: str) -> Iterator[str]:
        """Waiting messages, oldest first. A listing is used up before the next: a long queue is not read each time."""
        names = self._listed.setdefault(queue, deque())
        if not names:
            names.extend(self._list(queue))
        while names:
            yield names.popleft()

    def _list(self, queue: str) -> list[str]:
        with suppress(FileNotFoundError):
            names = os.listdir(self._waiting)
            return sorted(n for n in names if not n.startswith(".") and n.partition(".")[2] == f"{queue}.msg")
        return []

    def _sit_down(self) -> Desk:
        """The own desk; taking one first puts back the messages of dead workers."""
        if self._desk is None or not self._desk.folder.is_dir():
            clear_desks(self._taken, self._waiting)
            clear_drafts(self._waiting)
            self._desk = Desk(self._taken)
        return self._desk

    def _claim(self, name: str, desk: Desk) -> Path | None:
        """Take a waiting message to the desk; None if another worker was quicker."""
        with suppress(FileNotFoundError):
            return (self._waiting / name).rename(desk.folder / name)
        return None

    def _read(self, path: Path) -> dict[str, Any] | None:
        """The message, or None once it is put aside because it cannot be read."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError("too large")
            payload: dict[str, Any] = loads(path.read_bytes())
            message = self.Message(payload, channel=self)
            if message.content_type != "application/json" or not isinstance(message.delivery_tag, str):
                raise ValueError("not of our making")
        except Exception as error:
            log.error("Put aside a message that cannot be read: %s (%s).", path.name, type(error).__name__)
            self._put_aside(path)
            return None
        return payload

    def _put_aside(self, path: Path) -> None:
        self._spoilt.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            path.rename(self._spoilt / path.name)

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        if path := self._claimed.pop(delivery_tag, None):
            path.unlink(missing_ok=True)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().basic_reject(delivery_tag, requeue)
        if path := self._claimed.pop(delivery_tag, None):
            log.error("Put aside a message that the worker refused: %s.", path.name)
            self._put_aside(path)

    def _restore(self, message: virtual.Message) -> None:
        if path := self._claimed.pop(str(message.delivery_tag), None):
            with suppress(FileNotFoundError):
                path.rename(self._waiting / path.name)

    def _size(self, queue: str) -> int:
        return len(self._list(queue))

    def _purge(self, queue: str) -> int:
        names = self._list(queue)
        for name in names:
            (self._waiting / name).unlink(missing_ok=True)
        return len(names)

    def close(self) -> None:
        super().close()
        if self._desk is not None:
            self._desk.leave()
            self._desk = None


class Desk:
    """A folder with the messages of one worker, locked as long as it lives."""

    def __init__(self, desks: Path) -> None:
        name = uuid.uuid4().hex
        draft = desks / f".{name}"
        draft.mkdir(parents=True)
        self._lock = os.open(draft, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        # Only under its final name is it looked at by others, and then it is locked.
        self.folder = draft.rename(desks / name)

    def leave(self) -> None:
        """Unlock the desk; its messages are left for the next worker."""
        with suppress(OSError):
            self.folder.rmdir()
        os.close(self._lock)


def clear_desks(desks: Path, waiting: Path) -> None:
    """Put back the messages of workers that died."""
    with suppress(FileNotFoundError):
        for folder in desks.glob("[!.]*"):
            _clear_desk(folder, waiting)


def _clear_desk(folder: Path, waiting: Path) -> None:
    with suppress(FileNotFoundError):
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for path in folder.iterdir():
                path.rename(waiting / path.name)
            folder.rmdir()
        except BlockingIOError:
            pass  # its worker lives
        finally:
            os.close(lock)


def clear_drafts(waiting: Path) -> None:
    """Delete messages whose writer was killed: they were never sent."""
    long_ago = time.time() - DRAFT_SECONDS
    for path in waiting.glob(".*.msg"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < long_ago:
                path.unlink()


class Transport(virtual.Transport):
    """The transport of `fsx://`; options `folder` and `polling_interval` (seconds between looks)."""

    Channel = Channel
    driver_type = driver_name = "fsx"
    default_connection_params: ClassVar = {}
    # Shared, so that a new connection knows the declared queues.
    global_state = virtual.BrokerState()

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = self.global_state

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Wait for a message, and not for long: only between waits does a worker see that it is to stop."""
        super().drain_events(connection, timeout=min(timeout or PATIENCE, PATIENCE))

    def driver_version(self) -> str:
        return "1"
