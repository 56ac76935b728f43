"""The form in which a captain names who plays a match: the team's people, and who of them can come."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from clubs.league.fixtures import Match, Side
from clubs.models import Appearance, Membership, Reply, Team, TeamMember
from clubs.services.leagues import team_entries
from tournaments import line_ups, seating

Answer = Reply.Answer
RESERVE = TeamMember.Role.RESERVE


@dataclass(frozen=True)
class Candidate:
    """Somebody who could play a match for a team."""

    membership: Membership
    role: str
    """Empty for somebody of the club who is not in the team."""
    answer: str
    """Their answer to the question whether they can play; empty for none."""
    is_chosen: bool


@dataclass(frozen=True)
class LineUpForm:
    """The line-up of one side, for people who name it."""

    team: Team
    candidates: tuple[Candidate, ...]
    size: int
    """How many play."""
    is_asked: bool
    """Whether the players were asked if they can play."""
    names: tuple[str, ...]
    """The line-up that was named; empty before."""


def form_of(match: Match, side: Side, typed: Collection[int] | None = None) -> LineUpForm | None:
    """The form of a side; `None` while its team is not known. `typed` are the people of a form that was refused."""
    team, place = side.team, side.place
    if team is None or place.entry is None:
        return None
    size = seating.side_size(match.pairing)
    answers = dict(
        Reply.objects.filter(question__team=team, question__pairing=match.pairing)
        .exclude(membership=None)
        .values_list("membership", "answer")
    )
    roster = team_entries.roster(team)
    chosen = _chosen(place.players)
    names = tuple(str(member) for member in chosen)
    marked = {member.pk for member in chosen} or _usual(roster, answers, size)
    marked = marked if typed is None else set(typed)
    ids = {member.membership_id for member in roster}
    people = [(member.membership, str(member.role)) for member in roster]
    people += [(member, "") for member in chosen if member.pk not in ids]
    candidates = tuple(
        Candidate(member, role, answers.get(member.pk, ""), member.pk in marked) for member, role in people
    )
    return LineUpForm(team, candidates, size, bool(answers), names)


def _chosen(members: list[int]) -> list[Membership]:
    """The people of a line-up who are still in their club, in its order."""
    rows = Appearance.objects.filter(member__in=members, membership__left_at=None).select_related("membership")
    by_member = {row.member_id: row.membership for row in rows}
    return [by_member[pk] for pk in members if pk in by_member]


def _usual(roster: list[TeamMember], answers: dict[int, str], size: int) -> set[int]:
    """Who probably plays: the first players who did not say no, then reserves who said yes."""
    players = [each for each in roster if each.role != RESERVE and answers.get(each.membership_id) != Answer.NO]
    reserves = [each for each in roster if each.role == RESERVE and answers.get(each.membership_id) == Answer.YES]
    return {each.membership_id for each in [*players, *reserves][:size]}


def is_closed(match: Match, now: datetime) -> bool:
    """Whether captains can no longer change the line-ups."""
    return line_ups.is_closed(match.pairing, match.starts_at, now)


def are_public(match: Match, now: datetime) -> bool:
    """Whether everyone sees the line-ups."""
    return line_ups.are_public(match.pairing, [match.home.place, match.away.place], match.starts_at, now)
