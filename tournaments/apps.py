from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from accounts import privacy
        from acts.loading import load
        from tournaments import export, notice_kinds, queries, receivers

        receivers.connect()
        load("tournaments.services")
        notice_kinds.register()
        privacy.register("ratings", queries.export)
        privacy.register("events", export.events_of)
