"""Undoing an import of seasons as a whole."""

from collections.abc import Collection

from django.db.models import Q
from django.utils.translation import gettext

from clubs.models import Act, Appearance, Division, Season, SeasonEntry, SeasonEvent, TeamMember
from clubs.services.history import Record, Rows, declare
from tournaments.services.events import imported_events
from web.errors import Refused


def remove_events(record: Record, act: Act) -> None:
    """Delete the events of imported seasons, before their rows. Raises `Refused` if later rows depend on them."""
    added = _added(act)
    seasons = Q(season__in=added.get("season", []))
    divisions = Division.objects.filter(seasons | Q(pk__in=added.get("division", [])))
    events = list(divisions.exclude(tournament=None).values_list("tournament_id", flat=True))
    check_dependents(act, events)
    SeasonEntry.objects.filter(seasons | Q(division__in=added.get("division", []))).update(entry=None)
    divisions.update(tournament=None)
    for event in events:
        imported_events.delete_imported(event or 0)


def check_dependents(act: Act, events: Collection[int | None]) -> None:
    """Raise `Refused` if later rows depend on the seasons, teams and people that an act added. `events` are its own
    (ids)."""
    added = _added(act)
    seasons = Q(season__in=added.get("season", []))
    teams = added.get("team", [])
    dependents = (
        SeasonEntry.objects.filter(team__in=teams).exclude(seasons | Q(pk__in=added.get("seasonentry", []))),
        Division.objects.filter(seasons).exclude(pk__in=added.get("division", [])),
        TeamMember.objects.filter(team__in=teams).exclude(pk__in=added.get("teammember", [])),
        SeasonEvent.objects.filter(seasons),
        Season.objects.filter(drawn_from__in=added.get("season", [])),
        Season.objects.filter(league__in=added.get("league", [])).exclude(pk__in=added.get("season", [])),
    )
    if any(rows.exists() for rows in dependents):
        raise Refused("built_on", gettext("Later actions depend on this import. Undo them first."))
    is_added = Q(membership__in=added.get("membership", []))
    if Appearance.objects.filter(is_added).exclude(member__tournament__in=events).exists():
        raise Refused("built_on", gettext("An imported person has played since then. Undo that first."))
    if TeamMember.objects.filter(is_added).exclude(pk__in=added.get("teammember", [])).exists():
        raise Refused("built_on", gettext("An imported person is now in another team. Undo that first."))


def _added(act: Act) -> dict[str, list[int]]:
    """Ids of the rows that an act added, by model."""
    added: dict[str, list[int]] = {}
    for change in act.changes:
        if change["was"] is None:
            added.setdefault(change["model"], []).append(change["pk"])
    return added


IMPORT = declare("bring_in", needs="data", undo=Rows(first=remove_events))
