"""Notifications about events: recipients, texts, and notifications that are out of date before they are sent."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Notice, User
from accounts.services import notices
from engine.play.moves import DRAW
from gameplay.models import Seat, Table
from gameplay.services import pauses, play
from tests.tournaments.reading import fresh, pairings
from tournaments import notification_text, notification_types, seating
from tournaments.models import Answer, Entry, Member, Organiser, Pairing, Place, Result, Round, Tournament
from tournaments.services import notifications
from tournaments.services.matches import online_tables

pytest_plugins = ["tests.tournaments.online"]
NOW = "2026-11-21 12:00:00+00:00"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _at_noon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def face(drawn):
    """An event played face to face whose first round is drawn: its first match."""
    return lambda **choices: pairings(drawn(setting="face", **choices))[0]


@pytest.fixture(autouse=True)
def _registered():
    """Every kind of notice of this app is asked about as the site does it."""
    assert set(notification_types.KINDS) <= set(notices._questions)


def texts(kind):
    """Texts of notifications of this kind, by recipient."""
    notifications = Notice.objects.filter(kind=kind).select_related("user").order_by("pk")
    return {str(notice.user): (notice.title.partition(": ")[2], notice.body) for notice in notifications}


def recipients(kind):
    """People who would still get a notification of this kind."""
    notifications = Notice.objects.filter(kind=kind).select_related("user").order_by("pk")
    return [str(notice.user) for notice in notifications if notices.is_wanted(notice)]


def face_to_face(pairing):
    Pairing.objects.filter(pk=pairing.pk).update(is_online=False)
    return fresh(pairing)


FOUR = ["Player 1", "Player 2", "Player 7", "Player 8"]


# A match that is ready


def test_players_hear_with_whom_they_play_and_until_when_by_the_events_clock(face, players):
    match = face_to_face(face())
    Tournament.objects.update(time_zone="Europe/London")
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    toronto = players(8)[6]
    toronto.time_zone = "America/Toronto"
    toronto.save()
    notifications.match_ready(fresh(match))
    assert list(texts("event_match")) == FOUR
    assert texts("event_match")["Player 1"] == (
        "your match is ready",
        "Round 1, table 1: against Pair 4. You have until Mon 23 Nov 12:00, London (GMT).",
    )
    assert texts("event_match")["Player 7"][1] == (
        "Round 1, table 1: against Pair 1. You have until Mon 23 Nov 12:00, London (GMT)."
    )
    notice = Notice.objects.filter(kind="event_match").first()
    event = match.round.stage.tournament
    assert (notice.subject, notice.url) == (f"event:{event.pk}", match.get_absolute_url())
    assert notice.title == "Harbour Cup: your match is ready"
    assert timezone.get_current_timezone() == ZoneInfo("UTC")


def test_its_own_deadline_and_beginning_go_before_those_of_the_round(face):
    match = face_to_face(face())
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    Pairing.objects.filter(pk=match.pk).update(
        deadline_at=timezone.now() + 72 * HOUR, starts_at=timezone.now() + 7 * HOUR
    )
    notifications.match_ready(fresh(match))
    assert texts("event_match")["Player 1"][1] == (
        "Round 1, table 1: against Pair 4. It starts Sat 21 Nov 19:00, UTC. You have until Tue 24 Nov 12:00, UTC."
    )


def test_partners_of_one_evening_are_told_of_each_other(online):
    match = pairings(online("rotating_partners"))[0]
    notifications.match_ready(match)
    assert texts("event_match")["Player 1"][1] == "Round 1, table 1: with Player 3 against Player 2 and Player 4."
    assert Notice.objects.filter(kind="event_match").first().url == match.table.get_absolute_url()


def test_who_has_no_account_is_told_nothing(face):
    match = face_to_face(face())
    Member.objects.filter(name="Player 7").update(user=None)
    User.objects.filter(username="player8").update(is_active=False)
    notifications.match_ready(fresh(match))
    assert list(texts("event_match")) == ["Player 1", "Player 2"]


def test_those_who_are_named_for_a_match_are_told_of_it(face, players):
    match = face_to_face(face(kind="team", side_size=2))
    place = match.places.first()
    third = Member.objects.create(
        entry=place.entry, tournament=place.entry.tournament, user=players(9)[8], name="Player 9", position=3
    )
    notifications.match_ready(fresh(match))
    assert "Player 9" in texts("event_match")
    Notice.objects.all().delete()
    place.players = [place.entry.members.first().pk, third.pk]
    place.save()
    notifications.match_ready(fresh(match))
    assert list(texts("event_match")) == ["Player 1", "Player 7", "Player 8", "Player 9"]


def test_the_same_match_is_told_once_and_another_again(face):
    match = face_to_face(face())
    for _ in range(2):
        notifications.match_ready(fresh(match))
    assert Notice.objects.filter(kind="event_match").count() == 4
    entries = list(Entry.objects.all())
    match.places.filter(number=1).update(entry=entries[2])
    notifications.match_ready(fresh(match))
    assert Notice.objects.filter(kind="event_match").count() == 8
    assert recipients("event_match") == ["Player 1", "Player 2", "Player 5", "Player 6"]


@pytest.mark.parametrize("status", ["reported", "disputed", "done", "idle", "waits"])
def test_a_match_that_was_played_meanwhile_is_not_told(status, face):
    match = face_to_face(face())
    notifications.match_ready(match)
    assert recipients("event_match") == FOUR
    Pairing.objects.filter(pk=match.pk).update(status=status)
    assert recipients("event_match") == []


def test_a_match_that_has_begun_face_to_face_is_not_told(face):
    match = face_to_face(face())
    notifications.match_ready(match)
    Pairing.objects.filter(pk=match.pk).update(begun_at=timezone.now())
    assert recipients("event_match") == []


def test_who_has_been_at_the_online_table_is_not_told_of_it(online):
    match = pairings(online())[0]
    notifications.match_ready(match)
    assert recipients("event_match") == FOUR
    first = match.table.seats.select_related("user").get(number=match.table.seat_to_act)
    play.play(match.table_id, first.user, [DRAW], seen=0)
    Pairing.objects.filter(pk=match.pk).update(status="playing", begun_at=timezone.now())
    Seat.objects.filter(pk=first.pk).update(looked_at=timezone.now())
    assert sorted([*recipients("event_match"), str(first.user)]) == FOUR


def test_a_table_that_was_made_anew_is_told_anew(online):
    match = pairings(online())[0]
    notifications.match_ready(match)
    online_tables.stop_table(match, timezone.now(), "The match was redrawn.")
    assert recipients("event_match") == []
    online_tables.open_online(fresh(match), timezone.now())
    notifications.match_ready(fresh(match))
    assert recipients("event_match") == FOUR


def test_who_was_replaced_is_not_told(face):
    match = face_to_face(face())
    notifications.match_ready(match)
    Member.objects.filter(name="Player 2").update(left_at=timezone.now())
    assert recipients("event_match") == ["Player 1", "Player 7", "Player 8"]


def test_what_a_draw_took_back_is_not_told(face):
    match = face_to_face(face())
    notifications.match_ready(match)
    match.delete()
    assert recipients("event_match") == []


# Reminders


def test_reminders_say_how_much_time_is_gone(face):
    match = face_to_face(face())
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    for which, words in enumerate(notifications.REMINDERS, 1):
        Notice.objects.all().delete()
        for _ in range(2):
            notifications.remind(fresh(match), which)
        assert {title for title, _ in texts("event_reminder").values()} == {words}
        assert list(texts("event_reminder")) == FOUR
        assert "against Pair 4. You have until Mon 23 Nov" in texts("event_reminder")["Player 1"][1]


def test_without_a_deadline_nobody_is_reminded(face):
    notifications.remind(face_to_face(face()), 1)
    assert texts("event_reminder") == {}


@pytest.mark.parametrize(
    "change", [{"status": "reported"}, {"status": "done"}, {"deadline_at": "later"}, {"deadline_at": "past"}]
)
def test_a_reminder_is_dropped_when_the_match_was_played_or_its_deadline_moved(change, face):
    match = face_to_face(face())
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    notifications.remind(fresh(match), 1)
    assert recipients("event_reminder") == FOUR
    moments = {"later": timezone.now() + 99 * HOUR, "past": timezone.now() - HOUR}
    values = {name: moments.get(value, value) for name, value in change.items()}
    Pairing.objects.filter(pk=match.pk).update(**values)
    assert recipients("event_reminder") == []


def test_a_reminder_is_dropped_once_the_deadline_is_past(face):
    match = face_to_face(face())
    Round.objects.update(deadline_at=timezone.now() + 2 * HOUR)
    notifications.remind(fresh(match), 3)
    with time_machine.travel(timezone.now() + 3 * HOUR, tick=False):
        assert recipients("event_reminder") == []


def test_after_a_new_deadline_the_same_reminder_is_sent_again(face):
    match = face_to_face(face())
    for hours in (48, 96):
        Round.objects.update(deadline_at=timezone.now() + hours * HOUR)
        notifications.remind(fresh(match), 1)
    assert Notice.objects.filter(kind="event_reminder").count() == 8


def test_at_a_running_table_only_who_is_waited_for_is_reminded(online, players):
    match = pairings(online())[0]
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    first = match.table.seats.select_related("user").get(number=match.table.seat_to_act)
    play.play(match.table_id, first.user, [DRAW], seen=0)
    notifications.remind(fresh(match), 2)
    assert list(texts("event_reminder")) == recipients("event_reminder") == [str(first.user)]
    Table.objects.filter(pk=match.table_id).update(seat_to_act=(first.number + 1) % 4)
    assert recipients("event_reminder") == []


def test_between_deals_who_has_not_looked_is_reminded_and_in_a_pause_nobody(online, players):
    match = pairings(online())[0]
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    Table.objects.filter(pk=match.table_id).update(move_count=1, is_between_deals=True, seat_to_act=None)
    Seat.objects.filter(table=match.table_id, number__in=(0, 3)).update(is_ready=True)
    notifications.remind(fresh(match), 2)
    assert list(texts("event_reminder")) == ["Player 2", "Player 7"]
    for user in players(8):
        if match.table.seats.filter(user=user).exists():
            pauses.propose_pause(match.table_id, user)
    assert recipients("event_reminder") == []


# Results


@pytest.fixture
def reported(face):
    """A result that Pair 1 entered against Pair 4."""
    match = face_to_face(face())
    first, second = match.places.all()
    lines = [{"entry": first.entry_id, "score": 4210, "forfeit": False}]
    lines.append({"entry": second.entry_id, "score": -640, "forfeit": False})
    Pairing.objects.filter(pk=match.pk).update(status="reported")
    return Result.objects.create(
        pairing=match,
        origin="player",
        lines=lines,
        by_entry=first.entry,
        at=timezone.now(),
        confirms_at=timezone.now() + 24 * HOUR,
    )


def test_the_other_side_is_asked_whether_a_result_is_right(reported):
    notifications.result_to_confirm(reported)
    body = "Pair 1 entered: Pair 1 4,210, Pair 4 −640. If you do nothing, it becomes final on Sun 22 Nov 12:00, UTC."
    assert texts("event_result") == dict.fromkeys(("Player 7", "Player 8"), ("confirm a result", body))
    assert recipients("event_result") == ["Player 7", "Player 8"]


def test_walkovers_are_said_in_words(reported):
    reported.lines[1] |= {"score": None, "forfeit": True}
    reported.confirms_at = None
    notifications.result_to_confirm(reported)
    assert texts("event_result")["Player 7"][1] == "Pair 1 entered: Pair 1 4,210, Pair 4 did not come."


def test_partners_of_a_match_are_asked_about_one_score(new_event, olga):
    event = new_event("rotating_partners", 4, started=True, kind="person", setting="face")
    match = Pairing.objects.get(round__stage__tournament=event, round__number=1)
    places = seating.places_of(match)
    lines = [{"entry": place.entry_id, "score": (4210, -640)[place.side], "forfeit": False} for place in places]
    result = Result(pairing=match, lines=lines, by_entry=places[0].entry)
    first, second = seating.names_by_side(places)
    words = f"{places[0].entry} entered: {first} 4,210, {second} −640."
    assert notification_text.result_words(result, places, olga) == words


@pytest.mark.parametrize("status", ["confirmed", "disputed", "replaced"])
def test_a_result_that_is_settled_is_asked_about_no_more(status, reported):
    notifications.result_to_confirm(reported)
    Result.objects.filter(pk=reported.pk).update(status=status)
    assert recipients("event_result") == []


def test_one_answer_is_enough_for_a_side(reported):
    notifications.result_to_confirm(reported)
    entry = Entry.objects.get(name="Pair 4")
    Answer.objects.create(result=reported, entry=entry, agrees=True)
    assert recipients("event_result") == []


def test_every_organiser_hears_of_a_dispute_until_it_is_decided(reported, person):
    event = Tournament.objects.get()
    Organiser.objects.create(tournament=event, user=person("Sam"), role="scorer")
    gone = person("Gil", is_active=False)
    Organiser.objects.create(tournament=event, user=gone, role="director")
    Pairing.objects.update(status="disputed")
    notifications.disputed(reported)
    assert texts("event_dispute") == dict.fromkeys(
        ("Olga", "Sam"),
        ("Round 1, table 1 needs your decision", "Pair 1 – Pair 4: the sides disagree, or the match is tied."),
    )
    assert recipients("event_dispute") == ["Olga", "Sam"]
    Pairing.objects.update(status="done")
    assert recipients("event_dispute") == []


# Rounds and stages


def test_directors_hear_that_a_round_waits_for_them(drawn, person):
    event = drawn(waits_for_go=True)
    Organiser.objects.create(tournament=event, user=person("Sam"), role="scorer")
    stage = event.stages.get()
    for _ in range(2):
        notifications.round_waits(stage, 2)
    assert texts("event_go") == {"Olga": ("round 2 of Swiss waits for you", "")}
    assert recipients("event_go") == ["Olga"]
    stage.go_round = 2
    stage.save()
    assert recipients("event_go") == []


def test_a_round_of_an_event_that_was_cancelled_waits_for_nobody(drawn):
    event = drawn(waits_for_go=True)
    notifications.round_waits(event.stages.get(), 2)
    Tournament.objects.update(status="cancelled")
    assert recipients("event_go") == []


def test_directors_hear_why_a_stage_cannot_go_on_until_it_can(drawn):
    stage = drawn().stages.get()
    stage.trouble = "Fewer than two entries are left to be paired."
    stage.save()
    for _ in range(2):
        notifications.trouble(stage, stage.trouble)
    assert texts("event_trouble") == {
        "Olga": ("Swiss needs an organiser", "Fewer than two entries are left to be paired.")
    }
    assert recipients("event_trouble") == ["Olga"]
    stage.trouble = ""
    stage.save()
    assert recipients("event_trouble") == []


def test_organisers_hear_of_a_match_that_cannot_be_online_until_it_is_played(drawn):
    match = face_to_face(pairings(drawn(setting="mixed"))[0])
    notifications.not_online(match, "No account here: Walter.")
    assert texts("event_face") == {
        "Olga": ("Round 1, table 1 must be played face to face", "Pair 1 – Pair 4. No account here: Walter.")
    }
    assert recipients("event_face") == ["Olga"]
    Pairing.objects.update(status="reported")
    assert recipients("event_face") == []


def test_organisers_hear_of_a_seat_that_cannot_be_taken_while_the_table_is_played(online):
    match = pairings(online())[0]
    notifications.not_seated(match, "Walter has no account here.")
    assert texts("event_seat") == {"Olga": ("Round 1, table 1 needs an organiser", "Walter has no account here.")}
    assert recipients("event_seat") == ["Olga"]
    online_tables.stop_table(match, timezone.now(), "The organisers decided the match.")
    assert recipients("event_seat") == []


# Entries


def test_an_entry_that_moved_up_is_told_unless_it_has_left(new_event, entry):
    event = new_event("swiss", 4, kind="partnership")
    second = entry(event, 2)
    notifications.moved_up(second)
    assert texts("event_moved_up") == dict.fromkeys(
        ("Player 3", "Player 4"), ("you are in", "You have a place from the waiting list.")
    )
    assert recipients("event_moved_up") == ["Player 3", "Player 4"]
    second.status = "withdrawn"
    second.save()
    assert recipients("event_moved_up") == []


def test_a_partner_is_asked_until_they_answer(new_event, entry, person):
    event = new_event("swiss", 4, kind="partnership")
    first = entry(event, 1)
    ida = person("Ida")
    member = Member.objects.create(entry=first, tournament=event, user=ida, name="Ida", answer="invited", position=2)
    notifications.partner_invited(member)
    assert texts("event_partner") == {"Ida": ("Player 1 and Player 2 invited you to play together", "")}
    assert recipients("event_partner") == ["Ida"]
    for change in ({"answer": "accepted"}, {"answer": "declined"}, {"left_at": timezone.now()}):
        Member.objects.filter(pk=member.pk).update(**{"answer": "invited", "left_at": None} | change)
        assert recipients("event_partner") == []
    Member.objects.filter(pk=member.pk).update(answer="invited", left_at=None)
    Entry.objects.filter(pk=first.pk).update(status="withdrawn")
    assert recipients("event_partner") == []


def test_one_partner_asks_alone_and_who_has_no_account_is_told_nothing_here(new_event, entry, person):
    event = new_event("swiss", 4, kind="person")
    first = entry(event, 1)
    ida = person("Ida")
    member = Member.objects.create(entry=first, tournament=event, user=ida, name="Ida", answer="invited", position=2)
    notifications.partner_invited(member)
    notifications.partner_invited(Member(entry=first, tournament=event, name="Walter", email="walter@example.org"))
    assert texts("event_partner") == {"Ida": ("Player 1 invited you to play together", "")}


# The event


def test_a_note_goes_to_everybody_who_is_in_or_waits(new_event, entry):
    event = new_event("swiss", 4)
    Entry.objects.filter(pk=entry(event, 2).pk).update(status="waiting")
    Entry.objects.filter(pk=entry(event, 3).pk).update(status="withdrawn")
    for _ in range(2):
        notifications.event_note(event, "  Round 2 begins at eight.\n\nBring your scores. ", None)
    words = ("a message from the organisers", "Round 2 begins at eight.\n\nBring your scores.")
    assert texts("event_note") == dict.fromkeys(("Player 1", "Player 2", "Player 4"), words)
    assert recipients("event_note") == ["Player 1", "Player 2", "Player 4"]
    event.version += 1
    notifications.event_note(event, "Round 2 begins at eight.\n\nBring your scores.", None)
    assert Notice.objects.filter(kind="event_note").count() == 6


@pytest.fixture
def ended(drawn):
    """An event of pairs that is over: Pair 1 and Pair 2 won by these scores against 4 and 3."""

    def make(*scores):
        event = drawn(tiebreaks=["points_scored"], rounds=1, cut_tie="share")
        for pairing, score in zip(pairings(event), scores, strict=True):
            first, second = pairing.places.all()
            lines = [{"entry": first.entry_id, "score": score}, {"entry": second.entry_id, "score": 0}]
            result = Result.objects.create(pairing=pairing, origin="organiser", lines=lines, at=timezone.now())
            first.points, first.score, first.rank = 2, score, 1
            second.points, second.score, second.rank = 0, 0, 2
            first.save()
            second.save()
            Pairing.objects.filter(pk=pairing.pk).update(result=result, status="done")
        event.stages.update(status="over")
        Tournament.objects.filter(pk=event.pk).update(status="over")
        return event

    return make


def test_the_end_names_the_champion(ended):
    notifications.over(ended(100, 300))
    assert texts("event_over")["Player 3"] == texts("event_over")["Player 4"] == ("you won", "")
    assert texts("event_over")["Player 1"] == ("the event is over", "Pair 2 won.")
    assert len(texts("event_over")) == len(recipients("event_over")) == 8


def test_the_end_may_be_shared(ended):
    notifications.over(ended(300, 300))
    assert texts("event_over")["Player 1"] == texts("event_over")["Player 3"] == ("you won", "")
    assert texts("event_over")["Player 7"] == ("the event is over", "Pair 1 and Pair 2 won.")


def test_the_end_is_told_once_and_another_champion_again(ended):
    event = ended(100, 300)
    for _ in range(2):
        notifications.over(event)
    assert Notice.objects.filter(kind="event_over").count() == 8
    Place.objects.filter(score=300).update(score=50)
    Result.objects.filter(pairing__name="R1.2").update(lines=[])
    notifications.over(event)
    assert Notice.objects.filter(kind="event_over").count() == 16
    assert [body for _, body in texts("event_over").values()].count("Pair 1 won.") == 6
    assert len(recipients("event_over")) == 8


def test_an_event_that_goes_on_again_is_not_over(ended):
    notifications.over(ended(100, 300))
    Tournament.objects.update(status="running")
    assert recipients("event_over") == []


def test_news_that_wait_for_nothing_are_told_once(ended):
    notifications.over(ended(100, 300))
    notifications.moved_up(Entry.objects.first())
    notices.send_due(timezone.now())
    assert recipients("event_over") == recipients("event_moved_up") == []


def test_everything_of_an_event_lies_under_its_name_in_one_message(face, mailoutbox):
    match = face_to_face(face())
    Round.objects.update(deadline_at=timezone.now() + 48 * HOUR)
    notifications.match_ready(fresh(match))
    notifications.remind(fresh(match), 1)
    event = match.round.stage.tournament
    notifications.event_note(event, "Bring your scores.", None)
    assert set(Notice.objects.values_list("subject", flat=True)) == {f"event:{event.pk}"}
    notices.send_due(timezone.now())
    letters = [letter for letter in mailoutbox if letter.to == ["player1@example.org"]]
    assert [letter.subject for letter in letters] == ["3 things wait for you"]


def test_what_was_settled_before_the_message_went_out_is_left_out_of_it(face, mailoutbox):
    match = face_to_face(face())
    notifications.match_ready(fresh(match))
    notifications.event_note(match.round.stage.tournament, "Bring your scores.", None)
    Pairing.objects.filter(pk=match.pk).update(status="done")
    notices.send_due(timezone.now())
    letters = [letter for letter in mailoutbox if letter.to == ["player1@example.org"]]
    assert [letter.subject for letter in letters] == ["Harbour Cup: a message from the organisers"]
    listed_now = notices.listed_notices(User.objects.get(username="player1"))
    assert [notice.kind for notice in listed_now] == ["event_note"]
