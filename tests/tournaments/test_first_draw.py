"""The draw of the first round is seen before the start, drawn again, and started as it was seen."""

import pytest

from tests.makers import make_event
from tests.tournaments import driving
from tournaments import integrity
from tournaments.models import Act, Entry, Pairing
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import check_ins
from tournaments.services.events import lifecycle
from tournaments.services.stages import first_draw, redraws, seeding, stage_decisions
from web.errors import Refused

pytestmark = pytest.mark.django_db

PLANS = {
    "swiss": standard("swiss", rounds=3),
    "pods": standard("swiss_pods", rounds=3, seats=4, least=3, most=5, counts="total", waits_for_go=True),
    "pod knockout": standard("pod_knockout", seats=4, most=5, advance=2),
    "round robin": standard("round_robin"),
    "groups": standard("groups", groups=2),
    "rotating partners": standard("rotating_partners", rounds=3),
    "social": standard("social", rounds=3, seats=4, most=5),
    "bracket": standard("single_elimination"),
    "double": standard("double_elimination"),
}


def an_event(olga, plan, **fields):
    event = make_event(olga, plan, **{"entries": 13, "status": "open", **fields})
    event.entries.update(seed=None)
    return event


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("again", [0, 2])
def test_what_was_seen_is_started(olga, name, again):
    event = an_event(olga, PLANS[name])
    absent = [event.entries.get(number=4).pk]
    for _ in range(again):
        first_draw.draw_again(event.pk, olga, absent=absent)
        event.refresh_from_db()
    seen = first_draw.draw(event, absent)
    assert seen.tables
    lifecycle.start(event.pk, olga, absent=absent)
    if PLANS[name].waits_for_go:
        stage_decisions.start_round(event.stages.get().pk, 1, by=olga)
    event.refresh_from_db()
    assert first_draw.started_key(event) == seen.key
    assert first_draw.draw(event) is None


@pytest.mark.parametrize("name", PLANS)
def test_drawing_again_gives_another_draw_that_can_be_undone(olga, name):
    event = an_event(olga, PLANS[name])
    before = first_draw.draw(event).key
    act = first_draw.draw_again(event.pk, olga)
    event.refresh_from_db()
    assert first_draw.draw(event).key != before
    assert act.sentence == "The first round was redrawn."

    history.undo(act.pk, by=olga)
    event.refresh_from_db()
    assert first_draw.draw(event).key == before


def test_the_waiting_list_fills_the_places_of_absent_entries(olga):
    event = an_event(olga, PLANS["swiss"], entries=6, entry_limit=6)
    waiting = Entry.objects.create(tournament=event, number=7, name="Late Lena", status="waiting")
    absent = [event.entries.get(number=1).pk]
    seen = first_draw.draw(event, absent)
    assert waiting in [entry for table in seen.tables for entry in table.entries]
    lifecycle.start(event.pk, olga, absent=absent)
    event.refresh_from_db()
    assert first_draw.started_key(event) == seen.key


def test_a_draw_by_seeds_that_somebody_gave_is_not_drawn_again(olga):
    event = an_event(olga, PLANS["swiss"])
    seeding.seed_by_hand(event.pk, olga, order=list(event.entries.order_by("-number").values_list("pk", flat=True)))
    assert not first_draw.draw(event).can_change
    with pytest.raises(Refused) as refused:
        first_draw.draw_again(event.pk, olga)
    assert refused.value.code == "seeded"


def started(olga, plan, **fields):
    event = an_event(olga, plan, **fields)
    lifecycle.start(event.pk, olga)
    event.refresh_from_db()
    if plan.waits_for_go:
        stage_decisions.start_round(event.stages.get().pk, 1, by=olga)
    return event


@pytest.mark.parametrize("name", PLANS)
def test_the_first_round_is_drawn_by_other_lots_after_the_start_too(olga, name):
    event = started(olga, PLANS[name])
    before = first_draw.started_key(event)
    tables = Pairing.objects.filter(round__stage__tournament=event).count()
    act = redraws.redraw(event.stages.get().pk, 1, by=olga)
    event.refresh_from_db()
    assert first_draw.started_key(event) != before
    assert Pairing.objects.filter(round__stage__tournament=event).count() == tables
    assert [problem for _, problems in integrity.events() for problem in problems] == []

    history.undo(act.pk, by=olga)
    assert first_draw.started_key(event) == before


