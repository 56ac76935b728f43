"""Every address of the organisers' pages."""

from tournaments.duplicate import views as boards
from tournaments.fair_play import views as fair_play
from tournaments.views.organiser import (
    create,
    desk,
    entries,
    entry,
    hall,
    history,
    people,
    results,
    rounds,
    settings,
    stages,
    ties,
)

urls = [
    *create.urls,
    *desk.urls,
    *settings.urls,
    *stages.urls,
    *ties.urls,
    *entries.urls,
    *entry.urls,
    *people.urls,
    *hall.urls,
    *boards.organising,
    *fair_play.urls,
    *history.urls,
    *rounds.urls,
    *results.urls,
]
