"""Makers of test data: people, clubs, events and tables, all made here.

Django has to be set up first: `tests/conftest.py` imports this late, because the engine’s tests run without.
"""

from datetime import timedelta

from django.utils import timezone
from django.utils.text import slugify

from accounts.models import User
from clubs.models import Club, Membership
from clubs.services import club_lifecycle
from engine.play.rules import Rules
from gameplay.models import Deal, Table
from gameplay.services import seating, tables
from tournaments.models import Entry, Member, Organiser, Stage, Tournament
from tournaments.plan import standard
from tournaments.services.events import lifecycle

# People


def make_person(name, **fields):
    """A person with an account: Ann signs in as `ann` and gets email at ann@example.org."""
    username = name.lower()
    return User.objects.create_user(username=username, email=f"{username}@example.org", display_name=name, **fields)


def make_players(count):
    """So many people with accounts, called Player 1, Player 2 and so on; the same ones each time."""
    names = [f"player{number}" for number in range(1, count + 1)]
    existing = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    User.objects.bulk_create(
        User(username=name, email=f"{name}@example.org", display_name=f"Player {name[6:]}", password="!")
        for name in names
        if name not in existing
    )
    by_name = {user.username: user for user in User.objects.filter(username__in=names)}
    return [by_name[name] for name in names]


# Clubs


def make_club(name="Harbour", *, owner=None, slug="", **fields):
    """A club of nobody yet; where an owner is named, made as they would make it."""
    if owner is not None:
        return club_lifecycle.make_club(owner, name=name, slug=slug, fields=fields)
    return Club.objects.create(name=name, slug=slug or slugify(name), **fields)


def make_member(club, user, role="member", **fields):
    """A membership of a user, in a role."""
    return Membership.objects.create(club=club, user=user, role=role, **{"name": str(user)} | fields)


def make_harbour(owner, *, is_listed=False, **fields):
    """Harbour Hand and Foot in Amsterdam, with a venue, a colour and a crest, and its owner."""
    harbour = {"venue": "Harbour Hall, Quay Street", "time_zone": "Europe/Amsterdam", "colour": "teal", "crest": "wave"}
    club = make_club("Harbour Hand and Foot", slug="harbour", **harbour | fields)
    make_member(club, owner, "owner", is_listed=is_listed)
    return club


# Events

SIDES = {"person": 1, "partnership": 2, "team": 2}
ENTRY_NAMES = {"person": "Player", "partnership": "Pair", "team": "Team"}


def make_event(owner, *plans, name="Harbour Cup", kind="person", entries=8, people=False, started=False, **fields):
    """An event by these plans, a stage for each, or else a Swiss; its entries have their numbers as seeds.

    Entries are mere names, `Entry 1` and so on; with `people` they are of people with accounts, called Player 1, Pair 1
    or Team 1 by `kind`. Fields of `Tournament` are given by name.
    """
    defaults = {
        "slug": f"{slugify(name)[:60]}-{Tournament.objects.count() + 1}",
        "name": name,
        "rules_json": Rules.make("standard").write(),
        "entry_kind": kind,
        "side_size": SIDES[kind],
        "lots": "1234",
        "created_by": owner,
    }
    event = Tournament.objects.create(**defaults | fields)
    Organiser.objects.create(tournament=event, user=owner, role="owner")
    Stage.objects.bulk_create(
        Stage(tournament=event, number=number, name=plan.title, plan_json=plan.write())
        for number, plan in enumerate(plans or [standard("swiss")], 1)
    )
    word = ENTRY_NAMES[kind] if people else "Entry"
    Entry.objects.bulk_create(
        Entry(
            tournament=event,
            number=number,
            name=f"{word} {number}",
            seed=number,
            is_here=True if people and event.has_check_in else None,
        )
        for number in range(1, entries + 1)
    )
    if people:
        _fill_entries(event)
    if started:
        lifecycle.start(event.pk, owner, anyway=True)
        event.refresh_from_db()
    return event


def _fill_entries(event):
    """Give each entry as many people as play for it, the first of them as its captain."""
    size, entries = event.side_size, list(event.entries.order_by("number"))
    users = make_players(len(entries) * size)
    Member.objects.bulk_create(
        Member(entry=entry, tournament=event, user=user, name=str(user), is_captain=position == 0, position=position)
        for entry in entries
        for position, user in enumerate(users[(entry.number - 1) * size : entry.number * size])
    )


# Tables


def make_table(
    people, rules="standard", *, options=None, begun=True, name="Harbour Four", seats=4, team_size=2, **terms
):
    """A table of these people, created by the first; started unless told otherwise.

    `rules` are `Rules`, or the name of a preset with options; other keywords are terms of the table.
    """
    rules = rules if isinstance(rules, Rules) else Rules.make(rules, options or {})
    first, *guests = people
    table = tables.make_table(first, rules, name=name, seat_count=seats, team_size=team_size, terms=terms)
    for user in guests:
        seating.join(table.pk, user)
    if begun:
        tables.start(table.pk, first)
    return Table.objects.get(pk=table.pk)


def finish_match(table, totals, winners, *, days_ago=0, scores=None, **fields):
    """End a match with these points, as if it had been played."""
    result = {"totals": totals, "winners": winners, "reason": "played"}
    at = timezone.now() - timedelta(days=days_ago)
    Table.objects.filter(pk=table.pk).update(status="over", result=result, ended_at=at, **fields)
    Deal.objects.filter(table=table).update(result={"deal_score": scores or totals}, ended_at=at)
    return Table.objects.get(pk=table.pk)
