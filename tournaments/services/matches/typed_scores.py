"""Scores typed by organisers: kept at once, checked by the rules, and entered together as one action."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from gameplay.house_rules.match_length import deals_of, with_length
from tournaments import access, board_numbers, score_bounds, seating, terms
from tournaments.models import Act, Pairing, Place, Tournament, TypedScores
from tournaments.plan import Plan
from tournaments.services import history
from tournaments.services.matches import result_lines, results
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused, Stale
from web.sent_numbers import read_whole
from web.text import join_words, number

MOST_TABLES_NAMED = 12


@dataclass(frozen=True)
class Doubt:
    """Why typed scores are left out: the side (its place in the list), and a sentence."""

    side: int
    sentence: str
    instead: int | None = None
    """The score that was probably meant."""
    can_keep: bool = False
    """Whether the scores are possible, and only unusual."""


def boards_of(pairing: Pairing) -> list[int]:
    """The numbers of the boards whose scores are typed one by one, in an event whose real tables share their deals.

    Empty for other matches, and for a match of one board: its result is that of the board.
    """
    labels = board_numbers.labels_at_table(pairing)
    return labels if len(labels) > 1 else []


def scores_of(typed: TypedScores, boards: Sequence[int]) -> list[int | None]:
    """Typed scores of each side in order; with `boards` those of the first board, then of the next."""
    if not boards:
        return list(typed.scores)
    deals = typed.deals if len(typed.deals) == len(boards) else [None] * len(boards)
    return [score for deal in deals for score in deal or [None] * len(typed.scores)]


def set_scores(typed: TypedScores, boards: Sequence[int], scores: Sequence[int | None]) -> None:
    """Put scores, as `scores_of` has them, into a row; with boards also the total of each side, once it is known."""
    typed.scores = list(scores)
    if boards:
        count = len(scores) // len(boards)
        typed.deals = [list(scores[at * count : (at + 1) * count]) for at in range(len(boards))]
        by_side = [scores[at::count] for at in range(count)]
        typed.scores = [None if None in each else sum(score for score in each if score is not None) for each in by_side]


def type_scores(
    pairing_id: int,
    by: User,
    *,
    scores: Sequence[int | None],
    known: int | None = None,
    base: Sequence[int | None] | None = None,
    is_kept: bool = False,
) -> TypedScores | None:
    """Keep scores typed for a match, a number or `None` for each side in order; `None` once nothing is typed.

    A match with several boards (`boards_of`) has such scores for each of them. `known` is the version (see
    `TypedScores`) that the page showed, 0 for none; `base` are the scores that it showed, so that two people can type
    different boards of a table at once. If someone has typed other scores since then, `Stale` is raised. Sending the
    same scores twice is harmless. Raises `Refused` if the match has a result or these are no scores of it, and
    `NotAllowed` for people who enter no results.
    """
    with transaction.atomic():
        pairing = _pairing(pairing_id)
        tournament = Tournament.objects.locked(pairing.tournament_id)
        access.check(by, tournament, "results")
        pairing = _pairing(pairing_id)
        _check_open(pairing)
        boards = boards_of(pairing)
        _check_scores(pairing, scores, boards)
        typed = TypedScores.objects.filter(pairing=pairing).first()
        there = scores_of(typed, boards) if typed is not None else [None] * len(scores)
        if base is not None:
            scores, known = _merge(pairing, scores, base, there, len(boards) or 1), None
        if typed is not None and there == list(scores) and typed.is_kept >= is_kept:
            return typed
        if known is not None and known != (typed.version if typed else 0) and there != list(scores):
            raise _stale(pairing)
        if all(score is None for score in scores):
            TypedScores.objects.filter(pairing=pairing).delete()
            return None
        typed = typed or TypedScores(pairing=pairing, version=0)
        if boards and typed.is_kept and not is_kept:
            fresh = [None if score == before else score for score, before in zip(scores, there, strict=True)]
            is_kept = not doubts(pairing, fresh)
        set_scores(typed, boards, scores)
        typed.is_kept, typed.by, typed.at = is_kept, by, timezone.now()
        typed.version += 1
        typed.save()
        return typed


def _stale(pairing: Pairing, board: int = 0) -> Stale:
    words = gettext("Someone else has just typed other scores for this table.")
    return Stale("stale", words, pairing=pairing.pk, board=board)


def _merge(
    pairing: Pairing, mine: Sequence[int | None], base: Sequence[int | None], there: Sequence[int | None], boards: int
) -> list[int | None]:
    """The scores of a table after somebody changed those of some boards. Raises `Stale` if others changed the same."""
    merged: list[int | None] = []
    each = len(there) // boards
    for board in range(boards):
        part = slice(board * each, (board + 1) * each)
        now, was, stored = list(mine[part]), list(base[part]), list(there[part])
        if now not in (was, stored) and stored != was:
            raise _stale(pairing, board)
        merged += stored if now == was else now
    return merged


def doubts(pairing: Pairing, scores: Sequence[int | None], *, is_kept: bool = False) -> list[Doubt]:
    """Why these scores of a match are left out; empty if they can be entered. No scores yet are no doubt.

    Of a match with several boards (`boards_of`) they are those of one board, or of each.
    """
    rules, places, boards = terms.of_round(pairing.round).rules, list(pairing.places.all()), boards_of(pairing)
    rules = with_length(rules, {"deals": 1}) if boards else rules
    seats = len(places) * seating.side_size(pairing)
    step, most, usual = score_bounds.step(rules), score_bounds.most(rules, seats), score_bounds.usual(rules, seats)
    least = score_bounds.least(rules, seats)
    all_doubts = []
    for side, score in enumerate(scores):
        if score is None:
            continue
        if score % step:
            words = gettext("%(score)s cannot be right: scores by these rules are multiples of %(step)s.")
            all_doubts.append(Doubt(side, words % {"score": number(score), "step": step}))
        elif least is not None and score < least:
            all_doubts.append(_too_little(rules.length.number, side, score, least, step))
        elif abs(score) > usual and not (is_kept and abs(score) <= most):
            all_doubts.append(_too_much(deals_of(rules), side, score, most, step))
    if _is_tied_knockout(pairing, scores, boards):
        words = gettext("A knockout match cannot end in a tie. Play another deal, or ask an organiser to decide.")
        all_doubts.append(Doubt(len(scores) - 1, words))
    return all_doubts


def _is_tied_knockout(pairing: Pairing, scores: Sequence[int | None], boards: Sequence[int]) -> bool:
    if len(scores) != 2 * max(1, len(boards)) or not Plan.read(pairing.round.stage.plan_json).is_bracket:
        return False
    first, second = ([score for score in scores[at::2] if score is not None] for at in (0, 1))
    return len(first) + len(second) == len(scores) and sum(first) == sum(second)


def _too_much(deals: int, side: int, score: int, most: int, step: int) -> Doubt:
    """The doubt about a score that is too high; a last digit too many is the usual reason."""
    is_possible = abs(score) <= most
    if deals == 0:
        words = gettext("%(score)s is unusually high.") if is_possible else gettext("%(score)s is not possible.")
        sentence = words % {"score": number(score)}
    elif is_possible:
        words = ngettext(
            "%(score)s is more than %(deals)s deal usually makes.",
            "%(score)s is more than %(deals)s deals usually make.",
            deals,
        )
        sentence = words % {"score": number(score), "deals": deals}
    else:
        words = ngettext(
            "%(score)s is more than %(deals)s deal can make.", "%(score)s is more than %(deals)s deals can make.", deals
        )
        sentence = words % {"score": number(score), "deals": deals}
    shorter = abs(score) // 10 * (1 if score > 0 else -1)
    return Doubt(side, sentence, shorter if shorter % step == 0 else None, is_possible)


def _too_little(deals: int, side: int, score: int, least: int, step: int) -> Doubt:
    """The doubt about a score below the lowest possible one; a sign or a last digit too many is the usual reason."""
    if least == 0:
        words = gettext("%(score)s is not possible: these rules have no negative scores.")
        return Doubt(side, words % {"score": number(score)}, -score)
    words = ngettext(
        "%(score)s is less than %(deals)s deal can make.", "%(score)s is less than %(deals)s deals can make.", deals
    )
    shorter = -(abs(score) // 10)
    sentence = words % {"score": number(score), "deals": deals}
    return Doubt(side, sentence, shorter if shorter % step == 0 else None)


def can_be_entered(pairing: Pairing, typed: TypedScores) -> bool:
    """Whether typed scores are complete and without a doubt, and the match has no other report to decide on."""
    scores = scores_of(typed, boards_of(pairing))
    if not pairing.is_open or pairing.status == Pairing.Status.DISPUTED or None in scores:
        return False
    return not doubts(pairing, scores, is_kept=typed.is_kept)


def lines_of(places: Sequence[Place], scores: Sequence[int | None]) -> list[dict[str, object]]:
    """The lines of a result from the score of each side."""
    by_side = dict(zip(seating.sides_of(places), scores, strict=True))
    return [{"entry": place.entry_id, "score": by_side[place.side], "forfeit": False} for place in places]


def lines_of_typed(places: Sequence[Place], typed: TypedScores) -> list[dict[str, object]]:
    """The lines of a result from complete typed scores, with those of each board where they were typed one by one."""
    lines = lines_of(places, typed.scores)
    if typed.deals:
        sides = sorted({place.side for place in places})
        for place, line in zip(places, lines, strict=True):
            line["deals"] = [deal[sides.index(place.side)] for deal in typed.deals]
    return lines


def enter_typed(
    tournament_id: int, by: User, *, pairings: Collection[int] | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Enter the typed scores of an event as results, of these matches (ids) only: one action with one undo.

    Incomplete and doubtful ones are left out and stay typed. Raises `Refused` if nothing can be entered.
    """

    def do(record: Record) -> str:
        rows = TypedScores.objects.filter(pairing__round__stage__tournament=record.tournament)
        rows = rows if pairings is None else rows.filter(pairing__in=pairings)
        rows = rows.select_related("pairing__round__stage__tournament")
        tables, rounds = [], set()
        for typed in rows.order_by("pairing__round__stage__number", "pairing__round__number", "pairing__number", "pk"):
            if not can_be_entered(typed.pairing, typed):
                continue
            lines = lines_of_typed(list(typed.pairing.places.all()), typed)
            results.decision(typed.pairing_id, lines)(record)
            record.delete(typed)
            tables.append(str(typed.pairing.number))
            rounds.add(typed.pairing.round_id)
        if not tables:
            raise Refused("nothing", gettext("There is no complete result to publish yet."))
        if len(rounds) > 1:  # each has its table 1
            return gettext("%(count)s results of several rounds were entered.") % {"count": len(tables)}
        words = ngettext(
            "Result of table %(tables)s was entered.", "%(count)s results were entered: tables %(tables)s.", len(tables)
        )
        names = tables[:MOST_TABLES_NAMED] + (["…"] if len(tables) > MOST_TABLES_NAMED else [])
        return words % {"count": len(tables), "tables": join_words(names)}

    return history.perform(tournament_id, do, results.DECIDE, by=by, **how)


