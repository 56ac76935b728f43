"""The assembled site: settings, addresses, entry points. Imported by no app."""

from config.celery import app as celery_app

# Loaded with Django, so that the apps' shared tasks find their broker in web processes too.
__all__ = ["__version__", "celery_app"]

__version__ = "0.9.0"
"""The running version, as CHANGELOG.md and pyproject.toml have it; CONTRIBUTING.md explains its changes."""
