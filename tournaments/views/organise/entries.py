"""Entries: added by an organiser, let in from the waiting list, checked in, seeded, kept apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.lookups import entry_of
from tournaments.models import Act, Entry, Tournament
from tournaments.organiser import entries as desk
from tournaments.services.entries import acceptance, check_ins, enrolment, late_entries
from tournaments.services.entries.person_lookup import Who
from tournaments.services.events.lifecycle import close_entries, reopen_entries
from tournaments.services.stages import seeding, stage_departures
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for, person
from web.errors import Refused

MOST_LINES = 200
LONGEST_TEXT = 20_000


# The list


@require_http_methods(["GET", "HEAD", "POST"])
def listed(request: HttpRequest, event: str) -> HttpResponse:
    """The entries, and the form that adds some."""
    found = event_for(request, event, "look" if request.method != "POST" else "entries")
    if request.method == "POST":
        return _add(request, found)
    return show_entries(request, found)


def show_entries(
    request: HttpRequest, event: Tournament, refusal: Refusal | None = None, left: str | None = None
) -> HttpResponse:
    """The list; `left` are lines of the form that were not entered."""
    query = request.GET.get("q", "")[:80]
    context = {
        "groups": desk.groups(event, query),
        "query": query,
        "lines": left or "",
        "missed": stage_departures.MISSED,
        "count": Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED).count(),
    }
    return form_actions.page(request, event, "entries", context, refusal)


def _add(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter what was typed, an entry a line. What cannot be entered stays in the form, with the first sentence."""
    typed = request.POST.get("who", "")[:LONGEST_TEXT]
    lines = [line.strip() for line in typed.splitlines() if line.strip()]
    asked = form_actions.how(request)
    key = asked.get("request_key")
    done: list[str] = []

    def do() -> str:
        if not lines:
            raise Refused("nobody", gettext("Enter the entries, one per line."))
        if len(lines) > MOST_LINES:
            raise Refused("too_many", gettext("Enter at most %(count)s lines at a time.") % {"count": MOST_LINES})
        for at, line in enumerate(lines):
            name, people = read_line(line, event.entry_kind)
            own = f"{key}:{at}" if key else None
            try:
                entry = _enter(event, request, name, people, own)
            except Refused as refused:
                raise Refused(refused.code, f"“{line[:60]}”: {refused.sentence}") from None
            done.append(str(entry))
        if len(done) > 3:
            return gettext("%(count)s entries were added.") % {"count": len(done)}
        return gettext("Added: %(names)s.") % {"names": ", ".join(done)}

    def show(refusal: Refusal | None) -> HttpResponse:
        if refusal is not None and done:
            added = gettext("%(count)s were added.") % {"count": len(done)}
            refusal = Refusal(refusal.at, f"{added} {refusal.sentence}", refusal.status)
        return show_entries(request, event, refusal, "\n".join(lines[len(done) :]))

    return form_actions.act(request, event, "add", do, show, reverse("tournaments:organise_entries", args=[event.slug]))


def _enter(event: Tournament, request: HttpRequest, name: str, people: Sequence[Who], key: str | None) -> Entry:
    if event.has_begun:
        missed = request.POST.get("missed", "zero_bye")
        return late_entries.enter_late(
            event.pk, person(request), members=people, name=name, missed=missed, request_key=key
        )
    return enrolment.enter_for(event.pk, person(request), members=people, name=name, request_key=key)


def read_line(line: str, kind: str) -> tuple[str, list[str]]:
    """The name and the people of a line: `Ann Lee`, `Ann Lee / Ben Ross`, or `The Foxes: Ann, Ben, Cem`."""
    if kind == Tournament.Kind.PERSON:
        return "", [line]
    name, colon, rest = line.partition(":")
    text = rest if colon and "@" not in name else line
    separator = "," if kind == Tournament.Kind.TEAM and "," in text else "/"
    people = [part.strip() for part in text.split(separator) if part.strip()]
    return (name.strip() if text is rest and colon else ""), people


