from django.apps import AppConfig

from web import form_words, site_pages
from web.database import free_space, sqlite_search
from web.monitoring import error_reporting


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        form_words.connect()
        sqlite_search.connect()
        free_space.connect()
        error_reporting.connect()
        site_pages.register()
