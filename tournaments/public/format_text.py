"""The format of an event as text: its stages, scoring, tie-breaks, places that go through, and times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, gettext_noop

from engine.compete import explain
from engine.compete.evening import AVERAGE
from engine.compete.evening import SCORINGS as SCORINGS_OF_EVENINGS
from engine.compete.scoring import SCORINGS
from engine.compete.tiebreaks import NAMES, UNPLAYED_RULES
from engine.compete.ties import ASK
from tournaments.models import Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, ENDLESS, FORMATS, KNOWN_BEFOREHAND, WITH_BYES, Plan
from tournaments.public.tiebreak_text import points_words, tiebreak_called
from tournaments.rules_text import stage_sentences
from web.text import number, several


@dataclass(frozen=True)
class Tiebreak:
    """A tie-break with its title and explanation."""

    title: str
    called: str
    """Its title within a sentence."""
    explanation: str


@dataclass(frozen=True)
class StageText:
    """A stage in words."""

    stage: Stage
    plan: Plan
    sentences: tuple[str, ...]
    tiebreaks: tuple[Tiebreak, ...]


def stages(rows: Sequence[Stage]) -> tuple[StageText, ...]:
    """Each stage in words, in order."""
    return tuple(_stage(stage, Plan.read(stage.plan_json)) for stage in rows)


def _stage(stage: Stage, plan: Plan) -> StageText:
    sentences = [
        FORMATS[plan.format].sentence,
        *_taking(stage, plan),
        *_shape(plan),
        *stage_sentences(stage, plan),
        *_scoring(plan),
        *_unplayed(plan),
        *_time(stage, plan),
    ]
    names = () if plan.is_bracket or plan.format == "ladder" else plan.tiebreaks
    titles = {name: _title(name, plan) for name in names}
    tiebreaks = (Tiebreak(titles[name], tiebreak_called(name, titles[name]), gettext(NAMES[name][1])) for name in names)
    return StageText(stage, plan, tuple(sentences), tuple(tiebreaks))


def short(plan: Plan) -> str:
    """A stage's format in a few words: `Swiss, 5 rounds`."""
    parts = [plan.title]
    if plan.format in ("round_robin", "groups") and plan.legs == 2:
        parts.append(gettext("everyone twice"))
    if plan.format == "groups":
        parts.append(several(plan.groups, "group"))
    if plan.rounds:
        parts.append(several(plan.rounds, "round"))
    if plan.format == "arena":
        parts.append(gettext("%(minutes)s minutes") % {"minutes": plan.minutes})
    return ", ".join(parts)


def _title(name: str, plan: Plan) -> str:
    title = gettext(NAMES[name][0])
    if name == "best_rounds" and plan.best_rounds:
        return f"{title}: {plan.best_rounds}"
    if name == "capped_spread" and plan.spread_cap:
        return gettext("%(tiebreak)s: at most %(most)s") % {"tiebreak": title, "most": number(plan.spread_cap)}
    return title


def _taking(stage: Stage, plan: Plan) -> Iterable[str]:
    """Sentences on the entries of a stage."""
    if stage.number == 1:
        return
    if plan.by_hand:
        yield gettext("The organisers choose the entries for this stage.")
    elif plan.take_each and plan.take:
        sentence = gettext(
            "The first %(count)s of each group or table go through to this stage. The best others "
            "fill it up to %(most)s."
        )
        yield sentence % {"count": plan.take_each, "most": plan.take}
    elif plan.take_each:
        yield gettext("The first %(count)s of each group or table go through to this stage.") % {
            "count": plan.take_each
        }
    elif plan.take:
        yield gettext("The top %(count)s from the previous stage go through to this stage.") % {"count": plan.take}
    else:
        yield gettext("All entries go through to this stage.")
    if plan.carries:
        yield gettext("Points from the previous stage are carried over.")