@require_POST
def open_or_close(request: HttpRequest, event: str) -> HttpResponse:
    """Close entries, or open them again."""
    found = event_for(request, event, "entries")

    def do() -> Act:
        act = close_entries if request.POST.get("to") == "close" else reopen_entries
        return act(found.pk, person(request), **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entries(request, found, refusal)

    return form_actions.act(
        request, found, "gate", do, show, reverse("tournaments:organise_entries", args=[found.slug])
    )


@require_POST
def accept(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give a waiting entry a place, or let it wait; once play has begun, let it in late."""
    found = event_for(request, event, "entries")
    row = entry_of(found, entry)

    def do() -> Act | str:
        asked = form_actions.how(request)
        if request.POST.get("to") == "wait":
            return acceptance.put_on_list(row.pk, person(request), **asked)
        if found.has_begun:
            missed = request.POST.get("missed", "zero_bye")
            late_entries.enter_late(found.pk, person(request), entry_id=row.pk, missed=missed, **asked)
            return gettext("%(entry)s was added as a late entry.") % {"entry": row}
        return acceptance.accept(row.pk, person(request), **asked)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entries(request, found, refusal)

    to = reverse("tournaments:organise_entries", args=[found.slug])
    return form_actions.act(request, found, f"entry-{row.number}", do, show, to)


# Check-in


@require_safe
def check_in(request: HttpRequest, event: str) -> HttpResponse:
    """Who is here, for a phone at the door; found by a few letters or a number."""
    return show_check_in(request, event_for(request, event))


def show_check_in(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The list of who is here."""
    query = (request.GET.get("q") or request.POST.get("q", ""))[:80]
    rows = desk.check_in(event, query)
    has_to_say = event.has_check_in and not event.has_begun
    context = {
        "rows": rows,
        "query": query,
        "here": sum(bool(row.is_here) if has_to_say else row.is_here is not False for row in rows),
        "absent": sum(row.is_here is False for row in rows),
    }
    return form_actions.page(request, event, "check_in", context, refusal)


@require_POST
def mark(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Say that an entry is here or absent; put one back that was absent."""
    found = event_for(request, event, "check_in")
    row = entry_of(found, entry)

    def do() -> Act:
        to, asked = request.POST.get("to", ""), form_actions.how(request)
        if to == "here" and not found.has_begun and row.is_here is not False:
            return check_ins.check_in(row.pk, person(request), **asked)
        if to in ("here", "back"):
            missed = request.POST.get("missed", "zero_bye")
            return check_ins.put_back(row.pk, person(request), missed=missed, **asked)
        if to == "absent":
            return check_ins.mark_absent(row.pk, person(request), **asked)
        raise Refused("nothing_chosen", gettext("Choose “here” or “absent”."))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_check_in(request, found, refusal)

    query = request.POST.get("q", "")[:80]
    to = reverse("tournaments:organise_check_in", args=[found.slug])
    to += f"?{urlencode({'q': query})}" if query else ""
    return form_actions.act(request, found, f"entry-{row.number}", do, show, f"{to}#entry-{row.number}")


# Seeds


@require_http_methods(["GET", "HEAD", "POST"])
def seeds(request: HttpRequest, event: str) -> HttpResponse:
    """The order of the draw: by rating, by lot, or by hand with numbers and with up and down."""
    found = event_for(request, event, "look" if request.method != "POST" else "entries")
    if request.method != "POST":
        return show_seeds(request, found, desk.in_order(found))
    by_name: dict[str, Callable[..., Act]] = {"rating": seeding.seed_by_rating, "lot": seeding.seed_by_lot}
    way = request.POST.get("way", "")
    rows = _as_ordered(request, found)
    if way.startswith(("up:", "down:", "sort")):
        return show_seeds(request, found, _moved(rows, way), is_changed=True, pressed=way)

    def do() -> Act:
        asked = form_actions.how(request, seen=True)
        if way in by_name:
            return by_name[way](found.pk, person(request), **asked)
        order = [] if way == "none" else [one.pk for one in rows]
        return seeding.seed_by_hand(found.pk, person(request), order=order, **asked)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_seeds(request, found, rows, refusal, is_changed=True)

    return form_actions.act(request, found, "seeds", do, show, reverse("tournaments:organise_seeds", args=[found.slug]))


def show_seeds(
    request: HttpRequest,
    event: Tournament,
    rows: Sequence[Entry],
    refusal: Refusal | None = None,
    *,
    is_changed: bool = False,
    pressed: str = "",
) -> HttpResponse:
    """The order; `is_changed` says that it is not kept yet, `pressed` which button keeps the focus."""
    way, _, moved = pressed.partition(":")
    context = {"rows": rows, "is_changed": is_changed, "way": way, "moved": moved, "apart": desk.kept_apart(event)}
    return form_actions.page(request, event, "seeds", context, refusal, tab="entries")


def _as_ordered(request: HttpRequest, event: Tournament) -> list[Entry]:
    """The entries by the numbers that were typed; of two with one number the one that was changed comes first."""
    rows = desk.in_order(event)
    sent = {row.pk: form_actions.number(request, f"seed-{row.pk}") for row in rows}
    was = {row.pk: form_actions.number(request, f"was-{row.pk}") for row in rows}

    def place(row: Entry) -> tuple[int, bool, int]:
        typed = sent[row.pk]
        at = was[row.pk] or len(rows)
        if typed is None:
            return (at, True, at)
        # Who is moved down comes after the one whose number it takes.
        return (typed, typed == at, at) if typed <= at else (typed, True, at + len(rows))

    return sorted(rows, key=place)


def _moved(rows: list[Entry], way: str) -> list[Entry]:
    """The order with one entry a place up or down."""
    direction, _, pk = way.partition(":")
    at = next((index for index, row in enumerate(rows) if str(row.pk) == pk), None)
    if at is None:
        return rows
    to = max(0, min(len(rows) - 1, at + (-1 if direction == "up" else 1)))
    rows.insert(to, rows.pop(at))
    return rows


@require_POST
def apart(request: HttpRequest, event: str) -> HttpResponse:
    """Keep two entries apart, or let them meet again."""
    found = event_for(request, event, "entries")

    def do() -> Act:
        one = form_actions.chosen(request, "one", gettext("Choose two entries."))
        other = form_actions.chosen(request, "other", gettext("Choose two entries."))
        act: Any = seeding.may_meet if request.POST.get("to") == "meet" else seeding.keep_apart
        result: Act = act(found.pk, person(request), one=one, other=other, **form_actions.how(request))
        return result

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_seeds(request, found, desk.in_order(found), refusal)

    to = reverse("tournaments:organise_seeds", args=[found.slug]) + "#apart"
    return form_actions.act(request, found, "apart", do, show, to)


_BASE = "events/<slug:event>/organise"
urls = [
    path(f"{_BASE}/entries/", listed, name="organise_entries"),
    path(f"{_BASE}/entries/gate/", open_or_close, name="organise_gate"),
    path(f"{_BASE}/entries/<int:entry>/accept/", accept, name="organise_accept"),
    path(f"{_BASE}/check-in/", check_in, name="organise_check_in"),
    path(f"{_BASE}/check-in/<int:entry>/", mark, name="organise_mark"),
    path(f"{_BASE}/seeds/", seeds, name="organise_seeds"),
    path(f"{_BASE}/seeds/apart/", apart, name="organise_apart"),
]
