"""The form of one stage: its format, and the choices that this format has."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from engine.compete import evening
from engine.compete.scoring import SCORINGS
from engine.compete.tiebreaks import NAMES, UNPLAYED_RULES
from engine.errors import BadInput
from gameplay.house_rules.rule_sources import Offer
from tournaments.forms import terms
from tournaments.forms.fields import PointsField
from tournaments.own_terms import MOST_MINUTES, NO_TERMS, OwnTerms
from tournaments.plan import (
    DUPLICATE,
    FORMATS,
    KNOCKOUTS,
    KNOWN_BEFOREHAND,
    WITH_BYES,
    WITHOUT_POINTS,
    Plan,
    standard,
    wrong_choices,
)
from tournaments.plan_checks import of_stage
from web.sent_numbers import read_whole

FindProblems = Callable[[Sequence[Plan]], list[str]]
TIEBREAKS = 6
"""Number of tie-breaks that can be chosen."""
MOST_STAGES = 8
OWN: dict[str, tuple[str, ...]] = {
    "round_robin": ("legs",),
    "groups": ("groups", "legs"),
    "swiss": ("rounds",),
    "swiss_pods": ("seats", "rounds", "least", "most"),
    "social": ("seats", "rounds", "least", "most"),
    "single_elimination": ("third_place",),
    "double_elimination": ("reset",),
    "pod_knockout": ("seats", "advance", "least", "most"),
    "rotating_partners": ("rounds",),
    "howell": ("rounds",),
    "mitchell": ("rounds",),
    "ladder": ("reach", "idle_days"),
    "arena": ("seats", "minutes"),
}
"""By format, the choices that only it and its like have."""
FEEDING = ("take", "take_each", "by_hand", "carries")
"""Fields about the entries a stage takes from the one before."""
BIG_TABLES = ("swiss_pods", "social", "pod_knockout")

_LABELS: dict[str, tuple[str, str]] = {
    "seats": (gettext_noop("Entries at a table"), ""),
    "least": (gettext_noop("The smallest table"), gettext_noop("If the number of entries does not divide evenly.")),
    "most": (gettext_noop("The biggest table"), ""),
    "rounds": (gettext_noop("Rounds"), gettext_noop("0 means the usual number.")),
    "legs": (gettext_noop("How often all meet"), ""),
    "fixtures": (gettext_noop("Use the fixtures from the list"), gettext_noop("Otherwise the rounds are drawn.")),
    "groups": (gettext_noop("Groups"), ""),
    "advance": (gettext_noop("Go through per table"), ""),
    "third_place": (gettext_noop("A match for third place"), ""),
    "reset": (gettext_noop("The final is played again if the second chance wins it"), ""),
    "shares_deals": (gettext_noop("All tables of a round play the same deals"), ""),
    "all_at_once": (gettext_noop("All rounds are open from the start"), ""),
    "waits_for_go": (gettext_noop("Start each round yourself"), ""),
    "round_minutes": (gettext_noop("Minutes for a round"), gettext_noop("Face to face only. 0 means no limit.")),
    "round_hours": (gettext_noop("Hours for a round"), gettext_noop("0 means no deadline. A week has 168 hours.")),
    "take": (gettext_noop("How many go through in total"), gettext_noop("0 means all entries.")),
    "take_each": (gettext_noop("From each group"), gettext_noop("0 means by the overall standings.")),
    "by_hand": (gettext_noop("Organisers choose entries to go through"), ""),
    "carries": (gettext_noop("Carry points over from the previous stage"), ""),
    "cut_tie": (
        gettext_noop("Ties for first place and at every cut"),
        gettext_noop("Players must know before the start. If the rule leaves a tie, we ask you."),
    ),
    "reach": (gettext_noop("How many places up you can challenge"), ""),
    "idle_days": (gettext_noop("Days without a match before dropping a place"), gettext_noop("0 means never.")),
    "minutes": (gettext_noop("Length in minutes"), ""),
    "scoring": (gettext_noop("Match scoring"), ""),
    "win": (gettext_noop("Points for a win"), ""),
    "draw": (gettext_noop("For a draw"), ""),
    "loss": (gettext_noop("For a loss"), ""),
    "place_points": (
        gettext_noop("Points by place"),
        gettext_noop("First place first, for example 7, 5, 3, 1. If empty, one point less for each place."),
    ),
    "counts": (gettext_noop("Standings by"), ""),
    "win_bonus": (gettext_noop("Card points for each match won"), gettext_noop("If card points add up. 0 means none.")),
    "byes_count": (gettext_noop("A bye counts"), gettext_noop("For an entry without an opponent in a round.")),
    "bye": (gettext_noop("Points for a bye"), gettext_noop("If empty, those of a win, and no card points.")),
    "half_bye": (gettext_noop("For a half bye"), ""),
    "forfeit_win": (gettext_noop("For a walkover won"), ""),
    "forfeit_loss": (gettext_noop("For a walkover lost"), ""),
    "unplayed_rule": (gettext_noop("Unplayed rounds in tie-breaks"), ""),
    "best_rounds": (gettext_noop("Rounds that “best rounds” counts"), ""),
    "spread_cap": (gettext_noop("Cap per match for “capped difference”"), ""),
}
_WHOLE = {
    "seats": (2, 7),
    "least": (2, 7),
    "most": (2, 7),
    "rounds": (0, 60),
    "groups": (2, 64),
    "advance": (1, 6),
    "round_minutes": (0, MOST_MINUTES),
    "round_hours": (0, 24 * 365),
    "take": (0, 1000),
    "take_each": (0, 100),
    "reach": (1, 50),
    "idle_days": (0, 365),
    "minutes": (10, 1440),
    "best_rounds": (0, 60),
    "spread_cap": (0, 100_000),
    "win_bonus": (0, 10_000),
}
_POINTS = ("win", "draw", "loss", "bye", "half_bye", "forfeit_win", "forfeit_loss")
_CHOICES: dict[str, list[tuple[str, str]]] = {
    "counts": [(name, title) for name, (title, _) in evening.SCORINGS.items()],
    "byes_count": [
        ("average", gettext_noop("As much as the entry’s other rounds on average")),
        ("none", gettext_noop("Nothing")),
        ("points", gettext_noop("The points for a bye, usually those of a win")),
    ],
    "legs": [("1", gettext_noop("Once")), ("2", gettext_noop("Twice"))],
    "cut_tie": [
        ("tiebreaks", gettext_noop("Tie-breaks, then the organisers decide")),
        ("total", gettext_noop("Total card points")),
        ("books", gettext_noop("Most books")),
        ("between", gettext_noop("The result between them")),
        ("playoff", gettext_noop("A deciding deal")),
        ("lot", gettext_noop("A lot, drawn in public")),
        ("share", gettext_noop("They share the place")),
        ("all", gettext_noop("All of them go through, or share first place")),
    ],
    "unplayed_rule": [(name, title) for name, (title, _) in UNPLAYED_RULES.items()],
}


_FIRST_FIELDS = {
    "own_terms": "own_deals",
    "final_terms": "final_deals",
    "round_terms": "round0_name",
    "tiebreaks": "tiebreak_0",
}
"""Choices of a plan that have several fields, each with the one that shows its errors."""


def _formats() -> list[tuple[str, str]]:
    return [(name, each.title) for name, each in FORMATS.items()]


class StageForm(forms.Form):
    """Form of the `number`-th stage of an event, with the choices of its format.

    If the fields were filled for another format (`was`), those that differ get its defaults. With `open_fields` only
    those and the name can be changed.
    """

    name = forms.CharField(label=gettext_lazy("Name of the stage"), max_length=60, required=False)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=_formats)
    was = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        number: int,
        title: str = "",
        plan: Plan,
        open_fields: Collection[str] | None = None,
        offer: Offer | None = None,
        setting: str = "",
    ) -> None:
        self.number, offer = number, offer or Offer(AnonymousUser())
        prefix = f"stage-{number}"
        chosen = str(data.get(f"{prefix}-format") or "") if data is not None else plan.format
        self.shown_format = chosen if chosen in FORMATS else plan.format
        self.is_other_format = data is not None and data.get(f"{prefix}-was") != self.shown_format
        if self.is_other_format and data is not None:
            data, plan = _of_format(data, prefix, self.shown_format), usual(self.shown_format)
        self.start = plan
        self.typed_terms = {terms.OWN: plan.own_terms, terms.FINAL: plan.final_terms}
        super().__init__(data, prefix=prefix, initial=_initial(plan, title or plan.title))
        self.main = [*OWN[self.shown_format], *_evening(self.shown_format), *(FEEDING if number > 1 else ())]
        self.more = _more(self.shown_format)
        if plan.fixtures and self.shown_format == "round_robin":
            self.more.append("fixtures")
        for name in (*self.main, *self.more):
            self.fields[name] = _field(name, self.shown_format)
        self.fields |= terms.fields(terms.OWN, self.shown_format, plan.own_terms, offer)
        self.fields |= terms.fields(terms.FINAL, self.shown_format, plan.final_terms, offer)
        self.round_prefixes = terms.round_prefixes(plan)
        self.typed_rounds: dict[str, OwnTerms] = {}
        for each in self.round_prefixes:
            round_name, own_terms = terms.round_at(plan, each)
            self.fields |= terms.fields(each, self.shown_format, own_terms, offer, round_name)
        for name in terms.without_use(plan, setting):
            self.fields.pop(name, None)
        self.is_ranked = self.shown_format not in WITHOUT_POINTS
        if self.is_ranked:
            choices = [("", "—"), *((name, gettext(title)) for name, (title, _) in NAMES.items())]
            for at in range(TIEBREAKS):
                label = gettext("Tie-breaks: first") if at == 0 else gettext("then")
                self.fields[f"tiebreak_{at}"] = forms.ChoiceField(label=label, choices=choices, required=False)
        for name, field in self.fields.items():
            field.disabled = open_fields is not None and name not in (*open_fields, "name", "was")

    @property
    def sentence(self) -> str:
        """Description of the format."""
        return FORMATS[self.shown_format].sentence

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields that most organisers look at."""
        return [self[name] for name in self.main]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The others, tie-breaks aside."""
        return [self[name] for name in self.more]

    @property
    def tiebreak_fields(self) -> list[forms.BoundField]:
        """The tie-breaks in their order."""
        return [self[f"tiebreak_{at}"] for at in range(TIEBREAKS)] if self.is_ranked else []

    @property
    def has_more_errors(self) -> bool:
        """Whether something is wrong among the fields that are folded away."""
        return any(name in self.errors for name in (*self.more, *(f"tiebreak_{at}" for at in range(TIEBREAKS))))

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """What the stage can play differently from the event."""
        return [self[name] for name in terms.names(terms.OWN, self.shown_format) if name in self.fields]

    @property
    def final_fields(self) -> list[forms.BoundField]:
        """What its last round can play differently."""
        return [self[name] for name in terms.names(terms.FINAL, self.shown_format) if name in self.fields]

    @property
    def round_fields(self) -> list[list[forms.BoundField]]:
        """What its other rounds can play differently: fields for each of them, and for one more."""
        rounds = [terms.names(each, self.shown_format) for each in self.round_prefixes]
        return [[self[name] for name in names if name in self.fields] for names in rounds if names]

    @property
    def last_title(self) -> str:
        """The name of its last round."""
        return gettext("The final") if self.shown_format in KNOCKOUTS else gettext("The last round")

    @property
    def is_different(self) -> bool:
        """Whether it is played differently, or something is wrong there."""
        rounds = [field for row in self.round_fields for field in row]
        names = [field.name for field in (*self.own_fields, *rounds, *self.final_fields)]
        return any(self[name].value() or name in self.errors for name in names)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name in (terms.OWN, terms.FINAL):
            self._read_terms(name)
        for each in self.round_prefixes:
            self._read_round(each)
        if "place_points" in values:
            values["place_points"] = self._places(str(values["place_points"]))
        if not self.errors:
            plan = self.plan()
            for sentence in wrong_choices(plan):
                self.add_problem(sentence, wrong_choices, plan)
        return values

    def _read_terms(self, prefix: str) -> None:
        before = self.start.own_terms if prefix == terms.OWN else self.start.final_terms
        try:
            self.typed_terms[prefix] = terms.read(prefix, self.cleaned_data, before)
        except BadInput as error:
            self.add_error(f"{prefix}_rules", error.sentence)

    def _read_round(self, prefix: str) -> None:
        try:
            name, own_terms = terms.read_round(prefix, self.cleaned_data, terms.round_at(self.start, prefix)[1])
        except BadInput as error:
            field = f"{prefix}_name" if error.code == "no_round" else f"{prefix}_rules"
            self.add_error(field if field in self.fields else "format", error.sentence)
            return
        if name and name in self.typed_rounds:
            self.add_error(f"{prefix}_name", gettext("Choose each round once."))
        elif name:
            self.typed_rounds[name] = own_terms

    def _places(self, text: str) -> tuple[str, ...]:
        try:
            return tuple(PointsField().to_python(part) for part in text.replace(";", ",").split(",") if part.strip())
        except forms.ValidationError:
            self.add_error(
                "place_points", gettext("Enter points for each place, first place first, such as 7, 5, 3, 1.")
            )
            return ()

    def plan(self) -> Plan:
        """The plan that was chosen; call it where nothing is wrong with the fields themselves."""
        values = {name: self.cleaned_data[name] for name in (*self.main, *self.more) if name in self.cleaned_data}
        chosen = {name: value for name, value in values.items() if value is not None}
        for name in ("least", "most", *_WHOLE):
            if name in values and values[name] is None:
                chosen[name] = getattr(self.start, name)
        if "fixtures" in chosen:
            chosen["fixtures"] = self.start.fixtures if chosen["fixtures"] else ()
        if "legs" in chosen:
            chosen["legs"] = int(chosen["legs"])
        if self.is_ranked:
            order = [self.cleaned_data.get(f"tiebreak_{at}") for at in range(TIEBREAKS)]
            chosen["tiebreaks"] = tuple(name for name in order if name)
        if self.shown_format in DUPLICATE:
            chosen["shares_deals"] = True
        different: dict[str, Any] = {
            "own_terms": self.typed_terms[terms.OWN],
            "final_terms": self.typed_terms[terms.FINAL],
            "round_terms": tuple(
                (name, own_terms) for name, own_terms in self.typed_rounds.items() if own_terms != NO_TERMS
            ),
        }
        return replace(usual(self.shown_format), by_date=self.start.by_date, **different, **chosen)

    def title(self) -> str:
        """Name of the stage."""
        return str(self.cleaned_data.get("name") or FORMATS[self.shown_format].title)

    def add_problem(self, sentence: str, find_problems: Callable[[Plan], list[str]], plan: Plan) -> None:
        """Add an error about this plan to the field that causes it."""
        plain = usual(self.shown_format)
        every = (*self.main, *self.more, *_FIRST_FIELDS)
        names = [name for name in every if getattr(plan, name) != getattr(plain, name)]
        for name in names:
            if sentence not in find_problems(replace(plan, **{name: getattr(plain, name)})):
                self.add_error(_FIRST_FIELDS.get(name, name), sentence)
                return
        self.add_error("format", sentence)


def usual(format: str) -> Plan:
    """Default plan of a newly chosen format."""
    return standard(format, groups=4) if format == "groups" else standard(format)


def _evening(name: str) -> list[str]:
    """The choices of what adds up, and of what a bye counts."""
    adds_up = ["counts"] if name not in (*WITHOUT_POINTS, *DUPLICATE) else []
    return [*adds_up, *(["byes_count"] if name in WITH_BYES else [])]


def _more(name: str) -> list[str]:
    """The choices of a format that are folded away."""
    names = ["round_minutes", "round_hours", "waits_for_go"] if name not in ("ladder", "arena") else []
    if name in KNOWN_BEFOREHAND:
        names.append("all_at_once")
    if name not in (*WITHOUT_POINTS, *DUPLICATE):
        names.append("win_bonus")
    if name not in WITHOUT_POINTS:
        names += ["scoring", "win", "draw", "loss", "place_points"]
        names += ["bye", "half_bye", "forfeit_win", "forfeit_loss", "unplayed_rule", "best_rounds", "spread_cap"]
    if name in ("round_robin", "groups", "swiss"):
        names.append("shares_deals")
    return [*names, "cut_tie"]


def _field(name: str, format: str) -> forms.Field:
    label, help_text = (gettext(words) if words else "" for words in _LABELS[name])
    if name in _WHOLE:
        least, most = _WHOLE[name]
        return forms.IntegerField(label=label, help_text=help_text, min_value=least, max_value=most, required=False)
    if name == "bye":
        return PointsField(label=label, help_text=help_text, required=False, most=100_000)
    if name in _POINTS:
        return PointsField(label=label, help_text=help_text, required=name in ("win", "draw", "loss"))
    if name == "scoring":
        return forms.ChoiceField(label=label, choices=_scorings(format))
    if name in _CHOICES:
        return forms.ChoiceField(
            label=label, help_text=help_text, choices=[(key, gettext(words)) for key, words in _CHOICES[name]]
        )
    if name == "place_points":
        return forms.CharField(label=label, help_text=help_text, max_length=100, required=False)
    return forms.BooleanField(label=label, help_text=help_text, required=False)


def _scorings(format: str) -> list[tuple[str, str]]:
    """The ways to score that can fit a format."""
    for_two = ("by_result", "victory_points")
    return [
        (name, gettext(scoring.title))
        for name, scoring in SCORINGS.items()
        if not (format in BIG_TABLES and (name in for_two or scoring.is_for_field))
    ]


def _initial(plan: Plan, title: str) -> dict[str, Any]:
    values: dict[str, Any] = {field.name: getattr(plan, field.name) for field in fields_of(plan)}
    values |= terms.initial(terms.OWN, values.pop("own_terms")) | terms.initial(terms.FINAL, values.pop("final_terms"))
    values.pop("round_terms")
    values["fixtures"] = bool(plan.fixtures)
    for prefix in terms.round_prefixes(plan):
        name_of_round, own_terms = terms.round_at(plan, prefix)
        values |= terms.initial(prefix, own_terms) | {f"{prefix}_name": name_of_round}
    values |= {"name": title, "was": plan.format, "place_points": ", ".join(plan.place_points)}
    return values | {f"tiebreak_{at}": name for at, name in enumerate(plan.tiebreaks[:TIEBREAKS])}


def _of_format(data: Mapping[str, Any], prefix: str, format: str) -> dict[str, Any]:
    """Typed values, with the defaults of the format in the fields that depend on it."""
    plan = usual(format)
    names = ["format", *FEEDING, "round_minutes", "round_hours", "waits_for_go", "cut_tie"]
    names += (*terms.names(terms.OWN, format), *terms.names(terms.FINAL, format))
    typed = {f"{prefix}-{name}": data[f"{prefix}-{name}"] for name in names if f"{prefix}-{name}" in data}
    filled = {f"{prefix}-{name}": value for name, value in _initial(plan, plan.title).items() if value is not False}
    return {**filled, **typed, f"{prefix}-was": format}


# Several stages


def stages_of(data: QueryDict, offer: Offer | None = None) -> list[StageForm]:
    """The stages of a form as it was sent."""
    number = read_whole(data.get("stages", ""), digits=2) or 1
    plan = standard("swiss")
    return [StageForm(data, number=at, plan=plan, offer=offer) for at in range(1, max(1, min(number, MOST_STAGES)) + 1)]


def with_stage(data: QueryDict) -> QueryDict:
    """The form with one more stage: a knockout of the best entries."""
    changed, count = data.copy(), len(stages_of(data))
    if count < MOST_STAGES:
        plan = standard("single_elimination", take=8)
        for name, value in _initial(plan, plan.title).items():
            if value is not False:
                changed[f"stage-{count + 1}-{name}"] = str(value)
        changed["stages"] = str(count + 1)
    return changed


def without_stage(data: QueryDict, number: int) -> QueryDict:
    """The form without one of its stages; those after it move up."""
    changed, count = data.copy(), len(stages_of(data))
    if not 1 <= number <= count or count == 1:
        return changed
    for key in [key for key in changed if key.startswith(f"stage-{number}-")]:
        del changed[key]
    for later in range(number + 1, count + 1):
        for key in [key for key in changed if key.startswith(f"stage-{later}-")]:
            changed.setlist(key.replace(f"stage-{later}-", f"stage-{later - 1}-", 1), changed.pop(key))
    changed["stages"] = str(count - 1)
    return changed


def plans_of(stages: Sequence[StageForm]) -> list[tuple[str, Plan]]:
    """Names and plans of stages that are each valid. Raises `Refused`."""
    return [(stage.title(), Plan.read(stage.plan().write())) for stage in stages]


def add_plan_errors(stages: Sequence[StageForm], find_problems: FindProblems) -> list[str]:
    """Add the problems of all stages together to the fields that cause them. Returns the sentences.

    `find_problems` returns sentences with `Stage 2:` before them if there are several stages
    (`plan_checks.of_stage`).
    """
    plans, has_heads = [stage.plan() for stage in stages], len(stages) > 1
    sentences = find_problems(plans)
    for sentence in sentences:
        heads = [of_stage(number, "") for number in range(1, len(stages) + 1)] if has_heads else []
        at = next((at for at, head in enumerate(heads) if sentence.startswith(head)), 0)
        text = sentence.removeprefix(heads[at]) if heads else sentence

        def wrong_own(plan: Plan, at: int = at) -> list[str]:
            return _without_heads(find_problems([*plans[:at], plan, *plans[at + 1 :]]), has_heads)

        stages[at].add_problem(text, wrong_own, plans[at])
    return sentences


def _without_heads(sentences: Sequence[str], has_heads: bool) -> list[str]:
    return [sentence.partition(": ")[2] or sentence if has_heads else sentence for sentence in sentences]
