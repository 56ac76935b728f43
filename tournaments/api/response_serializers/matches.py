"""Answers of the API of events: matches, rounds, standings, brackets, organisers and history."""

from rest_framework import serializers

from gameplay.api.base import Output
from gameplay.fair_play.patterns import Verdict
from tournaments.api.response_serializers.events import At, Text, Whole, Yes
from tournaments.models import Organiser, Pairing, Result, Round

# Matches


class PlaceShape(Output):
    """A seat of a match for an entry."""

    number = Whole()
    side = Whole(help_text="Two entries of one side are partners of this match.")
    entry = Whole(allow_null=True, help_text="The number of the entry. `null` if not known yet.")
    name = Text()
    source = Text(  # type: ignore[assignment]
        help_text="The source of an entry not known yet, such as `winner WB1.1`."
    )
    points = Text(allow_null=True, help_text="Match points, exact.")
    score = Whole(allow_null=True, help_text="Card points.")
    rank = Whole(allow_null=True, help_text="Its place at the table.")


class MatchShape(Output):
    """A match, or a place in a bracket that still waits for its entries."""

    id = Whole()
    event = Text()
    stage = Whole()
    round = Whole()
    round_name = Text()
    name = Text(help_text="Its name in addresses, such as `R3.2` or `WB1.1`.")
    table = Whole(help_text="Its number in the round.")
    boards = serializers.ListField(child=Whole(), help_text="The boards that it plays in a duplicate movement.")
    group = Whole()
    status = serializers.ChoiceField(Pairing.Status.choices)
    is_online = Yes()
    is_fixed = Yes(help_text="Paired by hand.")
    is_walkover = Yes(help_text="Decided without a result, because an entry has left.")
    starts_at = At(allow_null=True)
    deadline_at = At(allow_null=True, help_text="Its own, or that of its round.")
    opened_at = At(allow_null=True)
    done_at = At(allow_null=True)
    url = Text(help_text="Its page.")
    length = serializers.DictField(child=Whole(), help_text="`deals` of the match, or its `target`.")
    places = PlaceShape(many=True)


class MatchPage(Output):
    """Matches in the order in which they were drawn."""

    matches = MatchShape(many=True)
    more = Yes(help_text="Whether others follow. Ask again with `since` = the last id.")
    version = Whole()


class OwnMatches(Output):
    """Your open matches, least time left first."""

    matches = MatchShape(many=True)


class ResultLine(Output):
    """The score of one entry."""

    entry = Whole(allow_null=True)
    score = Whole(allow_null=True)
    forfeit = Yes()
    books = Whole(allow_null=True)
    outs = Whole(allow_null=True)
    deals = serializers.ListField(child=Whole(), allow_null=True, help_text="Its card points on each board.")


class ResultShape(Output):
    """An entered result. The one with `counts` true counts."""

    id = Whole()
    kind = serializers.ChoiceField(Result.Kind.choices)
    status = serializers.ChoiceField(Result.Status.choices)
    origin = serializers.ChoiceField(Result.Origin.choices)
    counts = Yes()
    lines = ResultLine(many=True)
    winner = Whole(allow_null=True)
    for_entry = Whole(allow_null=True, help_text="The entry that entered it.")
    reason = Text()
    at = At()
    confirms_at = At(allow_null=True, help_text="When it becomes final without an answer.")
    confirmed_at = At(allow_null=True)


class WholeMatch(MatchShape):
    """A match with every entered result, newest first."""

    table_url = Text(help_text="Its online table, if visible to you.")
    results = ResultShape(many=True)
    newest = Whole(help_text="The newest result, 0 for none. Send it back as `known`.")
    version = Whole()


# Rounds, standings, brackets


class RoundShape(Output):
    """A round of a stage."""

    number = Whole()
    name = Text()
    status = serializers.ChoiceField(Round.Status.choices)
    is_fixed = Yes(help_text="Paired by hand, at least in part.")
    starts_at = At(allow_null=True)
    deadline_at = At(allow_null=True)
    tables = Whole()
    open = Whole(help_text="Tables without a result.")


class Rounds(Output):
    """The drawn rounds of a stage."""

    rounds = RoundShape(many=True)
    version = Whole()


class SitOutShape(Output):
    """An entry that does not play in a round."""

    entry = Whole()
    name = Text()
    kind = Text(help_text="`bye`, `half_bye`, `zero_bye`, …")
    points = Text()


class WholeRound(RoundShape):
    """A round with its pairings and byes."""

    matches = MatchShape(many=True)
    sit_outs = SitOutShape(many=True)
    version = Whole()


class TiebreakShape(Output):
    """A tie-break, in the order in which they count."""

    name = Text()
    title = Text()
    explanation = Text()


class ValueShape(Output):
    """A tie-break’s value."""

    name = Text()
    value = Text(allow_null=True, help_text="Exact.")


