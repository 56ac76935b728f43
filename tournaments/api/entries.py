"""API views for entries: listing, entering, and every act on an entry by its people or by an organiser."""

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
    Form,
    MayLook,
    action_request,
    add_row,
    described,
    do_act,
    door,
    entry_ids,
    entry_views,
    organised,
    preview_act,
    read_view,
    reader,
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
from tournaments.services.stages import first_draw, seeding
from web.errors import Refused


class Entries(APIView):
    """The list of entries, and adding to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @described(response_serializers.EntryPage, asks=request_serializers.WhichEntries, name="events_entries_list")
    def get(self, request: Request, event: str) -> Response:
        """The entries of an event by number, with their people."""
        tournament = access.open_event(reader(request), event)
        query = read_query(request_serializers.WhichEntries, request)
        rows = enrolment.list_entries(tournament).filter(number__gt=query["since"])
        if "status" in query:
            rows = rows.filter(status=query["status"])
        page, more = facts.a_page(rows[: query["limit"] + 1], query["limit"])
        data = {"entries": [facts.entry(entry) for entry in page], "more": more, "version": tournament.version}
        return answer(request, response_serializers.EntryPage, data)

    @described(
        response_serializers.WholeEntry, takes=request_serializers.NewEntry, status=201, name="events_entries_create"
    )
    def post(self, request: Request, event: str) -> Response:
        """Enter anyone, as an organiser. In an online event people get an invitation."""
        tournament = organised(request, event, "entries")
        form = read(request_serializers.NewEntry, request.data)
        add = partial(enrolment.enter_for, tournament.pk, player(request), members=form["members"], name=form["name"])
        return add_row(request, tournament, form, add, partial(facts.entry_answer, request, tournament, status=201))


@door("POST", "events_organise", response_serializers.Listed, takes=request_serializers.NameList, status=201)
def name_list(request: Request, event: str) -> Response:
    """Enter a list of people by their names alone, up to 512 entries at once: all of it or nothing.

    For events at real tables. A refusal says which entry of the list is wrong.
    """
    tournament = organised(request, event, "entries")
    form = read(request_serializers.NameList, request.data)
    lines = [Names(line["members"], line["name"]) for line in form["entries"]]
    add = partial(bulk_entry.enter_names, tournament.pk, player(request), lines=lines, is_here=form["is_here"])
    if form["preview"]:
        return preview_act(request, tournament, form, add)
    act = add(**action_request(request, tournament.acts.all(), form))
    tournament.refresh_from_db(fields=["version"])
    data = {"entries": bulk_entry.entered_numbers(act), "version": tournament.version}
    return answer(request, response_serializers.Listed, data, status=201)


@door("POST", "events_organise", response_serializers.WholeEntry, takes=request_serializers.LateEntry, status=201)
def enter_late(request: Request, event: str) -> Response:
    """Add an entry to an event under way: a listed one, or a new one of these people."""
    tournament = organised(request, event, "play")
    form = read(request_serializers.LateEntry, request.data)
    if "entry" in form and form["members"]:
        raise Refused("bad_input", gettext("Choose a listed entry or enter its people, but not both."))
    add = partial(
        late_entries.enter_late,
        tournament.pk,
        player(request),
        entry_id=entry_of(tournament, form["entry"]).pk if "entry" in form else None,
        members=form["members"],
        name=form["name"],
        missed=form["missed"],
    )
    return add_row(request, tournament, form, add, partial(facts.entry_answer, request, tournament, status=201))


@read_view(response_serializers.WholeEntry, name="events_entries_retrieve")
def entry(request: Request, event: str, entry: int) -> Response:
    """An entry, its people and its part in each stage."""
    tournament = access.open_event(reader(request), event)
    return facts.entry_answer(request, tournament, entry_of(tournament, entry))


# Seeds and entries kept apart


@door("POST", "events_organise", takes=request_serializers.Seeds)
def seeds(request: Request, event: str) -> Response:
    """Seed all entries by rating, by lot, or by hand."""
    tournament = organised(request, event, "entries")
    form = read(request_serializers.Seeds, request.data)
    if form["by"] == "hand":
        order = entry_ids(tournament, form.get("order", []))
        act = partial(seeding.seed_by_hand, tournament.pk, player(request), order=order)
        return do_act(request, tournament, form, act)
    way = seeding.seed_by_rating if form["by"] == "rating" else seeding.seed_by_lot
    return do_act(request, tournament, form, partial(way, tournament.pk, player(request)))


class Apart(APIView):
    """Entries kept apart, and changes to them."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @described(response_serializers.ApartList, name="events_apart_list")
    def get(self, request: Request, event: str) -> Response:
        """Entries that should not meet if possible. For organisers."""
        tournament = organised(request, event, "look")
        pairs = KeptApart.objects.filter(tournament=tournament).order_by("pk").select_related("one", "other")
        apart = [{"one": pair.one.number, "other": pair.other.number} for pair in pairs]
        return answer(request, response_serializers.ApartList, {"apart": apart})

    @described(response_serializers.Done, takes=request_serializers.Apart, name="events_apart_create")
    def post(self, request: Request, event: str) -> Response:
        """Keep two entries apart in future draws, or with `apart` false allow them to meet again."""
        tournament = organised(request, event, "entries")
        form = read(request_serializers.Apart, request.data)
        first, second = entry_ids(tournament, [form["one"], form["other"]])
        way = seeding.keep_apart if form["apart"] else seeding.allow_meeting
        return do_act(request, tournament, form, partial(way, tournament.pk, player(request), one=first, other=second))