def read_score(text: str) -> int | None:
    """The score that someone typed; `None` for nothing. `6,420`, `6.420` and `6 420` are the same.

    Raises `Refused` with a sentence if it is not a whole number of points.
    """
    digits = "".join(text.split()).replace(",", "").replace(".", "").replace("’", "").replace("'", "")
    is_negative = digits[:1] in ("-", "−", "–")
    digits = digits[1:] if is_negative else digits
    if not digits and not is_negative:
        return None
    points = read_whole(digits, digits=7)
    if points is None:
        words = gettext("“%(text)s” is not a score. Enter a whole number of points.")
        raise Refused("bad_score", words % {"text": text.strip()[:20]})
    if points > result_lines.MOST_POINTS:
        raise Refused("bad_score", gettext("%(score)s is not possible.") % {"score": number(points)})
    return -points if is_negative else points


def _pairing(pairing_id: int) -> Pairing:
    pairing = Pairing.objects.select_related("round__stage__tournament", "result").filter(pk=pairing_id).first()
    if pairing is None:
        raise Refused("no_match", gettext("This match no longer exists. It was probably redrawn."))
    return pairing


def _check_open(pairing: Pairing) -> None:
    if pairing.round.stage.tournament.status != Tournament.Status.RUNNING:
        raise Refused("not_running", gettext("The event is not under way."))
    if pairing.result_id is not None or pairing.status == Pairing.Status.DONE:
        raise Refused("done", gettext("This match already has a result. Change that one instead."))
    if pairing.status in (Pairing.Status.WAITS, Pairing.Status.IDLE):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    if pairing.is_online:
        raise Refused("online", gettext("This match is played online. Its table reports the result automatically."))


def _check_scores(pairing: Pairing, scores: Sequence[int | None], boards: Sequence[int]) -> None:
    places = list(pairing.places.all())
    if any(place.entry_id is None for place in places):
        raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
    if len(scores) != len(seating.sides_of(places)) * max(1, len(boards)):
        raise Refused("bad_lines", gettext("A result has one score for each side of the match."))
    if any(score is not None and abs(score) > result_lines.MOST_POINTS for score in scores):
        raise Refused("bad_score", gettext("Enter a whole number of points, such as 4,210."))
