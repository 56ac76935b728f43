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
from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import (
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
from tournaments.lookups import entry_of
from tournaments.models import Act, Entry, KeptApart, Member
from tournaments.services.entries import (
    acceptance,
    bulk_entry,
    byes,
    check_ins,
    enrolment,
    entry_members,
    late_entries,
    partners,
    substitutes,
    withdrawal,
)
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.stages import seeding
from web.errors import Refused

Form = Mapping[str, Any]


class Entries(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @told(response_serializers.EntryPage, asks=request_serializers.WhichEntries, name="events_entries_list")
    def get(self, request: Request, event: str) -> Response:
        """The entries of an event by number, with their people."""
        found = access.open_event(reader(request), event)
        query = read_query(request_serializers.WhichEntries, request)
        rows = enrolment.listed(found).filter(number__gt=query["since"])
        if "status" in query:
            rows = rows.filter(status=query["status"])
        page, more = facts.a_page(rows[: query["limit"] + 1], query["limit"])
        data = {"entries": [facts.entry(row) for row in page], "more": more, "version": found.version}
        return answer(request, response_serializers.EntryPage, data)

    @told(response_serializers.WholeEntry, takes=request_serializers.NewEntry, status=201, name="events_entries_create")
    def post(self, request: Request, event: str) -> Response:
        """Enter anyone, as an organiser. In an online event people are asked first."""
        found = organised(request, event, "entries")
        form = read(request_serializers.NewEntry, request.data)
        add = partial(enrolment.enter_for, found.pk, player(request), members=form["members"], name=form["name"])
        return made_row(request, found, form, add, lambda row: facts.entry_answer(request, found, row, status=201))


@door("POST", "events_organise", response_serializers.Listed, takes=request_serializers.NameList, status=201)
def name_list(request: Request, event: str) -> Response:
    """Enter a list of people by their names alone, up to 512 entries at once: all of it or nothing.

    For events at real tables. A refusal says which entry of the list is wrong.
    """
    found = organised(request, event, "entries")
    form = read(request_serializers.NameList, request.data)
    lines = [Names(one["members"], one["name"]) for one in form["entries"]]
    add = partial(bulk_entry.enter_names, found.pk, player(request), lines=lines, is_here=form["is_here"])
    if form["preview"]:
        return tried(request, found, form, add)
    act = add(**how_of(request, found.acts.all(), form))
    found.refresh_from_db(fields=["version"])
    data = {"entries": bulk_entry.entered(act), "version": found.version}
    return answer(request, response_serializers.Listed, data, status=201)


@door("POST", "events_organise", response_serializers.WholeEntry, takes=request_serializers.LateEntry, status=201)
def enter_late(request: Request, event: str) -> Response:
    """Add an entry to an event under way: a listed one, or a new one of these people."""
    found = organised(request, event, "play")
    form = read(request_serializers.LateEntry, request.data)
    if "entry" in form and form["members"]:
        raise Refused("bad_input", gettext("Choose a listed entry or enter its people, but not both."))
    add = partial(
        late_entries.enter_late,
        found.pk,
        player(request),
        entry_id=entry_of(found, form["entry"]).pk if "entry" in form else None,
        members=form["members"],
        name=form["name"],
        missed=form["missed"],
    )
    return made_row(request, found, form, add, lambda row: facts.entry_answer(request, found, row, status=201))


@look(response_serializers.WholeEntry, name="events_entries_retrieve")
def entry(request: Request, event: str, entry: int) -> Response:
    """An entry, its people and its part in each stage."""
    found = access.open_event(reader(request), event)
    return facts.entry_answer(request, found, entry_of(found, entry))


# Seeds and who is kept apart


@door("POST", "events_organise", takes=request_serializers.Seeds)
def seeds(request: Request, event: str) -> Response:
    """Seed all entries by rating, by lot, or by hand."""
    found = organised(request, event, "entries")
    form = read(request_serializers.Seeds, request.data)
    if form["by"] == "hand":
        order = entry_ids(found, form.get("order", []))
        return done(request, found, form, partial(seeding.seed_by_hand, found.pk, player(request), order=order))
    way = seeding.seed_by_rating if form["by"] == "rating" else seeding.seed_by_lot
    return done(request, found, form, partial(way, found.pk, player(request)))


class Apart(APIView):
    """Entries kept apart, and changes to them."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @told(response_serializers.ApartList, name="events_apart_list")
    def get(self, request: Request, event: str) -> Response:
        """Entries that should not meet if possible. For organisers."""
        found = organised(request, event, "look")
        rows = KeptApart.objects.filter(tournament=found).order_by("pk").values_list("one__number", "other__number")
        return answer(
            request, response_serializers.ApartList, {"apart": [{"one": one, "other": other} for one, other in rows]}
        )

    @told(response_serializers.Done, takes=request_serializers.Apart, name="events_apart_create")
    def post(self, request: Request, event: str) -> Response:
        """Keep two entries apart in future draws, or with `apart` false allow them to meet again."""
        found = organised(request, event, "entries")
        form = read(request_serializers.Apart, request.data)
        one, other = entry_ids(found, [form["one"], form["other"]])
        way = seeding.keep_apart if form["apart"] else seeding.may_meet
        return done(request, found, form, partial(way, found.pk, player(request), one=one, other=other))


# What its people and organisers do to an entry


@twice("entries", request_serializers.Withdraw)
def withdraw(request: Request, row: Entry, form: Form) -> Response:
    """Withdraw the entry, after the round or at once. Before the start its place goes to the waiting list."""
    act = partial(withdrawal.withdraw, row.pk, player(request), at_once=form["at_once"])
    return done(request, row.tournament, form, act)


@twice("check_in", request_serializers.Acting)
def check_in(request: Request, row: Entry, form: Form) -> Response:
    """Check the entry in. Twice does no harm."""
    return done(request, row.tournament, form, partial(check_ins.check_in, row.pk, player(request)))


@twice("play", request_serializers.Bye)
def bye(request: Request, row: Entry, form: Form) -> Response:
    """Give the entry a bye in a round that is not drawn yet, or cancel the bye."""
    if form["kind"] == "none":
        act = partial(byes.take_back_bye, row.pk, player(request), round_number=form["round"])
    else:
        act = partial(byes.request_bye, row.pk, player(request), round_number=form["round"], kind=form["kind"])
    return done(request, row.tournament, form, act)


@twice("entries", request_serializers.Rename)
def rename(request: Request, row: Entry, form: Form) -> Response:
    """Give the entry a name of its own."""
    return done(request, row.tournament, form, partial(enrolment.rename, row.pk, player(request), name=form["name"]))


@twice("entries", request_serializers.AskIn, response_serializers.WholeEntry, status=201)
def invite(request: Request, row: Entry, form: Form) -> Response:
    """Invite a person into the entry, as a player or a reserve."""
    act = partial(partners.invite, row.pk, player(request), who=form["who"], role=form["role"])
    found = row.tournament
    return made_row(request, found, form, act, lambda _: facts.entry_answer(request, found, row, status=201))


@twice("entries", request_serializers.OfMember)
def drop(request: Request, row: Entry, form: Form) -> Response:
    """Remove a person from the entry, or cancel an invitation."""
    return done(
        request, row.tournament, form, partial(entry_members.drop, _member(row, form["member"]), player(request))
    )


@twice("entries", request_serializers.OfMember)
def captain(request: Request, row: Entry, form: Form) -> Response:
    """Make a player the captain, who acts for the team."""
    act = partial(entry_members.make_captain, _member(row, form["member"]), player(request))
    return done(request, row.tournament, form, act)


@twice("entries", request_serializers.MemberRole)
def member_role(request: Request, row: Entry, form: Form) -> Response:
    """Make a player of a team a reserve, or a reserve a player."""
    act = partial(entry_members.set_role, _member(row, form["member"]), player(request), role=form["role"])
    return done(request, row.tournament, form, act)


@twice("entries", request_serializers.Order)
def order(request: Request, row: Entry, form: Form) -> Response:
    """Set the order in which its people play."""
    act = partial(entry_members.reorder, row.pk, player(request), member_ids=form["members"])
    return done(request, row.tournament, form, act)


def _member(row: Entry, pk: int) -> int:
    """The id of a person of the entry. Raises `Refused` for anybody else."""
    if not Member.objects.filter(entry=row, pk=pk).exists():
        raise Refused("no_such_member", gettext("Person not found in this entry."))
    return pk


# What organisers alone do to an entry


@door("POST", "events_organise", takes=request_serializers.Acting)
def absent(request: Request, event: str, entry: int) -> Response:
    """Mark an entry as absent. It is left out of the draw, during play from the next round."""
    return _done_to(request, event, entry, "check_in", request_serializers.Acting, check_ins.mark_absent)


@door("POST", "events_organise", takes=request_serializers.Back)
def put_back(request: Request, event: str, entry: int) -> Response:
    """Mark an absent entry as present again."""
    return _done_to(request, event, entry, "check_in", request_serializers.Back, check_ins.put_back, "missed")


@door("POST", "events_organise", takes=request_serializers.Reasoned)
def disqualify(request: Request, event: str, entry: int) -> Response:
    """Disqualify an entry. Its open match is decided against it."""
    return _done_to(request, event, entry, "play", request_serializers.Reasoned, withdrawal.disqualify)


@door("POST", "events_organise", takes=request_serializers.Back)
def reinstate(request: Request, event: str, entry: int) -> Response:
    """Reinstate an entry that withdrew or was disqualified."""
    return _done_to(request, event, entry, "play", request_serializers.Back, withdrawal.reinstate, "missed")


@door("POST", "events_organise", takes=request_serializers.Acting)
def accept(request: Request, event: str, entry: int) -> Response:
    """Give a waiting entry a place, whatever the limit."""
    return _done_to(request, event, entry, "entries", request_serializers.Acting, acceptance.accept)


@door("POST", "events_organise", takes=request_serializers.Acting)
def wait(request: Request, event: str, entry: int) -> Response:
    """Put an entry on the waiting list."""
    return _done_to(request, event, entry, "entries", request_serializers.Acting, acceptance.put_on_list)


@door("POST", "events_organise", response_serializers.WholeEntry, takes=request_serializers.Replace, status=201)
def replace(request: Request, event: str, entry: int) -> Response:
    """Replace a player from now on, with a reserve or anyone else. Results stay."""
    found = organised(request, event, "entries")
    row = entry_of(found, entry)
    form = read(request_serializers.Replace, request.data)
    act = partial(
        substitutes.replace_member,
        _member(row, form["member"]),
        player(request),
        who=form.get("who"),
        reserve=form.get("reserve"),
    )
    return made_row(request, found, form, act, lambda _: facts.entry_answer(request, found, row, status=201))


def _done_to(
    request: Request, event: str, entry: int, may: str, takes: type[request_serializers.Acting], act: Any, *names: str
) -> Response:
    """An organiser's act on an entry; `names` are the fields that its service takes besides."""
    found = organised(request, event, may)
    row = entry_of(found, entry)
    form = read(takes, request.data)

    def do(**how: Any) -> Act:
        made: Act = act(row.pk, player(request), **{name: form[name] for name in names}, **how)
        return made

    return done(request, found, form, do)
