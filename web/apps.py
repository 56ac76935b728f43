from django.apps import AppConfig

from web.database import sqlite_search
from web.monitoring import error_reporting


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        sqlite_search.connect()
        error_reporting.connect()
