"""Import every module that declares acts, so that all kinds are known before a row needs its own."""

from importlib import import_module
from pkgutil import walk_packages


def load(*names: str) -> None:
    """Import these modules, and all modules of packages."""
    for name in names:
        package = import_module(name)
        for module in walk_packages(getattr(package, "__path__", []), f"{name}."):
            import_module(module.name)
