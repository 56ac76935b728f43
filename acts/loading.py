"""Loading every module that declares acts, so that every kind is known before a row is asked for its."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages


def load(package: str) -> None:
    """Import a package with all its modules."""
    for module in walk_packages(import_module(package).__path__, f"{package}."):
        import_module(module.name)
