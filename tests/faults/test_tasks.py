"""Tasks that run twice, ten times at once, or too late leave the same as one call in time."""

from datetime import time as clock_time
from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.utils import timezone

from accounts.models import Erasure, Notice, NoticeDelivery, NoticePlace, User
from clubs.models import (
    Copy,
    Meeting,
    Membership,
    NewsChange,
    NewsDelivery,
    Newsletter,
    NewsPlace,
    Question,
    RepeatingMeeting,
    Reply,
    ReplyLetter,
)
from clubs.models import Invitation as ClubInvitation
from config.celery import app
from engine.play.rules import Rules
from gameplay.models import Heartbeat, Invitation, Move, SheetPhoto, Table
from gameplay.reviews.services import ask_review
from gameplay.services import clocks, invitations, pauses, quick_matches, tables
from tests.at_once import at_once
from tests.clubs import leagues
from tests.conftest import table_driver
from tests.makers import make_club, make_event, make_person
from tests.tournaments import driving
from tests.tournaments.test_at_once import with_result
from tests.turns import play_bots, play_turn
from tournaments.models import Letter, Pairing
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from web.link_pictures import store

app.loader.import_default_modules()

APPS = ("accounts", "gameplay", "tournaments", "clubs")
TIMES = (models.DateField, models.TimeField, models.DurationField)
OTHER_EACH_TIME = {
    "id",
    "rating_id",
    "game_id",
    "body",
    "round_id",
    "pairing_id",
    "meeting_id",
    "place_id",
    "question_id",
    "reply_id",
    "result_id",
    "token",
    "key",
    "changes",
}
"""Ids of rows that the task creates and their references, random values, and texts that name a time."""


def stored():
    """Every row of our apps, without times and new ids, every picture, and every email that was sent."""
    encoder, rows = DjangoJSONEncoder(sort_keys=True, default=str), []
    for model in (model for label in APPS for model in apps.get_app_config(label).get_models()):
        fields = [field.attname for field in model._meta.concrete_fields if not isinstance(field, TIMES)]
        compared = [name for name in fields if name not in OTHER_EACH_TIME]
        rows += [f"{model.__name__} {encoder.encode(fields)}" for fields in model.objects.values(*compared)]
    rows += [f"picture {path.name}" for path in settings.PICTURES_DIR.glob("*.png")]
    return sorted(rows + [f"letter {message.to} {message.subject}" for message in mail.outbox])


def ago(**time):
    return timezone.now() - timedelta(**time)


# What each task finds to do; the arguments it is called with


def practice_at_which_a_bot_is_to_act(seated):
    user = make_person("Eve")
    table = tables.make_practice(user, Rules.make("standard"))
    play_turn(table, user)
    Table.objects.update(bot_due_at=ago(seconds=10))
    return [table.pk]


def a_deadline_that_passed(seated):
    table = seated(allows_absences=False)
    Heartbeat.objects.create(name=clocks.HEARTBEAT, at=ago(minutes=1))
    Table.objects.filter(pk=table.pk).update(deadline_at=ago(seconds=30), clock_started_at=ago(hours=48))


def old_guests_practice_and_photos(seated):
    guest, eve = (User.objects.create(username=name, is_guest=name == "guest") for name in ("guest", "eve"))
    for user in (guest, eve):
        tables.make_practice(user, Rules.make("standard"))
    User.objects.update(date_joined=ago(days=31))
    Table.objects.update(created_at=ago(days=31), started_at=ago(days=31))
    SheetPhoto.objects.create(ref="match:999999", image=b"", width=1, height=1, digest="0" * 64)
    SheetPhoto.objects.update(added_at=ago(days=2))


def a_letter_to_send(seated):
    table = seated(begun=False)
    invitation = invitations.invite(table.pk, table.creator, "friend@example.net")
    Invitation.objects.update(letter_due_at=ago(seconds=10))
    return [invitation.pk]


def notices_to_send(seated):
    seated()
    Notice.objects.update(due_at=ago(minutes=5))