def _shape(plan: Plan) -> Iterable[str]:
    if plan.format in ("round_robin", "groups") and plan.legs == 2:
        yield gettext("Everyone meets everyone twice.")
    if plan.format == "groups":
        yield gettext("There are %(count)s groups.") % {"count": plan.groups}
    if plan.rounds:
        yield gettext("It has %(rounds)s.") % {"rounds": several(plan.rounds, "round")}
    if plan.format in ("swiss_pods", "social", "pod_knockout"):
        sentence = gettext(
            "Tables seat %(seats)s. If the entries do not divide evenly, tables seat %(least)s to %(most)s."
        )
        yield sentence % {"seats": plan.seats, "least": plan.least, "most": plan.most}
    if plan.format == "pod_knockout":
        sentence = gettext("The first %(count)s of each table go through. The best others fill the remaining places.")
        yield sentence % {"count": plan.advance}
    if plan.format == "single_elimination" and plan.third_place:
        yield gettext("The beaten semi-finalists play for third place.")
    if plan.format == "double_elimination":
        yield (
            gettext(
                "If the winner of the second chance wins the final, it is played again. Everyone except "
                "the champion loses twice."
            )
            if plan.reset
            else gettext("There is one final, even if the winner of the second chance wins it.")
        )
    if plan.format == "ladder":
        yield gettext("You can challenge entries up to %(places)s above you.") % {
            "places": several(plan.reach, "place")
        }
        if plan.idle_days:
            yield gettext("An entry that plays no match for %(days)s drops one place.") % {
                "days": several(plan.idle_days, "day")
            }
    if plan.format == "arena":
        sentence = gettext("It lasts %(minutes)s. Deals in progress are finished.")
        yield sentence % {"minutes": several(plan.minutes, "minute")}
    if plan.shares_deals:
        yield gettext("All tables of a round play the same deals.")


def scoring(plan: Plan) -> str:
    """How a stage scores, and what a bye counts, for organisers who choose it."""
    sentences = [*_scoring(plan), *_byes(plan)]
    if plan.format in WITH_BYES and plan.has_plain_byes:
        sentences.append(gettext("A bye counts %(points)s.") % {"points": points_words(Fraction(plan.worth("bye")))})
    return " ".join(sentences)


def _scoring(plan: Plan) -> Iterable[str]:
    if plan.is_bracket or plan.format == "ladder":
        return
    if plan.counts_cards:
        yield gettext(SCORINGS_OF_EVENINGS[plan.counts][1])
        if plan.win_bonus:
            yield gettext("Each match won earns %(points)s more.") % {"points": points_words(plan.win_bonus)}
        if plan.format in DRAWN_BY_ROUND:
            yield gettext("Neighbours in the standings meet.")
    elif plan.scoring == "by_result":
        sentence = gettext("Win %(win)s, draw %(draw)s, loss %(loss)s.")
        yield sentence % {"win": points_words(Fraction(plan.win)), "draw": _value(plan.draw), "loss": _value(plan.loss)}
    elif plan.scoring == "by_place" and plan.place_points:
        sentence = gettext("Places at a table are worth %(points)s points. Tied places share their points.")
        yield sentence % {"points": ", ".join(_value(points) for points in plan.place_points)}
    else:
        way = SCORINGS[plan.scoring]
        yield f"{gettext(way.title)}: {gettext(way.explanation)}"


def _unplayed(plan: Plan) -> Iterable[str]:
    """Sentences on the points of rounds that were not played."""
    if plan.is_bracket or plan.format in ENDLESS:
        return
    yield from _byes(plan)
    if plan.counts_cards:
        yield gettext("A match that is not played earns no card points.")
        return
    won, lost = plan.worth("forfeit_win"), plan.worth("forfeit_loss")
    if SCORINGS[plan.scoring].is_for_field:
        yield gettext(
            "If a match is not played, the side that came gets three fifths of the possible points. "
            "The other side gets none."
        )
    else:
        sentence = gettext("A walkover is worth %(won)s to the side that came and %(lost)s to the side that did not.")
        yield sentence % {"won": points_words(Fraction(won)), "lost": _value(lost)}
    if plan.format in ("swiss", "swiss_pods") and plan.has_plain_byes:
        sentence = gettext("A bye is worth %(full)s, a half-point bye on request %(half)s.")
        yield sentence % {"full": points_words(Fraction(plan.worth("bye"))), "half": _value(plan.worth("half_bye"))}
    if any(name.startswith(_BY_OPPONENTS) for name in plan.tiebreaks):
        if plan.format in ("round_robin", "groups"):
            yield gettext("For tie-breaks by opponents, a walkover counts as a match that was played.")
        else:
            rule = gettext(UNPLAYED_RULES[plan.unplayed_rule][1])
            yield gettext("For tie-breaks by opponents: %(rule)s") % {"rule": rule}


def _byes(plan: Plan) -> Iterable[str]:
    """What a bye counts that nobody asked for, where it is not a set number of match points."""
    if plan.format not in WITH_BYES or plan.has_plain_byes:
        return
    points = plan.evening.sit_out
    if points is None and plan.counts == AVERAGE:
        yield gettext("A bye does not change the average.")
    elif points is None:
        yield gettext("A bye counts as much as the entry’s other rounds on average.")
    elif points:
        yield gettext("A bye counts %(points)s.") % {"points": points_words(points)}
    else:
        yield gettext("A bye counts nothing.")


