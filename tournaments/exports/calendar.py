"""Calendars: of an event, of one of its entries, and a person's own over all events."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from django.core import signing
from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from tournaments import access
from tournaments.exports import ics
from tournaments.exports.ics import Appointment
from tournaments.models import Entry, Member, Pairing, Place, Round, Stage, Tournament
from tournaments.public.matches import Match
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import round_name, round_words
from tournaments.stage_state import VENUE_HOURS, moment_of
from web.errors import NotAllowed

_SALT = "tournaments.calendar"
MOST = 500
"""The most matches in one calendar, newest first."""
PAST = timedelta(days=120)
"""Finished events stay in a person's own calendar for this long."""

Moment = tuple[datetime, datetime | None]
"""The start, and the end if it is known."""


# Access


def token(user: User) -> str:
    """The signed text that gives access to this person's matches; void once the person changes their password."""
    return signing.Signer(salt=_SALT).sign(f"{user.pk}-{_mark(user)}")


def read_token(token: str) -> User:
    """The owner of a calendar. Raises `NotAllowed` for a token that this site did not sign, or that is void."""
    refused = NotAllowed(
        "calendar_link", gettext("This address is no longer valid. Your matches page has the new one.")
    )
    try:
        pk, _, mark = signing.Signer(salt=_SALT).unsign(token).partition("-")
    except signing.BadSignature:
        raise refused from None
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None or mark != _mark(user):
        raise refused
    return user


def _mark(user: User) -> str:
    return salted_hmac(_SALT, user.password, algorithm="sha256").hexdigest()[:16]


# Calendars


def of_event(event: Tournament, stages: Sequence[Stage]) -> bytes:
    """The start of the event, the end of entering, its rounds, and matches with a time of their own: three queries."""
    rounds = Round.objects.filter(stage__tournament=event).order_by("stage__number", "number").select_related("stage")
    timed = Pairing.objects.filter(starts_at__isnull=False)
    of_rounds = [item for each in rounds for item in _round(event, each, is_alone=len(stages) < 2)]
    matches = _matches(timed.filter(round__stage__tournament=event))
    return ics.write("Events", event.name, [*_frame(event), *of_rounds, *matches])


def of_entry(event: Tournament, entry: Entry) -> bytes:
    """The matches of an entry with their times."""
    rows = Pairing.objects.filter(places__entry=entry)
    return ics.write("Events", f"{entry.name}, {event.name}", [*_frame(event), *_matches(rows)])


def of_person(user: User) -> bytes:
    """A person's matches and events that they may see."""
    members = Member.objects.filter(user=user, left_at=None, answer=Member.Answer.ACCEPTED)
    entered = members.exclude(entry__status__in=(Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED))
    since = _day(datetime.now(UTC)) - PAST
    recent = Q(ended_at=None) | Q(ended_at__gte=since)
    events = access.list_events(user).filter(recent, pk__in=entered.values("tournament")).order_by("pk").distinct()
    ids = [event.pk for event in events]
    rows = Pairing.objects.filter(places__entry__in=members.values("entry"), round__stage__tournament__in=ids)
    with language_of(user):  # because calendar programs send no language
        frames = [frame for event in events for frame in _frame(event)]
        return ics.write("Events", gettext("Your matches on Foothold"), [*frames, *_matches(rows)])


def _day(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


# Appointments


def _frame(event: Tournament) -> Iterable[Appointment]:
    """The event itself, with its check-in and the end of entering."""
    url = event.get_absolute_url()
    if event.starts_at is not None:
        yield event_appointment(event)
    if event.has_check_in and event.check_in_from is not None:
        window = (event.check_in_from, event.check_in_until)
        yield _item(
            event, f"event-{event.pk}-check-in", gettext("Check in: %(event)s") % {"event": event.name}, window, url
        )
    if event.entries_close_at is not None:
        closes = (event.entries_close_at, None)
        yield _item(
            event, f"event-{event.pk}-close", gettext("Entries close: %(event)s") % {"event": event.name}, closes, url
        )


def event_appointment(event: Tournament) -> Appointment:
    """An event that has a time, without its rounds and matches."""
    when, url = (event.starts_at or event.created_at, None), event.get_absolute_url()
    return _item(event, f"event-{event.pk}", event.name, when, url, event.about.splitlines())


def _round(event: Tournament, each: Round, *, is_alone: bool) -> Iterable[Appointment]:
    name = round_name(each.name) if is_alone else f"{each.stage.name}, {round_words(each.name)}"
    url = reverse("tournaments:schedule", args=[event.slug])
    uid = f"round-{event.pk}-{each.stage.number}-{each.number}"
    if each.starts_at is not None:
        when = (each.starts_at, _end(each.starts_at, each.deadline_at))
        yield _item(event, uid, f"{name}: {event.name}", when, url)
    elif each.deadline_at is not None:
        yield _item(
            event,
            uid,
            gettext("Play %(round)s: %(event)s") % {"round": name, "event": event.name},
            (each.deadline_at, None),
            url,
        )


def _end(begins: datetime, ends: datetime | None) -> datetime | None:
    """The end of a round or match that is played in one place at one time."""
    is_sitting = ends is not None and begins < ends <= begins + timedelta(hours=VENUE_HOURS)
    return ends if is_sitting else None


def _matches(rows: QuerySet[Pairing]) -> Iterable[Appointment]:
    """Matches that have a time: two queries."""
    pairings = rows.exclude(status=Pairing.Status.IDLE).select_related("round__stage__tournament")
    pairings = pairings.prefetch_related(Prefetch("places", Place.objects.select_related("entry")))
    for pairing in pairings.order_by("-pk").distinct()[:MOST]:
        event = pairing.round.stage.tournament
        match = listed_match(pairing, links_of(event), {}, set())
        begins, ends = pairing.starts_at or pairing.round.starts_at, moment_of(pairing)
        uid = f"match-{event.pk}-{pairing.round.stage.number}-{pairing.name}"
        if begins is not None:
            yield _match(event, uid, match, match.versus, (begins, _end(begins, ends)))
        elif ends is not None:
            words = gettext("Play by now: %(match)s") % {"match": match.versus} if pairing.is_open else match.versus
            yield _match(event, uid, match, words, (ends, None))


def _match(event: Tournament, uid: str, match: Match, words: str, when: Moment) -> Appointment:
    scores = [f"{side.names} {side.score}" for side in match.sides if side.score]
    lines = [f"{event.name}, {match.words}", *scores]
    return _item(event, uid, words, when, match.url, lines)


def _item(event: Tournament, uid: str, title: str, when: Moment, url: str, lines: Sequence[str] = ()) -> Appointment:
    begins, ends = when
    return Appointment(
        uid=uid,
        title=title,
        begins=begins,
        ends=ends,
        url=url,
        made_at=event.created_at,
        version=event.version,
        lines=lines,
        place=event.venue,
        is_off=event.status == Tournament.Status.CANCELLED,
    )
