"""Publishing tonight: its results become final, and where they went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import User
from clubs.tonight.evening import Section
from clubs.tonight.grid import clock
from tournaments.models import Act
from tournaments.services import history
from tournaments.services.matches import results

LATELY = timedelta(hours=18)


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


def section_may(sections: Sequence[Section], act: Act) -> bool:
    """Whether the reader may undo what others did in the event of an act."""
    return any(section.event.pk == act.tournament_id and "undo" in section.may for section in sections)


def take_back(published: Published, by: User) -> None:
    """Undo what was published: the scores are typed again, and nobody else sees them. Raises `Refused`."""
    for act in published.acts:
        history.undo(act.pk, by=by)
