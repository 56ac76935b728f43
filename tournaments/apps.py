from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from accounts import privacy
        from acts.loading import load
        from tournaments import link_pages, notification_types, personal_data, receivers, retention
        from tournaments.ratings import queries as rating_queries

        receivers.connect()
        retention.connect()
        load("tournaments.services", "tournaments.fair_play.services", "tournaments.score_sheets.services")
        load("tournaments.duplicate.services", "tournaments.hall.services")
        notification_types.register()
        link_pages.register()
        privacy.register("ratings", rating_queries.export)
        privacy.register("events", personal_data.events_of)
