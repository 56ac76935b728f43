from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from accounts import privacy
        from acts.loading import load
        from clubs import notice_kinds, queries, receivers
        from clubs.public import homes, rules
        from gameplay import audiences, rule_sources
        from tournaments import homes as homes_of_events

        self.listening = receivers  # imported so that it hears of accounts
        # Whoever asks about a kind of act finds each of them declared, whatever was imported so far.
        load("clubs.services")
        notice_kinds.register()
        audiences.register(queries.circles_of)
        rule_sources.register(rules.KIND, rules.ClubRules())
        homes_of_events.register(homes.home_of)
        privacy.register("clubs", queries.export)
