"""The form of a new table: its terms and invitations."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay import recent_partners, visibility_groups
from gameplay.models import Table
from gameplay.paces import OWN, PACES, pace_of
from gameplay.services.table_terms import LEAST_HOURS, wrong_terms

MOST_HOURS = 24 * 30
_MOST_GUESTS = 11
_LONGEST_ID = 18


def shape_words(shape: Shape) -> str:
    """A size of table in words."""
    if shape.team_size == 1:
        return gettext("%(seats)s players, each for themselves") % {"seats": shape.seats}
    return gettext("%(seats)s players in %(teams)s teams of %(size)s") % {
        "seats": shape.seats,
        "teams": shape.teams,
        "size": shape.team_size,
    }


class PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """People chosen by id; a number too long to be one is no choice, whereas a database may stumble over it."""

    def clean(self, value: Any) -> Any:
        if any(len(str(chosen)) > _LONGEST_ID for chosen in value or ()):
            raise forms.ValidationError(self.error_messages["invalid_list"], code="invalid_list")
        return super().clean(value)


class TableForm(forms.ModelForm):  # type: ignore[type-arg]
    """The terms of a table. `rules` decides the possible sizes; `None` if the rules themselves are refused."""

    shape = forms.ChoiceField(label=gettext_lazy("Seats and teams"))
    pace = forms.ChoiceField(
        label=gettext_lazy("How long?"),
        choices=[*((name, pace.title) for name, pace in PACES.items()), (OWN, gettext_lazy("Your own clock"))],
        required=False,
        initial=next(iter(PACES)),
    )
    assist = forms.TypedChoiceField(
        choices=[("yes", gettext_lazy("On")), ("no", gettext_lazy("Off"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
        initial="yes",
    )
    clock_hours = forms.IntegerField(
        label=gettext_lazy("Hours"), required=False, min_value=0, max_value=MOST_HOURS, initial=48
    )
    increment_hours = forms.IntegerField(
        label=gettext_lazy("Hours added for each turn played"),
        required=False,
        min_value=0,
        max_value=MOST_HOURS,
        initial=12,
    )
    cap_hours = forms.IntegerField(
        label=gettext_lazy("Time bank limit in hours"),
        required=False,
        min_value=0,
        max_value=2 * MOST_HOURS,
        initial=120,
    )
    talk = forms.ChoiceField(choices=Table.Talk.choices, required=False, widget=forms.RadioSelect, initial="phrases")
    audience = forms.ChoiceField(label=gettext_lazy("Club"), required=False)
    guests = PeopleField(
        label=gettext_lazy("People you have played with"),
        required=False,
        queryset=User.objects.none(),
        to_field_name="pk",
    )
    invite = forms.CharField(
        label=gettext_lazy("Others, by name or email address"), required=False, max_length=2000, widget=forms.Textarea
    )

    class Meta:
        model = Table
        fields = (
            "name",
            "is_rated",
            "assist",
            "allows_hints",
            "talk",
            "joining",
            "watching",
            "audience",
            "clock",
            "clock_hours",
            "increment_hours",
            "cap_hours",
            "free_weekends",
            "free_nights",
            "allows_absences",
            "missed",
        )
        widgets = {
            "joining": forms.RadioSelect,
            "watching": forms.RadioSelect,
            "clock": forms.RadioSelect,
            "missed": forms.RadioSelect,
        }
        labels = {"name": gettext_lazy("Table name"), "is_rated": gettext_lazy("Rated")}

    def __init__(
        self,
        *args: Any,
        user: User,
        rules: Rules | None,
        last: Table | None = None,
        people: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        kwargs["initial"] = {
            "increment_hours": 12,
            "cap_hours": 120,
            **(_choices_of(last) if last else {}),
            "name": (gettext("%(user)s’s table") % {"user": user})[:60],
        }
        super().__init__(*args, **kwargs)
        self.user, self.rules = user, rules
        shapes = rules.shapes if rules else Rules.preset("standard").shapes
        self.fields["shape"].choices = [(f"{s.seats}x{s.team_size}", shape_words(s)) for s in shapes]  # type: ignore[attr-defined]
        self.fields["shape"].error_messages["invalid_choice"] = gettext("These rules are not for a table of that size.")
        self.circles = visibility_groups.circles_of(user)
        self.fields["audience"].choices = [("", "—"), *visibility_groups.choices(self.circles)]  # type: ignore[attr-defined]
        self.acquaintances = recent_partners.played_with(user, 12)
        self.fields["guests"].queryset = User.objects.filter(pk__in=[p.pk for p in self.acquaintances])  # type: ignore[attr-defined]
        self._choose_people(people)

    def _choose_people(self, usernames: Sequence[str]) -> None:
        """Choose the people of an address, `?with=ann&with=ben`: acquaintances by their boxes, others by name."""
        names = dict.fromkeys(name[:150] for name in usernames[:_MOST_GUESTS])
        known = {person.username: str(person.pk) for person in self.acquaintances}
        if names:
            self.initial["joining"] = Table.Joining.INVITED
        self.initial["guests"] = [known[name] for name in names if name in known]
        self.initial["invite"] = "\n".join(name for name in names if name not in known)

    def clean(self) -> dict[str, Any]:
        terms = super().clean() or self.cleaned_data
        if (pace := PACES.get(terms.get("pace", ""))) is not None:
            for name in pace.terms.keys() & self.errors.keys():
                del self.errors[name]
            terms |= pace.terms
        for name in ("clock_hours", "increment_hours", "cap_hours"):
            if terms.get(name) is None and name not in self.errors:
                terms[name] = 48 if name == "clock_hours" else 0
        terms["talk"] = terms.get("talk") or Table.Talk.PHRASES
        if terms.get("clock") == Table.Clock.NONE:
            terms["clock_hours"] = max(terms.get("clock_hours") or 0, LEAST_HOURS)
        if not {terms.get("joining"), terms.get("watching")} & {Table.Joining.CLUB, Table.Watching.CLUB}:
            terms["audience"] = ""
        for field, sentence in wrong_terms(Table(**self.terms())).items():
            if field not in self.errors:
                self.add_error(field if field in self.fields else "pace", sentence)
        if len(self.names()) + len(terms.get("guests") or ()) > _MOST_GUESTS:
            self.add_error("invite", gettext("Invite at most %(most)s people at once.") % {"most": _MOST_GUESTS})
        return terms

    def terms(self) -> dict[str, Any]:
        """Fields of `Table` for the service, those that could be read."""
        fields = (*self.Meta.fields, "is_practice", "turn_seconds", "bank_seconds")
        chosen = {name: self.cleaned_data[name] for name in fields if name in self.cleaned_data}
        chosen.pop("name", None)
        return chosen

    def names(self) -> list[str]:
        """Names and addresses typed, one a line or between commas."""
        typed = str(self.cleaned_data.get("invite") or "").replace(",", "\n").replace(";", "\n")
        return list(dict.fromkeys(name.strip() for name in typed.splitlines() if name.strip()))

    def chosen_shape(self) -> Shape:
        """The size of the table."""
        seats, team_size = self.cleaned_data["shape"].split("x")
        return Shape(int(seats), int(team_size))


def _choices_of(table: Table) -> dict[str, Any]:
    """The choices that a table was created with, its name and rules aside."""
    chosen = {name: getattr(table, name) for name in TableForm.Meta.fields}
    return chosen | {
        "assist": "yes" if table.assist else "no",
        "clock": Table.Clock.MOVE if table.clock == Table.Clock.NONE else table.clock,
        "pace": pace_of(table),
        "shape": f"{table.seat_count}x{table.team_size}",
    }
