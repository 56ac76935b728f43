"""API views for matches of leagues: time, place and players. Results go through events."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, inside_view, read_view
from clubs.league import fixtures, permissions
from clubs.league.fixtures import Match, Side
from clubs.models import Act, Club, Proposal, Team
from clubs.public import my_matches
from clubs.public.league import league_of
from clubs.public.lookups import first_or_404
from clubs.services.leagues import matchday_edits, proposals
from gameplay.api.base import player, read_query
from gameplay.api.tables import answer
from tournaments import line_ups
from web.errors import NotAllowed, Refused

A_PAGE = 100


def match_data(match: Match) -> dict[str, Any]:
    """A match as the API shows it."""
    names = ("matchday", "starts_at", "deadline_at", "is_rearranged", "venue", "is_online")
    stage = match.pairing.round.stage
    return {
        **{name: getattr(match, name) for name in names},
        "id": match.pairing.pk,
        "event": stage.tournament.slug,
        "stage": stage.number,
        "match": match.pairing.name,
        "status": match.pairing.status,
        "division": match.division.name if match.division else None,
        "home": _side(match.home),
        "away": _side(match.away),
        "proposal": _proposal(match.proposal) if match.proposal else None,
    }


def _side(side: Side) -> dict[str, Any]:
    names = ("name", "score", "points", "is_winner")
    return {**{name: getattr(side, name) for name in names}, "team": side.team.number if side.team else None}


def _proposal(proposal: Proposal) -> dict[str, Any]:
    names = ("starts_at", "venue", "is_online", "words", "status")
    return {"id": proposal.pk, **{name: getattr(proposal, name) for name in names}, "team": proposal.team.number}


@read_view(response_serializers.FixtureShape, name="clubs_matches_retrieve")
def match(request: Request, club: str, league: str, match: int) -> Response:
    """A match of a league."""
    data = match_data(match_of(access.open_club(club), league, match))
    return answer(request, response_serializers.FixtureShape, data)


def match_of(club: Club, league: str, match: int) -> Match:
    """A match of a league. Raises `Http404`."""
    this_league, this_match = league_of(club, league), fixtures.match(match)
    if this_match is None or this_match.season.league_id != this_league.pk:
        raise Http404(gettext("Match not found."))
    return this_match


@read_view(response_serializers.Proposals, name="clubs_proposals_list")
def all_proposals(request: Request, club: str, league: str, match: int) -> Response:
    """Proposals for a match, newest first."""
    pairing = match_of(access.open_club(club), league, match).pairing
    names = ("at", "answered_at", "answer")
    rows = Proposal.objects.filter(pairing=pairing).select_related("team")[:A_PAGE]
    data = [{**_proposal(proposal), **{name: getattr(proposal, name) for name in names}} for proposal in rows]
    return answer(request, response_serializers.Proposals, {"proposals": data})


@read_view(response_serializers.LineUps, name="clubs_line_ups_retrieve")
def all_line_ups(request: Request, club: str, league: str, match: int) -> Response:
    """The line-ups of a match, once both sides have chosen theirs, or it has started."""
    this_match = match_of(access.open_club(club), league, match)
    places = [this_match.home.place, this_match.away.place]
    rows = line_ups.shown(this_match.pairing, places, this_match.starts_at, timezone.now())
    data = {"line_ups": [{"side": side, "players": names} for side, names in rows]}
    return answer(request, response_serializers.LineUps, data)


@inside_view("look", response_serializers.MatchList, name="clubs_own_matches_list")
def own_matches(request: Request, club: Club) -> Response:
    """Your next matches in the leagues that a club runs or takes part in."""
    rows = my_matches.next_matches(player(request), club)
    return answer(request, response_serializers.MatchList, {"matches": [match_data(row.match) for row in rows]})


@read_view(response_serializers.MatchList, asks=request_serializers.WhichNewest, name="clubs_results_list")
def results(request: Request, club: str) -> Response:
    """The latest results of a club’s leagues, newest first."""
    this_club, query = access.open_club(club), read_query(request_serializers.WhichNewest, request)
    latest = fixtures.latest(this_club, query["limit"])
    return answer(request, response_serializers.MatchList, {"matches": [match_data(match) for match in latest]})


def _acts(by: User, match: Match) -> None:
    """Raise `NotAllowed` unless the user can act for one of the sides. The service checks for which one."""
    if not any(side.team is not None and permissions.may_act_for(by, side.team) for side in (match.home, match.away)):
        raise NotAllowed("not_yours", gettext("Only players in this match or an organiser can do that."))


def _team(match: Match, number: int) -> Team:
    team = next((side.team for side in (match.home, match.away) if side.team and side.team.number == number), None)
    if team is None:
        raise Refused("not_in_it", gettext("This team does not play this match."), field="team")
    return team


_WHEN = ("starts_at", "venue", "is_online")


@act("leagues", request_serializers.SetMatch, find=match_of)
def set_match(action: Action, form: Form) -> Act:
    """Set time and place of a match without asking the sides."""
    values = {name: form[name] for name in (*_WHEN, "deadline_at")}
    return matchday_edits.set_match(action.row.pairing.pk, action.by, **values, **action.how)


@act("", request_serializers.ProposeDate, find=match_of, allow=_acts, scope="clubs_join")
def propose(action: Action, form: Form) -> Proposal:
    """Propose another time or place. It applies when the other side agrees."""
    values = {name: form[name] for name in (*_WHEN, "words")}
    team = _team(action.row, form["team"])
    return proposals.propose(action.row.pairing.pk, action.by, team_id=team.pk, **values, **action.how)


@act("", request_serializers.FieldMembers, find=match_of, allow=_acts, scope="clubs_join")
def set_line_up(action: Action, form: Form) -> Act:
    """Set the players of a team for a match, including substitutes."""
    values = {"team_id": _team(action.row, form["team"]).pk, "membership_ids": form["members"]}
    return matchday_edits.set_line_up(action.row.pairing.pk, action.by, **values, **action.how)


# Answering


def proposal_of(club: Club, league: str, match: int, proposal: int) -> Proposal:
    """A proposal for a match. Raises `Http404`."""
    pairing = match_of(club, league, match).pairing
    return first_or_404(Proposal.objects.filter(pairing=pairing, pk=proposal), gettext("Proposal not found."))


def _answers(by: User, proposal: Proposal) -> None:
    match = fixtures.match(proposal.pairing_id)
    if match is not None:
        _acts(by, match)


@act("", find=proposal_of, allow=_answers, scope="clubs_join")
def accept(action: Action, form: Form) -> Act:
    """Accept the other side’s proposal."""
    return proposals.accept(action.row.pk, action.by, **action.how)


@act("", request_serializers.DeclineDate, find=proposal_of, allow=_answers, scope="clubs_join")
def decline(action: Action, form: Form) -> Act:
    """Decline the proposal. Nothing changes."""
    return proposals.decline(action.row.pk, action.by, answer=form["answer"], **action.how)


@act("", request_serializers.CounterDate, find=proposal_of, allow=_answers, scope="clubs_join")
def counter(action: Action, form: Form) -> Proposal:
    """Propose something else instead."""
    values = {name: form[name] for name in (*_WHEN, "words")}
    return proposals.counter(action.row.pk, action.by, **values, **action.how)


@act("", find=proposal_of, allow=_answers, scope="clubs_join")
def withdraw(action: Action, form: Form) -> Act:
    """Cancel a proposal of your side."""
    return proposals.withdraw(action.row.pk, action.by, **action.how)
