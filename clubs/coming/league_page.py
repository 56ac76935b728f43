"""The page of a league’s organisers as plain data: team by team, who can play the next match."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clubs.coming import occasions
from clubs.coming.occasions import Occasion
from clubs.models import League, Reply, Team, TeamMember
from clubs.public.league import teams as teams_of
from clubs.services.leagues import fixture_scheduling
from tournaments.models import Place

Answer = Reply.Answer
MOST = 1000
"""Questions that are looked at, the newest ones."""


@dataclass(frozen=True)
class NextMatch:
    """The next match about which a team was asked, with the answers."""

    occasion: Occasion
    opponents: tuple[str, ...]
    yes: int
    no: int
    silent: int
    has_line_up: bool


@dataclass(frozen=True)
class TeamLine:
    """A team in the list."""

    team: Team
    next: NextMatch | None


def lines(league: League, now: datetime) -> list[TeamLine]:
    """The teams of a league by name: a fixed number of queries."""
    nearest = _nearest(league, now)
    places = _places(occasion.question.pairing_id or 0 for occasion in nearest.values())
    sides = fixture_scheduling.teams_of(place.entry_id for rows in places.values() for place in rows if place.entry_id)
    answers, rosters = _answers(nearest.values()), _rosters(league)
    rows = []
    for team in teams_of(league):
        occasion = nearest.get(team.pk)
        if occasion is None:
            rows.append(TeamLine(team, None))
            continue
        replies, roster = answers[occasion.question.pk], rosters[team.pk]
        drawn = [place for place in places[occasion.question.pairing_id or 0] if place.entry_id in sides]
        rows.append(
            TeamLine(
                team,
                NextMatch(
                    occasion,
                    tuple(str(place.entry) for place in drawn if sides[place.entry_id or 0].pk != team.pk),
                    sum(answer in (Answer.YES, Answer.PARTNER) for answer in replies.values()),
                    sum(answer == Answer.NO for answer in replies.values()),
                    sum(not replies.get(member) for member in roster),
                    any(place.players for place in drawn if sides[place.entry_id or 0].pk == team.pk),
                ),
            )
        )
    return rows


def _nearest(league: League, now: datetime) -> dict[int, Occasion]:
    """The next match of each team (id) about which it was asked."""
    rows = occasions.questions().filter(team__league=league).order_by("-pk")[:MOST]
    open_ones = [occasion for question in rows if not (occasion := Occasion(question)).is_closed(now)]
    nearest: dict[int, Occasion] = {}
    for occasion in sorted(open_ones, key=lambda each: (each.starts_at or now, each.question.pk)):
        nearest.setdefault(occasion.question.team_id or 0, occasion)
    return nearest


def _places(pairings: Iterable[int]) -> dict[int, list[Place]]:
    places: dict[int, list[Place]] = defaultdict(list)
    rows = Place.objects.filter(pairing__in=list(pairings), entry__isnull=False).select_related("entry")
    for place in rows.order_by("number"):
        places[place.pairing_id].append(place)
    return places


def _answers(open_ones: Iterable[Occasion]) -> dict[int, dict[int | None, str]]:
    """The answers to each question (id), by members."""
    answers: dict[int, dict[int | None, str]] = defaultdict(dict)
    rows = Reply.objects.filter(question__in=[occasion.question.pk for occasion in open_ones])
    for question, member, answer in rows.values_list("question", "membership", "answer"):
        answers[question][member] = answer
    return answers


def _rosters(league: League) -> dict[int, list[int]]:
    """The players of each team (id), without reserves."""
    rosters: dict[int, list[int]] = defaultdict(list)
    here = TeamMember.objects.filter(team__league=league, left_at=None, membership__left_at=None)
    for team, member in here.exclude(role=TeamMember.Role.RESERVE).values_list("team", "membership"):
        rosters[team].append(member)
    return rosters
