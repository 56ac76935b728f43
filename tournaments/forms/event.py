"""Form of an event: name, time and place, entries, and the terms of its matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from engine.play.rules import Rules
from gameplay import visibility_groups
from gameplay.house_rules.rule_sources import Offer
from gameplay.models import Table
from gameplay.visibility_groups import Circle
from tournaments.forms.fields import LocalMoment, aware, read_zone
from tournaments.models import Tournament
from tournaments.services.events import event_settings

if TYPE_CHECKING:  # only the types of Django have it
    from django.utils.functional import _StrOrPromise

TIMES = ("starts_at", "entries_close_at", "check_in_from", "check_in_until")
TERMS = (
    *("clock", "clock_hours", "increment_hours", "cap_hours"),
    *("free_weekends", "free_nights", "allows_absences", "missed"),
)
"""Terms of online tables that the form knows; the others are left as the site has them."""
FOLDED = (
    *("about", "visibility", "circle", "entries_close_at", "has_check_in", "check_in_from", "check_in_until"),
    *("confirm_hours", "no_show", "is_rated", *TERMS),
)
CLOCKS = [
    ("move", gettext_lazy("Fixed time per turn")),
    ("bank", gettext_lazy("Time bank, with time added for each turn")),
]
MOST_HOURS = 24 * 30


def _int(
    label: _StrOrPromise, least: int, most: int, help_text: _StrOrPromise = "", **kwargs: Any
) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, help_text=help_text, **kwargs)


class EventForm(forms.Form):
    """Settings of an event. `rules` are chosen next to it, `None` if invalid.

    `rules_ref` is the saved version they came from (`gameplay.house_rules.rule_sources`).
    """

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    about = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Information for players. Anyone who can see the event can read it."),
    )
    setting = forms.ChoiceField(label=gettext_lazy("Where it is played"), choices=Tournament.Setting.choices)
    venue = forms.CharField(label=gettext_lazy("Venue"), max_length=200, required=False)
    starts_at = LocalMoment(
        label=gettext_lazy("Starts"), required=False, help_text=gettext_lazy("In the event’s time zone.")
    )
    time_zone = forms.CharField(label=gettext_lazy("Time zone of the event"), max_length=64)
    entry_kind = forms.ChoiceField(label=gettext_lazy("Entry type"), choices=Tournament.Kind.choices)
    team_size = forms.TypedChoiceField(
        label=gettext_lazy("Team players at a table"),
        choices=[(2, gettext_lazy("Two")), (3, gettext_lazy("Three"))],
        coerce=int,
        required=False,
    )
    visibility = forms.ChoiceField(label=gettext_lazy("Visibility"), choices=Tournament.Visibility.choices)
    circle = forms.ChoiceField(label=gettext_lazy("Club"), required=False)
    entries_close_at = LocalMoment(
        label=gettext_lazy("Entries close"),
        required=False,
        help_text=gettext_lazy("If empty, you close them yourself."),
    )
    has_check_in = forms.BooleanField(
        label=gettext_lazy("Check-in"),
        required=False,
        help_text=gettext_lazy("Anyone who has not checked in is left out of the draw."),
    )
    check_in_from = LocalMoment(label=gettext_lazy("Check-in opens"), required=False)
    check_in_until = LocalMoment(label=gettext_lazy("Check-in closes"), required=False)
    is_rated = forms.BooleanField(
        label=gettext_lazy("Rated"), required=False, help_text=gettext_lazy("Online matches count for ratings.")
    )
    confirm_hours = _int(
        gettext_lazy("Hours until a result becomes final"),
        0,
        30 * 24,
        gettext_lazy("If only one side enters it and nobody objects."),
    )
    no_show = forms.ChoiceField(
        label=gettext_lazy("A match without a result by its deadline"), choices=Tournament.NoShow.choices
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock of online tables"), choices=CLOCKS, required=False)
    clock_hours = _int(
        gettext_lazy("Hours per turn, or in the bank"), 0, MOST_HOURS, gettext_lazy("At least 12."), required=False
    )
    increment_hours = _int(gettext_lazy("Hours added for each turn played"), 0, MOST_HOURS, required=False)
    cap_hours = _int(gettext_lazy("Time bank limit in hours"), 0, 2 * MOST_HOURS, required=False)
    free_weekends = forms.BooleanField(label=gettext_lazy("Weekends are free"), required=False)
    free_nights = forms.BooleanField(label=gettext_lazy("Nights are free"), required=False)
    allows_absences = forms.BooleanField(label=gettext_lazy("Absences stop the clock"), required=False)
    missed = forms.ChoiceField(
        label=gettext_lazy("When a turn is missed"), choices=Table.Missed.choices, required=False
    )

    def __init__(
        self,
        *args: Any,
        user: User,
        rules: Rules | None,
        rules_ref: str = "",
        fixed: Collection[str] = (),
        circles: list[Circle] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.user, self.rules, self.rules_ref, self.fixed = user, rules, rules_ref, fixed
        self.circles = visibility_groups.circles_of(user) if circles is None else circles
        circle = self.initial.get("circle")
        choices = visibility_groups.choices(self.circles)
        former = [(circle, gettext("its club"))] if circle and circle not in dict(choices) else []
        self.fields["circle"].choices = [("", "—"), *choices, *former]  # type: ignore[attr-defined]
        for name in fixed:
            if name in self.fields:
                self.fields[name].disabled = True

    @property
    def has_more_errors(self) -> bool:
        """Whether something is wrong among the fields that a new event's form folds away."""
        return any(name in self.errors for name in FOLDED)

    def clean_time_zone(self) -> str:
        return read_zone(str(self.cleaned_data["time_zone"]))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self._put_zone(values)
        if values.get("visibility") != Tournament.Visibility.CIRCLE and not self.initial.get("circle"):
            values["circle"] = values.get("circle") or ""
        event = self.tournament()
        if event is not None:
            club_is_new = values.get("circle") != self.initial.get("circle", "")
            wrong = event_settings.wrong_settings(event, self.user if club_is_new else None)
            for name, sentence in wrong.items():
                self._say(name, sentence)
        return values

    def _put_zone(self, values: dict[str, Any]) -> None:
        zone = ZoneInfo(values["time_zone"]) if "time_zone" in values else None
        for name in TIMES:
            if values.get(name) is None or zone is None:
                continue
            try:
                values[name] = aware(values[name], zone)
            except forms.ValidationError as error:
                self.add_error(name, error)

    def _say(self, name: str, sentence: str) -> None:
        """Add an error to its field."""
        at = {"side_size": "team_size", "terms": "clock_hours", "rules_json": ""}.get(name, name)
        field = at if at in self.fields else None
        if field is None or field not in self.errors:
            self.add_error(field, sentence)

    def settings(self) -> dict[str, Any]:
        """The settings as `event_settings` names them, those that could be read; without the rules."""
        settings = {name: value for name, value in self.cleaned_data.items() if name in event_settings.LABELS}
        kind = self.cleaned_data.get("entry_kind")
        if kind:
            settings["side_size"] = {"person": 1, "partnership": 2}.get(kind, self.cleaned_data.get("team_size") or 2)
        if all(name in self.cleaned_data for name in TERMS):
            settings["terms"] = {**self.initial_terms(), **self._terms()}
            settings["terms"].pop("rules_ref", None)
            if self.rules_ref:
                settings["terms"]["rules_ref"] = self.rules_ref
        return settings

    def initial_terms(self) -> Mapping[str, Any]:
        """Terms that were chosen elsewhere and that this form does not show."""
        return {}

    def _terms(self) -> dict[str, Any]:
        chosen = {name: self.cleaned_data[name] for name in TERMS}
        return {name: usual if chosen[name] in (None, "") else chosen[name] for name, usual in usual_terms().items()}

    def tournament(self) -> Tournament | None:
        """The event as it would be, not stored; `None` where too much of it cannot be read."""
        if self.rules is None or not hasattr(self, "cleaned_data"):
            return None
        needed = ("entry_kind", "setting", "visibility", "time_zone", "confirm_hours")
        if any(name not in self.cleaned_data for name in needed):
            return None
        values = {"name": "Event"} | self.settings()
        return Tournament(slug="event", rules_json=self.rules.write(), **values)


