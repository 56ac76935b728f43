"""Whatever was done to entries before and during play, undone in turn it is as if it had never been."""

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


def told(cup):
    """All that people decided about the event, without ids that undoing gives anew."""
    cup.refresh_from_db()
    own = {"tournament": cup}
    return [
        (cup.status, cup.entry_limit, cup.entries_close_at),
        list(Entry.objects.filter(**own).values_list("pk", "number", "name", "status", "seed", "is_here", "byes")),
        [
            (one.pk, one.name, one.answer, one.role, one.position, one.is_captain, one.left_at is None)
            for one in Member.objects.filter(**own).order_by("pk")
        ],
        list(KeptApart.objects.filter(**own).order_by("one", "other").values_list("one", "other")),
        list(
            StageEntry.objects.filter(stage__tournament=cup).values_list(
                "entry", "position", "first_round", "start_points", "last_round", "byes"
            )
        ),
    ]


def some_act(dice, cup, olga):
    """Does something at random; what cannot be done is refused and leaves nothing."""
    one, other = (dice.choice(list(cup.entries.all())) for _ in range(2))
    member = dice.choice(list(Member.objects.filter(tournament=cup)))
    number = Entry.objects.count()
    acts = [
        lambda: enrolment.enter_for(cup.pk, olga, members=[f"Ada {number}", f"Bea {number}"]),
        lambda: enrolment.rename(one.pk, olga, name=dice.choice(["", f"The Sharks {number}"])),
        lambda: withdrawal.withdraw(one.pk, olga, at_once=dice.random() < 0.5),
        lambda: withdrawal.reinstate(one.pk, olga, missed="half_bye"),
        lambda: withdrawal.disqualify(one.pk, olga, reason="Why not"),
        lambda: check_ins.mark_absent(one.pk, olga),
        lambda: check_ins.put_back(one.pk, olga),
        lambda: seeding.seed_by_lot(cup.pk, olga),
        lambda: seeding.seed_by_hand(cup.pk, olga, order=[one.pk]),
        lambda: seeding.keep_apart(cup.pk, olga, one=one.pk, other=other.pk),
        lambda: byes.request_bye(one.pk, olga, round_number=dice.choice([1, 2, 3])),
        lambda: entry_members.drop(member.pk, olga),
        lambda: partners.invite(one.pk, olga, who=f"Rita {number}", role=dice.choice(["player", "reserve"])),
        lambda: substitutes.replace_member(member.pk, olga, who=f"Zoe {Member.objects.count()}"),
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
def test_everything_undone_is_as_before(event, olga, seed, started):
    dice = random.Random(seed)
    cup = event("swiss", entries=5, kind="partnership", entry_limit=5, rounds=4, started=started)
    if started:
        driving.play_round(cup, olga)
    before, last = told(cup), Act.objects.latest("pk").pk if Act.objects.exists() else 0
    for _ in range(25):
        some_act(dice, cup, olga)
    done = list(Act.objects.filter(pk__gt=last).order_by("-pk"))
    assert len(done) > 5
    for act in done:
        if act.changes:
            history.undo(act.pk, by=olga)
    assert told(cup) == before


def test_undone_and_undone_again_is_done(event, olga):
    dice = random.Random(9)
    cup = event("swiss", entries=5, kind="partnership", entry_limit=5, rounds=3)
    for _ in range(20):
        some_act(dice, cup, olga)
    after = told(cup)
    done = [act for act in Act.objects.order_by("-pk") if act.changes]
    undone = [history.undo(act.pk, by=olga) for act in done]
    for act in reversed(undone):
        history.undo(act.pk, by=olga)
    assert told(cup) == after


def test_undoing_an_undoing_is_called_doing_again(event, olga):
    cup = event("swiss", entries=4, rounds=3)
    act = seeding.seed_by_hand(cup.pk, olga, order=[cup.entries.get(number=3).pk])
    told = []
    for _ in range(3):
        act = history.undo(act.pk, by=olga)
        told.append(act.sentence.split(":")[0])
    assert told == ["Undone", "Done again", "Undone"]
    assert act.sentence == told[0] + ": " + Act.objects.get(kind="seeds").sentence
