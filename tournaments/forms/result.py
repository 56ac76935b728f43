"""Form for an organiser to enter or correct the result of a match."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tournaments import seating
from tournaments.models import Place, Result

LONGEST_REASON = 200


class SideOf(NamedTuple):
    """A side of a match: number, entries (ids) and names."""

    number: int
    entries: tuple[int, ...]
    names: str


def sides_of(places: Sequence[Place]) -> list[SideOf]:
    """The sides of a match whose entries are known, in order."""
    return [
        SideOf(side[0].side, tuple(place.entry_id for place in side if place.entry_id), _names(side))
        for side in seating.by_side(places)
    ]


def _names(side: Sequence[Place]) -> str:
    return " / ".join(str(place.entry) for place in side if place.entry)


class ScoreField(forms.Field):
    """Card points as they are written: `4,210` or, as others write, `4.210`; `−350`."""

    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 12})

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").replace("−", "-").replace("\N{NO-BREAK SPACE}", "").replace(" ", "")
        text = re.sub(r"\.(?=[0-9]{3}(?![0-9]))", "", text.replace(",", ""))
        if not text:
            return None
        if not text.removeprefix("-").isdecimal() or len(text) > 8 or not text.isascii():
            raise forms.ValidationError(gettext("Enter a whole number of points, such as 4,210."))
        return int(text)


class ResultForm(forms.Form):
    """Card points and absence of each side, the side that goes through if tied, and the reason."""

    reason = forms.CharField(
        label=gettext_lazy("Reason, shown in the history"), max_length=LONGEST_REASON, required=False
    )
    known = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)
    winner = forms.ChoiceField(label=gettext_lazy("Goes through if tied"), required=False)
    pair_again = forms.ChoiceField(choices=[("", ""), ("yes", ""), ("no", "")], required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        places: Sequence[Place],
        is_bracket: bool,
        has_rule: bool = False,
        result: Result | None = None,
        known: int = 0,
        auto_id: str = "id_%s",
    ) -> None:
        self.sides, self.is_bracket, self.was = sides_of(places), is_bracket, result
        self.has_rule = has_rule
        self.places = list(places)
        super().__init__(data, auto_id=auto_id, initial={"known": known, **_as_entered(self.sides, result)})
        for side in self.sides:
            self.fields[f"score_{side.number}"] = ScoreField(label=side.names, required=False)
            # At a bigger table an absent entry is removed and the others play.
            hidden: dict[str, Any] = {"widget": forms.HiddenInput, "disabled": True} if len(self.sides) > 2 else {}
            self.fields[f"absent_{side.number}"] = forms.BooleanField(
                label=gettext("did not come"), required=False, **hidden
            )
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            ("", "—"),
            *((str(side.entries[0]), side.names) for side in self.sides if side.entries),
        ]

    @property
    def rows(self) -> list[tuple[SideOf, forms.BoundField, forms.BoundField]]:
        """Each side with its fields."""
        return [(side, self[f"score_{side.number}"], self[f"absent_{side.number}"]) for side in self.sides]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        absent = [side for side in self.sides if values.get(f"absent_{side.number}")]
        for side in self.sides:
            name = f"score_{side.number}"
            if values.get(name) is None and not absent and name not in self.errors:
                self.add_error(
                    name, gettext("Enter the score of %(names)s, or mark the absent side.") % {"names": side.names}
                )
        scores = [values.get(f"score_{side.number}") for side in self.sides]
        is_tied = self.is_bracket and not absent and len(scores) == 2 and scores[0] == scores[1]
        if is_tied and not self.has_rule and scores[0] is not None and not values.get("winner"):
            self.add_error("winner", gettext("The scores are tied. Choose the entry that goes through."))
        return values

    def lines(self) -> list[dict[str, Any]]:
        """The result as services take it, one line for each entry."""
        lines = []
        is_walkover = any(self.cleaned_data[f"absent_{side.number}"] for side in self.sides)
        for place in self.places:
            is_absent = self.cleaned_data[f"absent_{place.side}"]
            score = None if is_walkover else self.cleaned_data[f"score_{place.side}"]
            lines.append(
                {"entry": place.entry_id, "score": score, "forfeit": is_absent, "won": is_walkover and not is_absent}
            )
        return lines

    def kind(self) -> Result.Kind:
        """Kind of the result."""
        absent = [self.cleaned_data[f"absent_{side.number}"] for side in self.sides]
        if all(absent):
            return Result.Kind.DOUBLE_FORFEIT
        return Result.Kind.FORFEIT if any(absent) else Result.Kind.DECIDED

    def winner_id(self) -> int | None:
        """The entry (id) that goes through if both are tied."""
        return int(self.cleaned_data["winner"]) if self.cleaned_data.get("winner") else None


def _as_entered(sides: Sequence[SideOf], result: Result | None) -> dict[str, Any]:
    """Initial values of the form from a result."""
    if result is None:
        return {}
    by_entry = {line["entry"]: line for line in result.lines}
    values: dict[str, Any] = {"winner": str(result.winner_id or "")}
    for side in sides:
        line = next((by_entry[entry] for entry in side.entries if entry in by_entry), None)
        if line is not None:
            values[f"score_{side.number}"] = line.get("score")
            values[f"absent_{side.number}"] = bool(line.get("forfeit"))
    return values
