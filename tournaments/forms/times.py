"""Start and deadline of a round or match, by the event’s own clock."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.forms.fields import LocalMoment, aware
from tournaments.models import Tournament


class TimesForm(forms.Form):
    """A beginning and a deadline, either of them empty for none."""

    starts_at = LocalMoment(label=gettext_lazy("Starts"), required=False)
    deadline_at = LocalMoment(label=gettext_lazy("Deadline"), required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        event: Tournament,
        starts_at: datetime | None = None,
        deadline_at: datetime | None = None,
        auto_id: str = "id_%s",
    ) -> None:
        self.event = event
        times = {"starts_at": starts_at, "deadline_at": deadline_at}
        local = {name: at.astimezone(event.zone).replace(tzinfo=None) if at else None for name, at in times.items()}
        super().__init__(data, initial=local, auto_id=auto_id)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name in ("starts_at", "deadline_at"):
            if values.get(name) is not None:
                try:
                    values[name] = aware(values[name], self.event.zone)
                except forms.ValidationError as error:
                    self.add_error(name, error)
        return values
