"""Publishing tonight: its results become final, and where they went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.statistics import evening_words
from clubs.tonight.evening import Section
from clubs.tonight.grid import Grid, Row, clock
from tournaments.models import Act
from tournaments.services import history
from tournaments.services.matches import results

LATELY = timedelta(hours=18)
PLACES = 5
"""Places of the standings in the text to share."""


@dataclass(frozen=True)
class Published:
    """What was published tonight and not undone."""

    at: str
    acts: tuple[Act, ...]
    """The latest act of each event."""
    count: int
    """Results of these acts."""
    can_undo: bool


def published(sections: Sequence[Section], reader: User, zone: ZoneInfo) -> Published | None:
    """The latest results that were published from here, if they were the last thing that happened in their events."""
    acts = []
    for section in sections:
        act = Act.objects.filter(tournament=section.event, kind=results.DECIDE.name, undone_by=None).order_by("-pk")
        latest = act.filter(at__gte=timezone.now() - LATELY).select_related("by").first()
        if latest is not None and any(change["model"] == "typedscores" for change in latest.changes):
            acts.append(latest)
    if not acts:
        return None
    newest = max(act.at for act in acts)
    acts = [act for act in acts if newest - act.at < timedelta(minutes=1)]
    count = sum(change["model"] == "typedscores" for act in acts for change in act.changes)
    can_undo = all(act.by_id == reader.pk or section_may(sections, act) for act in acts)
    return Published(clock(newest, zone), tuple(acts), count, can_undo)


@dataclass(frozen=True)
class Target:
    """A page that shows what was published."""

    title: str
    url: str


def targets(sections: Sequence[Section]) -> list[Target]:
    """The public pages of tonight’s events and divisions."""
    return [Target(section.title, home_url(section)) for section in sections]


def home_url(section: Section) -> str:
    """The page of a section: of its season, or its event."""
    return section.season.get_absolute_url() if section.season is not None else section.event.get_absolute_url()


def share_text(grids: Sequence[Grid]) -> str:
    """Tonight’s results in plain words, to be posted where people chat. Only what is public."""
    parts = []
    for each in grids:
        evening = evening_words.read(each.section.event)
        lines = [f"{each.section.title}: {evening.lead}" if evening.lead else each.section.title]
        lines += [_line(row) for row in each.rows if row.state == "final"]
        for title, places in evening.standings(PLACES)[:1]:
            lines += [gettext("%(stage)s, standings:") % {"stage": title}, *places]
        if each.off:
            names = "; ".join(row.names for row in each.off)
            lines.append(gettext("Played later: %(matches)s") % {"matches": names})
        parts.append("\n".join([*lines, settings.SITE_URL + home_url(each.section)]))
    return "\n\n".join(parts)


def _line(row: Row) -> str:
    """`Whitlock / Brandt 6,420 – 5,985 Doyle / Lund`; at a bigger table `Ann 6,420, Ben 5,985, Cem 4,110`."""
    if len(row.sides) == 2 and all(side.score for side in row.sides):
        first, second = row.sides
        return f"{first.names} {first.score} – {second.score} {second.names}"
    return ", ".join(f"{side.names} {side.score}".strip() for side in row.sides)


def section_may(sections: Sequence[Section], act: Act) -> bool:
    """Whether the reader may undo what others did in the event of an act."""
    return any(section.event.pk == act.tournament_id and "undo" in section.may for section in sections)


def take_back(published: Published, by: User) -> None:
    """Undo what was published: the scores are typed again, and nobody else sees them. Raises `Refused`."""
    for act in published.acts:
        history.undo(act.pk, by=by)
