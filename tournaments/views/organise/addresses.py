"""Every address of the organisers' pages."""

from tournaments.views.organise import (
    desk,
    entries,
    entry,
    fair_play,
    history,
    making,
    people,
    results,
    rounds,
    settings,
    stages,
)

urls = [
    *making.urls,
    *desk.urls,
    *settings.urls,
    *stages.urls,
    *entries.urls,
    *entry.urls,
    *people.urls,
    *fair_play.urls,
    *history.urls,
    *rounds.urls,
    *results.urls,
]
