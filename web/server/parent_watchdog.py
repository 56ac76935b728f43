"""Run a module until the parent exits: python -m web.server.parent_watchdog DESCRIPTOR MODULE [ARG]…

The descriptor is the reading end of a pipe. Its writing end is open in the parent only, so that the kernel closes it
even if the parent is killed outright, and the reader learns of it on any Unix.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading


def watch(descriptor: int) -> None:
    """Wait until the parent is gone; then kill this process and its children, which nobody else would.

    At once, because a process that ended kindly could not end the others any more.
    """
    os.read(descriptor, 1)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    descriptor, module = int(sys.argv[1]), sys.argv[2]
    threading.Thread(target=watch, args=[descriptor], daemon=True).start()
    sys.argv = sys.argv[2:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
