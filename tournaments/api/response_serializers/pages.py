"""Answers of the API of events: crosstables, paths, rules, forecasts and ratings."""

from rest_framework import serializers

from gameplay.api.base import Output
from tournaments.api.response_serializers.events import At, Text, Whole, Yes
from tournaments.api.response_serializers.matches import MatchShape
from tournaments.models import Hall
from tournaments.plan import FORMATS

# Crosstables


class HeadShape(Output):
    """The head of a column."""

    text = Text(help_text="A place in the table, or the number of a round.")
    words = Text(help_text="The name of the entry or the round.")


class CellShape(Output):
    """A match from the side of one entry."""

    text = Text()
    words = Text(help_text="The same as text, for screen readers.")
    kind = Text(help_text="`w`, `d`, `l`, `self` for the diagonal, or empty.")


class CrosstableLine(Output):
    """An entry with a cell for each head. A cell can have several matches, or none."""

    place = Text()
    entry = Whole()
    name = Text()
    cells = serializers.ListField(child=CellShape(many=True))
    points = Text(help_text="For display, such as `3½`.")


class CrosstableShape(Output):
    """Everyone against everyone, or round by round."""

    title = Text()
    by_round = Yes(help_text="Whether columns are rounds. Otherwise they are entries, by rank.")
    heads = HeadShape(many=True)
    lines = CrosstableLine(many=True)


class Crosstables(Output):
    """A crosstable for the stage, or for each of its groups."""

    tables = CrosstableShape(many=True)
    version = Whole()


# Results and paths


class Results(Output):
    """Matches with a result, newest first."""

    matches = MatchShape(many=True)
    more = Yes(help_text="Whether earlier ones follow. Ask again with `before` = the last id.")
    version = Whole()


class StepShape(Output):
    """A round of an entry: a match, or the reason why there was none."""

    round = Text(help_text="Its name.")
    match = Text(allow_null=True, help_text="The name of the match.")
    partners = Text()
    against = Text()
    score = Text(help_text="Card points, the entry’s own first.")
    outcome = Text(help_text="`won`, `drew`, `lost` or `2nd of 4`. Empty while it is open.")
    points = Text()
    words = Text(help_text="The reason if there is no match.")


class StretchShape(Output):
    """An entry in one stage."""

    stage = Whole()
    group = Whole()
    rank = Text(help_text="Empty while it has none.")
    points = Text()
    sentence = Text(help_text="Its possible final places. Empty if not known.")
    steps = StepShape(many=True)


class Path(Output):
    """An entry’s path through the event, and its next match."""

    entry = Whole()
    name = Text()
    stages = StretchShape(many=True)
    next = Text(allow_null=True, help_text="The name of its next match.")
    version = Whole()


class OwnCalendar(Output):
    """The calendar address for your matches."""

    url = Text(help_text="Signed, so it needs no token. It stops working when your password changes.")


# Rules


class StageRules(Output):
    """The format and scoring of a stage."""

    number = Whole()
    name = Text()
    sentences = serializers.ListField(child=Text())
    cut = Text(help_text="How a tie at the cut is decided. Empty if there is no cut.")


class RuleSection(Output):
    """A part of the rule sheet."""

    title = Text()
    sentences = serializers.ListField(child=Text())


class OtherRules(Output):
    """The rule sheet of a stage, or of its last round, that is played by other rules."""

    name = Text(help_text="Which.")
    title = Text()
    sections = RuleSection(many=True)


class EventRules(Output):
    """The rule sheet of an event’s matches, and its scoring."""

    title = Text()
    sections = RuleSection(many=True)
    others = OtherRules(many=True)
    matches = serializers.ListField(child=Text(), help_text="Rules for every match.")
    stages = StageRules(many=True)
    version = Whole()


# Next act


class NextAct(Output):
    """The next big action of an event, or its obstacles."""

    sentence = Text(help_text="Empty if nothing comes next.")
    act = serializers.ChoiceField(
        ["announce", "start", "go", "admit", "tie", "end"],
        allow_null=True,
        help_text="The address that does it, or `null`.",
    )
    stage = Whole(allow_null=True)
    round = Whole(allow_null=True)
    why_not = Text(help_text="The reason why it is not possible now, or empty.")
    version = Whole()


# The hall


