"""The channels that places can have, which one a pasted address belongs to, and those whose addresses nobody pastes."""

from web.channels.discord import CHANNEL as DISCORD
from web.channels.email import CHANNEL as EMAIL
from web.channels.interface import Channel, Where
from web.channels.matrix import CHANNEL as MATRIX
from web.channels.ntfy import CHANNEL as NTFY
from web.channels.slack import CHANNEL as SLACK
from web.channels.telegram import CHANNEL as TELEGRAM
from web.channels.web_push import CHANNEL as WEB_PUSH
from web.channels.webhook import CHANNEL as WEBHOOK

LONGEST = 1000
CHANNELS: dict[str, Channel] = {}
"""What places can have, by name."""
SENT_BY_THE_SITE = {channel.name: channel for channel in (EMAIL, WEB_PUSH)}
"""Channels to people who agreed here, each for their own address or browser. No place can have them, and `recognise`
does not ask them: a pasted email address could be that of many people, none of whom could unsubscribe alone."""


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
