"""The form of a practice match: rules and bots, each with a default, so that one press is enough."""

from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from accounts.models import User
from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.editor import Editor, edit
from gameplay.services.seating import BOT_LEVELS

_RULESET, _LEVEL = "standard", "club"


class PracticeForm(forms.Form):
    """By which rules, and against which bots. Rules come by name, or as an editor of house rules has them typed."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Rules"), required=False, initial=_RULESET)
    level = forms.ChoiceField(
        label=gettext_lazy("Level of the bots"), choices=list(BOT_LEVELS.items()), required=False, initial=_LEVEL
    )

    def __init__(self, data: QueryDict | None, *, user: User | AnonymousUser) -> None:
        super().__init__(data)
        chosen = data.get("ruleset", "") if data else ""
        self.fields["ruleset"].choices = rule_sources.choices(user, chosen)  # type: ignore[attr-defined]
        self.editor: Editor | None = edit(data.get("preset", ""), data) if data and "preset" in data else None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if self.editor is not None and self.editor.rules is None:
            for sentence in self.editor.sentences:
                self.add_error(None, sentence)
        return values

    @property
    def rules(self) -> Rules:
        """The chosen rules, of a form that is valid."""
        if self.editor is not None and self.editor.rules is not None:
            return self.editor.rules
        return rule_sources.start(self._ruleset).rules

    @property
    def rules_ref(self) -> str:
        """The saved version that they come from; empty for a published ruleset."""
        return self.editor.ref if self.editor is not None else rule_sources.start(self._ruleset).ref

    @property
    def _ruleset(self) -> str:
        return self.cleaned_data["ruleset"] or _RULESET

    @property
    def bots(self) -> str:
        """The chosen level, of a form that is valid."""
        return self.cleaned_data["level"] or _LEVEL
