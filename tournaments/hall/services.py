"""The link of the screen and the caller's timer: open and renew the link, start, pause and stop the timer."""

from datetime import timedelta
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Never, Rows
from tournaments.models import Act, Hall
from tournaments.models.entries import new_token
from tournaments.services.action_context import check_alive
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused

SCREEN = declare("screen", needs="results", undo=Rows())
TIMER = declare("timer", needs="results", undo=Never("Set the timer again instead."))

LONGEST_NOTE = 120
MOST_MINUTES = 600


def open_screen(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Give the hall a screen with a secret link; a screen that exists gets a new link, and the old one ends."""

    def do(record: Record) -> str:
        hall = Hall.objects.filter(tournament=record.tournament).first()
        if hall is None:
            record.create(Hall(tournament=record.tournament))
            return gettext("The hall screen was opened.")
        record.change(hall, token=new_token())
        return gettext("The hall screen has a new link.")

    return perform(tournament_id, do, SCREEN, by=by, advance=False, **how)


def close_screen(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Close the screen. Its link leads nowhere from now on."""

    def do(record: Record) -> str:
        record.delete(_hall(record))
        return gettext("The hall screen was closed.")

    return perform(tournament_id, do, SCREEN, by=by, advance=False, **how)


def write_note(tournament_id: int, by: User, *, text: str, **how: Unpack[ActionRequest]) -> Act:
    """Put a line at the foot of the screen; an empty text removes it. Raises `Refused` if it is too long."""
    words = " ".join(text.split())
    if len(words) > LONGEST_NOTE:
        sentence = gettext("At most %(most)s characters fit on the screen.") % {"most": LONGEST_NOTE}
        raise Refused("too_long", sentence, field="text")

    def do(record: Record) -> str:
        record.change(_hall(record), note=words)
        return gettext("On the hall screen: %(text)s") % {"text": words or "–"}

    return perform(tournament_id, do, SCREEN, by=by, advance=False, **how)


# The timer


def start_timer(
    tournament_id: int, by: User, *, minutes: int, purpose: str = Hall.Purpose.ROUND, **how: Unpack[ActionRequest]
) -> Act:
    """Start the timer anew. Raises `Refused` for a number of minutes under 1 or over `MOST_MINUTES`."""
    if purpose not in Hall.Purpose.values:
        raise Refused("bad_purpose", gettext("Choose what the timer is for."), field="purpose")
    if not 1 <= minutes <= MOST_MINUTES:
        raise Refused("bad_minutes", gettext("Enter 1 to %(most)s minutes.") % {"most": MOST_MINUTES}, field="minutes")

    def do(record: Record) -> str:
        check_alive(record)
        hall = _hall(record)
        ends = record.now + timedelta(minutes=minutes)
        record.change(hall, purpose=Hall.Purpose(purpose), ends_at=ends, seconds_left=None)
        text = ngettext("Timer: %(minutes)s minute.", "Timer: %(minutes)s minutes.", minutes)
        return text % {"minutes": minutes}

    return perform(tournament_id, do, TIMER, by=by, advance=False, **how)


def pause_timer(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Stop the running timer where it is. Raises `Refused` if none runs."""

    def do(record: Record) -> str:
        hall = _hall(record)
        if hall.ends_at is None or hall.ends_at <= record.now:
            raise Refused("no_timer", gettext("No timer is running."))
        left = int((hall.ends_at - record.now).total_seconds())
        record.change(hall, ends_at=None, seconds_left=max(left, 1))
        return gettext("The timer was paused.")

    return perform(tournament_id, do, TIMER, by=by, advance=False, **how)


def resume_timer(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Let a paused timer run on. Raises `Refused` if none is paused."""

    def do(record: Record) -> str:
        hall = _hall(record)
        if hall.seconds_left is None:
            raise Refused("no_timer", gettext("No timer is paused."))
        record.change(hall, ends_at=record.now + timedelta(seconds=hall.seconds_left), seconds_left=None)
        return gettext("The timer was resumed.")

    return perform(tournament_id, do, TIMER, by=by, advance=False, **how)


def stop_timer(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Take the timer off the screen. Raises `Refused` if there is none."""

    def do(record: Record) -> str:
        hall = _hall(record)
        if hall.ends_at is None and hall.seconds_left is None:
            raise Refused("no_timer", gettext("No timer is running."))
        record.change(hall, ends_at=None, seconds_left=None)
        return gettext("The timer was stopped.")

    return perform(tournament_id, do, TIMER, by=by, advance=False, **how)


def _hall(record: Record) -> Hall:
    hall = Hall.objects.filter(tournament=record.tournament).first()
    if hall is None:
        raise Refused("no_screen", gettext("Open the hall screen first."))
    return hall
