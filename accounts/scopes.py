"""What an API token may be used for."""

SCOPES = {
    "read": "See your tables, views, logs and records",
    "play": "Make moves and press the buttons of your tables",
    "tables": "Make, join and leave tables",
    "events_read": "See events, as far as you may see them: draws, results, standings, your matches",
    "events_enter": "Take part in events: enter, answer invitations, check in, withdraw",
    "events_results": "Report and confirm results of matches; as an organiser, enter and correct them",
    "events_organise": "Make events and run those that you organise",
    "clubs_read": "See clubs, and what yours tell their members: the directory, and what waits for who runs them",
    "clubs_join": "Join and leave clubs, change your own entry, and act for your teams: rosters and other dates of matches",
    "clubs_run": "Make clubs and run those that you run: members, news, house rules, leagues; take away as files those that you own",
}
