from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        # They need the models, which do not exist yet when this module is imported.
        from accounts import privacy
        from acts.loading import load
        from clubs import link_pages, notification_types, queries, receivers, retention
        from clubs.house_rules import page as rules_page
        from clubs.league import fixtures
        from clubs.news_places import changes
        from clubs.public import event_parents, front_page
        from gameplay import front_page as front_page_sources
        from gameplay import visibility_groups
        from gameplay.house_rules import rule_sources
        from tournaments import event_parents as homes_of_events
        from tournaments import followers, line_ups

        self.listening = receivers  # imported to connect its signals
        # Declares every kind of act, independent of other imports.
        load("clubs.services", "clubs.fair_play.services", "clubs.house_rules.services", "clubs.series.services")
        load(
            "clubs.coming.repeating",
            "clubs.coming.asking",
            "clubs.coming.desk",
            "clubs.coming.guests",
            "clubs.personal_messages.services",
        )
        load("clubs.news_places.services", "clubs.news_places.sending")
        notification_types.register()
        link_pages.register()
        retention.connect()
        visibility_groups.register(queries.circles_of)
        front_page_sources.register(front_page.for_visitors, front_page.for_member)
        rule_sources.register(rules_page.KIND, rules_page.ClubRules())
        homes_of_events.register(event_parents.home_of)
        line_ups.register(fixtures.usual_start_of)
        followers.register(changes.mark)
        privacy.register("clubs", queries.export)