def test_a_draw_that_would_be_the_same_is_refused(olga):
    event = make_event(olga, PLANS["swiss"], entries=8, status="open")
    seeding.seed_by_hand(event.pk, olga, order=list(event.entries.order_by("-number").values_list("pk", flat=True)))
    lifecycle.start(event.pk, olga)
    before = first_draw.started_key(event)
    with pytest.raises(Refused) as refused:
        redraws.redraw(event.stages.get().pk, 1, by=olga)
    assert (refused.value.code, first_draw.started_key(event)) == ("same_draw", before)


def test_a_later_round_of_a_timetable_is_not_drawn_again(olga):
    event = started(olga, PLANS["round robin"], entries=6)
    stage = event.stages.get()
    driving.decide(Pairing.objects.filter(round__stage=stage, round__number=1).first(), olga)
    with pytest.raises(Refused, match="would be the same"):
        redraws.redraw(stage.pk, 3, by=olga)


def test_matchdays_of_a_league_follow_the_draw_of_its_season(olga):
    event = started(olga, PLANS["round robin"], entries=6, has_matchdays=True)
    with pytest.raises(Refused, match="would be the same"):
        redraws.redraw(event.stages.get().pk, 1, by=olga)


def test_drawing_again_is_refused_after_the_start(olga):
    event = an_event(olga, PLANS["swiss"], started=True)
    with pytest.raises(Refused) as refused:
        first_draw.draw_again(event.pk, olga)
    assert refused.value.code == "has_begun"


def test_drawing_again_saves_who_is_here_in_the_same_act(olga):
    event = an_event(olga, PLANS["pods"])
    absent = event.entries.get(number=2)
    first_draw.draw_again(event.pk, olga, absent=[absent.pk], request_key="k")
    first_draw.draw_again(event.pk, olga, absent=[absent.pk], request_key="k")
    absent.refresh_from_db()
    assert (absent.is_here, Act.objects.filter(kind="draw_again").count()) == (False, 1)
    assert not Pairing.objects.exists()


def test_an_event_without_a_draw_shows_none(olga):
    assert first_draw.draw(an_event(olga, standard("ladder"))) is None
    assert first_draw.draw(an_event(olga, PLANS["swiss"], entries=1)) is None


def test_a_walk_in_is_drawn_too(olga):
    event = an_event(olga, PLANS["pods"], entries=12)
    first_draw.draw_again(event.pk, olga)
    Entry.objects.create(tournament=event, number=13, name="Walk In", status="entered")
    event.refresh_from_db()
    assert first_draw.draw(event).can_change
    check_ins.mark_all(event.pk, olga, absent=[])
    assert sum(len(table.entries) for table in first_draw.draw(event).tables) == 13


def test_one_seed_given_by_hand_is_kept(olga):
    event = an_event(olga, PLANS["swiss"])
    top = event.entries.get(number=5)
    seeding.seed_by_hand(event.pk, olga, order=[top.pk])
    with pytest.raises(Refused, match="follows the seeds"):
        first_draw.draw_again(event.pk, olga)
    top.refresh_from_db()
    assert (top.seed, first_draw.draw(event, [top.pk]).can_change) == (1, False)


def test_seeds_by_rating_are_kept_even_in_the_order_of_lots(olga):
    event = an_event(olga, PLANS["swiss"])
    seeding.seed_by_lot(event.pk, olga)
    assert first_draw.draw(event).can_change
    event.entries.update(strength=1500)
    assert not first_draw.draw(event).can_change


def test_too_few_entries_for_its_groups_show_no_draw(olga):
    assert first_draw.draw(an_event(olga, standard("groups", groups=4), entries=3)) is None


@pytest.mark.parametrize("name", ["bracket", "double"])
def test_entries_without_a_match_in_the_first_round_have_byes(olga, name):
    seen = first_draw.draw(an_event(olga, PLANS[name], entries=6))
    assert (len(seen.tables), len(seen.byes)) == (2, 2)
    assert seen.words.startswith("6 entries: ")


def test_a_format_without_a_draw_is_not_drawn_again(olga):
    event = an_event(olga, standard("ladder"))
    with pytest.raises(Refused) as refused:
        first_draw.draw_again(event.pk, olga)
    assert refused.value.code == "no_draw"
    assert not event.acts.filter(kind="draw_again").exists()
