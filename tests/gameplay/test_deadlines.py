"""Deadlines that pass, and all that stops them: enforced once, extended after an outage, never both."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Absence, Notice, User
from accounts.services import absences
from engine.play.moves import ASK, DRAW, NO
from gameplay.models import Happening, Heartbeat, Move, Reserve, Seat, Table
from gameplay.services import bots, clocks, leaving, pauses, play, reserves, tables
from gameplay.services.match_play import MoveRefused
from gameplay.snapshot import keep, state_of
from tests.at_once import at_once
from tests.makers import make_table
from tests.turns import play_bots, play_turn
from web.errors import NotAllowed, Refused

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
KINDS = Happening.Kind


def beat(at):
    """The sweeper ran at that time."""
    Heartbeat.objects.update_or_create(name=clocks.HEARTBEAT, defaults={"at": at})


def sweep(at):
    """The sweeper runs, as it did a minute before."""
    beat(at - MINUTE)
    clocks.sweep(at)


def lines(table, *kinds):
    return list(table.happenings.filter(kind__in=kinds).values_list("kind", "seat"))


def to_act(table):
    return table.seats.select_related("user").get(number=table.seat_to_act)


@pytest.fixture
def running(seated):
    """A table without absences at which a match is played, and the moment just after its deadline."""

    def make(**terms):
        table = seated(**{"allows_absences": False, **terms})
        beat(table.deadline_at - MINUTE)
        return table, table.deadline_at + timedelta(seconds=5)

    return make


# Missed turns


def test_a_bot_plays_a_turn_that_is_missed(running):
    table, overdue = running()
    seat = to_act(table)
    sweep(overdue)
    table.refresh_from_db()
    seat.refresh_from_db()
    assert table.seat_to_act == (seat.number + 1) % 4
    assert set(table.moves.values_list("seat", "by")) == {(seat.number, Move.By.STAND_IN)}
    assert (seat.missed_in_a_row, seat.turns_missed, seat.user_id is not None) == (1, 1, True)
    assert lines(table, KINDS.MISSED) == [("missed", seat.number)]
    assert table.deadline_at == overdue + 48 * HOUR
    assert Notice.objects.filter(user=seat.user, kind="missed").count() == 1


def test_sweeping_twice_late_or_early_does_no_harm(running):
    table, overdue = running()
    sweep(overdue - 10 * MINUTE)
    assert table.moves.count() == 0
    sweep(overdue)
    count = table.moves.count()
    clocks.sweep(overdue)
    clocks.sweep(overdue + MINUTE)
    assert table.moves.count() == count
    assert len(lines(table, KINDS.MISSED)) == 1


def test_a_move_of_ones_own_ends_the_row_of_missed_turns(running):
    table, overdue = running()
    Seat.objects.filter(table=table).update(missed_in_a_row=2)
    seat = to_act(table)
    play.play(table.pk, seat.user, [DRAW], seen=0, now=overdue - HOUR)
    seat.refresh_from_db()
    assert seat.missed_in_a_row == 0


def test_the_third_missed_turn_in_a_row_hands_the_seat_to_a_bot(running):
    table, overdue = running()
    seat = to_act(table)
    Seat.objects.filter(pk=seat.pk).update(missed_in_a_row=2)
    sweep(overdue)
    table.refresh_from_db()
    was, seat = seat.user, Seat.objects.get(pk=seat.pk)
    assert (seat.user, seat.bot, seat.former_user, seat.missed_in_a_row) == (None, "club", was, 0)
    assert str(seat) == f"Bot for {was}"
    assert lines(table, KINDS.MISSED, KINDS.REPLACED) == [("missed", seat.number), ("replaced", seat.number)]
    assert table.deadline_at is None
    assert table.bot_due_at is not None
    play_bots(table.pk)
    table.refresh_from_db()
    assert table.seat_to_act == (seat.number + 1) % 4


def test_the_match_is_lost_where_the_table_says_so(running):
    table, overdue = running(missed=Table.Missed.FORFEIT)
    seat = to_act(table)
    sweep(overdue)
    table.refresh_from_db()
    assert table.status == Table.Status.OVER
    assert table.result == {"totals": [0, 0], "winners": [1 - seat.number % 2], "reason": "forfeit"}
    assert lines(table, KINDS.FORFEITED) == [("forfeited", seat.number)]
    assert table.deadline_at is table.seat_to_act is table.clock_started_at is table.remind_at is None


def test_a_reserve_takes_the_seat_where_the_table_says_so(running, person):
    table, overdue = running(missed=Table.Missed.SUBSTITUTE)
    seat, eve = to_act(table), person("Eve")
    Seat.objects.filter(pk=seat.pk).update(note="My plan", standing={"draw": True}, hand_order="KC")
    reserves.offer_reserve(table.pk, eve)
    sweep(overdue)
    table.refresh_from_db()
    was, seat = seat.user, Seat.objects.get(pk=seat.pk)
    assert (seat.user, seat.former_user, seat.note, seat.standing, seat.hand_order) == (eve, was, "", {}, "")
    assert table.seat_to_act == seat.number
    assert table.deadline_at == overdue + 48 * HOUR
    assert not Reserve.objects.exists()
    assert set(Notice.objects.filter(user=eve).values_list("kind", flat=True)) == {"seated", "turn"}
    play.play(table.pk, eve, [DRAW], seen=0, now=overdue + HOUR)
    with pytest.raises(NotAllowed):
        play.play(table.pk, was, [DRAW], seen=1, now=overdue + HOUR)


def test_without_a_reserve_everyone_is_asked_and_a_bot_plays_the_turn(running):
    table, overdue = running(missed=Table.Missed.SUBSTITUTE)
    seat = to_act(table)
    sweep(overdue)
    assert table.moves.exclude(by=Move.By.STAND_IN).count() == 0 < table.moves.count()
    assert Notice.objects.filter(kind="reserve").count() == 3
    seat.refresh_from_db()
    assert seat.user_id is not None


def test_a_bank_is_empty_after_a_missed_turn_and_the_next_turn_has_twelve_hours(running):
    table, overdue = running(clock="bank", clock_hours=24, increment_hours=0)
    seat = to_act(table)
    sweep(overdue)
    seat.refresh_from_db()
    assert seat.time_left == timedelta()
    for _ in range(4):
        table.refresh_from_db()
        if table.seat_to_act == seat.number:
            break
        sweep(table.deadline_at + timedelta(seconds=1))
    table.refresh_from_db()
    assert table.seat_to_act == seat.number
    assert table.deadline_at - table.clock_started_at == 12 * HOUR


def test_a_match_that_everyone_left_alone_ends_automatically(running):
    table, _ = running()
    for _ in range(40):
        table.refresh_from_db()
        if table.status != Table.Status.PLAYING:
            break
        if table.deadline_at is not None:
            sweep(table.deadline_at + timedelta(seconds=1))
        play_bots(table.pk)
    assert table.status == Table.Status.ABANDONED
    assert table.result["reason"] == "abandoned"
    assert table.result["winners"] == []
    assert table.deadline_at is table.bot_due_at is None
    assert lines(table, KINDS.ABANDONED) == [("abandoned", None)]


# Late moves


def test_a_late_move_is_refused_and_the_deadline_enforced_at_once(running):
    table, overdue = running()
    seat = to_act(table)
    with pytest.raises(Refused) as refused:
        play.play(table.pk, seat.user, [DRAW], seen=0, now=overdue)
    assert refused.value.code == "too_late"
    table.refresh_from_db()
    assert table.seat_to_act == (seat.number + 1) % 4
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}


def test_a_move_at_the_very_deadline_counts(running):
    table, _ = running()
    play.play(table.pk, to_act(table).user, [DRAW], seen=0, now=table.deadline_at)
    assert table.moves.get().by == Move.By.PLAYER


def test_who_is_not_to_act_does_not_end_anothers_turn(running):
    table, overdue = running()
    other = table.seats.exclude(number=table.seat_to_act).select_related("user").first()
    with pytest.raises(MoveRefused):
        play.play(table.pk, other.user, [DRAW], seen=0, now=overdue)
    assert table.moves.count() == 0


def test_a_late_move_counts_when_the_sweeper_was_down(running):
    table, overdue = running()
    beat(overdue - 10 * MINUTE)
    play.play(table.pk, to_act(table).user, [DRAW], seen=0, now=overdue)
    assert table.moves.get().by == Move.By.PLAYER
    assert lines(table, KINDS.EXTENDED) == [("extended", table.seat_to_act)]


def test_a_late_move_counts_when_no_sweeper_ever_ran(running):
    table, overdue = running()
    Heartbeat.objects.all().delete()
    play.play(table.pk, to_act(table).user, [DRAW], seen=0, now=overdue)
    assert table.moves.get().by == Move.By.PLAYER


def test_the_time_of_the_database_decides(running):
    table, overdue = running()
    beat(timezone.now())
    with time_machine.travel(overdue + DAY, tick=False):
        clocks.sweep()
        play.play(table.pk, to_act(table).user, [DRAW], seen=0)
    assert list(table.moves.values_list("by", flat=True)) == [Move.By.PLAYER]
    assert lines(table, KINDS.MISSED, KINDS.EXTENDED) == []


@pytest.mark.parametrize(
    ("zone", "due"),
    [
        # Half past five in the afternoon: four and a half hours, the night, seven and a half hours from six.
        ("Asia/Kolkata", datetime(2026, 3, 3, 8, tzinfo=UTC)),
        # Half past eight in the morning: the twelve hours are over before the night.
        ("America/St_Johns", datetime(2026, 3, 3, 0, tzinfo=UTC)),
    ],
)
def test_free_nights_are_those_of_the_player_to_act(seated, four, zone, due):
    for user in four:
        user.time_zone, user.quiet_from, user.quiet_until = zone, time(22), time(6)
        user.save()
    table = seated(begun=False, clock_hours=12, free_nights=True)
    tables.start(table.pk, four[0], now=datetime(2026, 3, 2, 12, tzinfo=UTC))
    table.refresh_from_db()
    assert table.deadline_at == due


# Outages


def test_after_an_outage_deadlines_that_passed_are_moved_by_as_long_as_it_lasted(running):
    table, _ = running()
    before = table.deadline_at
    beat(before - 2 * HOUR)
    clocks.sweep(before + 8 * HOUR)
    table.refresh_from_db()
    assert table.moves.count() == 0
    assert table.deadline_at == before + 10 * HOUR
    assert lines(table, KINDS.EXTENDED) == [("extended", table.seat_to_act)]
    clocks.sweep(before + 8 * HOUR + MINUTE)
    assert len(lines(table, KINDS.EXTENDED)) == 1
    sweep(before + 10 * HOUR + MINUTE)
    assert len(lines(table, KINDS.MISSED)) == 1


def test_an_outage_leaves_deadlines_alone_that_did_not_pass_in_it(running):
    table, _ = running()
    beat(table.deadline_at - 20 * HOUR)
    clocks.sweep(table.deadline_at - HOUR)
    before, _ = table.deadline_at, table.refresh_from_db()
    assert table.deadline_at == before
    assert lines(table, KINDS.EXTENDED) == []


def test_time_given_after_an_outage_is_charged_as_time_is(running):
    table, _ = running(clock="bank", clock_hours=24)
    seat, before = to_act(table), table.deadline_at
    beat(before - 2 * HOUR)
    clocks.sweep(before + 8 * HOUR)
    seat.refresh_from_db()
    assert seat.time_left == 34 * HOUR


def test_a_clock_that_jumps_back_flags_nobody(running):
    table, overdue = running()
    sweep(overdue)
    count = table.moves.count()
    clocks.sweep(overdue - HOUR)
    table.refresh_from_db()
    assert table.moves.count() == count
    play.play(table.pk, to_act(table).user, [DRAW], seen=count, now=overdue - HOUR)
    assert all(seat.time_left >= timedelta() for seat in table.seats.all())


def test_a_table_that_fails_does_not_stop_the_others(running, four, monkeypatch, caplog):
    table, overdue = running()
    other = make_table(four, table.rules, name="Second", allows_absences=False)
    Table.objects.filter(pk=table.pk).update(snapshot={"secret": "KH"})
    Table.objects.filter(pk=other.pk).update(
        deadline_at=overdue - timedelta(seconds=1), clock_started_at=overdue - 48 * HOUR - MINUTE
    )
    sweep(overdue)
    assert other.moves.count() > 0
    table.refresh_from_db()
    assert table.deadline_at == overdue + HOUR
    assert f"table {table.pk} could not be seen to" in caplog.text
    assert "KH" not in caplog.text


# Absences


def test_an_absence_begins_by_itself_before_a_deadline_is_missed(running):
    table, overdue = running(allows_absences=True)
    seat, before = to_act(table), table.deadline_at
    sweep(overdue)
    table.refresh_from_db()
    absence = Absence.objects.get()
    assert (absence.user, absence.is_automatic, absence.starts_at) == (seat.user, True, before)
    assert table.deadline_at == absence.ends_at == before + 3 * DAY
    assert table.moves.count() == 0
    assert lines(table, KINDS.AWAY, KINDS.MISSED) == [("away", seat.number)]


def test_an_absence_begins_by_itself_once_a_turn(running):
    table, overdue = running(allows_absences=True)
    sweep(overdue)
    table.refresh_from_db()
    sweep(table.deadline_at + timedelta(seconds=1))
    assert Absence.objects.count() == 1
    assert len(lines(table, KINDS.MISSED)) == 1


def test_a_late_move_is_welcome_where_an_absence_begins(running):
    table, overdue = running(allows_absences=True)
    play.play(table.pk, to_act(table).user, [DRAW], seen=0, now=overdue)
    assert table.moves.get().by == Move.By.PLAYER


def test_an_announced_absence_moves_the_deadline_and_its_end_moves_it_back(running):
    table, _ = running(allows_absences=True)
    user, started, before = to_act(table).user, table.clock_started_at, table.deadline_at
    absence = Absence.objects.create(user=user, starts_at=started + HOUR, ends_at=started + HOUR + 5 * DAY)
    clocks.recompute(user.pk, started + HOUR)
    table.refresh_from_db()
    assert table.deadline_at == before + 5 * DAY
    absence.delete()
    clocks.recompute(user.pk, started + 3 * DAY)
    table.refresh_from_db()
    assert table.deadline_at == started + 3 * DAY + 12 * HOUR
    assert len(lines(table, KINDS.EXTENDED)) == 2


def test_an_absence_the_table_was_not_told_of_counts_all_the_same(running):
    table, overdue = running(allows_absences=True)
    user = to_act(table).user
    Absence.objects.create(user=user, starts_at=table.clock_started_at, ends_at=overdue + DAY)
    sweep(overdue)
    table.refresh_from_db()
    assert table.moves.count() == 0
    assert table.deadline_at == overdue + 3 * DAY


@pytest.mark.django_db(transaction=True)
def test_announcing_an_absence_sets_the_clocks(running):
    table, _ = running(allows_absences=True)
    user, now = to_act(table).user, timezone.now()
    absences.add(user, now, now + 4 * DAY, now)
    before, _ = table.deadline_at, table.refresh_from_db()
    assert before + 4 * DAY - MINUTE < table.deadline_at <= before + 4 * DAY


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("terms", "changed", "moved"),
    [
        ({"free_weekends": True}, {"weekend_days": ["2"]}, DAY),
        ({"free_nights": True}, {"quiet_from": "22:00", "quiet_until": "06:00"}, 30 * HOUR),
        ({"free_weekends": True}, {"time_zone": "Asia/Kolkata", "weekend_days": ["1"]}, 18 * HOUR + 30 * MINUTE),
        ({}, {"weekend_days": ["2"], "quiet_from": "22:00", "quiet_until": "06:00"}, 0 * HOUR),
    ],
)
def test_settings_in_the_profile_set_the_clocks(seated, client, terms, changed, moved):
    tuesday = datetime(2035, 5, 8, tzinfo=UTC)
    table = seated(clock_hours=60, **terms)
    user = to_act(table).user
    Table.objects.filter(pk=table.pk).update(clock_started_at=tuesday, deadline_at=tuesday + 60 * HOUR)
    Seat.objects.filter(table=table, user=user).update(time_left=60 * HOUR)
    client.force_login(user)
    profile = {"display_name": "Ann", "time_zone": "UTC", "language": "en", "hand_order": "rank", **changed}
    assert client.post("/you/", profile).status_code == 302
    table.refresh_from_db()
    assert table.deadline_at == tuesday + 60 * HOUR + moved


# Answers and deals


@pytest.fixture
def question(running):
    """A table at which the partner of the seat to act is asked, and the asker."""

    def make(**terms):
        table, _ = running(**terms)
        seat, state = to_act(table), state_of(table)
        draft = state.draft()
        draft.feet = tuple(None for _ in state.feet)
        keep(table, draft.freeze())
        table.save()
        started = table.clock_started_at
        play_turn(table, seat.user, moves=[DRAW, ASK], now=started + 10 * HOUR)
        table.refresh_from_db()
        return table, seat, started + 10 * HOUR

    return make


def test_a_question_stops_the_askers_clock_and_starts_the_partners(question):
    table, asker, now = question()
    assert table.seat_to_act == (asker.number + 2) % 4
    assert table.deadline_at == now + DAY
    asker.refresh_from_db()
    assert asker.time_left == 38 * HOUR
    play.play(table.pk, to_act(table).user, [NO], seen=2, now=now + 5 * HOUR)
    table.refresh_from_db()
    assert table.seat_to_act == asker.number
    assert table.deadline_at == now + 43 * HOUR


def test_a_bot_answers_for_a_partner_who_does_not(question):
    table, asker, now = question(missed=Table.Missed.FORFEIT)
    partner = to_act(table)
    sweep(now + DAY + MINUTE)
    table.refresh_from_db()
    answer = table.moves.last()
    assert (answer.seat, answer.by, answer.text.split()[0]) == (partner.number, Move.By.STAND_IN, "answer")
    assert table.status == Table.Status.PLAYING
    assert table.seat_to_act == asker.number
    assert table.deadline_at == now + DAY + MINUTE + 38 * HOUR
    partner.refresh_from_db()
    assert partner.missed_in_a_row == 0


def test_the_next_deal_begins_when_the_wait_is_over(running, driver):
    table, _ = running()
    table = driver.until(table, lambda table: table.is_between_deals)
    deadline = table.deadline_at
    assert deadline - table.deals.get(number=1).ended_at == DAY
    sweep(deadline - MINUTE)
    table.refresh_from_db()
    assert table.is_between_deals
    sweep(deadline + MINUTE)
    table.refresh_from_db()
    assert (table.deal_number, table.is_between_deals) == (2, False)
    assert table.deadline_at == deadline + MINUTE + 48 * HOUR


# Pauses


def agree_all(table, propose, agree, now=None):
    users = [seat.user for seat in table.seats.select_related("user")]
    propose(table.pk, users[0], now)
    for user in users[1:]:
        agree(table.pk, user, now)


def test_a_pause_begins_when_all_agree_and_keeps_the_time_that_is_left(running):
    table, _ = running()
    started, before = table.clock_started_at, table.deadline_at
    agree_all(table, pauses.propose_pause, pauses.agree_pause, started + 8 * HOUR)
    table.refresh_from_db()
    assert table.paused_at == started + 8 * HOUR
    assert table.deadline_at is table.remind_at is table.proposal is None
    sweep(before + 30 * DAY)
    user = to_act(table).user
    with pytest.raises(Refused) as refused:
        play.play(table.pk, user, [DRAW], seen=0, now=before)
    assert refused.value.code == "paused"
    pauses.resume(table.pk, user, before + 30 * DAY)
    table.refresh_from_db()
    assert table.paused_at is None
    assert table.deadline_at == before + 31 * DAY + 40 * HOUR
    assert lines(table, KINDS.PAUSED, KINDS.RESUMED) == [("paused", None), ("resumed", None)]
    play.play(table.pk, user, [DRAW], seen=0, now=before + 30 * DAY + HOUR)


def test_three_of_four_do_not_pause_a_match(running):
    table, _ = running()
    users = [seat.user for seat in table.seats.select_related("user")]
    pauses.propose_pause(table.pk, users[0])
    for _ in range(2):
        for user in users[1:3]:
            pauses.agree_pause(table.pk, user)
    table.refresh_from_db()
    assert (table.paused_at, table.proposal) == (None, {"what": "pause", "agreed": [0, 1, 2]})
    assert Notice.objects.filter(kind="proposal").count() == 3
    pauses.decline(table.pk, users[3])
    with pytest.raises(Refused):
        pauses.agree_pause(table.pk, users[1])


def test_a_paused_answer_keeps_its_own_time(question):
    table, asker, now = question()
    agree_all(table, pauses.propose_pause, pauses.agree_pause, now + 6 * HOUR)
    pauses.resume(table.pk, asker.user, now + 9 * DAY)
    table.refresh_from_db()
    assert table.deadline_at == now + 10 * DAY + 18 * HOUR
    asker.refresh_from_db()
    assert asker.time_left == 38 * HOUR


def test_no_deal_begins_in_a_pause(running, driver):
    table, _ = running()
    driver.until(table, lambda table: table.is_between_deals)
    agree_all(table, pauses.propose_pause, pauses.agree_pause)
    users = [seat.user for seat in table.seats.select_related("user")]
    for user in users:
        play.ready_for_next_deal(table.pk, user, deal=1)
    table.refresh_from_db()
    assert table.is_between_deals
    pauses.resume(table.pk, users[0])
    table.refresh_from_db()
    assert (table.deal_number, table.is_between_deals) == (2, False)


def test_all_players_together_abandon_a_match(running):
    table, _ = running()
    agree_all(table, pauses.offer_abandon, pauses.agree_abandon)
    table.refresh_from_db()
    assert (table.status, table.result["reason"]) == (Table.Status.ABANDONED, "abandoned")


# Leaving and coming back


def test_who_leaves_is_replaced_and_may_come_back_once(running):
    table, _ = running()
    user = to_act(table).user
    leaving.resign(table.pk, user)
    table.refresh_from_db()
    seat = table.seats.get(number=table.seat_to_act)
    assert (seat.user, seat.bot, seat.former_user) == (None, "club", user)
    for _ in range(2):
        leaving.return_to_seat(table.pk, user)
    seat.refresh_from_db()
    assert (seat.user, seat.bot, seat.former_user) == (user, "", None)
    table.refresh_from_db()
    assert table.deadline_at is not None
    assert table.bot_due_at is None
    leaving.resign(table.pk, user)
    with pytest.raises(NotAllowed):
        leaving.return_to_seat(table.pk, user)
    assert [kind for kind, _ in lines(table, KINDS.LEFT, KINDS.REPLACED, KINDS.SEATED)] == [
        "left",
        "replaced",
        "seated",
        "left",
        "replaced",
    ]


def test_a_reserve_who_offers_later_relieves_the_bot(running, person):
    table, _ = running()
    user, eve = to_act(table).user, person("Eve")
    leaving.resign(table.pk, user)
    reserves.offer_reserve(table.pk, eve)
    seat = table.seats.get(number=table.seat_to_act)
    assert (seat.user, seat.bot, seat.former_user) == (eve, "", user)
    with pytest.raises(NotAllowed):
        leaving.return_to_seat(table.pk, user)


def test_a_stranger_can_do_none_of_it(running, person):
    table, _ = running()
    eve = person("Eve")
    for act in (
        pauses.propose_pause,
        pauses.agree_pause,
        pauses.offer_abandon,
        pauses.decline,
        pauses.resume,
        leaving.resign,
        leaving.return_to_seat,
    ):
        with pytest.raises(NotAllowed):
            act(table.pk, eve)


def test_a_bot_that_relieves_a_player_between_deals_is_ready(running, driver):
    table, _ = running()
    driver.until(table, lambda table: table.is_between_deals)
    users = [seat.user for seat in table.seats.select_related("user")]
    for user in users[1:]:
        play.ready_for_next_deal(table.pk, user, deal=1)
    leaving.resign(table.pk, users[0])
    table.refresh_from_db()
    assert (table.deal_number, table.is_between_deals) == (2, False)


@pytest.mark.parametrize("is_gone", ["deleted", "closed"])
def test_a_seat_whose_account_is_gone_is_played_on_by_a_bot(running, is_gone):
    table, overdue = running()
    seat = to_act(table)
    if is_gone == "deleted":
        Seat.objects.filter(pk=seat.pk).update(user=None)
    else:
        User.objects.filter(pk=seat.user_id).update(is_active=False)
    sweep(overdue - HOUR)
    seat.refresh_from_db()
    assert (seat.user_id, seat.bot) == (None, "club")


def test_who_deletes_the_account_leaves_every_match(running):
    table, _ = running()
    seat = to_act(table)
    leaving.leave_all(seat.user_id)
    leaving.leave_all(seat.user_id)
    seat.refresh_from_db()
    assert (seat.user_id, seat.bot) == (None, "club")
    assert lines(table, KINDS.REPLACED) == [("replaced", seat.number)]


def test_who_sat_here_is_no_reserve_for_the_others(running):
    table, overdue = running(missed=Table.Missed.SUBSTITUTE)
    first = to_act(table)
    other = table.seats.exclude(pk=first.pk).select_related("user").first()
    leaving.resign(table.pk, other.user)
    reserves.offer_reserve(table.pk, other.user)
    sweep(overdue)
    first.refresh_from_db()
    assert first.user_id is not None
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}


# Two at once


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_a_last_second_turn_and_the_sweeper_exactly_one_wins(running):
    table, _ = running(options={"length": {"deals": 20}})
    for attempt in range(200):
        _next_turn(table)
        *before, last = bots.think(state_of(table), "club")
        play_turn(table, to_act(table).user, moves=before)
        table.refresh_from_db()
        seat, move_count, missed = to_act(table), table.move_count, len(lines(table, KINDS.MISSED))
        deadline = timezone.now() + attempt % 4 * timedelta(milliseconds=2)
        beat(deadline)
        Table.objects.filter(pk=table.pk).update(deadline_at=deadline, clock_started_at=deadline - 48 * HOUR)
        move, failed = at_once(partial(play.play, table.pk, seat.user, [last], seen=move_count), clocks.sweep)
        assert failed is None
        new = list(table.moves.filter(number__gt=move_count).values_list("by", "at"))
        if isinstance(move, Exception):
            assert isinstance(move, Refused)
            assert {by for by, _ in new} == {Move.By.STAND_IN}
            assert min(at for _, at in new) > deadline
            assert len(lines(table, KINDS.MISSED)) == missed + 1
        else:
            assert {by for by, _ in new} == {Move.By.PLAYER}
            assert max(at for _, at in new) <= deadline
            assert len(lines(table, KINDS.MISSED)) == missed


def _next_turn(table):
    """Play on to the beginning of a turn in which nothing is asked; nobody loses the seat."""
    while True:
        Seat.objects.filter(table=table).update(missed_in_a_row=0)
        table.refresh_from_db()
        if table.status != Table.Status.PLAYING:
            raise AssertionError("the match is too short for this test")
        if table.is_between_deals:
            for seat in table.seats.select_related("user"):
                play.ready_for_next_deal(table.pk, seat.user, deal=table.deal_number)
            continue
        moves = bots.think(state_of(table), "club")
        if state_of(table).phase == "draw" and ASK not in moves:
            return
        Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now() + DAY)
        play_turn(table, to_act(table).user, moves=moves)


@pytest.mark.django_db(transaction=True)
def test_ten_sweepers_at_once_act_once(running):
    table, overdue = running()
    beat(overdue - MINUTE)
    results = at_once(*[lambda: clocks.sweep(overdue)] * 10)
    assert [result for result in results if result is not None] == []
    assert len(lines(table, KINDS.MISSED)) == 1
    assert Notice.objects.filter(kind="missed").count() == 1
    table.refresh_from_db()
    assert table.moves.count() == table.move_count
    assert set(table.moves.values_list("seat", flat=True)) == {(table.seat_to_act - 1) % 4}


@pytest.mark.django_db(transaction=True)
def test_two_sweepers_after_an_outage_extend_once(running):
    table, _ = running()
    before = table.deadline_at
    beat(before - HOUR)
    at_once(*[lambda: clocks.sweep(before + 5 * HOUR)] * 2)
    table.refresh_from_db()
    assert table.deadline_at == before + 6 * HOUR
    assert len(lines(table, KINDS.EXTENDED)) == 1
