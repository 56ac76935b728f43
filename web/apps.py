from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        from web import folding, reports

        folding.connect()
        reports.connect()
