"""Notifications to players and organisers about events, queued with the change they are about.

Each is checked again before it is sent (`tournaments.notification_types`), so that nobody gets an outdated one. Keys
contain the subject and its state, so that nothing is sent twice.
"""

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.budgets import EMAILS, spend
from accounts.languages import language_of
from accounts.models import User
from accounts.services import notices
from gameplay.queries import is_turn_of
from tournaments import notification_text, outcome, seating
from tournaments.models import Entry, Member, Organiser, Pairing, Place, Result, Stage, Tournament
from tournaments.round_names import match_heading
from tournaments.stage_state import moment_of
from web.text import join_words

DIRECTING = (Organiser.Role.OWNER, Organiser.Role.DIRECTOR)
REMINDERS = (
    gettext_noop("half of your time is gone"),
    gettext_noop("most of your time is gone"),
    gettext_noop("two hours are left"),
)
Words = Callable[[], str]
"""Text, created in the language of its reader."""


# Matches


def match_ready(pairing: Pairing) -> None:
    """Tell the players of a match that they can start: opponents, place and deadline."""
    places = seating.places_of(pairing)
    players = seating.players_of(pairing, places)
    entries = "-".join(str(place.entry_id) for place in places)
    for user, place in _users(players):
        _add(
            user,
            pairing.round.stage.tournament,
            "event_match",
            f"{pairing.pk}:{pairing.table_id or 0}:{entries}",
            lambda: gettext("your match is ready"),
            partial(notification_text.match_words, pairing, places, place, user),
            url=_where(pairing),
        )


def remind(pairing: Pairing, which: int) -> None:
    """Remind players a match waits for: `which` is 1 at half of the time, 2 at most of it, 3 two hours before."""
    until = moment_of(pairing)
    if until is None:
        return
    places = seating.places_of(pairing)
    for user, place in _users(seating.players_of(pairing, places)):
        if not is_waited_for(pairing, user):
            continue
        _add(
            user,
            pairing.round.stage.tournament,
            "event_reminder",
            f"{pairing.pk}:{which}:{until:%Y%m%d%H%M}",
            lambda: gettext(REMINDERS[which - 1]),
            partial(notification_text.match_words, pairing, places, place, user),
            url=_where(pairing),
        )


def is_waited_for(pairing: Pairing, user: User) -> bool:
    """Whether an open match waits for this player; at a running table, whether it is their turn."""
    table = pairing.table
    if table is None or table.move_count == 0:
        return True
    seat = table.seats.filter(user=user).first()
    if seat is None or table.paused_at is not None:
        return False
    return not seat.is_ready if table.is_between_deals else is_turn_of(table, seat)


def not_online(pairing: Pairing, why: str) -> None:
    """Tell the organisers that a match cannot be played online, and why."""
    names = seating.side_names(seating.places_of(pairing))
    key = f"{pairing.pk}:{_digest(names + why)}"
    _to_organisers(
        pairing.round.stage.tournament,
        "event_face",
        key,
        lambda: gettext("%(match)s must be played face to face") % {"match": _title(pairing)},
        lambda: f"{names}. {why}",
        url=_where(pairing),
    )


def not_seated(pairing: Pairing, why: str) -> None:
    """Tell the organisers that a player cannot take the seat at a running table, and why."""
    key = f"{pairing.pk}:{_digest(why)}"
    _to_organisers(
        pairing.round.stage.tournament,
        "event_seat",
        key,
        lambda: gettext("%(match)s needs an organiser") % {"match": _title(pairing)},
        lambda: why,
        url=_where(pairing),
    )


def _title(pairing: Pairing) -> str:
    return match_heading(pairing.round.name, pairing.name, pairing.number)


# Results


def result_to_confirm(result: Result) -> None:
    """Ask the other side of a match to confirm a result."""
    pairing = result.pairing
    places = seating.places_of(pairing)
    own_side = next((place.side for place in places if place.entry_id == result.by_entry_id), None)
    for user, place in _users(seating.players_of(pairing, places)):
        if place.side == own_side:
            continue
        _add(
            user,
            pairing.round.stage.tournament,
            "event_result",
            str(result.pk),
            lambda: gettext("confirm a result"),
            partial(notification_text.result_words, result, places, user),
            url=pairing.get_absolute_url(),
        )


def disputed(result: Result) -> None:
    """Tell the organisers that a result needs their decision."""
    pairing = result.pairing
    names = seating.side_names(seating.places_of(pairing))
    _to_organisers(
        pairing.round.stage.tournament,
        "event_dispute",
        str(result.pk),
        lambda: gettext("%(match)s needs your decision") % {"match": _title(pairing)},
        lambda: gettext("%(names)s: the sides disagree, or the match is tied.") % {"names": names},
        url=pairing.get_absolute_url(),
        roles=Organiser.Role,
    )


