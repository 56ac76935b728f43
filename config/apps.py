from django.apps import AppConfig


class Foothold(AppConfig):
    name = "config"

    def ready(self) -> None:
        # It registers itself, and needs the settings and models of all apps.
        from config import checks  # noqa: F401
