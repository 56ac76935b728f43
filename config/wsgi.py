"""The WSGI entry point: the site, in which requests wait in their threads for their turn."""

import os

from django.core.wsgi import get_wsgi_application

from config import telling
from web.server.page_queue import WAITING_IN_THREADS, PageQueue, in_turn_in_threads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

site = get_wsgi_application()
telling.connect_web()

from accounts.senders import sender_of  # noqa: E402  of models, which are there now

application = in_turn_in_threads(site, PageQueue(waiting=WAITING_IN_THREADS), sender_of)
