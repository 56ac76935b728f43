from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from accounts import privacy
        from tournaments import export, notice_kinds, queries, receivers

        self.receivers = receivers
        notice_kinds.register()
        privacy.register("ratings", queries.export)
        privacy.register("events", export.events_of)
