"""Where the name of a member appears, for the preview before it is corrected or forgotten."""

from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import ngettext

from accounts.display_names import folded
from accounts.person_names import mention_finder, mentioning
from clubs.models import Act, Membership, Team
from clubs.services.leagues.team_entries import event_name
from tournaments.models import Act as EventAct
from tournaments.models import Member, Tournament
from web.text import joined

SHOWN = 6
"""Pairs and events that are listed by name."""


@dataclass(frozen=True)
class Traces:
    """Pairs, teams and events that repeat a person's name."""

    teams: tuple[str, ...]
    events: tuple[str, ...]
    lines: int
    """Lines of the histories of the club and of these events that mention the name."""
    is_shared: bool
    """Whether someone else in the club has the same name: then it stays in texts and histories."""

    @property
    def words(self) -> str:
        """`3 pairs or teams and 12 events`; empty if there are none."""
        return joined(self._counts)

    @property
    def corrected(self) -> str:
        """The same with the histories that follow a corrected name: `12 events and 8 lines of histories`."""
        lines = 0 if self.is_shared else self.lines
        more = ngettext("%(count)s line of a history", "%(count)s lines of histories", lines) % {"count": lines}
        return joined([*self._counts, *([more] if lines else [])])

    @property
    def _counts(self) -> list[str]:
        teams, events = len(self.teams), len(self.events)
        counts = [
            ngettext("%(count)s pair or team", "%(count)s pairs or teams", teams) % {"count": teams} if teams else "",
            ngettext("%(count)s event", "%(count)s events", events) % {"count": events} if events else "",
        ]
        return [count for count in counts if count]

    @property
    def shown(self) -> tuple[str, ...]:
        """The first of them by name."""
        return (*self.teams[:SHOWN], *self.events[:SHOWN])

    @property
    def more(self) -> int:
        """The number that `shown` leaves out."""
        return len(self.teams) + len(self.events) - len(self.shown)


def traces_of(membership: Membership) -> Traces:
    """The pairs, teams and events of a member, and the histories: six queries, however many there are."""
    club = membership.club
    teams = Team.objects.filter(roster__membership=membership).distinct().values_list("name", flat=True)
    typed = Member.objects.filter(tournament__circle=club.circle, user=None, appearance=None)
    same = folded(event_name(membership.name))
    evenings = [pk for pk, name in typed.values_list("tournament", "name") if folded(name) == same]
    played = Tournament.objects.filter(Q(pk__in=evenings) | Q(entries__members__appearance__membership=membership))
    others = set(Membership.objects.filter(club=club).exclude(pk=membership.pk).values_list("name", flat=True))
    is_shared = any(folded(other) == folded(membership.name) for other in others)
    events = dict(played.distinct().order_by("-starts_at", "-pk").values_list("pk", "name"))
    names = {membership.name, event_name(membership.name)}
    histories = (Act.objects.filter(club=club), EventAct.objects.filter(tournament__in=events))
    is_mention = mention_finder(names, others - names)
    fields = ("sentence", "reason", "changes")
    candidates = [row for acts in histories for row in mentioning(acts, names, *fields).values_list(*fields)]
    lines = sum(is_mention([*row]) for row in candidates)
    return Traces(tuple(teams), tuple(events.values()), lines, is_shared)
