"""Doors to the matches of leagues: when and where they are played, and who plays. Results go through events."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look, look_inside
from clubs.league import fixtures, permissions
from clubs.league.fixtures import Match, Side
from clubs.models import Act, Club, Proposal, Team
from clubs.public import my_matches
from clubs.public.league import league_of
from clubs.services.leagues import matchday_edits, proposals
from gameplay.api.base import player, read_query
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

A_PAGE = 100


def shown(one: Match) -> dict[str, Any]:
    """A match as the API shows it."""
    names = ("matchday", "starts_at", "deadline_at", "is_rearranged", "venue", "is_online")
    stage = one.pairing.round.stage
    return {
        **{name: getattr(one, name) for name in names},
        "id": one.pairing.pk,
        "event": stage.tournament.slug,
        "stage": stage.number,
        "match": one.pairing.name,
        "status": one.pairing.status,
        "division": one.division.name if one.division else None,
        "home": _side(one.home),
        "away": _side(one.away),
        "proposal": _proposal(one.proposal) if one.proposal else None,
    }


def _side(side: Side) -> dict[str, Any]:
    names = ("name", "score", "points", "is_winner")
    return {**{name: getattr(side, name) for name in names}, "team": side.team.number if side.team else None}


def _proposal(row: Proposal) -> dict[str, Any]:
    names = ("starts_at", "venue", "is_online", "words", "status")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}, "team": row.team.number}


@look(response_serializers.FixtureShape, name="clubs_matches_retrieve")
def match(request: Request, club: str, league: str, match: int) -> Response:
    """A match of a league."""
    return answer(request, response_serializers.FixtureShape, shown(match_of(access.open_club(club), league, match)))


def match_of(club: Club, league: str, match: int) -> Match:
    """A match of a league. Raises `Http404`."""
    row, found = league_of(club, league), fixtures.match(match)
    if found is None or found.season.league_id != row.pk:
        raise Http404(gettext("Match not found."))
    return found


@look(response_serializers.Proposals, name="clubs_proposals_list")
def all_proposals(request: Request, club: str, league: str, match: int) -> Response:
    """Proposals for a match, newest first."""
    pairing = match_of(access.open_club(club), league, match).pairing
    names = ("at", "answered_at", "answer")
    rows = Proposal.objects.filter(pairing=pairing).select_related("team")[:A_PAGE]
    found = [{**_proposal(row), **{name: getattr(row, name) for name in names}} for row in rows]
    return answer(request, response_serializers.Proposals, {"proposals": found})


@look_inside("look", response_serializers.MatchList, name="clubs_own_matches_list")
def own_matches(request: Request, club: Club) -> Response:
    """Your next matches in the leagues that a club runs or takes part in."""
    found = my_matches.next_matches(player(request), club)
    return answer(request, response_serializers.MatchList, {"matches": [shown(one.match) for one in found]})


@look(response_serializers.MatchList, asks=request_serializers.WhichNewest, name="clubs_results_list")
def results(request: Request, club: str) -> Response:
    """The latest results of a club’s leagues, newest first."""
    found, query = access.open_club(club), read_query(request_serializers.WhichNewest, request)
    latest = fixtures.latest(found, query["limit"])
    return answer(request, response_serializers.MatchList, {"matches": [shown(one) for one in latest]})


def _acts(by: User, one: Match) -> None:
    """Raise `NotAllowed` unless somebody acts for one of the sides, or may for it; which one, the service looks at."""
    if not any(side.team is not None and permissions.may_act_for(by, side.team) for side in (one.home, one.away)):
        raise NotAllowed("not_yours", gettext("Only players in this match or an organiser can do that."))


def _team(one: Match, number: int) -> Team:
    found = next((side.team for side in (one.home, one.away) if side.team and side.team.number == number), None)
    if found is None:
        raise Refused("not_in_it", gettext("This team does not play this match."), field="team")
    return found


_WHEN = ("starts_at", "venue", "is_online")


@act("leagues", request_serializers.SetMatch, find=match_of)
def set_match(asked: Asked, form: Form) -> Act:
    """Set time and place of a match without asking the sides."""
    values = {name: form[name] for name in (*_WHEN, "deadline_at")}
    return matchday_edits.set_match(asked.row.pairing.pk, asked.by, **values, **asked.how)


@act("", request_serializers.ProposeDate, find=match_of, allow=_acts, scope="clubs_join")
def propose(asked: Asked, form: Form) -> Proposal:
    """Propose another time or place. It applies when the other side agrees."""
    values = {name: form[name] for name in (*_WHEN, "words")}
    team = _team(asked.row, form["team"])
    return proposals.propose(asked.row.pairing.pk, asked.by, team_id=team.pk, **values, **asked.how)


@act("", request_serializers.FieldMembers, find=match_of, allow=_acts, scope="clubs_join")
def field(asked: Asked, form: Form) -> Act:
    """Set the players of a team for a match, including substitutes."""
    team, people = _team(asked.row, form["team"]), form["members"]
    return matchday_edits.field(asked.row.pairing.pk, asked.by, team_id=team.pk, membership_ids=people, **asked.how)


# Answering


def proposal_of(club: Club, league: str, match: int, proposal: int) -> Proposal:
    """A proposal for a match. Raises `Http404`."""
    pairing = match_of(club, league, match).pairing
    found = Proposal.objects.filter(pairing=pairing, pk=proposal).first()
    if found is None:
        raise Http404(gettext("Proposal not found."))
    return found


def _answers(by: User, row: Proposal) -> None:
    found = fixtures.match(row.pairing_id)
    if found is not None:
        _acts(by, found)


@act("", find=proposal_of, allow=_answers, scope="clubs_join")
def accept(asked: Asked, form: Form) -> Act:
    """Accept the other side’s proposal."""
    return proposals.accept(asked.row.pk, asked.by, **asked.how)


@act("", request_serializers.DeclineDate, find=proposal_of, allow=_answers, scope="clubs_join")
def decline(asked: Asked, form: Form) -> Act:
    """Decline the proposal. Nothing changes."""
    return proposals.decline(asked.row.pk, asked.by, answer=form["answer"], **asked.how)


@act("", request_serializers.CounterDate, find=proposal_of, allow=_answers, scope="clubs_join")
def counter(asked: Asked, form: Form) -> Proposal:
    """Propose something else instead."""
    values = {name: form[name] for name in (*_WHEN, "words")}
    return proposals.counter(asked.row.pk, asked.by, **values, **asked.how)


@act("", find=proposal_of, allow=_answers, scope="clubs_join")
def withdraw(asked: Asked, form: Form) -> Act:
    """Cancel a proposal of your side."""
    return proposals.withdraw(asked.row.pk, asked.by, **asked.how)
