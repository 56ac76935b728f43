"""Doors to entries: listing, entering, and all that is done to one by its people or by an organiser."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from gameplay.api.plumbing import player, read, read_query
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, given, shapes
from tournaments.api.plumbing import (
    MayLook,
    done,
    door,
    entry_ids,
    how_of,
    look,
    made_row,
    organised,
    reader,
    told,
    tried,
    twice,
)
from tournaments.finding import entry_of
from tournaments.models import Act, Entry, KeptApart, Member
from tournaments.services import (
    accepting,
    byes,
    checking_in,
    entries,
    late,
    members,
    name_lists,
    partners,
    seeding,
    substitutes,
    withdrawing,
)
from tournaments.services.name_lists import Names
from web.errors import Refused

Form = Mapping[str, Any]


class Entries(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @told(shapes.EntryPage, asks=given.WhichEntries, name="events_entries_list")
    def get(self, request: Request, event: str) -> Response:
        """The entries of an event by number, with their people."""
        found = access.open_event(reader(request), event)
        query = read_query(given.WhichEntries, request)
        rows = entries.listed(found).filter(number__gt=query["since"])
        if "status" in query:
            rows = rows.filter(status=query["status"])
        page, more = facts.a_page(rows[: query["limit"] + 1], query["limit"])
        data = {"entries": [facts.entry(row) for row in page], "more": more, "version": found.version}
        return answer(request, shapes.EntryPage, data)

    @told(shapes.WholeEntry, takes=given.NewEntry, status=201, name="events_entries_create")
    def post(self, request: Request, event: str) -> Response:
        """Enter anyone, as an organiser. In an online event people are asked first."""
        found = organised(request, event, "entries")
        form = read(given.NewEntry, request.data)
        add = partial(entries.enter_for, found.pk, player(request), members=form["members"], name=form["name"])
        return made_row(request, found, form, add, lambda row: facts.entry_answer(request, found, row, status=201))


@door("POST", "events_organise", shapes.Listed, takes=given.NameList, status=201)
def name_list(request: Request, event: str) -> Response:
    """Enter a list of people by their names alone, up to 512 entries at once: all of it or nothing.

    For events at real tables. A refusal says which entry of the list is wrong.
    """
    found = organised(request, event, "entries")
    form = read(given.NameList, request.data)
    lines = [Names(one["members"], one["name"]) for one in form["entries"]]
    add = partial(name_lists.enter_names, found.pk, player(request), lines=lines, is_here=form["is_here"])
    if form["preview"]:
        return tried(request, found, form, add)
    act = add(**how_of(request, found.acts.all(), form))
    found.refresh_from_db(fields=["version"])
    data = {"entries": name_lists.entered(act), "version": found.version}
    return answer(request, shapes.Listed, data, status=201)


@door("POST", "events_organise", shapes.WholeEntry, takes=given.LateEntry, status=201)
def enter_late(request: Request, event: str) -> Response:
    """Add an entry to an event under way: a listed one, or a new one of these people."""
    found = organised(request, event, "play")
    form = read(given.LateEntry, request.data)
    if "entry" in form and form["members"]:
        raise Refused("bad_input", gettext("Choose a listed entry or enter its people, but not both."))
    add = partial(
        late.enter_late,
        found.pk,
        player(request),
        entry_id=entry_of(found, form["entry"]).pk if "entry" in form else None,
        members=form["members"],
        name=form["name"],
        missed=form["missed"],
    )
    return made_row(request, found, form, add, lambda row: facts.entry_answer(request, found, row, status=201))


@look(shapes.WholeEntry, name="events_entries_retrieve")
def entry(request: Request, event: str, entry: int) -> Response:
    """An entry, its people and its part in each stage."""
    found = access.open_event(reader(request), event)
    return facts.entry_answer(request, found, entry_of(found, entry))


# Seeds and who is kept apart


@door("POST", "events_organise", takes=given.Seeds)
def seeds(request: Request, event: str) -> Response:
    """Seed all entries by rating, by lot, or by hand."""
    found = organised(request, event, "entries")
    form = read(given.Seeds, request.data)
    if form["by"] == "hand":
        order = entry_ids(found, form.get("order", []))
        return done(request, found, form, partial(seeding.seed_by_hand, found.pk, player(request), order=order))
    way = seeding.seed_by_rating if form["by"] == "rating" else seeding.seed_by_lot
    return done(request, found, form, partial(way, found.pk, player(request)))


class Apart(APIView):
    """Entries kept apart, and changes to them."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @told(shapes.ApartList, name="events_apart_list")
    def get(self, request: Request, event: str) -> Response:
        """Entries that should not meet if possible. For organisers."""
        found = organised(request, event, "look")
        rows = KeptApart.objects.filter(tournament=found).order_by("pk").values_list("one__number", "other__number")
        return answer(request, shapes.ApartList, {"apart": [{"one": one, "other": other} for one, other in rows]})

    @told(shapes.Done, takes=given.Apart, name="events_apart_create")
    def post(self, request: Request, event: str) -> Response:
        """Keep two entries apart in future draws, or with `apart` false allow them to meet again."""
        found = organised(request, event, "entries")
        form = read(given.Apart, request.data)
        one, other = entry_ids(found, [form["one"], form["other"]])
        way = seeding.keep_apart if form["apart"] else seeding.may_meet
        return done(request, found, form, partial(way, found.pk, player(request), one=one, other=other))


# What its people and organisers do to an entry


