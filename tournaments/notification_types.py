"""Types of event notifications, and whether each is still wanted when sent. Registered when the app is ready.

Organisers’ messages always are. News that wait for nothing are sent once, also to people with a daily digest.
"""

from collections.abc import Callable

from django.utils import timezone

from accounts.models import Notice, User
from accounts.notice_places.topics import MATCHES
from accounts.services import notices
from gameplay.models import Table
from tournaments import seating
from tournaments.models import Answer, Entry, Member, Pairing, Result, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.notifications import is_waited_for
from tournaments.stage_state import moment_of

UNPLAYED = (Pairing.Status.READY, Pairing.Status.PLAYING)


def is_to_begin(notice: Notice) -> bool:
    """Whether it is still the same match, its player has not been at the table, and nothing was played or reported."""
    _, pk, table_id, entries = notice.key.split(":")
    pairing = _pairing(pk)
    if pairing is None or pairing.status not in UNPLAYED or str(pairing.table_id or 0) != table_id:
        return False
    places = seating.places_of(pairing)
    if "-".join(str(place.entry_id) for place in places) != entries:
        return False
    if notice.user_id not in seating.players_of(pairing, places):
        return False
    if pairing.table is None:
        return pairing.begun_at is None
    return not pairing.table.seats.filter(user=notice.user_id, looked_at__isnull=False).exists()


def is_late(notice: Notice) -> bool:
    """Whether a match still waits for this player, and its deadline is the one that the notice speaks of."""
    _, pk, _, until = notice.key.split(":")
    pairing = _pairing(pk)
    if pairing is None or pairing.status not in UNPLAYED:
        return False
    deadline = moment_of(pairing)
    if deadline is None or f"{deadline:%Y%m%d%H%M}" != until or deadline <= timezone.now():
        return False
    user = User.objects.get(pk=notice.user_id)
    return user.pk in seating.players_of(pairing, seating.places_of(pairing)) and is_waited_for(pairing, user)


def is_unanswered(notice: Notice) -> bool:
    """Whether a result that was entered still waits, and nobody of the reader's entry has answered."""
    result = Result.objects.filter(pk=_number(notice), status=Result.Status.REPORTED).first()
    if result is None:
        return False
    answers = Answer.objects.filter(result=result, entry__members__user=notice.user_id, entry__members__left_at=None)
    return not answers.exists()


def is_disputed(notice: Notice) -> bool:
    """Whether the match of a disputed result still waits for a decision."""
    return Result.objects.filter(pk=_number(notice), pairing__status=Pairing.Status.DISPUTED).exists()


def is_face_to_face(notice: Notice) -> bool:
    """Whether a match that could not be played online is still to be played otherwise."""
    return Pairing.objects.filter(pk=_number(notice), is_online=False, status__in=UNPLAYED).exists()


def is_running(notice: Notice) -> bool:
    """Whether the table at which someone could not take a seat is still being played."""
    return Pairing.objects.filter(pk=_number(notice), table__status=Table.Status.PLAYING).exists()


def awaits_go(notice: Notice) -> bool:
    """Whether a round still waits for an organiser."""
    _, pk, number = notice.key.split(":")
    stage = _running(pk)
    return stage is not None and stage.go_round < int(number) and Plan.read(stage.plan_json).waits_for_go


def is_in_trouble(notice: Notice) -> bool:
    """Whether a stage still cannot continue."""
    stage = Stage.objects.filter(pk=_number(notice)).first()
    return stage is not None and bool(stage.trouble)


def is_in(notice: Notice) -> bool:
    """Whether an entry still takes part. It is notified once."""
    return not notice.was_sent and Entry.objects.filter(pk=_number(notice), status=Entry.Status.ENTERED).exists()


def is_invited(notice: Notice) -> bool:
    """Whether an invitation still waits for an answer."""
    waits = Member.objects.filter(pk=_number(notice), user=notice.user_id, answer=Member.Answer.INVITED, left_at=None)
    return waits.exclude(entry__status__in=(Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)).exists()


def is_last_word(notice: Notice) -> bool:
    """Whether an event is still over, with the champion that the notice names; it is told once."""
    later = Notice.objects.filter(user=notice.user_id, kind=notice.kind, subject=notice.subject, pk__gt=notice.pk)
    is_over = Tournament.objects.filter(pk=_number(notice), status=Tournament.Status.OVER).exists()
    return is_over and not notice.was_sent and not later.exists()


KINDS: dict[str, Callable[[Notice], bool]] = {
    "event_match": is_to_begin,
    "event_reminder": is_late,
    "event_face": is_face_to_face,
    "event_seat": is_running,
    "event_result": is_unanswered,
    "event_dispute": is_disputed,
    "event_go": awaits_go,
    "event_trouble": is_in_trouble,
    "event_moved_up": is_in,
    "event_partner": is_invited,
    "event_over": is_last_word,
}


def register() -> None:
    """Name the question of each kind to the sender of notices."""
    for kind, question in KINDS.items():
        notices.register(kind, MATCHES, question)
    notices.register("event_news", MATCHES)


def _number(notice: Notice) -> int:
    """The id of the row that a notice is about."""
    return int(notice.key.split(":")[1])


def _pairing(pk: str) -> Pairing | None:
    return Pairing.objects.filter(pk=int(pk)).select_related("round__stage__tournament", "table").first()


def _running(pk: str) -> Stage | None:
    running = {"status": Stage.Status.RUNNING, "tournament__status": Tournament.Status.RUNNING}
    return Stage.objects.filter(pk=int(pk), **running).first()
