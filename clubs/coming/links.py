"""Links without an account: a person's own, which is signed and answers for them alone, and the group's."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from clubs.coming import occasions
from clubs.models import Meeting, MeetingGuest, Membership, Question
from web.errors import Refused
from web.sent_numbers import read_ids

ENDED = gettext_noop("This link has expired. Ask an organiser of the club for a new one.")
GUEST_ENDED = gettext_noop("This link has expired because the meeting is over.")
_OWN, _GUEST = "clubs.coming.own", "clubs.coming.guest"
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
    question_id, membership_id = _numbers(token)
    question = occasions.questions().filter(pk=question_id).first()
    if question is None:
        raise _ended()
    try:
        _signer(question).unsign(token)
    except BadSignature:
        raise _ended() from None
    membership = Membership.objects.filter(pk=membership_id).first()
    if membership is None or not occasions.can_answer(question, membership):
        raise _ended()
    return question, membership


def read_group(token: str) -> Question:
    """The question of a group's link. Raises `Refused` for an unknown one."""
    question = occasions.questions().filter(token=token[:LONGEST]).first()
    if question is None:
        raise _ended()
    return question


def guest_path(guest: MeetingGuest) -> str:
    """The link by which a guest of the public page can still say that they cannot come."""
    return reverse("clubs:meeting_guest", args=[Signer(salt=_GUEST).sign(f"{guest.meeting_id}-{guest.pk}")])


def read_guest(token: str) -> tuple[Meeting, int]:
    """The meeting and the guest (id), who may be gone. Raises `Refused` for forged links, and after the meeting."""
    meeting_id, guest_id = _numbers(token)
    try:
        Signer(salt=_GUEST).unsign(token)
    except BadSignature:
        raise _ended(GUEST_ENDED) from None
    meeting = Meeting.objects.select_related("club", "repeating", "event").filter(pk=meeting_id).first()
    if meeting is None or timezone.now() >= meeting.over_at:
        raise _ended(GUEST_ENDED)
    return meeting, guest_id


def _numbers(token: str) -> tuple[int, int]:
    """The two numbers before the signature. Raises `Refused` if there are none."""
    texts = token[:LONGEST].partition(":")[0].split("-")
    numbers = read_ids(texts, digits=18)
    if not len(numbers) == len(texts) == 2:
        raise _ended()
    return numbers[0], numbers[1]


def _signer(question: Question) -> Signer:
    return Signer(salt=f"{_OWN}:{question.token}")


def _ended(sentence: str = ENDED) -> Refused:
    return Ended("bad_link", gettext(sentence))
