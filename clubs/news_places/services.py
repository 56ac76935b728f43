"""Acts about the places of a club: added after a test, changed, paused, removed; and messages sent again."""

from collections.abc import Collection
from functools import partial
from typing import Unpack

from django.db import transaction
from django.utils.translation import get_language, gettext

from accounts.budgets import HEAVY, spend
from accounts.models import User
from clubs import access
from clubs.models import Act, Club, NewsDelivery, NewsPlace
from clubs.news_places import addresses, topics
from clubs.news_places.kinds import KINDS, title_of
from clubs.news_places.messages import test_message
from clubs.services import lookups, naming
from clubs.services.history import ActionRequest, Never, Record, Rows, declare, history, perform, row_of
from clubs.signals import news_due
from web.channels.interface import Where
from web.channels.known import CHANNELS
from web.channels.places import read_address, send_test, test_key, with_new_secret
from web.channels.sealing import ending, is_same
from web.channels.troubles import sentence_of
from web.errors import Refused

LONGEST_NAME = 60
MOST = 12
"""Places of one club."""
Status = NewsDelivery.Status

ADD = declare("place_added", needs="news", undo=Rows())
CHANGE = declare("place_changed", needs="news", undo=Rows())
PAUSE = declare("place_paused", needs="news", undo=Rows())
REMOVE = declare("place_removed", needs="news", undo=Rows())
ADDRESS = declare("place_address", needs="news", undo=Never("The address of before is no longer stored."))
SECRET = declare("place_secret", needs="news", undo=Never("The secret of before is no longer stored."))
AGAIN = declare("place_again", needs="news", undo=Never("Messages that were sent stay sent."))


def places_of(club: Club) -> list[NewsPlace]:
    """The places of a club, paused ones too."""
    return list(NewsPlace.objects.filter(club=club, removed_at=None).select_related("club", "league", "event"))


def add(
    club_id: int,
    by: User,
    *,
    typed: str,
    name: str = "",
    kinds: Collection[str] = (),
    about: str = "",
    **how: Unpack[ActionRequest],
) -> tuple[Act, str]:
    """Send a test to an address that was pasted, and add it as a place, for the whole club or `about` one of its
    `topics`. Returns the secret by which a program checks what it gets, else "". Raises `Refused` with the trouble if
    the test failed; nothing is added then."""
    club = Club.objects.get(pk=club_id)
    access.check(by, club, "news")
    history.check_open(club, ADD)
    key = how.get("request_key")
    if key and (earlier := Act.objects.filter(club=club, request_key=key).first()):
        return earlier, ""
    title = naming.clean_text(name, LONGEST_NAME, gettext("The name"), field="name")
    topic = topics.read(club, about)
    channel, where = read_address(typed, field="typed")
    place = NewsPlace(club=club, channel=channel.name, language=get_language() or "en", **topic)
    _check_new(place, where, "typed")
    spend(HEAVY, by)
    send_test(channel, test_message(place, test_key()), where, field="typed")

    def do(record: Record) -> str:
        topics.read(record.club, about)
        _check_new(place, where, "typed")
        place.club, place.ending = record.club, ending(where)
        place.name = title or " ".join(filter(None, [channel.title, channel.public_name(where)]))[:LONGEST_NAME]
        place.since = _since({}, kinds, record)
        record.create(place)
        addresses.store(place, where)
        return gettext("News now goes to %(place)s.") % {"place": place}

    return perform(club_id, do, ADD, by=by, **how), where.get("secret", "")


def change(
    place_id: int,
    by: User,
    *,
    name: str,
    kinds: Collection[str],
    about: str | None = None,
    **how: Unpack[ActionRequest],
) -> Act:
    """Change what goes to a place, and its name; and what it is about, unless that is `None`."""

    def do(record: Record) -> str:
        place = _place(record, place_id)
        title = naming.clean_text(name, LONGEST_NAME, gettext("The name"), field="name")
        since = _since(place.since, kinds, record)
        topic = {} if about is None else topics.read(record.club, about, place)
        if not record.change(place, since=since, name=title or place.name, **topic):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        if topic:
            _check_new(place, addresses.read(place) or {}, "about")
        return gettext("Changed what goes to %(place)s.") % {"place": place}

    return perform(_club_of(place_id), do, CHANGE, by=by, **how)


def pause(place_id: int, by: User, *, rests: bool, **how: Unpack[ActionRequest]) -> Act:
    """Send nothing to a place for now, or send again: what is new from then on."""

    def do(record: Record) -> str:
        place = _place(record, place_id)
        rest = NewsPlace.Rest.HAND.value if rests else ""
        if bool(place.rest) == rests:
            raise Refused("nothing_new", gettext("This has already been done."))
        since = place.since if rests else _from_now(place, record)
        record.change(place, rest=rest, since=since)
        words = gettext("%(place)s is paused.") if rests else gettext("News goes to %(place)s again.")
        return words % {"place": place}

    return perform(_club_of(place_id), do, PAUSE, by=by, **how)


