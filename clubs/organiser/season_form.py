"""The form of a season: what was typed, its steps and its matchdays; also kept while another page is open."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from clubs.models import League
from clubs.organiser.season_choices import OFTEN, POINTS, STEPS, meant, often_of, points_of
from clubs.organiser.typed_fields import day_of
from web.errors import Refused
from web.sent_numbers import read_ids, read_whole

TIEBREAKS = 4
MOST_ROWS = 30
"""Most divisions, or rows of days off, in one form."""
_FIELDS = {"who": {"name", "divisions", "up", "down"}, "when": {"starts_on", "plays_at", "days", "play_days", "off"}}
"""The controls of the first steps; all others are in the last."""
_TEXTS = ("split", "name", "rules", "setting", "pace", "legs", "scoring", "win", "draw", "loss", "no_show", "side_size")
_DAYS = ("starts_on", "days", "play_days", "plays_at")
_FLAGS = ("swaps_sides", "is_rated")
_LONGEST = 120
_KEPT = "new_season"
MOST_EVENINGS = 60
"""Most matchdays with a tick."""


@dataclass(frozen=True)
class DivisionRow:
    """A division as typed."""

    pk: str = ""
    name: str = ""
    size: str = ""
    up: str = "1"
    """Number of promoted teams; ignored in the top division."""
    down: str = "1"
    """Number of relegated teams; ignored in the bottom division."""


@dataclass(frozen=True)
class OffRow:
    """Days off, as typed."""

    pk: str = ""
    first: str = ""
    last: str = ""
    reason: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.first or self.last or self.reason)


@dataclass(frozen=True)
class Typed:
    """The input, as the page shows it again."""

    values: Mapping[str, str]
    flags: Mapping[str, bool]
    tiebreaks: Sequence[str]
    divisions: Sequence[DivisionRow]
    off: Sequence[OffRow] = field(default_factory=tuple)
    cleared: Sequence[str] = ()
    """Planned matchdays that were cleared, as days off."""
    absent: Sequence[int] = ()
    """Teams of the league that were cleared."""
    playing: int = 0
    """The number of teams that are ticked."""

    @property
    def division_rows(self) -> list[DivisionRow]:
        """The divisions: as typed, or as split, with as many places as teams are ticked."""
        rows, split = list(self.divisions), self.values.get("split")
        filled_rows = [row for row in rows if row.name]
        first, second = [*filled_rows, DivisionRow(), DivisionRow()][:2]
        if split not in ("last", "one", "two") or not self.playing:
            return rows
        if split == "last":
            return _as_last(filled_rows, self.playing) or rows
        top = self.playing if split == "one" else self.playing // 2
        divisions = [_sized(first, 1, top)]
        return divisions if split == "one" else [*divisions, _sized(second, 2, self.playing - top)]


def _as_last(rows: Sequence[DivisionRow], playing: int) -> list[DivisionRow]:
    """The divisions of the last season from the top, as many as there are teams for; the last takes the rest."""
    divisions: list[DivisionRow] = []
    left = playing
    for at, row in enumerate(rows, start=1):
        if divisions and left < 2:
            break
        typed_size = read_whole(row.size, digits=18)
        size = left if typed_size is None or at == len(rows) else min(typed_size, left)
        divisions.append(replace(row, size=str(size)))
        left -= size
    if divisions:
        divisions[-1] = replace(divisions[-1], size=str(max(2, int(divisions[-1].size) + left)))
    return divisions


def _sized(row: DivisionRow, level: int, size: int) -> DivisionRow:
    return replace(row, name=row.name or gettext("Division %(counter)s") % {"counter": level}, size=str(max(2, size)))


# Input


def keep(request: HttpRequest, league: League) -> None:
    """Keep the input of a new season while its organiser adds teams on another page."""
    request.session[_KEPT] = {"league": league.pk, "form": request.POST.urlencode()}


def read_kept(request: HttpRequest, league: League) -> Typed | None:
    """The kept input, with the teams added since."""
    stored = request.session.get(_KEPT)
    if stored is None or stored["league"] != league.pk:
        return None
    form = typed(QueryDict(stored["form"]))
    return replace(form, playing=league.teams.filter(left_at=None).exclude(pk__in=form.absent).count())


def is_kept(request: HttpRequest, league: League) -> bool:
    """Whether there is kept input."""
    stored = request.session.get(_KEPT)
    return stored is not None and stored["league"] == league.pk


def forget(request: HttpRequest) -> None:
    """Drop the kept input, because its season is saved or its organiser starts again."""
    request.session.pop(_KEPT, None)


def typed(data: QueryDict) -> Typed:
    """The input of a form, with one more empty row if requested."""

    def text(name: str) -> str:
        return data.get(name, "").strip()[:_LONGEST]

    def rows(prefix: str) -> range:
        return range(min(MOST_ROWS, read_whole(text(f"{prefix}_rows"), digits=3) or 0))

    divisions = [
        DivisionRow(*(text(f"div_{name}_{at}") for name in ("id", "name", "size", "up", "down"))) for at in rows("div")
    ]
    off = [OffRow(*(text(f"off_{name}_{at}") for name in ("id", "first", "last", "reason"))) for at in rows("off")]
    more = data.get("act", "")
    values = {name: text(name) for name in (*_TEXTS, *_DAYS, "often")}
    if values["often"] not in dict(OFTEN):
        values["often"] = often_of(values["days"])
    if more == "more_divisions":
        values["split"] = "other"
    values["points"] = text("points") if text("points") in dict(POINTS) else points_of(values)
    ticked = data.getlist("evening")
    are_these = text("evenings_of") in ("", pattern_of(values))
    offered = data.getlist("evening_shown")[:MOST_EVENINGS] if are_these else []
    playing = data.getlist("team")
    absent = read_ids((pk for pk in data.getlist("team_shown") if pk not in playing), digits=18)
    return Typed(
        values,
        {name: name in data for name in _FLAGS},
        [text(f"tiebreak_{at}") for at in range(TIEBREAKS)],
        [*divisions, DivisionRow()] if more == "more_divisions" else divisions,
        [*off, OffRow()] if more == "more_off" else off,
        [day[:_LONGEST] for day in dict.fromkeys(offered) if day not in ticked],
        absent,
        len(set(playing) & set(data.getlist("team_shown"))),
    )


# Steps


def step_of(request: HttpRequest) -> str:
    """The step that a sent form asks for, else the one that it shows; of a page, that in its address."""
    names = dict(STEPS)
    target = request.POST.get("act", "").removeprefix("to_")
    current = request.POST.get("step") or request.GET.get("step", "")
    return target if target in names else current if current in names else "who"


def step_at(control: str, current: str) -> str:
    """The step with a control; the current step for what belongs to the whole form."""
    if control in ("season", "settings"):
        return current
    return next((step for step, controls in _FIELDS.items() if control in controls), "how")


# Matchdays


def pattern_of(values: Mapping[str, str]) -> str:
    """First day and interval: the matchdays of another pattern are other days."""
    return f"{values['starts_on']} {meant(values)['days']}"


def evenings(form: Typed, planned: Iterable[date]) -> list[tuple[date, bool]]:
    """Planned matchdays, and those that were cleared, in order, and whether they are ticked."""
    cleared = {day_of(day, "off", "") for day in form.cleared if _is_day(day)}
    return [(day, day not in cleared) for day in sorted({*planned, *cleared})][:MOST_EVENINGS]


def _is_day(text: str) -> bool:
    try:
        day_of(text, "off", "")
    except Refused:
        return False
    return True


# In words


def in_words(form: Typed, choices: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the folded choices of the last step hold: labels and words."""
    values = meant(form.values)
    points = dict(choices["scoring_choices"]).get(values["scoring"], "")
    if values["scoring"] == "by_result":
        points = gettext("%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss") % values
    ties = [dict(choices["tiebreak_choices"]).get(name, "") for name in form.tiebreaks]
    return [
        (
            gettext("Everyone meets everyone"),
            gettext("twice, home and away") if values["legs"] == "2" else gettext("once"),
        ),
        (gettext("Points of a match"), points),
        (gettext("Tie-breaks"), gettext(", then ").join(filter(None, ties)) or gettext("none")),
        (
            gettext("A match without a result at its deadline"),
            str(dict(choices["no_show_choices"]).get(values["no_show"], "")),
        ),
        (gettext("Home and away"), gettext("yes") if form.flags["swaps_sides"] else gettext("no")),
        (gettext("Counts for ratings"), gettext("yes") if form.flags["is_rated"] else gettext("no")),
    ]
