"""Links without an account: a person's own, which is signed and answers for them alone, and the group's."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from clubs.coming import occasions
from clubs.models import Membership, Question
from web.errors import Refused

ENDED = gettext_noop("This link has expired. Ask an organiser of the club for a new one.")
_OWN = "clubs.coming.own"
LONGEST = 200


class Ended(Refused):
    """A link that leads nowhere: forged, renewed, or of somebody who left."""

    status = 404


def own_token(question: Question, membership_id: int) -> str:
    """The token of a person's own link."""
    return _signer(question).sign(f"{question.pk}-{membership_id}")


def own_path(question: Question, membership_id: int) -> str:
    return reverse("clubs:coming", args=[own_token(question, membership_id)])


def group_path(question: Question) -> str:
    return reverse("clubs:coming_group", args=[question.token])


def full(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def read_own(token: str) -> tuple[Question, Membership]:
    """The question and the person of an own link. Raises `Refused` for forged links and those that ended."""
    numbers = token[:LONGEST].partition(":")[0].split("-")
    if len(numbers) != 2 or not all(text.isascii() and text.isdecimal() and len(text) < 19 for text in numbers):
        raise _ended()
    question = occasions.questions().filter(pk=int(numbers[0])).first()
    if question is None:
        raise _ended()
    try:
        _signer(question).unsign(token)
    except BadSignature:
        raise _ended() from None
    membership = Membership.objects.filter(pk=int(numbers[1])).first()
    if membership is None or not occasions.can_answer(question, membership):
        raise _ended()
    return question, membership


def read_group(token: str) -> Question:
    """The question of a group's link. Raises `Refused` for an unknown one."""
    question = occasions.questions().filter(token=token[:LONGEST]).first()
    if question is None:
        raise _ended()
    return question


def _signer(question: Question) -> Signer:
    return Signer(salt=f"{_OWN}:{question.token}")


def _ended() -> Refused:
    return Ended("bad_link", gettext(ENDED))
