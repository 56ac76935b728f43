"""`python -m engine`: the engine from the command line."""

from __future__ import annotations

import os
import sys

from engine.cli import main


def run() -> int:
    """Run the command line on this process's own streams; its exit status."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    try:
        status = main(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # `... | head`: nobody reads on, which is no error of anybody's
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        print(f"engine: the output cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    return status


def _drop_output() -> None:
    """Drop buffered output, so that the interpreter does not fail on it while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    sys.exit(run())
