"""What every channel is: how its address is read, and how a message is sent there."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise

log = logging.getLogger(__name__)

Where = Mapping[str, str]
"""The parts of an address, all of them secret."""


@dataclass(frozen=True)
class Message:
    """A message in words. `key` is the same whenever it is sent again; `kind` is for programs, such as `standings`."""

    key: str
    kind: str
    title: str
    text: str
    url: str = ""
    picture: str = ""
    """The address of a PNG that shows the same, for everyone to fetch."""


@dataclass(frozen=True)
class Channel:
    """A channel, declared once in its folder."""

    name: str
    """Stored with places; never changes."""
    title: str
    """What people call it."""
    help: str | Promise
    """What to paste, and where people find it; empty if nobody pastes its addresses."""
    read: Callable[[str], Where | None]
    """The address that was pasted, in parts; `None` if it is not one of this channel."""
    write: Callable[[Message], str]
    """The words as people there see them, within its limit."""
    send: Callable[[Message, Where], None]
    """Send a message. Raises `Failed`."""
    public_name: Callable[[Where], str] = lambda where: ""
    """What of an address is no secret: the name of a group."""
    knows_again: bool = False
    """Whether a message that is sent twice arrives once, because the other side knows its key."""

    def deliver(self, message: Message, where: Where) -> None:
        """Send a message, without its picture if the other side refuses it with one. Raises `Failed`, also for an error
        that nobody thought of."""
        try:
            self._send(message, where)
        except Failed:
            raise
        except Exception as error:
            # Without its words, which can have the address.
            log.error("Message %s could not be sent by %s: %s", message.key, self.name, type(error).__name__)
            raise Failed("broke_off") from None

    def _send(self, message: Message, where: Where) -> None:
        try:
            self.send(message, where)
        except Failed as failed:
            if failed.trouble != "refused" or not message.picture:
                raise
            self.send(replace(message, picture=""), where)


def read_nothing(typed: str) -> Where | None:
    """`read` of channels whose addresses nobody pastes."""
    return None


class Failed(Exception):
    """A message was not taken: one of `troubles.TROUBLES`, and the seconds after which the other side wants it again."""

    def __init__(self, trouble: str, *, after: float | None = None) -> None:
        super().__init__(trouble)
        self.trouble, self.after = trouble, after