class StandingLine(Output):
    """An entry in the standings."""

    rank = Whole(allow_null=True, help_text="Shared if equal. `null` for entries listed last or without a rank yet.")
    entry = Whole()
    name = Text()
    seed = Whole()
    points = Text(allow_null=True, help_text="Exact. `null` if the format has none.")
    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    values = ValueShape(many=True)
    best = Whole(allow_null=True, help_text="The best final rank it can still reach. `null` if not known.")
    worst = Whole(allow_null=True)
    is_removed = Yes(help_text="Listed last by decision.")
    last_round = Whole(allow_null=True, help_text="The round after which it left.")
    by = Text(help_text="What put it ahead of entries it was tied with, such as `ahead by lot`, or empty.")


class WhyShape(Output):
    """The reason why one of two tied neighbours is ahead."""

    upper = Whole()
    lower = Whole()
    sentence = Text()


class StandingsTable(Output):
    """The standings of a stage, or of one of its groups."""

    group = Whole(help_text="From 1; 0 for the whole stage.")
    lines = StandingLine(many=True)
    whys = WhyShape(many=True)


class LotShape(Output):
    """A lot that was drawn between tied entries."""

    number = Whole(help_text="Hash the key so often with SHA-256 to get the `lot_commitment` of the event.")
    key = Text(help_text="64 hexadecimal digits. The lowest SHA-256 of `key:number of the entry` comes first.")


class Standings(Output):
    """Standings with their tie-breaks, or the certain places of a knockout."""

    tiebreaks = TiebreakShape(many=True)
    tables = StandingsTable(many=True)
    question = Text(help_text="The tie that waits for an organiser, or empty.")
    lots = LotShape(many=True)
    version = Whole()


class BracketColumn(Output):
    """A round of a bracket, from top to bottom."""

    name = Text()
    title = Text()
    remark = Text()
    matches = serializers.ListField(
        child=Text(allow_null=True), help_text="Names of matches. `null` if no entry can reach it."
    )


class BracketHalf(Output):
    """The winners’ bracket, or the second chance."""

    name = Text()
    title = Text()
    columns = BracketColumn(many=True)


class BracketShape(Output):
    """A bracket as it is drawn, its matches, and the places it led to so far."""

    halves = BracketHalf(many=True)
    third_place = Text(allow_null=True, help_text="The name of the match for it.")
    matches = MatchShape(many=True)
    version = Whole()


class AdjustmentShape(Output):
    """A point adjustment by an organiser."""

    id = Whole()
    entry = Whole()
    name = Text()
    points = Text()
    reason = Text()
    at = At()


class Adjustments(Output):
    """The point adjustments in a stage."""

    adjustments = AdjustmentShape(many=True)


# Organisers and history


class OrganiserShape(Output):
    """An organiser of an event."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Organiser.Role.choices)


class Organisers(Output):
    """The organisers of an event."""

    organisers = OrganiserShape(many=True)


class ConcernedShape(Output):
    """A table or a match behind a finding."""

    name = Text()
    url = Text(help_text="Its path on this site.")
    cases = Whole()


class RemarkShape(Output):
    """An organiser’s remark on a finding."""

    verdict = serializers.ChoiceField(Verdict.choices)
    note = Text()
    at = At()
    by = Text(help_text="Empty if the account was deleted.")


class FindingShape(Output):
    """A pattern between two people: figures, and no verdict."""

    key = Text(help_text="Its name, which stays the same while the pattern exists.")
    kind = Text(help_text="`device`, `looks` or `partners`.")
    sentence = Text()
    reason = Text(help_text="Possible innocent reasons.")
    cases = Whole()
    out_of = Whole()
    tables = ConcernedShape(many=True)
    is_settled = Yes(help_text="Whether the last remark said it is harmless, with nothing new since then.")
    remarks = RemarkShape(many=True)


class Findings(Output):
    """Possible breaches of fair play, unchecked ones first."""

    findings = FindingShape(many=True)


class ChangeShape(Output):
    """The changes of an action, as text."""

    what = Text()
    was = Text()
    became = Text()


class ActShape(Output):
    """A line of the history. Only organisers see its author, reason and changes."""

    id = Whole()
    at = At()
    kind = Text()
    sentence = Text()
    by = Text(help_text="Empty for the site itself.")
    reason = Text()
    changes = ChangeShape(many=True)
    more_changes = Whole(help_text="Lines of `changes` that were left out.")
    undoes = Whole(allow_null=True)
    is_undone = Yes()
    can_undo = Yes(help_text="Whether you can try to undo it.")


class History(Output):
    """Actions, newest first."""

    acts = ActShape(many=True)
    more = Yes(help_text="Whether older ones follow. Ask again with `before` = the last id.")
    version = Whole()
