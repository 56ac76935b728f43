"""Request bodies and queries of the API of events, field by field; the schema is made from them."""

from typing import Any

from rest_framework import serializers

from engine.compete.records import Kind
from engine.play.rulesets import PRESETS
from gameplay.api.base import Input
from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict
from tournaments.event_templates import STARTERS
from tournaments.hall.services import LONGEST_NOTE as LONGEST_HALL_NOTE
from tournaments.hall.services import MOST_MINUTES
from tournaments.models import Entry, Hall, Member, Organiser, Pairing, Tournament
from tournaments.plan import FORMATS
from tournaments.services.events.organisers import LONGEST_WORDS
from tournaments.services.matches.result_lines import MOST_BOARDS, MOST_POINTS

MOST_NAMES = 512
"""Most entries in one request."""
A_PAGE = 100
MOST = 2**31 - 1
POINTS = r"^[-−+]?\d{1,4}(/\d{1,3}|\.\d{1,3})?$"
"""An exact number of points, short enough to calculate with."""

MISSED = [Kind.ZERO_BYE.value, Kind.HALF_BYE.value, Kind.BYE.value]


def number(**options: Any) -> serializers.IntegerField:
    """A number of an entry, or of a place in a list, from 1."""
    chosen: dict[str, Any] = {"min_value": 1, "max_value": MOST, **options}
    return serializers.IntegerField(**chosen)


# Arguments of acts


class Keyed(Input):
    key = serializers.CharField(
        required=False, max_length=64, help_text="Your name for this request. The same name is not done twice."
    )


class Acting(Keyed):
    seen = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST, help_text="`version` of the event you saw. Refused if changed."
    )
    reason = serializers.CharField(required=False, max_length=200, allow_blank=True, help_text="Shown in the history.")
    preview = serializers.BooleanField(default=False, help_text="Preview only: nothing is done.")


# Queries of lists