# Rounds


def round_waits(stage: Stage, number: int) -> None:
    """Tell the organisers that a round waits to be started."""
    _to_organisers(
        stage.tournament,
        "event_go",
        f"{stage.pk}:{number}",
        lambda: gettext("round %(number)s of %(stage)s waits for you") % {"number": number, "stage": stage.name},
    )


def trouble(stage: Stage, sentence: str) -> None:
    """Tell the organisers why a stage cannot continue."""
    _to_organisers(
        stage.tournament,
        "event_trouble",
        f"{stage.pk}:{_digest(sentence)}",
        lambda: gettext("%(match)s needs an organiser") % {"match": stage.name},
        lambda: sentence,
    )


# Entries


def moved_up(entry: Entry) -> None:
    """Tell an entry that it has a place from the waiting list."""
    for user in _accounts(seating.accepted(entry)):
        _add(
            user,
            entry.tournament,
            "event_moved_up",
            str(entry.pk),
            lambda: gettext("you are in"),
            lambda: gettext("You have a place from the waiting list."),
        )


def partner_invited(member: Member) -> None:
    """Tell an invited person with an account about the invitation. Others get an email instead."""
    user = seating.account_of(member)
    if user is not None:
        partners = [str(partner) for partner in seating.accepted(member.entry) if partner.pk != member.pk]

        def words() -> str:
            sentence = ngettext(
                "%(names)s invited you to play together", "%(names)s invited you to play together", len(partners) or 1
            )
            return sentence % {"names": join_words(partners) or str(member.entry)}

        _add(user, member.entry.tournament, "event_partner", str(member.pk), words)


# The event


def event_note(tournament: Tournament, text: str, by: User | None) -> None:
    """Send an organisers’ message to everyone in the event or on its waiting list."""
    key = f"{tournament.pk}:{tournament.version}:{_digest(text)}"
    people = list(_everybody(tournament))
    spend(EMAILS, by, len(people))
    for user in people:
        _add(user, tournament, "event_note", key, lambda: gettext("a message from the organisers"), text.strip)


def over(tournament: Tournament) -> None:
    """Tell everyone in the event that it is over, and name the winners."""
    champions = outcome.of(tournament).champions
    winners = {user.pk for entry in champions for user in _accounts(seating.accepted(entry))}
    names = [str(entry) for entry in champions]
    key = f"{tournament.pk}:{_digest(' and '.join([', '.join(names[:-1]), names[-1]] if len(names) > 1 else names))}"

    def winner_text() -> str:
        return gettext("%(names)s won.") % {"names": join_words(names)} if names else ""

    for user in _everybody(tournament):
        if user.pk in winners:
            _add(user, tournament, "event_over", key, lambda: gettext("you won"))
        else:
            _add(user, tournament, "event_over", key, lambda: gettext("the event is over"), winner_text)


# Parts


def _nothing() -> str:
    return ""


def _add(
    user: User, tournament: Tournament, kind: str, key: str, words: Words, body: Words = _nothing, *, url: str = ""
) -> None:
    with language_of(user):
        title, text = f"{tournament.name}: {words()}", body()
    notices.add(
        user,
        kind=kind,
        key=f"{kind}:{key}"[:120],
        subject=f"event:{tournament.pk}",
        title=title,
        url=url or tournament.get_absolute_url(),
        due_at=timezone.now(),
        body=text,
    )


def _to_organisers(
    tournament: Tournament,
    kind: str,
    key: str,
    words: Words,
    body: Words = _nothing,
    *,
    url: str = "",
    roles: Iterable[Organiser.Role] = DIRECTING,
) -> None:
    for organiser in tournament.organisers.filter(role__in=list(roles), user__is_active=True).select_related("user"):
        _add(organiser.user, tournament, kind, key, words, body, url=url)


def _users(players: dict[int, Place]) -> list[tuple[User, Place]]:
    """The users with their places, in a fixed order."""
    users = User.objects.in_bulk(list(players))
    return [(users[pk], place) for pk, place in sorted(players.items(), key=lambda item: item[0])]


def _accounts(members: Iterable[Member]) -> list[User]:
    return [user for member in members if (user := seating.account_of(member)) is not None]


def _everybody(tournament: Tournament) -> list[User]:
    """Accounts of all entries that did not leave, each once."""
    gone = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)
    members = Member.objects.filter(tournament=tournament, left_at=None, answer=Member.Answer.ACCEPTED)
    people = members.exclude(entry__status__in=gone).filter(user__is_active=True).select_related("user")
    return list({member.user_id: member.user for member in people if member.user is not None}.values())


def _where(pairing: Pairing) -> str:
    """Address of a match: its table, or its own page."""
    if pairing.table is not None:
        return pairing.table.get_absolute_url()
    return pairing.get_absolute_url()


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
