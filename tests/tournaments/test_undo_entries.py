"""Actions on entries before and during play, undone in turn, leave no trace."""

import random

import pytest

from tests.tournaments import driving
from tournaments.models import Act, Entry, KeptApart, Member, StageEntry
from tournaments.services import history
from tournaments.services.entries import (
    byes,
    check_ins,
    enrolment,
    entry_members,
    late_entries,
    partners,
    substitutes,
    withdrawal,
)
from tournaments.services.events import lifecycle
from tournaments.services.stages import seeding
from web.errors import Refused

pytestmark = pytest.mark.django_db


def decisions(cup):
    """All decisions about the event, without ids that undoing renews."""
    cup.refresh_from_db()
    of_cup = {"tournament": cup}
    return [
        (cup.status, cup.entry_limit, cup.entries_close_at),
        list(Entry.objects.filter(**of_cup).values_list("pk", "number", "name", "status", "seed", "is_here", "byes")),
        [
            (row.pk, row.name, row.answer, row.role, row.position, row.is_captain, row.left_at is None)
            for row in Member.objects.filter(**of_cup).order_by("pk")
        ],
        list(KeptApart.objects.filter(**of_cup).order_by("one", "other").values_list("one", "other")),
        list(
            StageEntry.objects.filter(stage__tournament=cup).values_list(
                "entry", "position", "first_round", "start_points", "last_round", "byes"
            )
        ),
    ]


def some_act(dice, cup, olga):
    """Does something at random; what cannot be done is refused and leaves nothing."""
    first, second = (dice.choice(list(cup.entries.all())) for _ in range(2))
    member = dice.choice(list(Member.objects.filter(tournament=cup)))
    number = Entry.objects.count()
    acts = [
        lambda: enrolment.enter_for(cup.pk, olga, members=[f"Ada {number}", f"Bea {number}"]),
        lambda: enrolment.rename(first.pk, olga, name=dice.choice(["", f"The Sharks {number}"])),
        lambda: withdrawal.withdraw(first.pk, olga, at_once=dice.random() < 0.5),
        lambda: withdrawal.reinstate(first.pk, olga, missed="half_bye"),
        lambda: withdrawal.disqualify(first.pk, olga, reason="Why not"),
        lambda: check_ins.mark_absent(first.pk, olga),
        lambda: check_ins.put_back(first.pk, olga),
        lambda: seeding.seed_by_lot(cup.pk, olga),
        lambda: seeding.seed_by_hand(cup.pk, olga, order=[first.pk]),
        lambda: seeding.keep_apart(cup.pk, olga, one=first.pk, other=second.pk),
        lambda: byes.request_bye(first.pk, olga, round_number=dice.choice([1, 2, 3])),
        lambda: entry_members.remove_member(member.pk, olga),
        lambda: partners.invite(first.pk, olga, person=f"Rita {number}", role=dice.choice(["player", "reserve"])),
        lambda: substitutes.replace_member(member.pk, olga, person=f"Zoe {Member.objects.count()}"),
        lambda: lifecycle.change_settings(cup.pk, olga, changes={"entry_limit": dice.choice([4, 6, None])}),
        lambda: late_entries.enter_late(cup.pk, olga, members=[f"Cleo {number}", f"Dora {number}"]),
    ]
    try:
        dice.choice(acts)()
    except Refused:
        return


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("started", [False, True])
def test_everything_undone_is_as_before(new_event, olga, seed, started):
    dice = random.Random(seed)
    cup = new_event("swiss", entries=5, kind="partnership", entry_limit=5, rounds=4, started=started)
    if started:
        driving.play_round(cup, olga)
    before, last = decisions(cup), Act.objects.latest("pk").pk if Act.objects.exists() else 0
    for _ in range(25):
        some_act(dice, cup, olga)
    acts = list(Act.objects.filter(pk__gt=last).order_by("-pk"))
    assert len(acts) > 5
    for act in acts:
        if act.changes:
            history.undo(act.pk, by=olga)
    assert decisions(cup) == before


def test_undone_and_undone_again_is_done(new_event, olga):
    dice = random.Random(9)
    cup = new_event("swiss", entries=5, kind="partnership", entry_limit=5, rounds=3)
    for _ in range(20):
        some_act(dice, cup, olga)
    after = decisions(cup)
    acts = [act for act in Act.objects.order_by("-pk") if act.changes]
    undone = [history.undo(act.pk, by=olga) for act in acts]
    for act in reversed(undone):
        history.undo(act.pk, by=olga)
    assert decisions(cup) == after


def test_undoing_an_undoing_is_called_doing_again(new_event, olga):
    cup = new_event("swiss", entries=4, rounds=3)
    act = seeding.seed_by_hand(cup.pk, olga, order=[cup.entries.get(number=3).pk])
    words = []
    for _ in range(3):
        act = history.undo(act.pk, by=olga)
        words.append(act.sentence.split(":")[0])
    assert words == ["Undone", "Done again", "Undone"]
    assert act.sentence == words[0] + ": " + Act.objects.get(kind="seeds").sentence
