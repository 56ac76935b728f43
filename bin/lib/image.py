"""Runs the site from its image, each service confined as compose.yaml has it, and plays a move; see bin/image."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.config import deployed  # noqa: E402
from tests.config.deployed import Browser  # noqa: E402
from tests.servers import free_port, running_cluster, running_redis  # noqa: E402
from tests.sites import kill, wait_for  # noqa: E402

SERVICES = ("web", "live", "worker-clocks", "worker-bots", "worker-letters", "beat")

CONFINED = """
set -e
root=$1 user=$2 folder=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for each in $WRITABLE; do mount --bind "${each%:*}" "$root${each#*:}"; done
for each in $READABLE; do mount --bind "${each%:*}" "$root${each#*:}"; mount -o remount,bind,ro "$root${each#*:}"; done
mount -t tmpfs tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all --bounding-set=-all \
  --no-new-privs sh -c 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"
"""
"""A command in a root that it cannot write to, with volumes, a /tmp of its own and no rights."""


class Containers:
    """The services of compose.yaml, as processes in the image; `ports` are free ones in place of those it names."""

    def __init__(self, root: str, image: dict[str, Any], scratch: Path, servers: dict[str, str]) -> None:
        self.root, self.image, self.scratch, self.servers = root, image, scratch, servers
        self.ports = {"8000": str(free_port("127.0.0.1")), "8001": str(free_port("127.0.0.1"))}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for volume in ("static", "backups"):
            fill(scratch / volume, Path(root, "srv", volume))

    def start(self, name: str, command: list[str] | None = None) -> subprocess.Popen[bytes]:
        """Start a service with its command, or another."""
        service = deployed.ours()[name]
        words = command or service.get("entrypoint", []) + service["command"]
        for port, free in self.ports.items():
            words = [re.sub(rf":{port}\b", f":{free}", word) for word in words]
        user = self.image["User"]
        arguments = [
            "unshare",
            "--mount",
            "sh",
            "-c",
            CONFINED,
            "sh",
            self.root,
            user,
            self.image["WorkingDir"],
            *words,
        ]
        environment = dict(each.split("=", 1) for each in self.image["Env"])
        environment |= deployed.in_containers(name) | self.servers | self.volumes(service)
        output = (self.scratch / name).open("ab")
        return subprocess.Popen(arguments, env=environment, stdout=output, stderr=output, process_group=0)

    def volumes(self, service: dict[str, Any]) -> dict[str, str]:
        """The volumes of a service as `CONFINED` wants them: where they are, and where the site finds them."""
        by_right: dict[str, list[str]] = {"WRITABLE": [], "READABLE": []}
        for volume in service.get("volumes", ()):
            right = "READABLE" if volume.endswith(":ro") else "WRITABLE"
            by_right[right].append(f"{self.scratch}/{volume.removesuffix(':ro')}")
        return {right: " ".join(volumes) for right, volumes in by_right.items()}

    def run(self, name: str, *arguments: str) -> None:
        """Run a service, or a command with the entrypoint of it, to its end."""
        entrypoint = deployed.ours()[name].get("entrypoint", [])
        if self.start(name, [*entrypoint, *arguments] if arguments else None).wait():
            self.fail(f"{' '.join((name, *arguments))} failed", name)

    def up(self, name: str) -> None:
        """Start a service that stays, and wait until its own check finds it healthy."""
        self.running[name] = process = self.start(name)
        if check := deployed.ours()[name].get("healthcheck"):

            def is_healthy() -> bool:
                if process.poll() is not None:
                    self.fail(f"{name} ended", name)
                return self.start(name, check["test"][1:]).wait() == 0

            wait_for(is_healthy, name)

    def stop(self, name: str) -> None:
        """Stop a service; it must end within the time that compose.yaml gives it, or the engine’s ten seconds."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(int(deployed.ours()[name].get("stop_grace_period", "10s").removesuffix("s")))
        except subprocess.TimeoutExpired:
            self.fail(f"{name} did not end in time", name)

    def fail(self, sentence: str, name: str) -> None:
        sys.exit(f"{sentence}.\n{(self.scratch / name).read_text()}")

    def close(self) -> None:
        for process in self.running.values():
            kill(process)


