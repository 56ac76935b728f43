from django.apps import AppConfig

from web import folding, reports


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        folding.connect()
        reports.connect()
