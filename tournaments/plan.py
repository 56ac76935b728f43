"""Plan of a stage: its format and every choice of the organiser, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_noop

from engine.compete import evening, scoring
from engine.compete.pairing import knockout_pods
from engine.compete.tiebreaks import NAMES as TIEBREAKS
from engine.compete.ties import ASK, RULES
from tournaments.fixture_lists import Fixtures, read_fixtures
from tournaments.own_terms import MOST_MINUTES, NO_TERMS, OwnTerms, RoundTerms, read_rounds, write_rounds, wrong_terms
from web.errors import Refused


class Format(NamedTuple):
    """Name and description of a format: stored in English, shown in the reader’s language."""

    english_title: str
    english_sentence: str

    @property
    def title(self) -> str:
        """Name of the format."""
        return gettext(self.english_title)

    @property
    def sentence(self) -> str:
        """Description of the format."""
        return gettext(self.english_sentence)


FORMATS: dict[str, Format] = {
    "round_robin": Format(gettext_noop("Round robin"), gettext_noop("Everyone meets everyone, once or twice.")),
    "groups": Format(gettext_noop("Groups"), gettext_noop("A round robin in each of several groups.")),
    "swiss": Format(gettext_noop("Swiss"), gettext_noop("In each round entries with equal points meet, never twice.")),
    "swiss_pods": Format(
        gettext_noop("Swiss at bigger tables"),
        gettext_noop("In each round entries with similar points share a table of three to seven."),
    ),
    "social": Format(
        gettext_noop("Mixer"),
        gettext_noop("Tables of three to seven, fixed in advance. As few entries as possible meet twice."),
    ),
    "single_elimination": Format(gettext_noop("Knockout"), gettext_noop("Lose once and you are out.")),
    "double_elimination": Format(
        gettext_noop("Double elimination"),
        gettext_noop("Lose twice and you are out. The first loss puts you in the second-chance bracket."),
    ),
    "pod_knockout": Format(
        gettext_noop("Knockout at bigger tables"), gettext_noop("The best of each table go through to the next round.")
    ),
    "rotating_partners": Format(
        gettext_noop("Partners rotate"), gettext_noop("Individual event: a different partner each round.")
    ),
    "howell": Format(gettext_noop("Howell"), gettext_noop("Pairs play the same deals. Every pair meets every other.")),
    "mitchell": Format(
        gettext_noop("Mitchell"), gettext_noop("Pairs play the same deals. One line stays, the other moves.")
    ),
    "ladder": Format(
        gettext_noop("Ladder"), gettext_noop("Challenge someone above you. The winner takes the higher place.")
    ),
    "arena": Format(
        gettext_noop("Arena evening"), gettext_noop("For a fixed time, free players are paired as soon as they finish.")
    ),
}
"""Every format of a stage, by the name that is stored."""

BRACKETS = ("single_elimination", "double_elimination")
KNOWN_BEFOREHAND = ("round_robin", "groups", "social", "rotating_partners", "howell", "mitchell")
"""Formats whose pairings do not depend on results."""
DRAWN_BY_ROUND = ("swiss", "swiss_pods", "pod_knockout")
"""Formats in which a round is drawn when the one before is in."""
DUPLICATE = ("howell", "mitchell")
ENDLESS = ("ladder", "arena")
KNOCKOUTS = (*BRACKETS, "pod_knockout")
WITHOUT_POINTS = (*BRACKETS, "pod_knockout", "ladder")
"""Formats that are not decided by points that add up."""
OWN_LAST_SEATS = ("pod_knockout", "swiss_pods", "social")
"""Formats whose last round can have tables of another size."""
WITH_BYES = ("swiss", "swiss_pods", "social", "rotating_partners")
"""Formats in which some entries have more byes than others."""
BYES_COUNT = ("average", "none", "points")
"""Values of a bye: the mean of the entry's played rounds, nothing, or the plan's points for a bye."""


class TableSizes(NamedTuple):
    """The usual, the smallest and the biggest table of a round."""

    seats: int
    least: int
    most: int


@dataclass(frozen=True)
class Plan:
    """The choices for one stage. Numbers of points are exact and written as text, `1/2`."""

    format: str
    seats: int = 2
    """Entries at a table."""
    least: int = 3
    most: int = 7
    """At bigger tables: the smallest and the biggest that may be made where entries do not divide."""
    rounds: int = 0
    """Number of rounds; 0 for the usual number of the format."""
    legs: int = 1
    groups: int = 1
    fixtures: Fixtures = ()
    """Rounds of a round robin that were drawn elsewhere, in place of its own draw."""
    advance: int = 0
    """Entries of each table that go through to the next round of a pod knockout."""
    third_place: bool = False
    reset: bool = True
    """Whether a double elimination's final is played again when the second chance wins it."""
    shares_deals: bool = False
    """Whether all tables of a round play the same deals."""

    scoring: str = "by_result"
    """Of `engine.compete.scoring.SCORINGS`."""
    win: str = "2"
    draw: str = "1"
    loss: str = "0"
    bye: str = ""
    half_bye: str = ""
    forfeit_win: str = ""
    forfeit_loss: str = ""
    """Points of rounds not played; empty for those of the scoring."""
    place_points: tuple[str, ...] = ()
    """For scoring by places: the points of each place; empty for one less each."""

    counts: str = evening.RESULT
    """What adds up, of `engine.compete.evening.SCORINGS`: match points, card points, or their average."""
    win_bonus: int = 0
    """Card points for each match won, where card points count."""
    byes_count: str = "points"
    """Value of a bye that nobody asked for, of `BYES_COUNT`."""

    tiebreaks: tuple[str, ...] = ("direct_encounter", "buchholz", "sonneborn_berger", "spread")
    unplayed_rule: str = "fide2023"
    best_rounds: int = 0
    spread_cap: int = 0
    cut_tie: str = ASK
    """Decision of every tie at a cut, of `engine.compete.ties.RULES`: what the tie-breaks leave, and a tie for first
    place. `tiebreaks` asks an organiser."""

    all_at_once: bool = False
    """Whether every round is open from the start, if rounds are known in advance."""
    by_date: bool = False
    """Whether each round opens at its own start, even if earlier ones are open; one without a start waits."""
    waits_for_go: bool = False
    """Whether each round waits for an organiser's go."""
    round_hours: int = 0
    """Time for a round from its opening; 0 for none."""
    round_minutes: int = 0
    """Time for a round at real tables, in place of the hours; 0 for none."""

    take: int = 0
    """Entries that go through from the stage before, in total; 0 for all. The first stage takes all entries."""
    take_each: int = 0
    """Entries that go through from each group or table of the stage before; the best others fill up to `take`."""
    by_hand: bool = False
    """Whether an organiser chooses the entries that go through."""
    carries: bool = False
    """Whether points of the stage before count on."""

    reach: int = 3
    """In a ladder: how many places above one may challenge."""
    idle_days: int = 0
    """In a ladder: after how many days without a match one slides down a place; 0 for never."""
    minutes: int = 120
    """Duration of an arena in minutes."""

    own_terms: OwnTerms = NO_TERMS
    """Terms of all matches that differ from those of the event."""
    final_terms: OwnTerms = NO_TERMS
    """Terms of the last round that differ from those of the stage."""
    round_terms: RoundTerms = ()
    """The same of other rounds, by their names as stored."""

    @property
    def title(self) -> str:
        """The format's name for people."""
        return FORMATS[self.format].title

    @property
    def is_bracket(self) -> bool:
        return self.format in BRACKETS

    @property
    def has_partners(self) -> bool:
        """Whether people who enter alone are partners at the tables."""
        return self.format == "rotating_partners"

    @property
    def is_knockout(self) -> bool:
        """Whether its last round is a final."""
        return self.format in KNOCKOUTS

    @property
    def has_last_round(self) -> bool:
        """Whether it is known from the start which round is the last, so that this can have terms of its own."""
        return self.is_knockout or (self.format in WITH_BYES and self.rounds > 0)

    @property
    def evening(self) -> evening.Scoring:
        """What adds up to the points, and what a bye counts that nobody asked for."""
        points = Fraction(self.bye or 0) if self.byes_count == "points" else Fraction(0)
        return evening.Scoring(self.counts, None if self.byes_count == "average" else points, self.win_bonus)

    @property
    def has_plain_byes(self) -> bool:
        """Whether a bye is worth its match points, whatever else the entry does."""
        return self.byes_count == "points" and not self.counts_cards

    @property
    def counts_cards(self) -> bool:
        """Whether card points add up, not match points."""
        return self.counts != evening.RESULT

    @property
    def scoring_settings(self) -> dict[str, Any]:
        """Settings of the scoring."""
        if self.scoring == "by_result":
            return {"win": Fraction(self.win), "draw": Fraction(self.draw), "loss": Fraction(self.loss)}
        if self.scoring == "by_place" and self.place_points:
            return {"points": [Fraction(points) for points in self.place_points]}
        return {}

    def worth(self, outcome: str, *, others: int = 1) -> Fraction:
        """Points of a round not played: `bye`, `half_bye`, `forfeit_win` or `forfeit_loss`.

        `others` is the number of other tables with the same deals, if points are made against the field.
        """
        if getattr(self, outcome):
            return Fraction(getattr(self, outcome))
        settings = self.scoring_settings
        if self.scoring == "by_place" and not self.place_points:
            settings = {"sides": self.seats}
        if self.scoring == "matchpoints":
            settings = {"others": max(1, others)}
        came, absent = scoring.walkover(self.scoring, **settings)
        return {"bye": came, "half_bye": came / 2, "forfeit_win": came, "forfeit_loss": absent}[outcome]

    @property
    def last_tables(self) -> TableSizes:
        """The tables of its last round."""
        seats = self.final_terms.seats or self.seats
        return TableSizes(seats, min(self.least, seats), max(self.most, seats))

    def levels(self, entries: int) -> tuple[knockout_pods.Level, ...]:
        """The levels of a knockout at bigger tables with so many entries. Raises `CannotPair`."""
        sizes = {"least": self.least, "most": self.most, "final": self.final_terms.seats}
        return knockout_pods.levels(entries, self.seats, self.advance, **sizes)

    def but(self, **changes: Any) -> Plan:
        """The same plan with some choices changed, checked."""
        return Plan.read(self.write() | changes)

    def terms_of(self, round_name: str) -> OwnTerms:
        """What a round that is not the last has differently from the stage."""
        return dict(self.round_terms).get(round_name, NO_TERMS)

    def write(self) -> dict[str, Any]:
        """Ready for JSON; `read` reads it."""
        written = {field.name: _written(getattr(self, field.name)) for field in fields(self)}
        rare: dict[str, Any] = {"round_terms": write_rounds(self.round_terms)} if self.round_terms else {}
        if self.fixtures:
            rare["fixtures"] = [[list(match) for match in matches] for matches in self.fixtures]
        return {name: value for name, value in written.items() if name not in _RARE} | rare

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Plan:
        """A plan from the data of `write` or of a form. Raises `Refused` with a sentence for invalid ones."""
        by_name = {field.name: field for field in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in data.items():
            if name not in by_name:
                raise Refused("bad_plan", gettext("“%(name)s” is not a setting of a stage.") % {"name": name})
            values[name] = _as(str(by_name[name].type), name, value)
        if values.get("format") not in FORMATS:
            raise Refused("bad_plan", gettext("Choose a format."))
        plan = cls(**values)
        if wrong := wrong_choices(plan):
            raise Refused("bad_plan", " ".join(wrong))
        return plan


def standard(format: str, **choices: Any) -> Plan:
    """The usual choices of a format, some changed."""
    usual: dict[str, Any] = {}
    if format in ("swiss_pods", "social", "pod_knockout"):
        usual = {"seats": 4, "scoring": "by_place", "tiebreaks": ["points_scored", "wins", "direct_encounter"]}
    if format == "pod_knockout":
        usual["advance"] = 2
    if format == "rotating_partners":
        usual = {"seats": 4, "scoring": "by_result", "tiebreaks": ["spread", "wins", "points_scored"]}
    if format in DUPLICATE:
        usual = {"scoring": "matchpoints", "shares_deals": True, "tiebreaks": ["wins", "points_scored"]}
    if format in WITH_BYES:
        usual["byes_count"] = "average"
    if format in ("round_robin", "groups"):
        usual = {"tiebreaks": ["direct_encounter", "sonneborn_berger", "spread", "wins"]}
    if format == "arena":
        usual = {"tiebreaks": ["wins", "spread"]}
    return Plan.read({"format": format} | usual | choices)


_RARE = ("round_terms", "fixtures")
"""Choices that are written only where a plan has them."""


def _written(value: Any) -> Any:
    if isinstance(value, OwnTerms):
        return value.write()
    return list(value) if isinstance(value, tuple) else value


def _as(kind: str, name: str, value: Any) -> Any:
    """A value converted to the type of its field."""
    if kind == "OwnTerms":
        return OwnTerms.read(value)
    if kind == "RoundTerms":
        return read_rounds(value)
    if kind == "Fixtures":
        return read_fixtures(value)
    try:
        if kind == "bool":
            return bool(value)
        if kind == "int":
            return _integer(value)
        if kind.startswith("tuple"):
            texts = tuple(str(item) for item in value)
            return tuple(_points(item) for item in texts) if name == "place_points" else texts
        text = str(value)
        if text and name in ("win", "draw", "loss", "bye", "half_bye", "forfeit_win", "forfeit_loss"):
            text = _points(text)
        return text
    except (TypeError, ValueError, ZeroDivisionError):
        sentence = gettext("“%(value)s” is not a value for %(choice)s.")
        raise Refused("bad_plan", sentence % {"value": value, "choice": name.replace("_", " ")}) from None


def _points(text: str) -> str:
    """An exact number of points. Its digits are few, so that nobody can have the site reckon with millions of them."""
    if not re.fullmatch(r"\s*[-+]?[0-9]{1,6}(\s*/\s*[0-9]{1,6}|\.[0-9]{1,6})?\s*", text):
        raise ValueError
    return str(Fraction(text.replace(" ", "")))


def _integer(value: Any) -> int:
    number = int(value)
    if not 0 <= number <= 10_000 or (isinstance(value, float) and value != number):
        raise ValueError
    return number


def wrong_choices(plan: Plan) -> list[str]:
    """Contradictions in a plan, regardless of the entries: a sentence each."""
    fixed_two = plan.is_bracket or plan.format in ("swiss", "round_robin", "groups", *DUPLICATE, "ladder")
    checks = [
        (plan.seats < 2 or plan.seats > 7, gettext("A table seats two to seven entries.")),
        (fixed_two and plan.seats != 2, gettext("%(format)s is played at tables of two entries.") % {"format": plan.title}),
        (plan.has_partners and plan.seats != 4, gettext("If partners rotate, four people share a table.")),
        (plan.format in ("swiss_pods", "social", "pod_knockout") and plan.seats < 3,
         gettext("Bigger tables seat three entries or more.")),
        (plan.legs not in (1, 2), gettext("A round robin is played once or twice.")),
        (plan.fixtures != () and plan.format != "round_robin", gettext("Only a round robin has fixtures from a list.")),
        (plan.format == "groups" and plan.groups < 2, gettext("Choose at least two groups.")),
        (plan.format == "pod_knockout" and not 0 < plan.advance < plan.seats,
         gettext("At least one entry from each table must go through, and at least one must not.")),
        (plan.rounds > 60, gettext("At most 60 rounds are possible.")),
        (plan.cut_tie not in RULES, gettext("Choose how a tie at the cut is decided.")),
        (plan.unplayed_rule not in ("fide2023", "virtual_opponent"), gettext("Choose how unplayed rounds count.")),
        (plan.format == "arena" and not 10 <= plan.minutes <= 1440, gettext(
            "An arena lasts from ten minutes to a day.")),
        (plan.format == "ladder" and not 1 <= plan.reach <= 50, gettext("A challenge reaches one to fifty places up.")),
    ]  # fmt: skip
    checks += [
        (True, sentence)
        for sentence in [
            *wrong_terms(plan.own_terms),
            *wrong_terms(plan.final_terms),
            *_stray_terms(plan),
            *_stray_rounds(plan),
        ]
    ]
    unknown = [name for name in plan.tiebreaks if name not in TIEBREAKS]
    checks += [(True, gettext("“%(name)s” is not a tie-break.") % {"name": name}) for name in unknown]
    checks += [(len(set(plan.tiebreaks)) < len(plan.tiebreaks), gettext("A tie-break is in the list twice."))]
    checks.append((plan.scoring not in scoring.SCORINGS, gettext("Choose how matches are scored.")))
    checks.append((plan.counts not in evening.SCORINGS, gettext("Choose what the standings go by.")))
    has_other_points = plan.format in (*WITHOUT_POINTS, *DUPLICATE)
    checks.append((plan.counts_cards and has_other_points, gettext("In this format card points do not add up.")))
    checks.append((plan.byes_count not in BYES_COUNT, gettext("Choose what a bye counts.")))
    has_stray_bonus = plan.win_bonus > 0 and not plan.counts_cards
    checks.append((has_stray_bonus, gettext("A bonus for a win goes with card points, not with match points.")))
    is_for_field = plan.scoring in scoring.SCORINGS and scoring.SCORINGS[plan.scoring].is_for_field
    if is_for_field and not plan.shares_deals:
        checks.append((True, gettext("Scoring against the field needs the same deals at every table.")))
    return [sentence for is_wrong, sentence in checks if is_wrong]


def _stray_terms(plan: Plan) -> list[str]:
    """Terms that a plan has elsewhere, or that its format cannot have: a sentence each."""
    if plan.format in KNOCKOUTS:
        no_last = ""
    elif plan.format in WITH_BYES:
        no_last = gettext("Enter the number of rounds, so that the last one is known.")
    else:
        no_last = gettext("In this format no round can be played differently.")
    checks = [
        (plan.round_minutes > MOST_MINUTES, gettext("A round has at most %(limit)s minutes.") % {"limit": MOST_MINUTES}),
        (plan.own_terms.minutes > 0, gettext("The minutes of all rounds are “round_minutes” of the stage.")),
        (plan.own_terms.seats > 0, gettext("The entries at a table are “seats” of the stage.")),
        (plan.final_terms != NO_TERMS and not plan.has_last_round, no_last),
        (plan.final_terms.seats > 0 and plan.format not in OWN_LAST_SEATS,
         gettext("Only the last round at bigger tables can have its own number of entries at a table.")),
        (0 < plan.final_terms.seats < 2 or plan.final_terms.seats > 7, gettext("A table seats two to seven entries.")),
    ]  # fmt: skip
    return [sentence for is_wrong, sentence in checks if is_wrong]


NAMES_BEFORE_LAST = ("Semi-finals", "Quarter-finals", "Last two", "Third place")
"""Names, as stored, of rounds of a knockout before the final."""
_NUMBERED = re.compile(r"(Round|Level|Round of|Second chance, round) ([1-9][0-9]{0,2})")


def _stray_rounds(plan: Plan) -> list[str]:
    """Contradictions in the terms of single rounds: a sentence each."""
    checks: list[tuple[bool, str]] = []
    for name, each in plan.round_terms:
        numbered = _NUMBERED.fullmatch(name)
        is_known = (
            numbered is not None or name in NAMES_BEFORE_LAST
            if plan.is_knockout
            else numbered is not None and numbered[1] == "Round"
        )
        number = int(numbered[2]) if numbered is not None else 0
        checks += [(True, sentence) for sentence in wrong_terms(each)]
        checks += [
            (not plan.has_last_round, gettext("In this format no single round can be played differently.")),
            (not is_known, gettext("“%(name)s” is not a round of this stage before the last.") % {"name": name}),
            (not plan.is_knockout and 0 < plan.rounds <= number, gettext("Round %(number)s is not before the last round.") % {"number": number}),
            (each.seats > 0, gettext("Only the last round can have its own number of entries at a table.")),
        ]  # fmt: skip
    names = [name for name, _ in plan.round_terms]
    checks.append((len(set(names)) < len(names), gettext("Choose each round once.")))
    return list(dict.fromkeys(sentence for is_wrong, sentence in checks if is_wrong))
