"""Entries: add them, accept them from the waiting list, check in, seed, keep apart."""

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
from tournaments.services.entries import acceptance, bulk_entry, check_ins, late_entries
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.events.lifecycle import close_entries, reopen_entries
from tournaments.services.stages import seeding, stage_departures
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.text import quoted

MOST_LINES = 200
LONGEST_TEXT = 20_000


# The list


@require_http_methods(["GET", "HEAD", "POST"])
def list_entries(request: HttpRequest, event: str) -> HttpResponse:
    """The entries, and the form that adds some."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "entries")
    if request.method == "POST":
        return _add(request, tournament)
    return show_entries(request, tournament)


def show_entries(
    request: HttpRequest, event: Tournament, refusal: Refusal | None = None, rest: str | None = None
) -> HttpResponse:
    """The list; `rest` are lines of the form that were refused."""
    query = request.GET.get("q", "")[:80]
    context = {
        "groups": desk.groups(event, query),
        "query": query,
        "lines": rest or "",
        "missed": stage_departures.MISSED,
        "count": Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED).count(),
    }
    return form_actions.page(request, event, "entries", context, refusal)


def _add(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter the lines of the form, an entry a line, as one act. If one is refused, all stay in the form."""
    typed = request.POST.get("who", "")[:LONGEST_TEXT]
    lines = [line.strip() for line in typed.splitlines() if line.strip()]

    def do() -> Act:
        if not lines:
            raise Refused("nobody", gettext("Enter the entries, one per line."))
        if len(lines) > MOST_LINES:
            raise Refused("too_many", gettext("Enter at most %(count)s lines at a time.") % {"count": MOST_LINES})
        entries = [Names(people, name) for name, people in (read_line(line, event.entry_kind) for line in lines)]
        missed = request.POST.get("missed", "zero_bye")
        try:
            return bulk_entry.enter_list(
                event.pk, person(request), lines=entries, missed=missed, **form_actions.how(request)
            )
        except Refused as refused:
            if "line" not in refused.details:
                raise
            line = lines[int(str(refused.details["line"]))]
            raise Refused(refused.code, f"{quoted(line[:60])}: {refused.sentence}") from None

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entries(request, event, refusal, "\n".join(lines))

    return form_actions.act(request, event, "add", do, show, reverse("tournaments:organise_entries", args=[event.slug]))


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
    tournament = event_for(request, event, "entries")

    def do() -> Act:
        act = close_entries if request.POST.get("to") == "close" else reopen_entries
        return act(tournament.pk, person(request), **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entries(request, tournament, refusal)

    return form_actions.act(
        request, tournament, "gate", do, show, reverse("tournaments:organise_entries", args=[event])
    )


@require_POST
def accept(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Give a waiting entry a place, or put an entry on the waiting list; after the start, add it as a late entry."""
    tournament = event_for(request, event, "entries")
    entry_ = entry_of(tournament, entry)

    def do() -> Act | str:
        args = form_actions.how(request)
        if request.POST.get("to") == "wait":
            return acceptance.put_on_list(entry_.pk, person(request), **args)
        if tournament.has_begun:
            missed = request.POST.get("missed", "zero_bye")
            late_entries.enter_late(tournament.pk, person(request), entry_id=entry_.pk, missed=missed, **args)
            return gettext("%(entry)s was added as a late entry.") % {"entry": entry_}
        return acceptance.accept(entry_.pk, person(request), **args)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_entries(request, tournament, refusal)

    to = reverse("tournaments:organise_entries", args=[event])
    return form_actions.act(request, tournament, f"entry-{entry_.number}", do, show, to)


# Check-in


@require_safe
def check_in(request: HttpRequest, event: str) -> HttpResponse:
    """The check-in list, for a phone at the entrance; search by name or number."""
    return show_check_in(request, event_for(request, event))


def show_check_in(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The check-in list."""
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
def mark_all(request: HttpRequest, event: str) -> HttpResponse:
    """Mark everyone as here but for those already marked absent: one act."""
    tournament = event_for(request, event, "check_in")

    def do() -> Act:
        gone = Entry.objects.filter(tournament=tournament, status=Entry.Status.ENTERED, is_here=False)
        absent = list(gone.values_list("pk", flat=True))
        return check_ins.mark_all(tournament.pk, person(request), absent=absent, **form_actions.how(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_check_in(request, tournament, refusal)

    to = reverse("tournaments:organise_check_in", args=[event])
    return form_actions.act(request, tournament, "all", do, show, to)


@require_POST
def mark(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """Mark an entry as here or absent; mark an absent one as here again."""
    tournament = event_for(request, event, "check_in")
    entry_ = entry_of(tournament, entry)

    def do() -> Act:
        to, args = request.POST.get("to", ""), form_actions.how(request)
        if to == "here" and not tournament.has_begun and entry_.is_here is not False:
            return check_ins.check_in(entry_.pk, person(request), **args)
        if to in ("here", "back"):
            missed = request.POST.get("missed", "zero_bye")
            return check_ins.put_back(entry_.pk, person(request), missed=missed, **args)
        if to == "absent":
            return check_ins.mark_absent(entry_.pk, person(request), **args)
        raise Refused("nothing_chosen", gettext("Choose “here” or “absent”."))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_check_in(request, tournament, refusal)

    query = request.POST.get("q", "")[:80]
    to = reverse("tournaments:organise_check_in", args=[event])
    to += f"?{urlencode({'q': query})}" if query else ""
    return form_actions.act(request, tournament, f"entry-{entry_.number}", do, show, f"{to}#entry-{entry_.number}")


# Seeds


@require_http_methods(["GET", "HEAD", "POST"])
def seeds(request: HttpRequest, event: str) -> HttpResponse:
    """The order of the draw: by rating, by lot, or by hand with numbers and with up and down."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "entries")
    if request.method != "POST":
        return show_seeds(request, tournament, desk.in_order(tournament))
    by_name: dict[str, Callable[..., Act]] = {"rating": seeding.seed_by_rating, "lot": seeding.seed_by_lot}
    way = request.POST.get("way", "")
    rows = _as_ordered(request, tournament)
    if way.startswith(("up:", "down:", "sort")):
        return show_seeds(request, tournament, _moved(rows, way), is_changed=True, pressed=way)

    def do() -> Act:
        args = form_actions.how(request, seen=True)
        if way in by_name:
            return by_name[way](tournament.pk, person(request), **args)
        order = [] if way == "none" else [entry.pk for entry in rows]
        return seeding.seed_by_hand(tournament.pk, person(request), order=order, **args)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_seeds(request, tournament, rows, refusal, is_changed=True)

    return form_actions.act(request, tournament, "seeds", do, show, reverse("tournaments:organise_seeds", args=[event]))


def show_seeds(
    request: HttpRequest,
    event: Tournament,
    rows: Sequence[Entry],
    refusal: Refusal | None = None,
    *,
    is_changed: bool = False,
    pressed: str = "",
) -> HttpResponse:
    """The order; `is_changed` if it is not saved yet, `pressed` is the button that keeps the focus."""
    way, _, moved = pressed.partition(":")
    context = {"rows": rows, "is_changed": is_changed, "way": way, "moved": moved, "apart": desk.kept_apart(event)}
    return form_actions.page(request, event, "seeds", context, refusal, tab="entries")


def _as_ordered(request: HttpRequest, event: Tournament) -> list[Entry]:
    """The entries by the typed numbers; of two with one number the changed one comes first."""
    rows = desk.in_order(event)
    sent = {entry.pk: form_actions.number(request, f"seed-{entry.pk}") for entry in rows}
    was = {entry.pk: form_actions.number(request, f"was-{entry.pk}") for entry in rows}

    def place(entry: Entry) -> tuple[int, bool, int]:
        typed = sent[entry.pk]
        at = was[entry.pk] or len(rows)
        if typed is None:
            return (at, True, at)
        # An entry that is moved down comes after the entry whose number it takes.
        return (typed, typed == at, at) if typed <= at else (typed, True, at + len(rows))

    return sorted(rows, key=place)


def _moved(rows: list[Entry], way: str) -> list[Entry]:
    """The order with one entry a place up or down."""
    direction, _, pk = way.partition(":")
    at = next((index for index, entry in enumerate(rows) if str(entry.pk) == pk), None)
    if at is None:
        return rows
    to = max(0, min(len(rows) - 1, at + (-1 if direction == "up" else 1)))
    rows.insert(to, rows.pop(at))
    return rows


@require_POST
def apart(request: HttpRequest, event: str) -> HttpResponse:
    """Keep two entries apart, or allow them to meet again."""
    tournament = event_for(request, event, "entries")

    def do() -> Act:
        first = form_actions.chosen(request, "one", gettext("Choose two entries."))
        second = form_actions.chosen(request, "other", gettext("Choose two entries."))
        act: Any = seeding.allow_meeting if request.POST.get("to") == "meet" else seeding.keep_apart
        result: Act = act(tournament.pk, person(request), one=first, other=second, **form_actions.how(request))
        return result

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_seeds(request, tournament, desk.in_order(tournament), refusal)

    to = reverse("tournaments:organise_seeds", args=[event]) + "#apart"
    return form_actions.act(request, tournament, "apart", do, show, to)


_BASE = "events/<slug:event>/organise"
urls = [
    path(f"{_BASE}/entries/", list_entries, name="organise_entries"),
    path(f"{_BASE}/entries/gate/", open_or_close, name="organise_gate"),
    path(f"{_BASE}/entries/<int:entry>/accept/", accept, name="organise_accept"),
    path(f"{_BASE}/check-in/", check_in, name="organise_check_in"),
    path(f"{_BASE}/check-in/all/", mark_all, name="organise_mark_all"),
    path(f"{_BASE}/check-in/<int:entry>/", mark, name="organise_mark"),
    path(f"{_BASE}/seeds/", seeds, name="organise_seeds"),
    path(f"{_BASE}/seeds/apart/", apart, name="organise_apart"),
]