def a_message_for_a_place(seated):
    """To a place whose address cannot be read, because nothing is to be reached outside."""
    user = make_person("Ida")
    notice = Notice.objects.create(
        user=user, kind="friend", key="1", title="Ben", url="/", due_at=ago(days=1), settled_at=ago(days=1)
    )
    place = NoticePlace.objects.create(user=user, channel="webhook", ending="hook", sealed="x", topics=["account"])
    NoticeDelivery.objects.create(place=place, notices=[notice.pk], due_at=ago(seconds=10))
    return [place.pk]


def digests_to_send(seated):
    seated()
    Notice.objects.update(due_at=ago(minutes=5))
    east = (12 - timezone.now().hour) % 24
    noon = f"Etc/GMT-{east}" if east <= 12 else f"Etc/GMT+{24 - east}"  # its signs are the other way round
    User.objects.update(notice_digest=True, time_zone=noon)


def a_quick_match_whose_wait_is_over(seated):
    quick_matches.play_now(make_person("Eve"), ruleset="standard", pace="day", wait=timedelta(minutes=1))
    Table.objects.update(bots_join_at=ago(seconds=5))


def a_match_to_rate(seated):
    table = seated(is_rated=True)
    result = {"totals": [9000, 7000], "winners": [0], "reason": "played"}
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER, result=result, ended_at=timezone.now())
    return [table.pk]


def a_round_whose_results_are_in(seated):
    event = make_event(make_person("Olga"), standard("swiss", rounds=2), entries=4, started=True)
    for pairing in driving.open_pairings(event):
        with_result(pairing, event.created_by)
    return [event.pk]


def an_online_match_that_is_over(seated):
    event = make_event(make_person("Olga"), standard("round_robin"), entries=2, started=True)
    table = seated()
    result = {"totals": [9000, 7000], "winners": [0], "reason": "played"}
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER, result=result, ended_at=timezone.now())
    Pairing.objects.filter(round__stage__tournament=event).update(table=table, is_online=True)
    return [table.pk]


def a_partner_to_ask(seated):
    olga = make_person("Olga")
    event = make_event(olga, standard("round_robin"), entries=2, started=True)
    type(event).objects.filter(pk=event.pk).update(status="open", entry_kind="partnership", side_size=2)
    enrolment.enter(event.pk, olga, partners=["friend@example.net"])
    Letter.objects.update(due_at=ago(seconds=10))
    return [Letter.objects.get().pk]


def a_club():
    return make_club("Harbour")


def somebody_to_ask_into_a_club(seated):
    letter = ClubInvitation.objects.create(club=a_club(), email="friend@example.net", due_at=ago(seconds=10))
    return [letter.pk]


def a_newsletter_to_send(seated):
    club = a_club()
    reader = Membership.objects.create(club=club, name="Ida", email="ida@example.org", wants_letters=True)
    letter = Newsletter.objects.create(club=club, subject="Matchday 5", body="All is well.", status="sending")
    Copy.objects.create(newsletter=letter, membership=reader, due_at=ago(seconds=10))
    return [letter.pk]


def a_matchday_to_write_about(seated):
    owner = make_person("Olga")
    season = leagues.make_season(make_club(owner=owner), owner, (2,), starts_on=timezone.localdate())
    leagues.play_out(leagues.draw(season, owner, now=timezone.now()), owner)
    Pairing.objects.update(done_at=ago(minutes=10))


def a_meeting_to_add(seated):
    day = timezone.localdate() + timedelta(days=3)
    club = a_club()
    Membership.objects.create(club=club, name="Ida", email="ida@example.org")
    RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=day.weekday(), starts_at=clock_time(19), first_day=day, ask_days=6
    )


def a_question_to_send(seated):
    club = a_club()
    reader = Membership.objects.create(club=club, name="Ida", email="ida@example.org")
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=timezone.now() + timedelta(days=3))
    question = Question.objects.create(club=club, meeting=meeting)
    reply = Reply.objects.create(question=question, membership=reader)
    ReplyLetter.objects.create(reply=reply, kind="ask", due_at=ago(seconds=10))
    return [question.pk]


