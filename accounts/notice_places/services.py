"""Places of a person: added after a test, changed, paused and removed. Each may be sent twice, by its owner only."""

from collections.abc import Collection
from secrets import token_hex

from django.db import transaction
from django.utils.translation import gettext

from accounts.budgets import HEAVY, spend
from accounts.models import NoticePlace, User
from accounts.notice_places import addresses, topics
from accounts.notice_places.messages import test_message
from web.channels.interface import Channel, Failed, Where
from web.channels.known import CHANNELS, recognise
from web.channels.sealing import ending, is_same
from web.channels.troubles import sentence_of
from web.errors import NotAllowed, Refused

MOST = 3
"""Places of one person."""
Rest = NoticePlace.Rest


def add(by: User, *, typed: str, chosen: Collection[str]) -> tuple[NoticePlace, str]:
    """Send a test to an address that was pasted, and add it as a place for these topics. Raises `Refused` if it failed.

    Returns it with the secret by which a program checks what it gets, else "". An address that is one already is
    returned as it is, without a test and without its secret.
    """
    if by.is_guest or not by.is_active:
        raise NotAllowed("no_account", gettext("Sign in to add a channel."))
    names = _known(chosen)
    known = recognise(typed)
    if known is None:
        sentence = gettext("This is not an address that we know. Paste all of it, as described below.")
        raise Refused("no_channel", sentence, field="typed")
    channel, where = known
    if (place := _check_new(by, channel, where)) is not None:
        return place, ""
    spend(HEAVY, by)
    _send_test(by, channel, where, field="typed")
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)
        if (place := _check_new(by, channel, where)) is not None:
            return place, ""
        values = {"channel": channel.name, "ending": ending(where), "sealed": addresses.seal(where), "topics": names}
        return NoticePlace.objects.create(user=by, **values), where.get("secret", "")


def change(by: User, place_id: int, *, chosen: Collection[str]) -> NoticePlace:
    """Change what goes to a place. Raises `Refused`."""
    names = _known(chosen)
    with transaction.atomic():
        place = _locked(by, place_id)
        place.topics = names
        place.save(update_fields=["topics"])
    return place


def pause(by: User, place_id: int, *, rests: bool) -> NoticePlace:
    """Send nothing to a place for now, or send again what comes from then on. Raises `Refused`."""
    with transaction.atomic():
        place = _locked(by, place_id)
        if bool(place.rest) != rests:
            place.rest = Rest.HAND if rests else ""
            place.save(update_fields=["rest"])
            place.deliveries.exclude(due_at=None).exclude(status="sending").delete()
    return place


def remove(by: User, place_id: int) -> None:
    """Remove a place, its address and its messages at once."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)
        NoticePlace.objects.filter(user=by, pk=place_id).delete()


def test(by: User, place_id: int) -> NoticePlace:
    """Send a test to a place. Raises `Refused` with the trouble."""
    place = NoticePlace.objects.filter(user=by, pk=place_id).first()
    if place is None:
        raise Refused("no_place", gettext("Channel not found."))
    where = addresses.read(place)
    if where is None or place.channel not in CHANNELS:
        raise Refused("no_address", sentence_of("no_address"))
    spend(HEAVY, by)
    _send_test(by, CHANNELS[place.channel], where, field=f"test-{place.pk}")
    return place


def _known(chosen: Collection[str]) -> list[str]:
    if not chosen or set(chosen) - set(topics.TOPICS):
        raise Refused("no_topic", gettext("Choose what goes there."), field="topics")
    return topics.in_order(chosen)


def _send_test(by: User, channel: Channel, where: Where, *, field: str) -> None:
    try:
        channel.deliver(test_message(by, f"foothold-test-{token_hex(8)}"), where)
    except Failed as failed:
        sentence = f"{channel.title}: {sentence_of(failed.trouble)}"
        raise Refused("no_test", sentence, field=field, trouble=failed.trouble) from None


def _check_new(by: User, channel: Channel, where: Where) -> NoticePlace | None:
    """The place that this address is already. Raises `Refused` if another one is one too many."""
    others = list(NoticePlace.objects.filter(user=by))
    for place in others:
        if place.channel == channel.name and is_same(addresses.read(place), where):
            return place
    if len(others) >= MOST:
        sentence = gettext("You can have at most %(most)s channels. Remove one first.") % {"most": MOST}
        raise Refused("too_many", sentence, field="typed")
    return None


def _locked(by: User, place_id: int) -> NoticePlace:
    place = NoticePlace.objects.select_for_update().filter(user=by, pk=place_id).first()
    if place is None:
        raise Refused("no_place", gettext("Channel not found."))
    return place
