"""Possible troubles of a site. Each function makes one thing, and gives the section that finds it, the button for
it, and the subject of the button.
"""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Erasure, Notice, User
from clubs.models import Club, Copy, Membership, Newsletter
from clubs.models import Invitation as ClubInvitation
from engine.play.rules import Rules
from gameplay.models import Table
from gameplay.services import bots, invitations, tables
from tests.makers import make_club, make_event, make_person
from tests.turns import play_turn
from tournaments.models import Letter, Pairing, RatingPool, Tournament
from tournaments.plan import standard
from tournaments.services.entries import enrolment


def ago(**time):
    return timezone.now() - timedelta(**time)


def somebody(name):
    return User.objects.filter(display_name=name).first() or make_person(name)


def a_club(name):
    return make_club(name, slug=f"{name.lower()}-{Club.objects.count()}")


def a_deadline_that_passed(seated):
    table = seated(allows_absences=False)
    Table.objects.filter(pk=table.pk).update(deadline_at=ago(minutes=30), clock_started_at=ago(hours=49))
    return "tables", "deadline", table.pk


def a_bot_that_does_not_move(seated):
    eve = somebody("Eve")
    table = tables.make_practice(eve, Rules.make("standard"))
    play_turn(table, eve)
    # The last of three, so that it is Eve's turn again afterwards.
    for _ in range(2):
        bots.play_turn(table.pk)
    Table.objects.filter(pk=table.pk).update(bot_due_at=ago(minutes=6))
    return "tables", "bot", table.pk


def a_deal_that_nobody_begins(seated):
    table = seated("family", options={"length": {"deals": 2}})
    while not table.is_between_deals:
        seat = table.seats.select_related("user").get(number=table.seat_to_act)
        play_turn(table, seat.user)
        table.refresh_from_db()
    Table.objects.filter(pk=table.pk).update(deadline_at=None)
    return "tables", "deal", table.pk


def an_event_that_nobody_looks_at(seated):
    event = make_event(somebody("Una"), standard("swiss", rounds=2), entries=4, started=True)
    Tournament.objects.filter(pk=event.pk).update(look_at=ago(minutes=5))
    return "events", "advance", event.pk


def a_match_whose_result_nobody_took(seated):
    event = make_event(somebody("Una"), standard("round_robin"), entries=2, started=True)
    table = seated()
    result = {"totals": [9000, 7000], "winners": [0], "reason": "played"}
    Table.objects.filter(pk=table.pk).update(status="over", result=result, ended_at=ago(minutes=5), deadline_at=None)
    Pairing.objects.filter(round__stage__tournament=event).update(table=table, is_online=True)
    return "events", "advance", event.pk


def ratings_that_wait(seated):
    name = ("standard", "family", "bain")[RatingPool.objects.count()]
    RatingPool.objects.create(name=name, dirty_since=ago(days=9), marked_at=ago(minutes=16))
    return "ratings", "rate", name


def a_letter_to_a_table(seated):
    table = seated(begun=False)
    letter = invitations.invite(table.pk, table.creator, "friend@example.net")
    type(letter).objects.update(letter_due_at=ago(minutes=5), created_at=ago(minutes=20))
    return "letters", "letter", f"table:{letter.pk}"


def a_letter_to_an_event(seated):
    una = somebody("Una")
    event = make_event(una, standard("round_robin"), entries=2, started=True)
    Tournament.objects.filter(pk=event.pk).update(status="open", entry_kind="partnership", side_size=2)
    enrolment.enter(event.pk, una, partners=["friend@example.net"])
    letter = Letter.objects.latest("pk")
    Letter.objects.update(created_at=ago(minutes=20), due_at=ago(minutes=5))
    return "letters", "letter", f"event:{letter.pk}"


def a_letter_to_a_club(seated):
    club = a_club("Harbour")
    letter = ClubInvitation.objects.create(club=club, email="friend@example.net", due_at=ago(minutes=5))
    ClubInvitation.objects.update(created_at=ago(minutes=20))
    return "letters", "letter", f"club:{letter.pk}"


def a_copy_of_a_newsletter(seated):
    club = a_club("Quay")
    reader = Membership.objects.create(club=club, name="Ida", email="ida@example.org", wants_letters=True)
    letter = Newsletter.objects.create(club=club, subject="Matchday 5", body="All is well.", status="sending")
    copy = Copy.objects.create(newsletter=letter, membership=reader, due_at=ago(minutes=5))
    Copy.objects.update(created_at=ago(minutes=20))
    return "letters", "letter", f"newsletter:{copy.pk}"


def failed_notice(user, trouble=Notice.Trouble.REFUSED):
    then = ago(hours=1)
    return Notice.objects.create(
        user=user, kind="news", key=f"news:{Notice.objects.count()}", title="Harbour Four: your turn", url="/play/", due_at=then, settled_at=then,
        was_sent=True, attempts=2, trouble=trouble,
    )  # fmt: skip


def a_notice_that_was_refused(seated):
    user = somebody("Ida")
    return "notices", "again", failed_notice(user).pk


def a_notice_that_came_back(seated):
    user = somebody("Kim")
    return "notices", "stop_mail", failed_notice(user, trouble=Notice.Trouble.BOUNCED).pk


def somebody_who_is_not_forgotten(seated):
    user = seated().seats.get(number=1).user
    erasure = Erasure.objects.create(user=user, name="Benjamin", addresses=["ben@example.org"], due_at=timezone.now())
    Erasure.objects.update(asked_at=ago(minutes=20), due_at=timezone.now() + timedelta(minutes=4))
    return "erasures", "erase", erasure.pk


ALL = (
    a_deadline_that_passed,
    a_bot_that_does_not_move,
    a_deal_that_nobody_begins,
    an_event_that_nobody_looks_at,
    a_match_whose_result_nobody_took,
    ratings_that_wait,
    a_letter_to_a_table,
    a_letter_to_an_event,
    a_letter_to_a_club,
    a_copy_of_a_newsletter,
    a_notice_that_was_refused,
    a_notice_that_came_back,
    somebody_who_is_not_forgotten,
)
