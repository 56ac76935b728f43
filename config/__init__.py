"""How Foothold is put together and run: settings, addresses, entry points. Imported by no app."""

from config.celery import app as celery_app

# Loaded with Django, so that the apps' shared tasks find their broker in web processes too.
__all__ = ["celery_app"]
