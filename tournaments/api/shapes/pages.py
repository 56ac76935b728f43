"""What comes out of the API of events: crosstables, paths, rules, schedules worked out beforehand, and ratings."""

from __future__ import annotations

from rest_framework import serializers

from gameplay.api.plumbing import Output
from tournaments.api.shapes.events import At, Text, Whole, Yes
from tournaments.api.shapes.matches import MatchShape
from tournaments.plan import FORMATS

# Crosstables


class HeadShape(Output):
    """The head of a column."""

    text = Text(help_text="A place in the table, or the number of a round.")
    words = Text(help_text="Whose place it is, or the round’s name.")


class CellShape(Output):
    """What one match was for one entry."""

    text = Text()
    words = Text(help_text="The same for who does not see the table around it.")
    kind = Text(help_text="`w`, `d` or `l`; `self` where an entry would meet itself; else empty.")


class CrosstableLine(Output):
    """An entry with a cell for each head; a cell may hold several matches, or none."""

    place = Text()
    entry = Whole()
    name = Text()
    cells = serializers.ListField(child=CellShape(many=True))
    points = Text(help_text="As people read them: `3½`.")


class CrosstableShape(Output):
    """Everybody against everybody, or round by round."""

    title = Text()
    by_round = Yes(help_text="Whether columns are rounds; else they are entries, by rank.")
    heads = HeadShape(many=True)
    lines = CrosstableLine(many=True)


class Crosstables(Output):
    """One crosstable for a stage, or one for each of its groups."""

    tables = CrosstableShape(many=True)
    version = Whole()


# Results and paths


class Results(Output):
    """Matches with a result, the latest first."""

    matches = MatchShape(many=True)
    more = Yes(help_text="Whether earlier ones follow: ask again with `before` = the last id.")
    version = Whole()


class StepShape(Output):
    """One round of an entry: a match, or why there was none."""

    round = Text(help_text="Its name.")
    match = Text(allow_null=True, help_text="The name of the match.")
    partners = Text()
    against = Text()
    score = Text(help_text="Card points, the entry’s own first.")
    outcome = Text(help_text="`won`, `drew`, `lost`, `2nd of 4`; empty while it is open.")
    points = Text()
    words = Text(help_text="Where there is no match, why.")


class StretchShape(Output):
    """An entry in one stage."""

    stage = Whole()
    group = Whole()
    rank = Text(help_text="Empty while it has none.")
    points = Text()
    sentence = Text(help_text="Where it can still finish; empty where nobody can say.")
    steps = StepShape(many=True)


class Path(Output):
    """An entry’s way through the event, and what comes next."""

    entry = Whole()
    name = Text()
    stages = StretchShape(many=True)
    next = Text(allow_null=True, help_text="The name of the match that it plays next.")
    version = Whole()


class OwnCalendar(Output):
    """Where a calendar program finds your matches."""

    url = Text(help_text="It is signed and needs no token; it becomes void with your password.")


# Rules


class StageRules(Output):
    """How a stage is played and decided."""

    number = Whole()
    name = Text()
    sentences = serializers.ListField(child=Text())
    cut = Text(help_text="What a tie at the cut leads to; empty where there is no cut.")


class RuleSection(Output):
    """A part of the rule sheet."""

    title = Text()
    sentences = serializers.ListField(child=Text())


class EventRules(Output):
    """The rule sheet of an event’s matches, and how it is decided."""

    title = Text()
    sections = RuleSection(many=True)
    matches = serializers.ListField(child=Text(), help_text="What holds for every match.")
    stages = StageRules(many=True)
    version = Whole()


# What comes next


class NextAct(Output):
    """The next big act of an event, or what it waits for."""

    sentence = Text(help_text="Empty where nothing comes next.")
    act = serializers.ChoiceField(
        ["announce", "start", "go", "admit", "end"],
        allow_null=True,
        help_text="The door that does it; `null` for none.",
    )
    stage = Whole(allow_null=True)
    round = Whole(allow_null=True)
    why_not = Text(help_text="Why it cannot be done now; empty where it can.")
    version = Whole()


# A schedule worked out beforehand


class SessionShape(Output):
    """A round as it would be."""

    name = Text()
    tables = serializers.ListField(child=Whole(), help_text="How many entries each seats.")
    byes = Whole()
    through = Whole(help_text="How many go on from it; 0: not said.")
    is_certain = Yes(help_text="Whether it is played in any case; a decider may not be needed.")


class CourseShape(Output):
    """How a stage would go."""

    name = Text()
    format = serializers.ChoiceField([(name, one.english_title) for name, one in FORMATS.items()])
    entries = Whole()
    rounds = SessionShape(many=True)
    turns = Whole(help_text="How many rounds follow one another, where some are played side by side.")
    at_once = Whole(help_text="Tables needed at the same time.")
    matches = Whole()
    byes = Whole()
    minutes = Whole(allow_null=True, help_text="`null` where nobody can say.")
    sentence = Text()


class Forecast(Output):
    """How an event would go with so many entries."""

    entries = Whole()
    stages = CourseShape(many=True)
    minutes = Whole(allow_null=True, help_text="Of all stages; `null` where nobody can say.")


# Ratings


class RatingLine(Output):
    """A rating on a ladder."""

    username = Text()
    name = Text()
    partner = Text(allow_null=True, help_text="Of a partnership the other one’s username.")
    partner_name = Text(allow_null=True)
    ruleset = Text(help_text="The family of rulesets it is for.")
    rating = Whole(help_text="1000 for a newcomer.")
    matches = Whole()


class RatingPage(Output):
    """Ratings, the best first."""

    ratings = RatingLine(many=True)
    more = Yes(help_text="Whether others follow: ask again with `after` = how many you have.")


class RatingStepShape(Output):
    """What one match did to a rating."""

    match = Text(help_text="`A match` where you may not know of it.")
    url = Text(help_text="Its page; empty where you may not see it.")
    at = At()
    number = Whole(help_text="How many matches the rating has seen with this one.")
    by = Whole(help_text="How far it rose, or fell.")
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
    """What matches did to one rating, the latest first."""

    rating = RatingLine()
    steps = RatingStepShape(many=True)
    more = Yes(help_text="Whether earlier ones follow: ask again with `after` = how many you have.")
