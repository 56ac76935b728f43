"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

from config import telling

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
telling.connect_web()
