"""Matches of leagues and proposals for them."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from clubs.models import Proposal
from gameplay.api.base import Output


class SideShape(Output):
    """A side of a match."""

    team = Whole(allow_null=True)
    name = Text()
    score = Whole(allow_null=True)
    points = Text()
    is_winner = Yes()


class ProposalShape(Output):
    """Another time or place that a side proposes."""

    id = Whole()
    team = Whole()
    starts_at = At()
    venue = Text()
    is_online = Yes()
    words = Text()
    status = serializers.ChoiceField(Proposal.Status.choices)


class FixtureShape(Output):
    """A match of a league. Enter its result through the event, with `event`, `stage` and `match`."""

    id = Whole()
    event = Text()
    stage = Whole()
    match = Text()
    status = Text()
    division = Text(allow_null=True)
    matchday = Whole()
    home = SideShape()
    away = SideShape()
    starts_at = At(allow_null=True)
    deadline_at = At(allow_null=True)
    is_rearranged = Yes()
    venue = Text()
    is_online = Yes()
    proposal = ProposalShape(allow_null=True)


class MatchdayShape(Output):
    """A matchday of a division."""

    division = Text()
    number = Whole()
    name = Text()
    starts_at = At(allow_null=True)
    deadline_at = At(allow_null=True)
    matches = FixtureShape(many=True)
    byes = serializers.ListField(child=Whole())


class FixtureList(Output):
    """The fixtures of a season."""

    matchdays = MatchdayShape(many=True)


class TeamFixtures(Output):
    """The matches of a team."""

    matches = FixtureShape(many=True)


class PastProposal(ProposalShape):
    """A proposal with its outcome."""

    at = At()
    answered_at = At(allow_null=True)
    answer = Text()


class Proposals(Output):
    """Proposals for a match, newest first."""

    proposals = PastProposal(many=True)


class SideLineUp(Output):
    """Who was named to play for a side."""

    side = Text()
    players = serializers.ListField(child=Text())


class LineUps(Output):
    """The line-ups of a match; empty until both sides have chosen theirs, or the match has started."""

    line_ups = SideLineUp(many=True)


class MatchList(Output):
    """Matches of leagues."""

    matches = FixtureShape(many=True)
