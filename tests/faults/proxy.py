"""A proxy before PostgreSQL that can take the connection away between a commit and the word of it."""

import asyncio
import contextlib
import threading

COMMIT = b"COMMIT"


class Proxy:
    """Passes everything on, but holds back the answer to a commit while `is_cutting`.

    Only transactions with a move count, and the proxy takes away their connection.
    """

    def __init__(self, host, port):
        self.target, self.is_cutting, self.cuts = (host, port), False, 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)

    def __enter__(self):
        self.thread.start()
        listening = asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.server = asyncio.run_coroutine_threadsafe(listening, self.loop).result()
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *error):
        asyncio.run_coroutine_threadsafe(self.close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def close(self):
        self.server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def serve(self, reader, writer):
        """A connection: two streams, and whether its transaction wrote a move and is being committed."""
        there_reader, there_writer = await asyncio.open_connection(*self.target)
        link = {"wrote": False, "commits": False}
        streams = [self.ask(link, reader, there_writer), self.answer(link, there_reader, writer)]
        with contextlib.suppress(ConnectionError):
            tasks = [asyncio.create_task(stream) for stream in streams]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
        for end in (writer, there_writer):
            end.close()

    async def ask(self, link, reader, writer):
        while data := await reader.read(65536):
            link["wrote"] |= b'INSERT INTO "gameplay_move"' in data
            link["commits"] = self.is_cutting and link["wrote"] and COMMIT in data
            link["wrote"] &= COMMIT not in data
            writer.write(data)
            await writer.drain()

    async def answer(self, link, reader, writer):
        while data := await reader.read(65536):
            if link["commits"] and COMMIT in data:
                self.cuts += 1
                return
            writer.write(data)
            await writer.drain()