class HallScreen(Output):
    """The hall screen of an event, and the caller’s timer."""

    screen = Text(allow_null=True, help_text="Its secret address; `null` without a screen.")
    note = Text(help_text="The line at its foot.")
    purpose = serializers.ChoiceField(Hall.Purpose.choices, allow_null=True, help_text="What the timer is for.")
    ends_at = At(allow_null=True, help_text="When the running timer ends; `null` without one.")
    seconds_left = Whole(allow_null=True, help_text="Seconds left of a paused timer; `null` otherwise.")


# Boards


class BoardShape(Output):
    """A deal that several tables play."""

    board = Whole(help_text="The number on the board.")
    issue = Whole(help_text="Later issues have other cards.")
    commitment = Text(help_text="The SHA-256 of its key.")
    key = Text(allow_null=True, help_text="`null` until all tables have played it.")
    opened_at = At(allow_null=True)
    done = Whole(help_text="Tables that are finished.")
    tables = Whole(help_text="Tables that play it.")


class Boards(Output):
    boards = BoardShape(many=True)
    version = Whole()


class BoardStack(Output):
    name = Text()
    cards = Text(help_text="As in `4c 4d Xr`.")


class BoardSeat(Output):
    name = Text()
    stacks = BoardStack(many=True)


class BoardCards(Output):
    """All cards of a board. Stock and pile have their top card first."""

    board = Whole()
    issue = Whole()
    seats = BoardSeat(many=True)
    pile = Text()
    stock = Text()


class DealingSheets(Output):
    act = Whole()
    sentence = Text()
    sheets = BoardCards(many=True)


class BoardResult(Output):
    """A table that played a board."""

    match = Text()
    round = Text()
    names = serializers.ListField(child=Text())
    scores = serializers.ListField(child=Whole(allow_null=True), help_text="Card points of each side.")
    points = serializers.ListField(child=Text(), help_text="Match points of each side against the field, exact.")


class WholeBoard(Output):
    board = Whole()
    issue = Whole()
    commitment = Text()
    key = Text(allow_null=True)
    opened_at = At(allow_null=True)
    results = BoardResult(many=True)
    cards = BoardCards(allow_null=True)
    version = Whole()


# Forecasts


class SessionShape(Output):
    """A round in a forecast."""

    name = Text()
    tables = serializers.ListField(child=Whole(), help_text="Number of entries at each.")
    byes = Whole()
    through = Whole(help_text="Number of entries that go through. 0 if not set.")
    is_certain = Yes(help_text="Whether it is always played. A decider is not always needed.")


class CourseShape(Output):
    """The forecast of a stage."""

    name = Text()
    format = serializers.ChoiceField([(name, each.english_title) for name, each in FORMATS.items()])
    entries = Whole()
    rounds = SessionShape(many=True)
    turns = Whole(help_text="Number of consecutive rounds, if some are played in parallel.")
    at_once = Whole(help_text="Tables needed at the same time.")
    matches = Whole()
    byes = Whole()
    minutes = Whole(allow_null=True, help_text="`null` if not known.")
    sentence = Text()


class Forecast(Output):
    """The forecast of an event for a number of entries."""

    entries = Whole()
    stages = CourseShape(many=True)
    minutes = Whole(allow_null=True, help_text="Of all stages. `null` if not known.")


# Ratings


class RatingLine(Output):
    """A rating in a rating list."""

    username = Text()
    name = Text()
    partner = Text(allow_null=True, help_text="For a pair, the partner’s username.")
    partner_name = Text(allow_null=True)
    ruleset = Text(help_text="The family of rulesets it is for.")
    rating = Whole(help_text="1000 for a newcomer.")
    matches = Whole()


class RatingPage(Output):
    """Ratings, best first."""

    ratings = RatingLine(many=True)
    more = Yes(help_text="Whether others follow. Ask again with `after` = the number you have.")


class RatingStepShape(Output):
    """The change of a rating by one match."""

    match = Text(help_text="`A match` if it is not visible to you.")
    url = Text(help_text="Its page. Empty if not visible to you.")
    at = At()
    number = Whole(help_text="Number of rated matches including this one.")
    by = Whole(help_text="The change, up or down.")
    rating = Whole(help_text="After the match.")
    partners = serializers.ListField(child=Text())
    opponents = serializers.ListField(child=Text())


class PersonRatings(Output):
    """A person’s ratings, alone and with partners."""

    username = Text()
    name = Text()
    ratings = RatingLine(many=True)
    partnerships = RatingLine(many=True)


class RatingHistory(Output):
    """The changes of one rating, newest first."""

    rating = RatingLine()
    steps = RatingStepShape(many=True)
    more = Yes(help_text="Whether earlier ones follow. Ask again with `after` = the number you have.")
