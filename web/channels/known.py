"""The channels that places can have, and which one a pasted address belongs to."""

from web.channels.discord import CHANNEL as DISCORD
from web.channels.interface import Channel, Where
from web.channels.matrix import CHANNEL as MATRIX
from web.channels.ntfy import CHANNEL as NTFY
from web.channels.slack import CHANNEL as SLACK
from web.channels.telegram import CHANNEL as TELEGRAM
from web.channels.webhook import CHANNEL as WEBHOOK

LONGEST = 1000
CHANNELS: dict[str, Channel] = {}


def register(*channels: Channel) -> None:
    """Add channels; they are asked in this order, webhooks last because they take every address."""
    last = CHANNELS.pop(WEBHOOK.name, None)
    CHANNELS.update({channel.name: channel for channel in channels})
    if last is not None:
        CHANNELS[WEBHOOK.name] = last


def recognise(typed: str) -> tuple[Channel, Where] | None:
    """The channel of a pasted address, and its parts; `None` if it is of none."""
    text = typed.strip()
    for channel in CHANNELS.values():
        where = channel.read(text) if len(text) <= LONGEST else None
        if where is not None:
            return channel, where
    return None


register(DISCORD, SLACK, TELEGRAM, NTFY, MATRIX, WEBHOOK)