class WhichEvents(Input):
    which = serializers.ChoiceField(
        ["all", "mine"], default="all", help_text="All visible events, or those you play in or organise."
    )
    name = serializers.CharField(required=False, max_length=80, help_text="Part of the name.")
    status = serializers.ChoiceField(Tournament.Status.choices, required=False)
    before = serializers.CharField(required=False, max_length=70, help_text="The slug of the last event you have.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class WhichEntries(Input):
    status = serializers.ChoiceField(Entry.Status.choices, required=False)
    since = serializers.IntegerField(default=0, min_value=0, max_value=MOST, help_text="The last number you have.")
    limit = serializers.IntegerField(default=A_PAGE, min_value=1, max_value=MOST_NAMES)


class WhichMatches(Input):
    stage = number(required=False)
    round = number(required=False, help_text="Its number in its stage.")
    entry = number(required=False)
    status = serializers.ChoiceField(Pairing.Status.choices, required=False)
    since = serializers.IntegerField(default=0, min_value=0, max_value=2**53, help_text="The last id you have.")
    limit = serializers.IntegerField(default=A_PAGE, min_value=1, max_value=A_PAGE)


class WhichResults(Input):
    before = serializers.IntegerField(
        required=False, min_value=1, max_value=2**53, help_text="The id of the last match you have."
    )
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class WhichRatings(Input):
    after = serializers.IntegerField(default=0, min_value=0, max_value=MOST, help_text="How many you have.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class WhichActs(Input):
    before = serializers.IntegerField(
        required=False, min_value=1, max_value=2**53, help_text="The last id you have. Newest first."
    )
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


# Events


class NewStage(Input):
    """A stage: the usual choices of its format, some changed."""

    name = serializers.CharField(default="", allow_blank=True, max_length=60)
    format = serializers.ChoiceField([(name, each.english_title) for name, each in FORMATS.items()])
    choices = serializers.DictField(
        default=dict,
        help_text="Changes of the usual: rounds, seats, scoring, tie-breaks, cuts, `own_terms`, `final_terms`, and "
        "`round_terms` by the name of the round.",
    )


class Settings(Input):
    """Settings of an event. Fields left out stay as they are."""

    name = serializers.CharField(required=False, max_length=80)
    about = serializers.CharField(required=False, allow_blank=True, max_length=4000)
    venue = serializers.CharField(required=False, allow_blank=True, max_length=200)
    time_zone = serializers.CharField(required=False, max_length=64)
    circle = serializers.CharField(required=False, allow_blank=True, max_length=40, help_text="The club it is for.")
    visibility = serializers.ChoiceField(Tournament.Visibility.choices, required=False)
    setting = serializers.ChoiceField(Tournament.Setting.choices, required=False)
    entry_kind = serializers.ChoiceField(Tournament.Kind.choices, required=False)
    side_size = serializers.IntegerField(required=False, min_value=1, max_value=3)
    entry_limit = serializers.IntegerField(required=False, allow_null=True, min_value=2, max_value=2000)
    entries_close_at = serializers.DateTimeField(required=False, allow_null=True)
    has_check_in = serializers.BooleanField(required=False)
    check_in_from = serializers.DateTimeField(required=False, allow_null=True)
    check_in_until = serializers.DateTimeField(required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    ruleset = serializers.ChoiceField(list(PRESETS), required=False)
    options = serializers.DictField(
        required=False, help_text="House rules: options that differ from the ruleset’s, which must be named."
    )
    length = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MOST),
        required=False,
        help_text="Length of a match, deals or target. Empty: as in the ruleset.",
    )
    terms = serializers.DictField(required=False, help_text="Settings of the tables for online matches.")
    is_rated = serializers.BooleanField(required=False)
    confirm_hours = serializers.IntegerField(required=False, min_value=0, max_value=720)
    no_show = serializers.ChoiceField(Tournament.NoShow.choices, required=False)


class NewEvent(Settings, Keyed):
    """An event from a template, or from full settings. Fields sent replace those of the template."""

    name = serializers.CharField(max_length=80)
    starter = serializers.ChoiceField([(name, each.english_title) for name, each in STARTERS.items()], required=False)
    stages = NewStage(many=True, required=False, max_length=8)  # type: ignore[call-arg]


class ChangeSettings(Settings, Acting):
    """Changes of settings."""


class Start(Acting):
    anyway = serializers.BooleanField(default=False, help_text="Also if check-in is still open.")


class Reasoned(Acting):
    reason = serializers.CharField(max_length=200, help_text="Shown in the history.")


class Copy(Keyed):
    name = serializers.CharField(max_length=80)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)


class Tell(Acting):
    text = serializers.CharField(max_length=LONGEST_WORDS)


class HallNote(Acting):
    text = serializers.CharField(max_length=LONGEST_HALL_NOTE, allow_blank=True)


class StartTimer(Acting):
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES)
    purpose = serializers.ChoiceField(Hall.Purpose.choices, default=Hall.Purpose.ROUND)


class NewOrganiser(Acting):
    who = serializers.CharField(max_length=60, help_text="The name of an account.")
    role = serializers.ChoiceField(Organiser.Role.choices, default=Organiser.Role.DIRECTOR)


class OrganiserRole(Acting):
    role = serializers.ChoiceField(Organiser.Role.choices)


class NewRemark(Acting):
    finding = serializers.CharField(max_length=60, help_text="Its `key`.")
    verdict = serializers.ChoiceField(Verdict.choices)
    note = serializers.CharField(default="", max_length=LONGEST_NOTE, allow_blank=True, help_text="For the organisers.")


class WhichForecast(Input):
    entries = number(min_value=2, max_value=2000, help_text="Number of entries.")
    minutes = number(default=25, max_value=600, help_text="Minutes for each deal.")
    tables = serializers.IntegerField(default=0, min_value=0, max_value=1000, help_text="Tables available. 0: enough.")


class NewForecast(WhichForecast):
    """A planned event: a template, or differences from it. Nothing is created."""

    starter = serializers.ChoiceField([(name, each.english_title) for name, each in STARTERS.items()], required=False)
    stages = NewStage(many=True, required=False, max_length=8)  # type: ignore[call-arg]
    entry_kind = serializers.ChoiceField(Tournament.Kind.choices, required=False)
    side_size = serializers.IntegerField(required=False, min_value=1, max_value=3)
    ruleset = serializers.ChoiceField(list(PRESETS), required=False)
    options = serializers.DictField(
        required=False, help_text="House rules: options that differ from the ruleset’s, which must be named."
    )
    length = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MOST),
        required=False,
        help_text="Length of a match, deals or target. Empty: as in the ruleset.",
    )


