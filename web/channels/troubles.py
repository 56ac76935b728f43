"""Why a message was not taken, in words, and if it can be sent again."""

from dataclasses import dataclass
from enum import Enum

from django.utils.translation import gettext, gettext_noop


class Then(Enum):
    """What follows."""

    AGAIN = "again"
    """It was surely not taken, and may be later."""
    ASK = "ask"
    """Nobody knows if it was taken: people decide if it is sent again."""
    END = "end"
    """It will never be taken at this address."""


@dataclass(frozen=True)
class Trouble:
    """A trouble: what follows, and a sentence."""

    then: Then
    sentence: str


TROUBLES = {
    "not_reached": Trouble(
        Then.AGAIN, gettext_noop("It cannot be reached. Check the address, or try again in a few minutes.")
    ),
    "no_answer": Trouble(Then.ASK, gettext_noop("It did not answer in time. Look there to see if the message came.")),
    "error": Trouble(Then.AGAIN, gettext_noop("Something went wrong here. We try again.")),
    "broke_off": Trouble(Then.ASK, gettext_noop("Sending it broke off. Look there to see if the message came.")),
    "busy": Trouble(Then.AGAIN, gettext_noop("It takes no more messages at the moment. Try again in a few minutes.")),
    "server_error": Trouble(Then.AGAIN, gettext_noop("It reports an error of its own. Try again in a few minutes.")),
    "gone": Trouble(Then.END, gettext_noop("It does not know this address. Create a new one there and paste that.")),
    "no_address": Trouble(Then.END, gettext_noop("Its address is no longer stored. Remove it and add it again.")),
    "redirect": Trouble(Then.END, gettext_noop("This address leads to another one. Paste the one it leads to.")),
    "refused": Trouble(Then.END, gettext_noop("It did not accept the message. Check that you pasted everything.")),
}


def sentence_of(trouble: str) -> str:
    """A trouble in words, in the language that is active; empty for one that is not known."""
    return gettext(TROUBLES[trouble].sentence) if trouble in TROUBLES else ""


def follows(trouble: str) -> Then:
    """What follows a trouble."""
    return TROUBLES[trouble].then
