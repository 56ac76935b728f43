from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        from accounts import privacy
        from clubs import notice_kinds, queries, receivers
        from clubs.public import homes, rules
        from clubs.services import closing, cups, drawing, next_season, staff, teams
        from gameplay import audiences, rule_sources
        from tournaments import homes as homes_of_events

        # Imported so that they hear of acts, whichever door those come through.
        self.listening = (receivers, drawing, staff)
        self.follows = (closing, cups, next_season, staff, teams)  # what follows from acts, and from undoing them
        notice_kinds.register()
        audiences.register(queries.circles_of)
        rule_sources.register(rules.KIND, rules.ClubRules())
        homes_of_events.register(homes.home_of)
        privacy.register("clubs", queries.export)
