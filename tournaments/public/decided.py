"""How an event is decided, in words: what each stage is, how matches score, what breaks ties, who goes on, and by when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.compete import explain
from engine.compete.scoring import SCORINGS
from engine.compete.tiebreaks import NAMES, UNPLAYED_RULES
from tournaments.models import Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, ENDLESS, FORMATS, KNOWN_BEFOREHAND, Plan
from web.words import several


@dataclass(frozen=True)
class Tiebreak:
    """A tie-break by its title, with what it counts."""

    title: str
    explanation: str


@dataclass(frozen=True)
class Decided:
    """A stage in words."""

    stage: Stage
    plan: Plan
    sentences: tuple[str, ...]
    tiebreaks: tuple[Tiebreak, ...]


def stages(rows: Sequence[Stage]) -> tuple[Decided, ...]:
    """Each stage in words, in order."""
    return tuple(_stage(row, Plan.read(row.plan_json)) for row in rows)


def _stage(row: Stage, plan: Plan) -> Decided:
    sentences = [
        FORMATS[plan.format].sentence,
        *_taking(row, plan),
        *_shape(plan),
        *_scoring(plan),
        *_unplayed(plan),
        *_time(plan),
    ]
    shown = () if plan.is_bracket or plan.format == "ladder" else plan.tiebreaks
    return Decided(row, plan, tuple(sentences), tuple(Tiebreak(_title(name, plan), NAMES[name][1]) for name in shown))


def short(plan: Plan) -> str:
    """A stage's format in a few words: `Swiss, 5 rounds`."""
    parts = [plan.title]
    if plan.format in ("round_robin", "groups") and plan.legs == 2:
        parts.append("everybody twice")
    if plan.format == "groups":
        parts.append(several(plan.groups, "group"))
    if plan.rounds:
        parts.append(several(plan.rounds, "round"))
    if plan.format == "arena":
        parts.append(f"{plan.minutes} minutes")
    return ", ".join(parts)


def _title(name: str, plan: Plan) -> str:
    title: str = NAMES[name][0]
    if name == "best_rounds" and plan.best_rounds:
        return f"{title}: {plan.best_rounds}"
    if name == "capped_spread" and plan.spread_cap:
        return f"{title}: {plan.spread_cap:,} at most"
    return title


def _taking(row: Stage, plan: Plan) -> Iterable[str]:
    """Who plays in a stage."""
    if row.number == 1:
        return
    if plan.by_hand:
        yield "The organisers name who goes on to it."
    elif plan.take_each and plan.take:
        yield f"The first {plan.take_each} of each group or table go on to it; the best others fill it up to {plan.take}."
    elif plan.take_each:
        yield f"The first {plan.take_each} of each group or table go on to it."
    elif plan.take:
        yield f"The first {plan.take} of the stage before go on to it."
    else:
        yield "Everybody goes on to it."
    if plan.carries:
        yield "Points of the stage before count on."


def _shape(plan: Plan) -> Iterable[str]:
    if plan.format in ("round_robin", "groups") and plan.legs == 2:
        yield "Everybody meets everybody twice."
    if plan.format == "groups":
        yield f"There are {plan.groups} groups."
    if plan.rounds:
        yield f"It has {several(plan.rounds, 'round')}."
    if plan.format in ("swiss_pods", "social", "pod_knockout"):
        yield f"Tables seat {plan.seats}; where the entries do not divide, {plan.least} to {plan.most}."
    if plan.format == "pod_knockout":
        yield f"The first {plan.advance} of each table go on; the best others fill the places that are left."
    if plan.format == "single_elimination" and plan.third_place:
        yield "The beaten semi-finalists play for third place."
    if plan.format == "double_elimination":
        yield (
            "If the winner of the second chance wins the final, it is played again, so that everybody but the champion loses twice."
            if plan.reset
            else "There is one final, even if the winner of the second chance wins it."
        )
    if plan.format == "ladder":
        yield f"A challenge reaches up to {several(plan.reach, 'place')} above."
        if plan.idle_days:
            yield f"Who plays no match for {several(plan.idle_days, 'day')} slides down a place."
    if plan.format == "arena":
        yield f"It goes on for {several(plan.minutes, 'minute')}; what is being played then is played to its end."
    if plan.shares_deals:
        yield "All tables of a round play the same deals."