def news_to_send(seated):
    """To a place whose address is gone, because nothing is to be reached outside."""
    club = a_club()
    place = NewsPlace.objects.create(club=club, channel="webhook", name="Hall", ending="hook", language="en")
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=timezone.now() + timedelta(days=3))
    NewsDelivery.objects.create(place=place, kind="evening", key="1", meeting=meeting, due_at=ago(seconds=10))
    return [place.pk]


def news_to_write(seated):
    """About an event whose club has a place for it; a mark is older than the news."""
    club, olga = a_club(), make_person("Olga")
    since = {"drawn": ago(days=1).isoformat()}
    NewsPlace.objects.create(club=club, channel="webhook", name="Hall", ending="hook", language="en", since=since)
    event = make_event(olga, standard("round_robin"), entries=2, circle=club.circle, started=True)
    NewsChange.objects.update(changed_at=ago(seconds=10))
    return [event.pk]


def a_deal_to_review(seated):
    table = table_driver().until(seated(), lambda table: table.is_between_deals)
    table.moves.update(by=Move.By.BOT)  # only acts of people are weighed, which takes longer
    return [ask_review(table.pk, table.creator, deal=1).pk]


def somebody_who_is_not_forgotten_yet(seated):
    user = seated().seats.get(number=1).user
    Erasure.objects.create(user=user, name=str(user), addresses=[user.email], due_at=ago(minutes=1))


WORK = {
    "accounts.tasks.clear_old": old_guests_practice_and_photos,
    "accounts.tasks.sweep_digests": digests_to_send,
    "accounts.tasks.sweep_erasures": somebody_who_is_not_forgotten_yet,
    "accounts.tasks.sweep_notices": notices_to_send,
    "accounts.tasks.send_to_place": a_message_for_a_place,
    "accounts.tasks.sweep_places": a_message_for_a_place,
    "clubs.tasks.send_invitation": somebody_to_ask_into_a_club,
    "clubs.tasks.send_newsletter": a_newsletter_to_send,
    "clubs.tasks.sweep_invitations": somebody_to_ask_into_a_club,
    "clubs.tasks.sweep_newsletters": a_newsletter_to_send,
    "clubs.tasks.sweep_matchday_drafts": a_matchday_to_write_about,
    "clubs.tasks.send_reply_letters": a_question_to_send,
    "clubs.tasks.sweep_reply_letters": a_question_to_send,
    "clubs.tasks.sweep_meetings": a_meeting_to_add,
    "clubs.tasks.follow_event": news_to_write,
    "clubs.tasks.send_news": news_to_send,
    "clubs.tasks.sweep_news": news_to_send,
    "gameplay.tasks.play_bots": practice_at_which_a_bot_is_to_act,
    "gameplay.tasks.work_on_reviews": a_deal_to_review,
    "gameplay.tasks.sweep_reviews": a_deal_to_review,
    "gameplay.tasks.send_invitation": a_letter_to_send,
    "gameplay.tasks.sweep_bots": practice_at_which_a_bot_is_to_act,
    "gameplay.tasks.sweep_deadlines": a_deadline_that_passed,
    "gameplay.tasks.sweep_letters": a_letter_to_send,
    "gameplay.tasks.sweep_quick_matches": a_quick_match_whose_wait_is_over,
    "tournaments.tasks.advance": a_round_whose_results_are_in,
    "tournaments.tasks.draw_pictures": a_round_whose_results_are_in,
    "tournaments.tasks.rate": a_match_to_rate,
    "tournaments.tasks.rate_tournament": a_round_whose_results_are_in,
    "tournaments.tasks.send_letter": a_partner_to_ask,
    "tournaments.tasks.sweep": an_online_match_that_is_over,
    "tournaments.tasks.sweep_letters": a_partner_to_ask,
    "tournaments.tasks.take_result": an_online_match_that_is_over,
    "tournaments.tasks.sweep_ratings": a_match_to_rate,
}


