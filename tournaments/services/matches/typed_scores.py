"""Scores typed by organisers: kept at once, checked by the rules, and entered together as one action."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from accounts.models import User
from gameplay.house_rules.match_length import deals_of
from tournaments import access, score_bounds, seating, terms
from tournaments.models import Act, Pairing, Place, Tournament, TypedScores
from tournaments.plan import Plan
from tournaments.services import history
from tournaments.services.matches import result_lines, results
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused, Stale
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


def sides_of(places: Sequence[Place]) -> list[list[Place]]:
    """The places of each side, in order."""
    return [[place for place in places if place.side == side] for side in sorted({place.side for place in places})]


def type_scores(
    pairing_id: int, by: User, *, scores: Sequence[int | None], known: int | None = None, is_kept: bool = False
) -> TypedScores | None:
    """Keep scores typed for a match, a number or `None` for each side in order; `None` once nothing is typed.

    `known` is the version (see `TypedScores`) that the page showed, 0 for none. If someone has typed other scores
    since then, `Stale` is raised. Sending the same scores twice is harmless. Raises `Refused` if the match has a result
    or these are no scores of it, and `NotAllowed` for people who enter no results.
    """
    with transaction.atomic():
        pairing = _pairing(pairing_id)
        tournament = Tournament.objects.locked(pairing.tournament_id)
        access.check(by, tournament, "results")
        pairing = _pairing(pairing_id)
        _check_open(pairing)
        _check_scores(pairing, scores)
        typed = TypedScores.objects.filter(pairing=pairing).first()
        if typed is not None and typed.scores == list(scores) and typed.is_kept >= is_kept:
            return typed
        if known is not None and known != (typed.version if typed else 0) and (typed is None or typed.scores != scores):
            raise Stale(
                "stale", gettext("Someone else has just typed other scores for this table."), pairing=pairing.pk
            )
        if all(score is None for score in scores):
            TypedScores.objects.filter(pairing=pairing).delete()
            return None
        typed = typed or TypedScores(pairing=pairing, version=0)
        typed.scores, typed.is_kept, typed.by, typed.at = list(scores), is_kept, by, timezone.now()
        typed.version += 1
        typed.save()
        return typed


def doubts(pairing: Pairing, scores: Sequence[int | None], *, is_kept: bool = False) -> list[Doubt]:
    """Why these scores of a match are left out; empty if they can be entered. No scores yet are no doubt."""
    rules, places = terms.of_round(pairing.round).rules, list(pairing.places.all())
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
    is_bracket = Plan.read(pairing.round.stage.plan_json).is_bracket
    if is_bracket and len(scores) == 2 and None not in scores and scores[0] == scores[1]:
        words = gettext("A knockout match cannot end in a tie. Play another deal, or ask an organiser to decide.")
        all_doubts.append(Doubt(1, words))
    return all_doubts


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
    if not pairing.is_open or pairing.status == Pairing.Status.DISPUTED or None in typed.scores:
        return False
    return not doubts(pairing, typed.scores, is_kept=typed.is_kept)


def lines_of(places: Sequence[Place], scores: Sequence[int | None]) -> list[dict[str, object]]:
    """The lines of a result from the score of each side."""
    by_side = dict(zip(sorted({place.side for place in places}), scores, strict=True))
    return [{"entry": place.entry_id, "score": by_side[place.side], "forfeit": False} for place in places]


def enter_typed(
    tournament_id: int, by: User, *, pairings: Collection[int] | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Enter the typed scores of an event as results, of these matches (ids) only: one action with one undo.

    Incomplete and doubtful ones are left out and stay typed. Raises `Refused` if nothing can be entered.
    """

    def do(record: Record) -> str:
        rows = TypedScores.objects.filter(pairing__round__stage__tournament=record.tournament)
        rows = rows if pairings is None else rows.filter(pairing__in=pairings)
        tables = []
        for typed in rows.select_related("pairing__round__stage__tournament").order_by("pairing__number", "pk"):
            if not can_be_entered(typed.pairing, typed):
                continue
            lines = lines_of(list(typed.pairing.places.all()), typed.scores)
            results.decision(typed.pairing_id, lines)(record)
            record.delete(typed)
            tables.append(str(typed.pairing.number))
        if not tables:
            raise Refused("nothing", gettext("There is no complete result to publish yet."))
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
    if not (digits.isdecimal() and digits.isascii() and len(digits) <= 7):
        words = gettext("“%(text)s” is not a score. Enter a whole number of points.")
        raise Refused("bad_score", words % {"text": text.strip()[:20]})
    if int(digits) > result_lines.MOST_POINTS:
        raise Refused("bad_score", gettext("%(score)s is not possible.") % {"score": number(int(digits))})
    return -int(digits) if is_negative else int(digits)


def typed_words(typed: TypedScores) -> str:
    """Typed scores in words: `6,180 – 5,700`, with a dash for one to come."""
    to_come = pgettext("a score to come", "?")
    return " – ".join(to_come if score is None else number(score) for score in typed.scores)


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


def _check_scores(pairing: Pairing, scores: Sequence[int | None]) -> None:
    places = list(pairing.places.all())
    if any(place.entry_id is None for place in places):
        raise Refused("not_drawn", gettext("The sides of this match are not known yet."))
    if len(scores) != len(sides_of(places)):
        raise Refused("bad_lines", gettext("A result has one score for each side of the match."))
    if any(score is not None and abs(score) > result_lines.MOST_POINTS for score in scores):
        raise Refused("bad_score", gettext("Enter a whole number of points, such as 4,210."))
