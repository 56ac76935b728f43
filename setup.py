"""Builds the engine: its rules compiled by mypyc where mypyc and a compiler are, and as plain Python everywhere else.

pyproject.toml says everything else. `bin/compile` builds a copy with the compiled modules beside their sources.
"""

import shutil
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

PLAY, BOTS = Path("engine/play"), Path("engine/bots")
COMPILED = [
    *(
        f"{PLAY / name}.py"
        for name in ("cards", "choices", "events", "game", "melds", "move_list", "moves", "refusals", "scoring", "turn")
    ),
    *sorted(str(path) for path in PLAY.glob("legality/*.py") if path.name != "__init__.py"),
    *(
        f"{BOTS / name}.py"
        for name in (
            "club",
            "discarding",
            "ending",
            "features",
            "knowledge",
            "melding",
            "memory",
            "planning",
            "valuation",
        )
    ),
]
"""What a move runs through, but for `state.py` and `rules.py`, which fill the dictionaries of their objects themselves,
and how bots choose one."""


def extensions() -> list[Extension]:
    """The modules that a compiler makes; none without mypyc, a compiler or the headers of Python."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    headers = Path(sysconfig.get_path("include"), "Python.h")
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    if not shutil.which(compiler) or not headers.is_file():
        return []
    # Without the settings for mypy in pyproject.toml, whose plugins are for the site.
    return mypycify(["--config-file=", *COMPILED], opt_level="2", group_name="engine")


setup(ext_modules=extensions())