def test_every_task_is_in_these_tests():
    assert {name for name in app.tasks if not name.startswith("celery.")} == set(WORK)
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(WORK)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", WORK)
def test_a_task_called_twice_or_ten_times_at_once_does_what_it_does_once(name, seated):
    store.delete_all()
    arguments, task = WORK[name](seated) or [], app.tasks[name]
    if "sweep" in name:
        arguments = []
    start, before = connection.creation.serialize_db_to_string(), stored()
    task(*arguments)
    once = stored()
    assert once != before
    for times in (2, 10):
        begin_again(start)
        assert stored() == before
        assert at_once(*[partial(task, *arguments)] * times) == [None] * times
        assert stored() == once


def begin_again(start):
    """Put every row back as it was, under its own id."""
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False, inhibit_post_migrate=True)
    connection.creation.deserialize_db_from_string(start)
    mail.outbox.clear()
    store.delete_all()


# Tasks that come when the time for them is past


@pytest.fixture
def too_late():
    """Calls a task, and fails if it changed anything."""

    def call(name, *arguments):
        before = stored()
        app.tasks[name](*arguments)
        assert stored() == before

    return call


@pytest.mark.django_db
def test_bots_woken_for_a_turn_that_was_played_meanwhile_leave_the_table_alone(seated, too_late):
    (pk,) = practice_at_which_a_bot_is_to_act(seated)
    play_bots(pk)
    too_late("gameplay.tasks.play_bots", pk)
    table = Table.objects.get(pk=pk)
    play_turn(table, table.creator)
    pauses.propose_pause(pk, table.creator)
    too_late("gameplay.tasks.play_bots", pk)
    too_late("gameplay.tasks.sweep_bots")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change", [{"status": Table.Status.PLAYING}, {"status": Table.Status.ABANDONED}, {"is_rated": False}]
)
def test_a_match_that_is_not_over_or_counts_no_more_is_not_rated(seated, too_late, change):
    (pk,) = a_match_to_rate(seated)
    Table.objects.update(**change)
    too_late("tournaments.tasks.rate", pk)
    too_late("tournaments.tasks.sweep_ratings")


@pytest.mark.django_db
def test_a_letter_is_not_sent_that_was_sent_or_taken_back(seated, too_late):
    (pk,) = a_letter_to_send(seated)
    app.tasks["gameplay.tasks.send_invitation"](pk)
    assert len(mail.outbox) == 1
    too_late("gameplay.tasks.send_invitation", pk)
    Invitation.objects.update(letter_due_at=ago(seconds=10), revoked_at=ago(seconds=5))
    too_late("gameplay.tasks.send_invitation", pk)
    too_late("gameplay.tasks.sweep_letters")


@pytest.mark.django_db
def test_nobody_is_invited_by_letter_to_a_match_that_began_meanwhile(seated, too_late):
    (pk,) = a_letter_to_send(seated)
    table = Table.objects.get()
    tables.start(table.pk, table.creator)
    too_late("gameplay.tasks.send_invitation", pk)
    too_late("gameplay.tasks.sweep_letters")


@pytest.mark.django_db
def test_a_letter_that_fails_stops_no_other(seated, monkeypatch):
    (pk,), write = a_letter_to_send(seated), invitations._letter
    table = Table.objects.get()
    other = invitations.invite(table.pk, table.creator, "second@example.net")
    Invitation.objects.filter(pk=other.pk).update(letter_due_at=ago(seconds=5))

    def fail_for_the_first(invitation):
        if invitation.pk == pk:
            raise OSError
        return write(invitation)

    monkeypatch.setattr(invitations, "_letter", fail_for_the_first)
    app.tasks["gameplay.tasks.sweep_letters"]()
    assert [message.to for message in mail.outbox] == [["second@example.net"]]


@pytest.mark.django_db
def test_a_deadline_that_moved_on_is_not_enforced(seated, too_late):
    a_deadline_that_passed(seated)
    clocks.sweep()
    too_late("gameplay.tasks.sweep_deadlines")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["gameplay.tasks.play_bots", "gameplay.tasks.send_invitation", "tournaments.tasks.rate"]
)
def test_a_task_for_what_is_gone_does_nothing(name, too_late):
    too_late(name, 12345)
