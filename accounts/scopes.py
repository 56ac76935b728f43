"""What an API token may be used for."""

from django.utils.translation import gettext_noop

SCOPES = {
    "read": gettext_noop("See your tables, views, logs and records"),
    "play": gettext_noop("Make moves and press the buttons of your tables"),
    "tables": gettext_noop("Make, join and leave tables"),
    "events_read": gettext_noop("See events, as far as you may see them: draws, results, standings, your matches"),
    "events_enter": gettext_noop("Take part in events: enter, answer invitations, check in, withdraw"),
    "events_results": gettext_noop("Report and confirm results of matches; as an organiser, enter and correct them"),
    "events_organise": gettext_noop("Make events and run those that you organise"),
    "clubs_read": gettext_noop(
        "See clubs, and what yours tell their members: the directory, and what waits for who runs them"
    ),
    "clubs_join": gettext_noop(
        "Join and leave clubs, change your own entry, and act for your teams: rosters and other dates of matches"
    ),
    "clubs_run": gettext_noop(
        "Make clubs and run those that you run: members, news, house rules, leagues; take away as files those that you own"
    ),
}