def change_address(place_id: int, by: User, *, typed: str, **how: Unpack[ActionRequest]) -> tuple[Act, str]:
    """Send a test to another address, and send news of a place there from now on. One that failed is resumed. Returns
    the secret of a webhook, else ""."""
    place = lookups.existing(NewsPlace.objects.filter(pk=place_id, removed_at=None).select_related("club").first())
    access.check(by, place.club, "news")
    history.check_open(place.club, ADDRESS)
    key = how.get("request_key")
    if key and (earlier := Act.objects.filter(club=place.club, request_key=key).first()):
        return earlier, ""
    channel, where = read_address(typed, field="address")
    place.channel = channel.name
    _check_new(place, where, "address")
    spend(HEAVY, by)
    send_test(channel, test_message(place, test_key()), where, field="address")

    def do(record: Record) -> str:
        locked = _place(record, place_id)
        values: dict[str, object] = {"channel": channel.name, "ending": ending(where)}
        if locked.rest == NewsPlace.Rest.FAILED:
            values |= {"rest": "", "since": _from_now(locked, record)}
        record.change(locked, **values)
        _check_new(locked, where, "address")
        addresses.store(locked, where)
        return gettext("Changed the address of %(place)s.") % {"place": locked}

    return perform(place.club_id, do, ADDRESS, by=by, **how), where.get("secret", "")


def renew_secret(place_id: int, by: User, **how: Unpack[ActionRequest]) -> tuple[Act, str]:
    """Give a webhook another secret, and return it; "" if the act was done before."""
    secrets: list[str] = []

    def do(record: Record) -> str:
        place = _place(record, place_id)
        where, secret = with_new_secret(addresses.read(place))
        secrets.append(secret)
        addresses.store(place, where)
        return gettext("Renewed the signing secret of %(place)s.") % {"place": place}

    act = perform(_club_of(place_id), do, SECRET, by=by, **how)
    return act, secrets[0] if secrets else ""


def remove(place_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a place; nothing goes there any more. Its address is deleted after a month, so that this can be undone."""

    def do(record: Record) -> str:
        place = _place(record, place_id)
        record.change(place, removed_at=record.now)
        return gettext("%(place)s was removed.") % {"place": place}

    return perform(_club_of(place_id), do, REMOVE, by=by, **how)


def send_again(delivery_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Send a message again, whether it came or not. Raises `Refused` while it waits, or its place is paused."""

    def do(record: Record) -> str:
        delivery = row_of(record, NewsDelivery, delivery_id, place__club=record.club)
        place = _place(record, delivery.place_id)
        if place.rest:
            raise Refused("paused", gettext("%(place)s is paused. Resume it first.") % {"place": place})
        done = NewsDelivery.objects.filter(pk=delivery.pk, due_at=None)
        edition = delivery.edition + (delivery.status != Status.FAILED)
        if not done.update(status=Status.WAITING, due_at=record.now, attempts=0, edition=edition, trouble=""):
            raise Refused("nothing_new", gettext("This message is still to be sent."))
        transaction.on_commit(partial(news_due.send, sender=NewsDelivery, place_id=place.pk), robust=True)
        values = {"kind": title_of(delivery.kind), "place": place}
        return gettext("Sent again to %(place)s: %(kind)s") % values

    club_id = NewsDelivery.objects.filter(pk=delivery_id).values_list("place__club_id", flat=True).first()
    return perform(int(lookups.existing(club_id)), do, AGAIN, by=by, **how)


def test(place: NewsPlace, by: User) -> str:
    """Send a test to a place. Raises `NotAllowed`, or `Refused` with the trouble."""
    access.check(by, place.club, "news")
    history.check_open(place.club, CHANGE)
    where = addresses.read(place)
    if where is None:
        raise Refused("no_address", sentence_of("no_address"))
    spend(HEAVY, by)
    send_test(CHANNELS[place.channel], test_message(place, test_key()), where, field="test")
    return gettext("A test was sent to %(place)s.") % {"place": place}


def _from_now(place: NewsPlace, record: Record) -> dict[str, str]:
    """The kinds of news of a place, from now on."""
    return dict.fromkeys(place.since, record.now.isoformat())


def _check_new(place: NewsPlace, where: Where, field: str) -> None:
    """Raise `Refused` if a place that is added or changed is one too many, or gets twice what another one gets."""
    others = [each for each in places_of(place.club) if each.pk != place.pk]
    if len(others) >= MOST:
        raise Refused("too_many", gettext("A club can have at most %(most)s places.") % {"most": MOST}, field=field)
    for other in others:
        if other.channel != place.channel or not topics.overlap(place, other):
            continue
        if is_same(addresses.read(other), where):
            sentence = gettext("News already goes there: %(place)s.")
            raise Refused("known", sentence % {"place": other}, field=field)


def _since(was: dict[str, str], kinds: Collection[str], record: Record) -> dict[str, str]:
    """When each of these kinds of news began to go there. Raises `Refused` for other kinds."""
    if unknown := set(kinds) - set(KINDS):
        raise Refused("no_kind", gettext("Choose what goes there."), field="kinds", kinds=sorted(unknown))
    return {kind: was.get(kind, record.now.isoformat()) for kind in KINDS if kind in kinds}


def _place(record: Record, place_id: int) -> NewsPlace:
    return row_of(record, NewsPlace, place_id, club=record.club, removed_at=None)


def _club_of(place_id: int) -> int:
    return lookups.club_of(NewsPlace, place_id)
