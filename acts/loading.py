"""Loading every module that declares acts, so that every kind is known before a row is asked for its."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages


def load(*names: str) -> None:
    """Import these modules, and of packages all that is in them."""
    for name in names:
        package = import_module(name)
        for module in walk_packages(getattr(package, "__path__", []), f"{name}."):
            import_module(module.name)
