"""Seeds by rating, by lot or by hand, and entries kept apart."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Act, Entry, KeptApart, Member, Rating, Tournament
from tournaments.models.ratings import START_MU, START_SIGMA, rating_value
from tournaments.services.action_context import check_alive, check_not_begun, entry_of
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.services.stages import draw_lots
from web.errors import Refused

SEEDS = declare(draw_lots.SEEDS, needs="entries", undo=Rows())
APART = declare("apart", needs="entries", undo=Rows())


def seed_by_rating(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Seed all entries by the ratings of their players under the event’s ruleset, strongest first.

    An entry’s strength is the average of its players, counting unrated ones as newcomers. Equals go by number.
    """

    def do(record: Record) -> str:
        check_not_begun(record)
        entries = draw_lots.to_seed(record.tournament)
        strengths = strengths_of(record.tournament)
        order = sorted(entries, key=lambda entry: (-strengths.get(entry.pk, 0), entry.number))
        for seed, entry in enumerate(order, 1):
            record.change(entry, seed=seed, strength=strengths.get(entry.pk))
        return gettext("%(count)s entries were seeded by rating.") % {"count": len(order)}

    return perform(tournament_id, do, SEEDS, by=by, **how)


def seed_by_lot(tournament_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Seed all entries by lots from the event’s own seed: drawing again gives the same order."""

    def do(record: Record) -> str:
        check_not_begun(record)
        return gettext("%(count)s entries were seeded by lot.") % {"count": draw_lots.give_lots(record)}

    return perform(tournament_id, do, SEEDS, by=by, **how)


def seed_by_hand(tournament_id: int, by: User, *, order: Sequence[int], **how: Unpack[ActionRequest]) -> Act:
    """Seed entries in this order of ids. The others have no seed and come after. Raises `Refused`."""

    def do(record: Record) -> str:
        check_not_begun(record)
        entries = {entry.pk: entry for entry in draw_lots.to_seed(record.tournament)}
        if len(set(order)) < len(order) or not set(order) <= set(entries):
            raise Refused("bad_order", gettext("Choose entries of this event, each once."))
        seeds: Mapping[int, int] = {pk: seed for seed, pk in enumerate(order, 1)}
        for pk, entry in entries.items():
            record.change(entry, seed=seeds.get(pk), strength=None)
        if not order:
            return gettext("All seeds were removed.")
        first = ", ".join(entries[pk].name for pk in order[:3])
        names = first + (", …" if len(order) > 3 else "")
        return gettext("%(count)s entries were seeded by hand: %(names)s.") % {"count": len(order), "names": names}

    return perform(tournament_id, do, SEEDS, by=by, **how)


def strengths_of(tournament: Tournament) -> dict[int, float]:
    """Average rating of the players of each entry in the event’s pool, by id. Two queries."""
    players = Member.objects.filter(
        tournament=tournament, role=Member.Role.PLAYER, answer=Member.Answer.ACCEPTED, left_at=None
    ).values_list("entry_id", "user_id")
    people: dict[int, list[int | None]] = {}
    for entry_id, user_id in players:
        people.setdefault(entry_id, []).append(user_id)
    pool = tournament.rules.name or "standard"
    users = [user for user_ids in people.values() for user in user_ids if user]
    of_players = Rating.objects.of_people().filter(pool=pool, user__in=users)
    ratings = {rating.user_id: rating.value for rating in of_players}
    newcomer = rating_value(START_MU, START_SIGMA)
    return {entry: fmean(ratings.get(user or 0, newcomer) for user in user_ids) for entry, user_ids in people.items()}


# Kept apart


def keep_apart(tournament_id: int, by: User, *, one: int, other: int, **how: Unpack[ActionRequest]) -> Act:
    """Keep two entries (ids) apart in future draws if possible. Running it twice is harmless."""

    def do(record: Record) -> str:
        check_alive(record)
        first, second = _pair(record, one, other)
        if not KeptApart.objects.filter(one=first, other=second).exists():
            record.create(KeptApart(tournament=record.tournament, one=first, other=second))
        return gettext("%(first)s and %(second)s are kept apart.") % {"first": first, "second": second}

    return perform(tournament_id, do, APART, by=by, **how)


def allow_meeting(tournament_id: int, by: User, *, one: int, other: int, **how: Unpack[ActionRequest]) -> Act:
    """Allow two entries (ids) that were kept apart to meet again. Running it twice is harmless."""

    def do(record: Record) -> str:
        check_alive(record)
        first, second = _pair(record, one, other)
        for kept_apart in KeptApart.objects.filter(one=first, other=second):
            record.delete(kept_apart)
        return gettext("%(first)s and %(second)s can meet.") % {"first": first, "second": second}

    return perform(tournament_id, do, APART, by=by, **how)


def _pair(record: Record, one: int, other: int) -> tuple[Entry, Entry]:
    if one == other:
        raise Refused("same_entry", gettext("Choose two different entries."))
    return entry_of(record, min(one, other)), entry_of(record, max(one, other))