class NewEventForm(EventForm):
    """Form of a new event: its settings, and the inputs of the schedule. The rules are chosen from `offer`."""

    expected = _int(gettext_lazy("Entries you expect"), 2, 1000)
    is_limited = forms.BooleanField(
        label=gettext_lazy("Limit entries to this number"),
        required=False,
        help_text=gettext_lazy("Later entries join a waiting list."),
    )
    minutes = _int(
        gettext_lazy("Minutes for a deal"),
        1,
        240,
        gettext_lazy("Used to estimate how long the event takes."),
        required=False,
    )
    tables = _int(gettext_lazy("Tables you have"), 0, 500, gettext_lazy("0 means as many as needed."), required=False)

    def __init__(self, *args: Any, offer: Offer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer = offer

    def settings(self) -> dict[str, Any]:
        limit = self.cleaned_data.get("expected") if self.cleaned_data.get("is_limited") else None
        return super().settings() | {"entry_limit": limit}


class SettingsForm(EventForm):
    """The settings of an event that is there."""

    entry_limit = _int(
        gettext_lazy("Entry limit"),
        2,
        event_settings.MOST_ENTRIES,
        gettext_lazy("Later entries join a waiting list."),
        required=False,
    )

    def __init__(self, *args: Any, event: Tournament, **kwargs: Any) -> None:
        self.event = event
        super().__init__(*args, initial=initial_of(event), **kwargs)

    def initial_terms(self) -> Mapping[str, Any]:
        return dict(self.event.terms)

    def changes(self) -> dict[str, Any]:
        """Settings that differ from the stored ones, without the rules."""
        return {name: value for name, value in self.settings().items() if not _same(self.event, name, value)}


def _same(event: Tournament, name: str, value: Any) -> bool:
    if name == "terms":
        return {**usual_terms(), **event.terms} == {**usual_terms(), **value}
    return bool(getattr(event, name) == value)


def usual_terms() -> dict[str, Any]:
    """The terms that a table has where nobody says otherwise."""
    table = Table()
    return {name: getattr(table, name) for name in TERMS if name != "clock"} | {"clock": "move"}


def initial_of(event: Tournament) -> dict[str, Any]:
    """The fields as an event has them, its times by its own clock."""
    values = {name: getattr(event, name) for name in event_settings.LABELS if name not in ("rules_json", "terms")}
    for name in TIMES:
        moment = values[name]
        values[name] = moment.astimezone(event.zone).replace(tzinfo=None) if moment else None
    terms = {name: value for name, value in event.terms.items() if name in TERMS}
    return {**usual_terms(), **values, **terms, "team_size": max(2, event.side_size)}
