"""What the places of people and of clubs share: an address is recognised, tried and shown alike."""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext

from web.channels import webhook
from web.channels.interface import Channel, Failed, Message, Where
from web.channels.known import recognise
from web.channels.troubles import sentence_of
from web.errors import Refused


def read_address(typed: str, *, field: str) -> tuple[Channel, Where]:
    """The channel of a pasted address, and its parts. Raises `Refused`."""
    known = recognise(typed)
    if known is None:
        sentence = gettext("This is not an address that we know. Paste all of it, as described below.")
        raise Refused("no_channel", sentence, field=field)
    return known


def test_key() -> str:
    """A key for one test message."""
    return f"foothold-test-{token_hex(8)}"


def send_test(channel: Channel, message: Message, where: Where, *, field: str) -> None:
    """Send a test. Raises `Refused` with the trouble."""
    try:
        channel.deliver(message, where)
    except Failed as failed:
        sentence = f"{channel.title}: {sentence_of(failed.trouble)}"
        raise Refused("no_test", sentence, field=field, trouble=failed.trouble) from None


def with_new_secret(where: Where | None) -> tuple[Where, str]:
    """An address with another signing secret, and the secret. Raises `Refused` if it is not that of a webhook."""
    if where is None or "secret" not in where:
        raise Refused("no_secret", gettext("Only webhooks have a signing secret."))
    secret = webhook.new_secret()
    return {**where, "secret": secret}, secret


def has_secret(place: Any) -> bool:
    """Whether messages to a place are signed."""
    return bool(place.channel == webhook.CHANNEL.name)


def last_messages(deliveries: QuerySet[Any]) -> Mapping[int, Any]:
    """The last of these messages that was sent or failed, for each place."""
    done = deliveries.exclude(status__in=("waiting", "sending"))
    newest = done.order_by().values("place").annotate(newest=Max("pk")).values("newest")
    return {row.place_id: row for row in deliveries.filter(pk__in=newest)}


def state_of(place: Any, last: Any | None) -> str:
    """`paused`, `failed`, `bad`, `ok`, or empty before the first message, of which `last` is the last one."""
    if place.rest:
        return "failed" if place.rest == "failed" else "paused"
    if last is None:
        return ""
    return "ok" if last.status == "sent" else "bad"