@twice("entries", given.Withdraw)
def withdraw(request: Request, row: Entry, form: Form) -> Response:
    """Withdraw the entry, after the round or at once. Before the start its place goes to the waiting list."""
    act = partial(withdrawing.withdraw, row.pk, player(request), at_once=form["at_once"])
    return done(request, row.tournament, form, act)


@twice("check_in", given.Acting)
def check_in(request: Request, row: Entry, form: Form) -> Response:
    """Check the entry in. Twice does no harm."""
    return done(request, row.tournament, form, partial(checking_in.check_in, row.pk, player(request)))


@twice("play", given.Bye)
def bye(request: Request, row: Entry, form: Form) -> Response:
    """Give the entry a bye in a round that is not drawn yet, or cancel the bye."""
    if form["kind"] == "none":
        act = partial(byes.take_back_bye, row.pk, player(request), round_number=form["round"])
    else:
        act = partial(byes.request_bye, row.pk, player(request), round_number=form["round"], kind=form["kind"])
    return done(request, row.tournament, form, act)


@twice("entries", given.Rename)
def rename(request: Request, row: Entry, form: Form) -> Response:
    """Give the entry a name of its own."""
    return done(request, row.tournament, form, partial(entries.rename, row.pk, player(request), name=form["name"]))


@twice("entries", given.AskIn, shapes.WholeEntry, status=201)
def invite(request: Request, row: Entry, form: Form) -> Response:
    """Invite a person into the entry, as a player or a reserve."""
    act = partial(partners.invite, row.pk, player(request), who=form["who"], role=form["role"])
    found = row.tournament
    return made_row(request, found, form, act, lambda _: facts.entry_answer(request, found, row, status=201))


@twice("entries", given.OfMember)
def drop(request: Request, row: Entry, form: Form) -> Response:
    """Remove a person from the entry, or cancel an invitation."""
    return done(request, row.tournament, form, partial(members.drop, _member(row, form["member"]), player(request)))


@twice("entries", given.OfMember)
def captain(request: Request, row: Entry, form: Form) -> Response:
    """Make a player the captain, who acts for the team."""
    act = partial(members.make_captain, _member(row, form["member"]), player(request))
    return done(request, row.tournament, form, act)


@twice("entries", given.MemberRole)
def member_role(request: Request, row: Entry, form: Form) -> Response:
    """Make a player of a team a reserve, or a reserve a player."""
    act = partial(members.set_role, _member(row, form["member"]), player(request), role=form["role"])
    return done(request, row.tournament, form, act)


@twice("entries", given.Order)
def order(request: Request, row: Entry, form: Form) -> Response:
    """Set the order in which its people play."""
    act = partial(members.reorder, row.pk, player(request), member_ids=form["members"])
    return done(request, row.tournament, form, act)


def _member(row: Entry, pk: int) -> int:
    """The id of a person of the entry. Raises `Refused` for anybody else."""
    if not Member.objects.filter(entry=row, pk=pk).exists():
        raise Refused("no_such_member", gettext("Person not found in this entry."))
    return pk


# What organisers alone do to an entry


@door("POST", "events_organise", takes=given.Acting)
def absent(request: Request, event: str, entry: int) -> Response:
    """Mark an entry as absent. It is left out of the draw, during play from the next round."""
    return _done_to(request, event, entry, "check_in", given.Acting, checking_in.mark_absent)


@door("POST", "events_organise", takes=given.Back)
def put_back(request: Request, event: str, entry: int) -> Response:
    """Mark an absent entry as present again."""
    return _done_to(request, event, entry, "check_in", given.Back, checking_in.put_back, "missed")


@door("POST", "events_organise", takes=given.Reasoned)
def disqualify(request: Request, event: str, entry: int) -> Response:
    """Disqualify an entry. Its open match is decided against it."""
    return _done_to(request, event, entry, "play", given.Reasoned, withdrawing.disqualify)


@door("POST", "events_organise", takes=given.Back)
def reinstate(request: Request, event: str, entry: int) -> Response:
    """Reinstate an entry that withdrew or was disqualified."""
    return _done_to(request, event, entry, "play", given.Back, withdrawing.reinstate, "missed")


@door("POST", "events_organise", takes=given.Acting)
def accept(request: Request, event: str, entry: int) -> Response:
    """Give a waiting entry a place, whatever the limit."""
    return _done_to(request, event, entry, "entries", given.Acting, accepting.accept)


@door("POST", "events_organise", takes=given.Acting)
def wait(request: Request, event: str, entry: int) -> Response:
    """Put an entry on the waiting list."""
    return _done_to(request, event, entry, "entries", given.Acting, accepting.put_on_list)


@door("POST", "events_organise", shapes.WholeEntry, takes=given.Replace, status=201)
def replace(request: Request, event: str, entry: int) -> Response:
    """Replace a player from now on, with a reserve or anyone else. Results stay."""
    found = organised(request, event, "entries")
    row = entry_of(found, entry)
    form = read(given.Replace, request.data)
    act = partial(
        substitutes.replace_member,
        _member(row, form["member"]),
        player(request),
        who=form.get("who"),
        reserve=form.get("reserve"),
    )
    return made_row(request, found, form, act, lambda _: facts.entry_answer(request, found, row, status=201))


def _done_to(
    request: Request, event: str, entry: int, may: str, takes: type[given.Acting], act: Any, *names: str
) -> Response:
    """An organiser's act on an entry; `names` are the fields that its service takes besides."""
    found = organised(request, event, may)
    row = entry_of(found, entry)
    form = read(takes, request.data)

    def do(**how: Any) -> Act:
        made: Act = act(row.pk, player(request), **{name: form[name] for name in names}, **how)
        return made

    return done(request, found, form, do)