def _scoring(plan: Plan) -> Iterable[str]:
    if plan.is_bracket or plan.format == "ladder":
        return
    if plan.scoring == "by_result":
        yield f"A win brings {_points(plan.win)}, a draw {_value(plan.draw)}, a loss {_value(plan.loss)}."
    elif plan.scoring == "by_place" and plan.place_points:
        yield f"Places at a table bring {', '.join(_value(one) for one in plan.place_points)} points; shared places share them."
    else:
        way = SCORINGS[plan.scoring]
        yield f"{way.title}: {way.explanation}"


def _unplayed(plan: Plan) -> Iterable[str]:
    """What rounds that were not played are worth."""
    if plan.is_bracket or plan.format in ENDLESS:
        return
    won, lost = plan.worth("forfeit_win"), plan.worth("forfeit_loss")
    if SCORINGS[plan.scoring].is_for_field:
        yield "A match that is not played brings who came three fifths of what could be made, and the others nothing."
    else:
        yield f"A walkover brings who came {_points(won)} and who did not {_value(lost)}."
    if plan.format in ("swiss", "swiss_pods"):
        yield f"A bye brings {_points(plan.worth('bye'))}, a half-point bye on request {_value(plan.worth('half_bye'))}."
    if any(name.startswith(_BY_OPPONENTS) for name in plan.tiebreaks):
        if plan.format in ("round_robin", "groups"):
            yield "For tie-breaks by opponents, a walkover counts as a match that was played."
        else:
            yield f"For tie-breaks by opponents: {UNPLAYED_RULES[plan.unplayed_rule][1]}"


_BY_OPPONENTS = ("buchholz", "median", "sonneborn", "opponents")


def _time(plan: Plan) -> Iterable[str]:
    if plan.round_hours:
        days, hours = divmod(plan.round_hours, 24)
        length = several(days, "day") if not hours else several(plan.round_hours, "hour")
        yield f"A round is to be played within {length} of its opening."
    if plan.by_date:
        yield "Each round begins on its own day, whatever is still open of those before."
    elif plan.all_at_once and plan.format in KNOWN_BEFOREHAND:
        yield "All rounds are open from the start."
    elif plan.waits_for_go and plan.format in (*DRAWN_BY_ROUND, *KNOWN_BEFOREHAND):
        yield "Each round begins when an organiser gives the go."


CUT_TIES = {
    "tiebreaks": "A tie at the cut is decided by the tie-breaks.",
    "playoff": "A tie at the cut is played off.",
    "all": "Who is tied at the cut goes on, all of them.",
}
"""What is said of a tie between the last who goes on and the first who does not."""


def cut_sentence(row: Stage, following: Stage | None) -> str:
    """What a tie at the cut after a stage leads to; nothing where there is no cut."""
    if following is None:
        return ""
    next_plan = Plan.read(following.plan_json)
    return CUT_TIES[Plan.read(row.plan_json).cut_tie] if next_plan.take and not next_plan.by_hand else ""


def matches(tournament: Tournament) -> tuple[str, ...]:
    """What holds for every match of an event: where it is played, how its result comes to count, who does not come."""
    where = {
        Tournament.Setting.ONLINE: "Matches are played online, at tables that the site makes; they report their results by themselves.",
        Tournament.Setting.FACE: "Matches are played face to face. Either side enters the score, and the other confirms it or disputes it.",
        Tournament.Setting.MIXED: "Matches are played online or face to face. Online tables report by themselves; else either side"
        " enters the score, and the other confirms it or disputes it.",
    }[Tournament.Setting(tournament.setting)]
    told = [where]
    if tournament.setting != Tournament.Setting.ONLINE:
        hours = several(tournament.confirm_hours, "hour")
        told.append(
            f"If the other side says nothing within {hours}, the result counts. A disputed result is for the organisers."
        )
    if tournament.no_show == Tournament.NoShow.WALKOVER:
        told.append("Who has not played by the deadline loses by walkover.")
    else:
        told.append("Where a match has no result by its deadline, the organisers decide.")
    told.append("Organisers can correct any result; it then says so, with the reason.")
    if tournament.is_rated:
        told.append("Matches between people with accounts count for ratings.")
    return tuple(told)


def _value(number: str | Fraction) -> str:
    return explain.value(Fraction(number))


def _points(number: str | Fraction) -> str:
    return f"{_value(number)} {'point' if Fraction(number) == 1 else 'points'}"
