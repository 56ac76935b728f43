"""The next big act of an event, and what blocks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from django.core.cache import cache
from django.utils.translation import get_language, gettext, ngettext, pgettext

from engine.compete.records import CannotPair
from tournaments import cuts, expected_rounds, plan_checks
from tournaments.models import Entry, Pairing, Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, ENDLESS, Plan
from tournaments.round_names import is_of_bracket, match_words, round_name, round_words
from tournaments.stage_state import RoundState, StageState
from web.text import join_words, several

Status = Tournament.Status
MOST_NAMED = 6


@dataclass(frozen=True)
class Dock:
    """The next big act: its text and its button. `act` is the name of the address that does it."""

    head: str
    rest: str = ""
    act: str = ""
    label: str = ""
    why_not: str = ""
    """The reason why it cannot be done now; empty if it can."""
    stage: Stage | None = None
    number: int = 0
    round_words: str = ""
    """The round of that number: `round 2`, `final`."""
    is_link: bool = False


def dock(event: Tournament, states: Sequence[StageState], stages: Sequence[Stage]) -> Dock | None:
    """The next act; `None` if there is none. `states` are the stages under way."""
    if event.status == Status.DRAFT:
        wrong = plan_checks.plan_problems(event, [Plan.read(stage.plan_json) for stage in stages])
        return Dock(
            gettext("Only organisers see this event."),
            " ".join(wrong) or gettext("Publish the event to open entries."),
            "announce",
            gettext("Publish event"),
            " ".join(wrong),
        )
    if event.status in (Status.OPEN, Status.CLOSED):
        return _start(event, stages)
    if event.status != Status.RUNNING:
        return None
    if (tied := cuts.find_open_tie(stages)) is not None:
        stage, tie = tied
        return Dock(tie.sentence, "", "tie", gettext("Decide the tie"), stage=stage, is_link=True)
    for stage in stages:
        if stage.status == Stage.Status.WAITING and _is_named_by_hand(stage, stages):
            return Dock(
                gettext("%(stage)s waits") % {"stage": stage},
                gettext("for you to choose the entries that go through."),
                "admit",
                gettext("Choose entries"),
                stage=stage,
                is_link=True,
            )
    return next(filter(None, map(_of_stage, states)), None)


def _is_named_by_hand(stage: Stage, stages: Sequence[Stage]) -> bool:
    before = [each for each in stages if each.number < stage.number]
    is_next = bool(before) and all(each.status == Stage.Status.OVER for each in before)
    return is_next and (bool(stage.trouble) or Plan.read(stage.plan_json).by_hand)


def _start(event: Tournament, stages: Sequence[Stage]) -> Dock:
    entered = list(Entry.objects.filter(tournament=event, status=Entry.Status.ENTERED))
    # With check-in, entries without an answer at the start are left out.
    needs = event.has_check_in
    here = [entry for entry in entered if entry.is_here or (entry.is_here is None and not needs)]
    wrong = plan_checks.plan_problems(event, [Plan.read(stage.plan_json) for stage in stages], len(here))
    silent = sum(entry.is_here is None for entry in entered) if needs else 0
    values = {"entries": several(len(here), "entry", "entries")}
    rest = (gettext("%(entries)s would play.") if needs else gettext("%(entries)s play.")) % values
    if silent:
        absent = gettext("%(entries)s not checked in would be left out.")
        rest = f"{rest} {absent % {'entries': several(silent, 'entry', 'entries')}}"
    begin = pgettext("an event", "Start")
    if wrong:
        return Dock(
            gettext("The event cannot start yet."), f"{rest} {' '.join(wrong)}", "start", begin, " ".join(wrong)
        )
    return Dock(gettext("Ready to start."), rest, "start", begin)


# A stage under way


def _of_stage(state: StageState) -> Dock | None:
    if state.stage.trouble:
        return Dock(gettext("%(stage)s cannot continue.") % {"stage": state.stage}, state.stage.trouble)
    if state.plan.format in ENDLESS:
        if state.plan.format == "ladder":
            rest = gettext("It runs until you end it.")
            return Dock(f"{state.stage}.", rest, "end_ladder", gettext("End ladder"), stage=state.stage, is_link=True)
        rest = gettext("Ends automatically after %(minutes)s minutes.") % {"minutes": state.plan.minutes}
        return Dock(f"{state.stage}.", rest)
    return _next_round(state)


def _next_round(state: StageState) -> Dock | None:
    plan, stage = state.plan, state.stage
    count = expected_rounds.round_count(state) or 0
    if plan.waits_for_go:
        number = stage.go_round + 1
        if number > count:
            return _end(state)
        return _go(state, number)
    if plan.format in DRAWN_BY_ROUND and len(state.rounds) < count:
        return Dock(_drawn_by_itself(len(state.rounds) + 1), _when_in(state.rounds[-1:]))
    later = [round_ for round_ in state.rounds if round_.row.status == round_.row.Status.DRAWN and not plan.is_bracket]
    if later:
        playing = [round_ for round_ in state.rounds if round_.row.status == round_.row.Status.OPEN]
        head = gettext("%(round)s starts automatically") % {"round": round_name(later[0].row.name)}
        return Dock(head, _when_in(playing))
    return _end(state)


def _drawn_by_itself(number: int) -> str:
    return gettext("Round %(number)s is drawn automatically") % {"number": number}


def _end(state: StageState) -> Dock | None:
    open_tables = [table.row for round_ in state.rounds for table in round_.tables if _is_awaited(table.row)]
    if not open_tables:
        return None
    head = gettext("%(stage)s continues.") % {"stage": state.stage}
    if state.plan.is_bracket:
        return Dock(head, gettext("Its next matches follow automatically."))
    return Dock(head, _over_when(open_tables))


def _go(state: StageState, number: int) -> Dock:
    stage = state.stage
    before = state.round(number - 1)
    awaited = (
        [table.row for table in before.tables if table.row.is_open] if before and not state.plan.is_bracket else []
    )
    following = gettext("Next round")
    stored = expected_rounds.stored_name(state, number)
    title, called = {"round": round_name(stored)}, round_words(stored)
    if awaited:
        head = gettext("%(round)s waits") % title
        why = gettext("for %(tables)s.") % {"tables": _waits_for(awaited)}
        return Dock(head, why, "go", following, f"{head} {why}", stage, number, called)
    words, wrong = _ready(state, number)
    if wrong:
        head = gettext("%(round)s cannot be drawn.") % title
        return Dock(head, wrong, "go", following, wrong, stage, number, called)
    head = gettext("%(round)s is ready.") % title if stored[-1:].isdecimal() else gettext("Next: %(round)s.") % title
    return Dock(head, words, "go", following if number > 1 else gettext("First round"), "", stage, number, called)


def _ready(state: StageState, number: int) -> tuple[str, str]:
    """A round not drawn yet: tables, byes and rematches; or why it cannot be drawn. Cached while nothing changes."""
    event = state.stage.tournament
    key = f"event-ready:{event.pk}:{event.version}:{state.stage.pk}:{number}:{get_language()}"
    answer: tuple[str, str] | None = cache.get(key)
    if answer is None:
        answer = _drawn_words(state, number)
        cache.set(key, answer, 600)
    return answer


def _drawn_words(state: StageState, number: int) -> tuple[str, str]:
    have = state.round(number)
    if have is not None:
        tables = sum(table.row.status != Pairing.Status.IDLE for table in have.tables)
        return f"{several(tables, 'table')}.", ""
    try:
        planned = expected_rounds.next_round(state, number)
    except CannotPair as error:
        return "", error.sentence
    met = {
        frozenset(pair)
        for round_ in state.rounds
        for table in round_.tables
        if table.is_decided
        for pair in combinations(table.known, 2)
    }
    rematches = sum(
        frozenset(pair) in met
        for table in planned.tables
        for pair in combinations([at for at in table.entries if at is not None], 2)
    )
    parts = [several(len(planned.tables), "table")]
    if planned.sit_outs:
        parts.append(several(len(planned.sit_outs), "bye"))
    if rematches:
        parts.append(gettext("%(pairs)s meet again") % {"pairs": several(rematches, "pair")})
    else:
        parts.append(gettext("nobody meets again"))
    return f"{', '.join(parts)}.", ""


def _is_awaited(pairing: Pairing) -> bool:
    return pairing.is_open and pairing.status != Pairing.Status.WAITS


def _when_in(rounds: Sequence[RoundState]) -> str:
    awaited = [table.row for round_ in rounds for table in round_.tables if table.row.is_open]
    if not awaited:
        return gettext("soon.")
    sentence = ngettext("when table %(tables)s is finished.", "when tables %(tables)s are finished.", len(awaited))
    if is_of_bracket(awaited[0].name):
        sentence = ngettext("when %(tables)s is finished.", "when %(tables)s are finished.", len(awaited))
    return sentence % {"tables": join_words(_table_names(awaited))}


def _over_when(awaited: Sequence[Pairing]) -> str:
    """`The round ends when tables 4, 8 and 9 have results.`"""
    sentence = ngettext(
        "The round ends when table %(tables)s has a result.",
        "The round ends when tables %(tables)s have results.",
        len(awaited),
    )
    if is_of_bracket(awaited[0].name):
        sentence = ngettext(
            "The round ends when %(tables)s has a result.", "The round ends when %(tables)s have results.", len(awaited)
        )
    return sentence % {"tables": join_words(_table_names(awaited))}


def _table_names(awaited: Sequence[Pairing]) -> list[str]:
    """The names of some tables, and how many more there are."""
    more = len(awaited) - MOST_NAMED
    return [_name(pairing) for pairing in awaited[:MOST_NAMED]] + (
        [gettext("%(count)s more") % {"count": more}] if more > 0 else []
    )


def _waits_for(awaited: Sequence[Pairing]) -> str:
    """`tables 4, 8, 9 and one dispute`."""
    disputes = [pairing for pairing in awaited if pairing.status == Pairing.Status.DISPUTED]
    undisputed = [pairing for pairing in awaited if pairing.status != Pairing.Status.DISPUTED]
    names = _table_names(undisputed)
    numbers = {1: gettext("one dispute"), 2: gettext("two disputes")}
    more = numbers.get(len(disputes), gettext("%(count)s disputes") % {"count": len(disputes)}) if disputes else ""
    if not undisputed:
        return more
    if is_of_bracket(undisputed[0].name):
        return join_words([*names, more] if more else names)
    if more:
        words = ngettext("table %(tables)s and %(disputes)s", "tables %(tables)s and %(disputes)s", len(undisputed))
        return words % {"tables": ", ".join(names), "disputes": more}
    return ngettext("table %(tables)s", "tables %(tables)s", len(undisputed)) % {"tables": join_words(names)}


def _name(pairing: Pairing) -> str:
    if is_of_bracket(pairing.name):
        return match_words(pairing.round.name, pairing.name, pairing.number)
    return str(pairing.number)
