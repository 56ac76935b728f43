"""Settings of a club: its description, ways to join, and visibility."""

from collections.abc import Mapping
from typing import Any, Unpack

from django.forms import ValidationError
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from clubs.models import Act, Club
from clubs.models.people import new_token
from clubs.services import naming
from clubs.services.history import CLUB, ActionRequest, Never, Record, Rows, act, declare, perform
from tournaments.forms.fields import read_zone
from web.errors import Refused

LABELS: dict[str, str] = {
    "name": gettext_noop("name"),
    "line": gettext_noop("line below the name"),
    "about": gettext_noop("description"),
    "venue": gettext_noop("venue"),
    "time_zone": gettext_noop("time zone"),
    "colour": gettext_noop("colour"),
    "crest": gettext_noop("crest"),
    "joining": gettext_noop("how to join"),
    "is_listed": gettext_noop("in the list of clubs"),
    "has_directory": gettext_noop("directory of members"),
    "takes_guests": gettext_noop("guests without an account"),
}
"""Settings, and their names on pages."""
FLAGS = ("is_listed", "has_directory", "takes_guests")
"""Those that are on or off."""
CHOICES = {"colour": Club.Colour.values, "crest": Club.Crest.values, "joining": Club.Joining.values}
LONGEST = {"line": 160, "about": 4000, "venue": 200}


def read(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a club, checked: those of `LABELS` that are given. Raises `Refused` with the `field`."""
    return {name: _read(name, values[name]) for name in LABELS if name in values}


def _read(name: str, value: Any) -> Any:
    if name in FLAGS:
        return bool(value)
    text = str(value).replace("\r\n", "\n").strip()
    if name == "name":
        return naming.clean(text, field="name")
    if name == "time_zone":
        return _zone(text)
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise Refused(
                "bad_choice",
                gettext("Choose the %(label)s from the list.") % {"label": gettext(LABELS[name])},
                field=name,
            )
        return text
    if name != "about":
        text = " ".join(text.split())
    if len(text) > LONGEST[name]:
        raise Refused(
            "too_long",
            gettext("The %(label)s can have at most %(longest)s characters.")
            % {"label": gettext(LABELS[name]), "longest": LONGEST[name]},
            field=name,
        )
    return text


def _zone(text: str) -> str:
    try:
        return read_zone(text)
    except ValidationError as error:
        raise Refused("bad_zone", " ".join(error.messages), field="time_zone") from None


SETTINGS = declare("settings", needs="settings", undo=Rows())


def change(club_id: int, by: User, *, fields: Mapping[str, Any], **how: Unpack[ActionRequest]) -> Act:
    """Change settings of a club: fields of `LABELS`. Raises `Refused` with the `field` that is wrong."""

    def do(record: Record) -> str:
        values = read(fields)
        changed = [label for name, label in LABELS.items() if name in values and values[name] != _now(record, name)]
        if not changed:
            raise Refused("nothing_new", gettext("Nothing was changed."))
        record.change(record.club, **values)
        return gettext("Changed: %(changed)s.") % {"changed": ", ".join(map(gettext, changed))}

    return perform(club_id, do, SETTINGS, by=by, **how)


def _now(record: Record, name: str) -> Any:
    return getattr(record.club, name)


@act("link", on=CLUB, needs="settings", undo=Never("The old link is not kept."))
def renew_link(record: Record, club: Club) -> str:
    """Make a new link to join; the old one expires."""
    # Not through the record: the history stores no tokens.
    club.join_token = new_token()
    club.save(update_fields=["join_token"])
    return gettext("A new invitation link was created. The old one no longer works.")
