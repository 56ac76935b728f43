"""Scopes of API tokens."""

from django.utils.translation import gettext_noop

SCOPES = {
    "read": gettext_noop("See your tables, views, logs and records"),
    "play": gettext_noop("Make moves and press the buttons of your tables"),
    "tables": gettext_noop("Create, join and leave tables"),
    "channels": gettext_noop("See and change the channels that your notifications go to"),
    "events_read": gettext_noop("See events that are visible to you: draws, results, standings, your matches"),
    "events_enter": gettext_noop("Take part in events: enter, answer invitations, check in, withdraw"),
    "events_results": gettext_noop("Report and confirm results of matches, and enter and correct them as an organiser"),
    "events_organise": gettext_noop("Create events and manage those you organise"),
    "clubs_read": gettext_noop("See clubs, and in your own clubs the directory and tasks waiting for organisers"),
    "clubs_join": gettext_noop(
        "Join and leave clubs, change your club profile, and act for your teams: rosters, rescheduling matches"
    ),
    "clubs_run": gettext_noop(
        "Create clubs, manage yours (members, news, house rules, leagues), and export those you own"
    ),
}