# Entries


class Enter(Acting):
    name = serializers.CharField(default="", allow_blank=True, max_length=80, help_text="Empty: its people’s names.")
    partners = serializers.ListField(
        child=serializers.CharField(max_length=320),
        default=list,
        max_length=11,
        help_text="Names of accounts or email addresses. They get an invitation.",
    )


class NewEntry(Acting):
    name = serializers.CharField(default="", allow_blank=True, max_length=80, help_text="Empty: its people’s names.")
    members = serializers.ListField(
        child=serializers.CharField(max_length=320),
        min_length=1,
        max_length=12,
        help_text="Email addresses, names (in person) or names of accounts (online).",
    )


class Named(Input):
    """An entry of people without accounts."""

    name = serializers.CharField(default="", allow_blank=True, max_length=80, help_text="Empty: its people’s names.")
    members = serializers.ListField(child=serializers.CharField(max_length=50), min_length=1, max_length=12)


class NameList(Acting):
    entries = Named(many=True, allow_empty=False, max_length=MOST_NAMES)  # type: ignore[call-arg]
    is_here = serializers.BooleanField(default=False, help_text="Check all of them in at once.")


class LateEntry(Acting):
    entry = number(required=False, help_text="The number of a listed entry. Otherwise name its people.")
    name = serializers.CharField(default="", allow_blank=True, max_length=80)
    members = serializers.ListField(child=serializers.CharField(max_length=320), default=list, max_length=12)
    missed = serializers.ChoiceField(MISSED, default="zero_bye", help_text="The score for earlier rounds.")


class Withdraw(Acting):
    at_once = serializers.BooleanField(default=False, help_text="At once, not after the round. Its open match is lost.")


class Back(Acting):
    missed = serializers.ChoiceField(MISSED, default="zero_bye", help_text="The score for the rounds it missed.")


class Rename(Acting):
    name = serializers.CharField(allow_blank=True, max_length=80, help_text="Empty: its people’s names.")


class Bye(Acting):
    round = number(max_value=1000)
    kind = serializers.ChoiceField([*MISSED, "none"], default="half_bye", help_text="`none` cancels it.")


class Seeds(Acting):
    by = serializers.ChoiceField(["rating", "lot", "hand"])
    order = serializers.ListField(
        child=number(), required=False, max_length=2000, help_text="By hand: numbers of entries, the first seed first."
    )


class Apart(Acting):
    one = number()
    other = number()
    apart = serializers.BooleanField(default=True, help_text="`false` allows them to meet again.")


class AskIn(Acting):
    who = serializers.CharField(max_length=320, help_text="Username or email address.")
    role = serializers.ChoiceField(Member.Role.choices, default=Member.Role.PLAYER)


class OfMember(Acting):
    member = number(max_value=2**53, help_text="The id of a person of the entry.")


class MemberRole(OfMember):
    role = serializers.ChoiceField(Member.Role.choices)


class Order(Acting):
    members = serializers.ListField(child=number(max_value=2**53), max_length=24, help_text="Ids of all its people.")


class Replace(OfMember):
    who = serializers.CharField(required=False, max_length=320)
    reserve = number(required=False, max_value=2**53, help_text="The id of a reserve of the entry.")


# Stages and rounds


class AddStage(NewStage, Acting):
    at = number(required=False, max_value=8, help_text="Its number. By default the last.")


class ChangeStage(Acting):
    name = serializers.CharField(required=False, max_length=60)
    choices = serializers.DictField(required=False, help_text="Changed choices of its plan, including `format`.")


class Go(Acting):
    round = number(max_value=1000, help_text="The round to start.")


class Numbers(Acting):
    entries = serializers.ListField(child=number(), min_length=2, max_length=2000, help_text="Numbers, best first.")


