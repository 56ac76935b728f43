"""Places of a person: added after a test, named, changed, paused and removed, all by their owner only."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext

from accounts.budgets import HEAVY, spend
from accounts.display_names import clean_name
from accounts.models import NoticePlace, User
from accounts.notice_places import addresses, topics
from accounts.notice_places.messages import test_message
from web.channels.interface import Channel, Where
from web.channels.known import CHANNELS
from web.channels.places import read_address, send_test, test_key, with_new_secret
from web.channels.sealing import ending, is_same
from web.channels.troubles import sentence_of
from web.errors import NotAllowed, Refused

MOST = 3
"""Places of one person."""
LONGEST_NAME = 60
Rest = NoticePlace.Rest


class NoPlace(Refused):
    """A person has no such place."""

    status = 404


def add(by: User, *, typed: str, chosen: Collection[str], name: str = "") -> tuple[NoticePlace, str]:
    """Send a test to an address that was pasted, and add it as a place for these topics. Raises `Refused` if it failed.

    Returns it with the secret by which a program checks what it gets, else "". An address that is one already is
    returned as it is, without a test and without its secret.
    """
    if by.is_guest or not by.is_active:
        raise NotAllowed("no_account", gettext("Sign in to add a channel."))
    values = {"topics": _known(chosen), "name": _clean(name)}
    channel, where = read_address(typed, field="typed")
    if (place := _check_new(by, channel, where)) is not None:
        return place, ""
    spend(HEAVY, by)
    send_test(channel, test_message(by, test_key()), where, field="typed")
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)
        if (place := _check_new(by, channel, where)) is not None:
            return place, ""
        values |= {"channel": channel.name, "ending": ending(where), "sealed": addresses.seal(where)}
        return NoticePlace.objects.create(user=by, **values), where.get("secret", "")


def change(by: User, place_id: int, *, chosen: Collection[str] | None = None, name: str | None = None) -> NoticePlace:
    """Change what goes to a place, and its name; `None` leaves it. Raises `Refused`."""
    values: dict[str, object] = {}
    if chosen is not None:
        values["topics"] = _known(chosen)
    if name is not None:
        values["name"] = _clean(name)
    with transaction.atomic():
        return _save(_locked(by, place_id), **values)


def renew_secret(by: User, place_id: int) -> tuple[NoticePlace, str]:
    """Give a webhook another secret, and return it. Raises `Refused`."""
    with transaction.atomic():
        place = _locked(by, place_id)
        where, secret = with_new_secret(addresses.read(place))
        return _save(place, sealed=addresses.seal(where)), secret


def pause(by: User, place_id: int, *, rests: bool) -> NoticePlace:
    """Send nothing to a place for now, or send again what comes from then on. Raises `Refused`."""
    with transaction.atomic():
        place = _locked(by, place_id)
        if bool(place.rest) != rests:
            _save(place, rest=Rest.HAND if rests else "")
            place.deliveries.exclude(due_at=None).exclude(status="sending").delete()
    return place


def remove(by: User, place_id: int) -> None:
    """Remove a place, its address and its messages at once."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)
        NoticePlace.objects.filter(user=by, pk=place_id).delete()


def test(by: User, place_id: int) -> NoticePlace:
    """Send a test to a place. Raises `Refused` with the trouble."""
    place = _existing(NoticePlace.objects.filter(user=by, pk=place_id).first())
    where = addresses.read(place)
    if where is None or place.channel not in CHANNELS:
        raise Refused("no_address", sentence_of("no_address"))
    spend(HEAVY, by)
    send_test(CHANNELS[place.channel], test_message(by, test_key()), where, field="test")
    return place


def _clean(name: str) -> str:
    return clean_name(name, LONGEST_NAME, field="name") if name.strip() else ""


def _save(place: NoticePlace, **values: object) -> NoticePlace:
    for name, value in values.items():
        setattr(place, name, value)
    place.save(update_fields=[*values])
    return place


def _known(chosen: Collection[str]) -> list[str]:
    if not chosen or set(chosen) - set(topics.TOPICS):
        raise Refused("no_topic", gettext("Choose what goes there."), field="topics")
    return topics.in_order(chosen)


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
    return _existing(NoticePlace.objects.select_for_update().filter(user=by, pk=place_id).first())


def _existing(place: NoticePlace | None) -> NoticePlace:
    if place is None:
        raise NoPlace("no_place", gettext("Channel not found."))
    return place