class FirstDraw(APIView):
    """The first round before the start, and drawing it again."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @described(response_serializers.FirstDrawShape, name="events_draw_retrieve")
    def get(self, request: Request, event: str) -> Response:
        """The first round as it would be drawn now. For organisers."""
        drawn = first_draw.of_marked(organised(request, event, "look"))
        tables = [
            {"number": table.number, "sides": [[entry.number for entry in side] for side in table.sides]}
            for table in (drawn.tables if drawn else ())
        ]
        byes = [entry.number for entry in (drawn.byes if drawn else ())]
        data = {"tables": tables, "byes": byes, "can_change": bool(drawn and drawn.can_change)}
        return answer(request, response_serializers.FirstDrawShape, data)

    @described(response_serializers.Done, takes=request_serializers.Acting, name="events_draw_create")
    def post(self, request: Request, event: str) -> Response:
        """Draw the first round again, before the start. Refused if it follows seeds that somebody gave."""
        tournament = organised(request, event, "play")
        form = read(request_serializers.Acting, request.data)
        return do_act(request, tournament, form, partial(first_draw.draw_again, tournament.pk, player(request)))


# Acts on an entry by its people and by organisers


@entry_views("entries", request_serializers.Withdraw)
def withdraw(request: Request, entry: Entry, form: Form) -> Response:
    """Withdraw the entry, after the round or at once. Before the start its place goes to the waiting list."""
    act = partial(withdrawal.withdraw, entry.pk, player(request), at_once=form["at_once"])
    return do_act(request, entry.tournament, form, act)


@entry_views("check_in", request_serializers.Acting)
def check_in(request: Request, entry: Entry, form: Form) -> Response:
    """Check the entry in. Twice does no harm."""
    return do_act(request, entry.tournament, form, partial(check_ins.check_in, entry.pk, player(request)))


@entry_views("play", request_serializers.Bye)
def bye(request: Request, entry: Entry, form: Form) -> Response:
    """Give the entry a bye in a round that is not drawn yet, or cancel the bye."""
    if form["kind"] == "none":
        act = partial(byes.cancel_bye, entry.pk, player(request), round_number=form["round"])
    else:
        act = partial(byes.request_bye, entry.pk, player(request), round_number=form["round"], kind=form["kind"])
    return do_act(request, entry.tournament, form, act)


@entry_views("entries", request_serializers.Rename)
def rename(request: Request, entry: Entry, form: Form) -> Response:
    """Give the entry a name of its own."""
    act = partial(enrolment.rename, entry.pk, player(request), name=form["name"])
    return do_act(request, entry.tournament, form, act)


@entry_views("entries", request_serializers.AskIn, response_serializers.WholeEntry, status=201)
def invite(request: Request, entry: Entry, form: Form) -> Response:
    """Invite a person into the entry, as a player or a reserve."""
    act = partial(partners.invite, entry.pk, player(request), person=form["who"], role=form["role"])
    tournament = entry.tournament
    return add_row(request, tournament, form, act, lambda _: facts.entry_answer(request, tournament, entry, status=201))


@entry_views("entries", request_serializers.OfMember)
def drop(request: Request, entry: Entry, form: Form) -> Response:
    """Remove a person from the entry, or cancel an invitation."""
    act = partial(entry_members.remove_member, _member(entry, form["member"]), player(request))
    return do_act(request, entry.tournament, form, act)


@entry_views("entries", request_serializers.OfMember)
def captain(request: Request, entry: Entry, form: Form) -> Response:
    """Make a player the captain, the person who acts for the team."""
    act = partial(entry_members.make_captain, _member(entry, form["member"]), player(request))
    return do_act(request, entry.tournament, form, act)


@entry_views("entries", request_serializers.MemberRole)
def member_role(request: Request, entry: Entry, form: Form) -> Response:
    """Make a player of a team a reserve, or a reserve a player."""
    act = partial(entry_members.set_role, _member(entry, form["member"]), player(request), role=form["role"])
    return do_act(request, entry.tournament, form, act)


@entry_views("entries", request_serializers.Order)
def order(request: Request, entry: Entry, form: Form) -> Response:
    """Set the order in which its people play."""
    act = partial(entry_members.reorder, entry.pk, player(request), member_ids=form["members"])
    return do_act(request, entry.tournament, form, act)


def _member(entry: Entry, pk: int) -> int:
    """The id of a person of the entry. Raises `Refused` for anyone else."""
    if not Member.objects.filter(entry=entry, pk=pk).exists():
        raise Refused("no_such_member", gettext("Person not found in this entry."))
    return pk


# Acts on an entry by organisers only


@door("POST", "events_organise", takes=request_serializers.Acting)
def absent(request: Request, event: str, entry: int) -> Response:
    """Mark an entry as absent. It is left out of the draw, during play from the next round."""
    return _act_on(request, event, entry, "check_in", request_serializers.Acting, check_ins.mark_absent)


@door("POST", "events_organise", takes=request_serializers.Back)
def put_back(request: Request, event: str, entry: int) -> Response:
    """Mark an absent entry as present again."""
    return _act_on(request, event, entry, "check_in", request_serializers.Back, check_ins.put_back, "missed")


@door("POST", "events_organise", takes=request_serializers.Reasoned)
def disqualify(request: Request, event: str, entry: int) -> Response:
    """Disqualify an entry. Its open match is decided against it."""
    return _act_on(request, event, entry, "play", request_serializers.Reasoned, withdrawal.disqualify)


@door("POST", "events_organise", takes=request_serializers.Back)
def reinstate(request: Request, event: str, entry: int) -> Response:
    """Reinstate an entry that withdrew or was disqualified."""
    return _act_on(request, event, entry, "play", request_serializers.Back, withdrawal.reinstate, "missed")


@door("POST", "events_organise", takes=request_serializers.Acting)
def accept(request: Request, event: str, entry: int) -> Response:
    """Give a waiting entry a place, even above the limit."""
    return _act_on(request, event, entry, "entries", request_serializers.Acting, acceptance.accept)


@door("POST", "events_organise", takes=request_serializers.Acting)
def wait(request: Request, event: str, entry: int) -> Response:
    """Put an entry on the waiting list."""
    return _act_on(request, event, entry, "entries", request_serializers.Acting, acceptance.put_on_list)


@door("POST", "events_organise", response_serializers.WholeEntry, takes=request_serializers.Replace, status=201)
def replace(request: Request, event: str, entry: int) -> Response:
    """Replace a player from now on, with a reserve or anyone else. Results stay."""
    tournament = organised(request, event, "entries")
    entry_ = entry_of(tournament, entry)
    form = read(request_serializers.Replace, request.data)
    act = partial(
        substitutes.replace_member,
        _member(entry_, form["member"]),
        player(request),
        person=form.get("who"),
        reserve=form.get("reserve"),
    )
    return add_row(
        request, tournament, form, act, lambda _: facts.entry_answer(request, tournament, entry_, status=201)
    )


def _act_on(
    request: Request, event: str, entry: int, may: str, takes: type[request_serializers.Acting], act: Any, *names: str
) -> Response:
    """An organiser's act on an entry; `names` are the extra fields that its service takes."""
    tournament = organised(request, event, may)
    entry_ = entry_of(tournament, entry)
    form = read(takes, request.data)

    def do(**how: Any) -> Act:
        event_act: Act = act(entry_.pk, player(request), **{name: form[name] for name in names}, **how)
        return event_act

    return do_act(request, tournament, form, do)