class Tie(Acting):
    by = serializers.ChoiceField(
        ["lot", "playoff", "share", "all"],
        help_text="`playoff` with `entries` after a deciding deal; `share` for first place, `all` at a cut.",
    )
    entries = serializers.ListField(
        child=number(), required=False, default=list, max_length=2000, help_text="The tied entries, best first."
    )


class Adjust(Reasoned):
    entry = number()
    points = serializers.RegexField(POINTS, help_text="Exact, such as `-1/2`.")


class Challenge(Keyed):
    entry = number(help_text="The entry to challenge.")


class ChallengeFor(Challenge):
    stage = number()


class Free(Input):
    is_free = serializers.BooleanField(default=True)


class FreeFor(Free):
    stage = number()


class Swap(Acting):
    one = number()
    other = number()


class Move(Acting):
    entry = number()
    table = number(allow_null=True, max_value=2000, help_text="Its number in the round. `null` for a bye.")
    kind = serializers.ChoiceField(MISSED, default="zero_bye", help_text="The score for the bye.")


class Times(Acting):
    starts_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)


# Results


class LineIn(Input):
    """The score of one entry in the match."""

    entry = number()
    score = serializers.IntegerField(
        required=False, allow_null=True, min_value=-MOST_POINTS, max_value=MOST_POINTS, help_text="Card points."
    )
    forfeit = serializers.BooleanField(default=False, help_text="Whether it was absent.")
    books = serializers.IntegerField(required=False, min_value=0, max_value=999)
    outs = serializers.IntegerField(required=False, min_value=0, max_value=999)
    deals = serializers.ListField(
        child=serializers.IntegerField(min_value=-MOST_POINTS, max_value=MOST_POINTS),
        required=False,
        max_length=MOST_BOARDS,
        help_text="Its card points on each board, where tables share their deals. They add up to `score`.",
    )


class PrintBoards(Keyed):
    first = number(required=False, help_text="The first board. Without it, the first to come.")
    last = number(required=False, help_text="The last board. Without it, the last to come.")
    is_void = serializers.BooleanField(
        default=False, help_text="Declare the printed boards void instead: the next ones have other cards."
    )


class TableOfBoard(Input):
    """The scores of a table on a board."""

    match = serializers.CharField(max_length=12, help_text="The name of the match, `R1.2`.")
    scores = serializers.ListField(
        child=serializers.IntegerField(min_value=-MOST_POINTS, max_value=MOST_POINTS),
        min_length=2,
        max_length=7,
        help_text="Card points of each side, North–South first.",
    )


class BoardResults(Acting):
    tables = TableOfBoard(many=True, allow_empty=False, max_length=200)  # type: ignore[call-arg]
    is_kept = serializers.BooleanField(default=False, help_text="Whether unusual scores are right.")


class Report(Keyed):
    preview = serializers.BooleanField(default=False, help_text="Preview only: nothing is done.")
    lines = LineIn(many=True, allow_empty=False, max_length=14)  # type: ignore[call-arg]


class AnswerIn(Input):
    result = number(max_value=2**53, help_text="The id of the result to answer.")
    agrees = serializers.BooleanField()
    words = serializers.CharField(default="", allow_blank=True, max_length=300, help_text="The problem.")


class Confirm(Keyed):
    result = number(max_value=2**53, help_text="The id of the result that counts.")


class Decide(Acting):
    lines = LineIn(many=True, allow_empty=False, max_length=14)  # type: ignore[call-arg]
    winner = number(required=False, allow_null=True, help_text="The entries that go through if scores are tied.")
    pair_again = serializers.BooleanField(
        default=False, help_text="Redraw matches announced or started on the old result. By default they stay."
    )
    known = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="The newest result you saw, 0 for none."
    )


class Walkover(Acting):
    absent = serializers.ListField(child=number(), min_length=1, max_length=14, help_text="The absent entries.")


class Where(Acting):
    online = serializers.BooleanField()


class Substitute(Acting):
    members = serializers.ListField(
        child=number(max_value=2**53), max_length=6, help_text="Ids. Empty for its first players."
    )
    entry = number(required=False, help_text="The entry, for organisers. By default your own.")
