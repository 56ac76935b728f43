"""The whole site by one command: the web server, a worker for each lane and the clock that wakes them."""

import hashlib
import logging
import multiprocessing
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from web.server.supervisor import Child, Supervisor

log = logging.getLogger(__name__)

CELERY = ["celery", "--quiet", "-A", "config"]
WORKER = ["worker", "--pool=threads", "--concurrency=4", "--without-gossip", "--without-mingle", "--without-heartbeat"]
"""A worker of all lanes, or with `--queues=…` of some."""
BEAT = ["beat", "--pidfile=", f"--schedule={settings.DATA_DIR / 'beat'}"]


class Command(BaseCommand):
    help = "Updates the database and runs web server, workers and beat at HOST and PORT until Ctrl-C."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
        with listen(host, port) as listener:
            os.environ |= {"PORT": str(listener.getsockname()[1]), "STATIC_COLLECTED": "yes"}
            with suppress(KeyboardInterrupt), Supervisor() as supervisor:
                with gate() as waiting:
                    supervisor.add(web(listener, waiting))
                    with static_files():
                        call_command("migrate", interactive=False, verbosity=0)
                wait_for_answer(listener)
                self.make_demo()
                for lane in settings.LANES:
                    supervisor.add(Child(f"The worker of {lane}", [*CELERY, *WORKER, f"--queues={lane}"]))
                supervisor.add(Child("The clock", [*CELERY, *BEAT]))
                self.stdout.write(f"Foothold is at {self.address(port)} (Ctrl-C stops it)")
                self.stdout.flush()
                supervisor.run()
        self.stdout.write("Stopped.")

    def address(self, port: str) -> str:
        """The address of the site; a port that the system chose is known only now."""
        return settings.SITE_URL.removesuffix(":0") + f":{os.environ['PORT']}" * (port == "0")

    def make_demo(self) -> None:
        """Create demo data with public passwords: not for a site that others can reach."""
        if settings.IS_DEMO and "demo" in get_commands():
            try:
                call_command("demo")
            except Exception:
                log.exception("The demo data could not be created. The site runs without it.")
        connections.close_all()


def listen(host: str, port: str) -> socket.socket:
    """A socket that listens there; held here, it outlives a web server that dies."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, int(port)), family=family, backlog=512)
    except (OSError, OverflowError, ValueError) as error:
        raise CommandError(f"Cannot listen at {host}, port {port}: {error}. Set another HOST or PORT.") from error


def web(listener: socket.socket, gate: int) -> Child:
    descriptors = (listener.fileno(), gate)
    return Child("The web server", ["web.server", *map(str, descriptors)], descriptors=descriptors)


@contextmanager
def gate() -> Iterator[int]:
    """The reading end of a pipe that is closed for good when the context is left: later processes do not wait."""
    waiting, held = os.pipe()
    try:
        yield waiting
    finally:
        os.close(held)


def wait_for_answer(listener: socket.socket) -> None:
    """Wait for the first answer of any kind: later work would take the processor from it."""
    with suppress(OSError), socket.create_connection(listener.getsockname()[:2], timeout=20) as connection:
        connection.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
        connection.recv(1)


@contextmanager
def static_files() -> Iterator[None]:
    """Collect and compress the static files in parallel, unless they are unchanged."""
    stamp, now = settings.DATA_DIR / "static.stamp", static_stamp()
    if stamp.exists() and stamp.read_text() == now and settings.STATIC_ROOT is not None:
        yield
        return
    # A fork knows Django already; it is made before there are threads and connections.
    collecting = multiprocessing.get_context("fork").Process(target=collect)
    collecting.start()
    try:
        yield
    finally:
        collecting.join()
    if collecting.exitcode:
        raise CommandError("The static files could not be collected.")
    stamp.write_text(now)


def collect() -> None:
    """Run in a process of its own, which Ctrl-C does not stop at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The web server, which takes longest, goes first.
    os.nice(5)
    call_command("collectstatic", interactive=False, verbosity=0)


def static_stamp() -> str:
    """A short text that differs when any static file does."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
