"""WhatsApp and Signal: they let only people post, so people get the text and a link that opens it there."""

from web.channels.interface import Message
from web.channels.posting import in_limit
from web.share_links import whatsapp

LIMIT = 4000


def write(message: Message) -> str:
    """The words to share."""
    return in_limit(message, LIMIT)


def link(message: Message) -> str:
    """The link that opens WhatsApp with them; people choose the group there."""
    return whatsapp(write(message))
