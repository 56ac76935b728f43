"""Seats and names when people change."""

from accounts.models import User
from accounts.signals import account_deleted, guest_adopted
from engine.play.rules import Rules
from gameplay.models import ChatMessage, Seat, Table
from gameplay.services import tables


def test_who_signs_up_keeps_what_the_guest_played(person):
    guest = person("You", is_guest=True)
    table = tables.make_practice(guest, Rules.preset("family"))
    Seat.objects.filter(table=table, number=0).update(note="remember the sevens")
    ChatMessage.objects.create(table=table, user=guest, seat=0, name="You", text="hello")
    eve = person("Eve")
    guest_adopted.send(sender=User, guest=guest, user=eve)
    guest.delete()
    seat = table.seats.get(number=0)
    table.refresh_from_db()
    assert (seat.user, seat.name, seat.note) == (eve, "Eve", "remember the sevens")
    assert table.creator == eve
    assert ChatMessage.objects.get().user == eve


def test_whose_account_is_gone_leaves_waiting_rooms_and_no_name(seated, four):
    waiting, running = seated(begun=False), seated()
    ChatMessage.objects.create(table=running, user=four[1], seat=1, name="Ben", text="good luck")
    account_deleted.send(sender=User, user=four[1])
    assert not waiting.seats.get(number=1).is_taken
    assert not Seat.objects.filter(name="Ben").exists()
    assert ChatMessage.objects.get().name == "former member"
    assert not any("Ben" in line.sentence for line in running.happenings.all())
    assert Table.objects.get(pk=running.pk).status == Table.Status.PLAYING