_BY_OPPONENTS = ("buchholz", "median", "sonneborn", "opponents")


def _time(stage: Stage, plan: Plan) -> Iterable[str]:
    is_league = stage.tournament.has_matchdays
    if plan.round_minutes and not plan.round_hours:
        yield gettext("A round at real tables has %(minutes)s.") % {"minutes": several(plan.round_minutes, "minute")}
    if plan.round_hours:
        days, hours = divmod(plan.round_hours, 24)
        if hours:
            length = several(plan.round_hours, "hour")
            yield gettext("Each round must be played within %(hours)s of its start.") % {"hours": length}
        else:
            length = several(days, "day")
            of_league = gettext("Each matchday must be played within %(days)s of its start.")
            words = of_league if is_league else gettext("Each round must be played within %(days)s of its start.")
            yield words % {"days": length}
    if plan.by_date:
        of_league = gettext("Each matchday starts on its own day, even if earlier matches are unfinished.")
        of_event = gettext("Each round starts on its own day, even if earlier matches are unfinished.")
        yield of_league if is_league else of_event
    elif plan.all_at_once and plan.format in KNOWN_BEFOREHAND:
        of_league = gettext("All matchdays are open from the start.")
        yield of_league if is_league else gettext("All rounds are open from the start.")
    elif plan.waits_for_go and plan.format in (*DRAWN_BY_ROUND, *KNOWN_BEFOREHAND):
        yield gettext("An organiser starts each round.")


CUT_TIES = {
    "tiebreaks": gettext_noop("If the tie-breaks leave a tie for first place or at a cut, the organisers decide it."),
    "total": gettext_noop("A tie for first place or at a cut is decided by total card points."),
    "books": gettext_noop("A tie for first place or at a cut is decided by the number of books."),
    "between": gettext_noop("A tie for first place or at a cut is decided by the result between those tied."),
    "playoff": gettext_noop("A tie for first place or at a cut is decided by a deciding deal."),
    "share": gettext_noop("Entries tied for first place share it. The organisers decide a tie at a cut."),
    "all": gettext_noop("Everyone tied at a cut goes through. Entries tied for first place share it."),
    "lot": gettext_noop("A tie for first place or at a cut is decided by a lot drawn in public."),
}
"""Sentences on a tie between the last entry that goes through and the first that does not, and for first place."""


def cut_sentence(stage: Stage, following: Stage | None) -> str:
    """What decides ties of a stage: at its own cuts, at the one after it, and for first place; empty if there are none."""
    plan = Plan.read(stage.plan_json)
    next_plan = Plan.read(following.plan_json) if following is not None else None
    has_cut = next_plan is None or (bool(next_plan.take) and not next_plan.by_hand) or plan.format == "pod_knockout"
    has_cut = has_cut and plan.format != "ladder" and not (plan.is_bracket and plan.cut_tie == ASK)
    return gettext(CUT_TIES[plan.cut_tie]) if has_cut else ""


def matches(tournament: Tournament) -> tuple[str, ...]:
    """Sentences on every match of an event: its place, when its result becomes final, and walkovers."""
    where = {
        Tournament.Setting.ONLINE: gettext(
            "Matches are played online, at tables we create. Results are recorded automatically."
        ),
        Tournament.Setting.FACE: gettext(
            "Matches are played in person. Either side enters the score, and the other confirms or disputes it."
        ),
        Tournament.Setting.MIXED: gettext(
            "Matches are played online or in person. Online results are recorded automatically. In "
            "person, either side enters the score, and the other confirms or disputes it."
        ),
    }[Tournament.Setting(tournament.setting)]
    sentences = [where]
    if tournament.setting != Tournament.Setting.ONLINE:
        hours = several(tournament.confirm_hours, "hour")
        sentence = gettext(
            "If the other side does not object within %(hours)s, the result becomes final. The "
            "organisers decide disputed results."
        )
        sentences.append(sentence % {"hours": hours})
    if tournament.no_show == Tournament.NoShow.WALKOVER:
        sentences.append(gettext("If you have not played by the deadline, you lose by walkover."))
    else:
        sentences.append(gettext("If a match has no result by its deadline, the organisers decide."))
    sentences.append(gettext("Organisers can correct any result. The correction is shown, with the reason."))
    if tournament.is_rated:
        sentences.append(gettext("Matches between people with accounts count for ratings."))
    return tuple(sentences)


def _value(worth: str | Fraction) -> str:
    return explain.value(Fraction(worth))
