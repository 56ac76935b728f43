"""A receiver on this machine: takes requests, keeps them, and answers as a test wants."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from django.test import override_settings


class Receiver:
    """What came, as `(method, path, headers, body)`; `answers` are used up in order, the last one again and again.

    An answer is `(status, headers, body)`, or a function that is given the open connection.
    """

    def __init__(self, server):
        self.server, self.requests, self.answers = server, [], [(200, {}, b"{}")]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def bodies(self):
        return [json.loads(body) for _, _, _, body in self.requests]

    def answer(self, *answers):
        self.answers = list(answers)


@contextmanager
def receiver():
    """A receiver that requests may go to."""

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            inbox.requests.append((self.command, self.path, dict(self.headers.items()), body))
            answer = inbox.answers.pop(0) if len(inbox.answers) > 1 else inbox.answers[0]
            if callable(answer):
                answer(self.connection)
                self.close_connection = True
                return
            status, headers, content = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = handle_one

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    inbox = Receiver(server)
    running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    running.start()
    with override_settings(TEST_RECEIVERS=(f"127.0.0.1:{server.server_port}",)):
        yield inbox
    server.shutdown()
    server.server_close()
    running.join()
