"""A mail server on this machine: takes emails, keeps them, and answers as a test wants."""

import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy

from django.test import override_settings

USUAL = {"DATA": "354 go on", "QUIT": "221 bye"}


class Inbox:
    """What came, in `messages`. `answers` are those to commands that are not the usual ones; `None` is silence."""

    def __init__(self):
        self.messages, self.answers = [], {}


@contextmanager
def mail_server(timeout=2):
    """A mail server to which everything goes that is sent."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.say(inbox.answers.get("CONNECT", "220 local"))
            for line in self.rfile:
                word = line.split()[0].decode().upper().partition(":")[0]
                answer = inbox.answers.get(word, USUAL.get(word, "250 ok"))
                if answer is None:
                    ended.wait()
                    return
                self.say(answer)
                if word == "DATA" and answer.startswith("354"):
                    self.take()
                if word == "QUIT":
                    return

        def take(self):
            lines = []
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                lines.append(line)
            answer = inbox.answers.get("END", "250 ok")
            if answer is None:
                ended.wait()
                return
            if answer.startswith("250"):
                inbox.messages.append(message_from_bytes(b"".join(lines), policy=policy.default))
            self.say(answer)

        def say(self, line):
            self.wfile.write(f"{line}\r\n".encode())

    inbox, ended = Inbox(), threading.Event()
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    running.start()
    with override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="127.0.0.1",
        EMAIL_PORT=server.server_address[1],
        EMAIL_USE_TLS=False,
        EMAIL_USE_SSL=False,
        EMAIL_HOST_USER="",
        EMAIL_HOST_PASSWORD="",
        EMAIL_TIMEOUT=timeout,
    ):
        yield inbox
    ended.set()
    server.shutdown()
    server.server_close()
    running.join()