def fill(volume: Path, folder: Path) -> None:
    """Make a new volume hold what the image has there, as an engine does."""
    shutil.copytree(folder, volume)
    owner = folder.stat()
    for path in (volume, *volume.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


def main(root: str, described: str) -> None:
    image = json.loads(Path(described).read_text())["OCIv1"]["config"]
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        scratch.chmod(0o755)
        cluster = stack.enter_context(running_cluster())
        redis = stack.enter_context(running_redis(scratch))
        cache = redis.url.removesuffix("0") + "1"
        servers = {"DATABASE_URL": cluster.url, "CELERY_BROKER_URL": redis.url, "CACHE_URL": cache}
        containers = Containers(root, image, scratch, servers)
        stack.callback(containers.close)
        try_out(containers)


def try_out(containers: Containers) -> None:
    with step("migrate: check --deploy, migrate, collectstatic"):
        containers.run("migrate")
    with step("web and live are healthy, workers and beat run, /readyz answers"):
        for name in SERVICES:
            containers.up(name)
        port, browser = int(containers.ports["8000"]), Browser()
        wait_for(lambda: browser.ask(port, "/readyz")[0] == 200, "/readyz")
    with step("the front page, a practice match of a guest, a turn, and the answers of the bots"):
        play(browser, port)
    with step("a backup, by the tools of the image"):
        containers.run("manage", "backup", "/srv/backups/foothold.tar.gz")
    with step("each ends in its time"):
        for name in SERVICES:
            containers.stop(name)


def play(browser: Browser, port: int) -> None:
    """Play a turn as a guest, through the pages without script, until it is the guest’s turn again."""
    status, page = browser.ask(port, "/")
    expect(status == 200 and "Foothold" in page, f"The front page answers {status}.")
    sheet = re.search(r'"(/static/[^"]*\.css)"', page)
    expect(sheet is not None and browser.ask(port, sheet[1])[0] == 200, "The front page has no style sheet.")
    expect(browser.ask(port, "/docs/")[0] == 200, "The docs are not in the image.")
    status, _ = browser.ask(port, "/practice/", {})
    expect(status == 302, f"A practice match is answered {status}.")
    table = re.search(r"/tables/[\w-]+/", browser.ask(port, "/")[1])
    expect(table is not None, "The front page does not name the practice match.")
    seen, move = turn(browser, port, table[0])
    status, _ = browser.ask(port, f"{table[0]}move/", {"seen": seen, "moves": move})
    expect(status == 302, f"A move is answered {status}.")
    before = int(seen)
    while True:
        version, move = turn(browser, port, table[0])
        expect(int(version) > before, "The move was not made.")
        # Drawing comes first in a turn: the bots have had theirs.
        if move.startswith("draw"):
            return
        browser.ask(port, f"{table[0]}move/", {"seen": version, "moves": move})


def turn(browser: Browser, port: int, table: str) -> tuple[str, str]:
    """The number of moves and the first move offered, once it is the guest’s turn."""

    def offered() -> tuple[str, str] | None:
        page = browser.ask(port, table)[1]
        move = re.search(r'<select id="plain-choice".*?<option value="([^"]*)"', page, re.DOTALL)
        seen = re.search(r'name="seen" value="(\d+)"', page)
        return (seen[1], move[1]) if seen and move else None

    return wait_for(offered, "the guest’s turn")


def expect(is_so: bool, otherwise: str) -> None:
    if not is_so:
        sys.exit(otherwise)


@contextmanager
def step(words: str) -> Iterator[None]:
    """Say what is tried, and how long it took."""
    print(f"{words} … ", end="", flush=True)
    began = time.monotonic()
    yield
    print(f"{time.monotonic() - began:.0f} seconds", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
