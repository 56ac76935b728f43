"""Whole evenings at random: standings follow from the sheets alone, sitting out costs nothing, ties follow the rule alone, and
every output names the same champions, also after the archive.
"""

import io
import random
from collections import defaultdict
from fractions import Fraction
from itertools import groupby, pairwise

import pytest
from hypothesis import settings

from accounts.models import Notice
from clubs.services import club_archive
from engine.compete import lots
from tests.makers import make_club, make_event, make_person
from tests.tournaments import driving
from tests.tournaments.test_ties import champions_everywhere
from tests.tries import EVERY_DAY
from tournaments import cuts, outcome, stage_standings, ties
from tournaments.models import Member, Pairing, SitOut, Stage, Tournament
from tournaments.plan import standard
from tournaments.services.entries import bulk_entry, withdrawal
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.events import lifecycle
from tournaments.services.matches import results
from tournaments.services.stages import stage_decisions
from tournaments.stage_state import load

pytestmark = pytest.mark.django_db

RULES = ("tiebreaks", "total", "books", "between", "share", "all", "lot")
SEEDS = range(14 * settings.default.max_examples // EVERY_DAY)


class Evening:
    """An evening by a seed: its event, played to the end by random scores that tie often."""

    def __init__(self, seed, olga, club):
        self.random, self.olga = random.Random(seed), olga
        self.counts = self.random.choice(("result", "total", "average"))
        self.rule = RULES[seed % len(RULES)]
        self.has_partners = bool(seed % 2)
        choices = {"rounds": self.random.choice((2, 3)), "counts": self.counts, "byes_count": "average"}
        if self.has_partners:  # at tables of exactly four, so that some sit out
            plan = standard("rotating_partners", cut_tie=self.rule, tiebreaks=["points_scored"], **choices)
        else:
            choices |= {"seats": 4, "least": 3, "most": 5}
            plan = standard("swiss_pods", cut_tie=self.rule, tiebreaks=["points_scored"], **choices)
        final = standard("pod_knockout", seats=4, most=7, advance=1, take=4, cut_tie=self.rule)
        people = self.random.choice((9, 10, 11, 13, 14))
        self.event = make_event(
            olga, plan, final, name=f"Evening {seed}", entries=people, circle=club.circle, status="open"
        )
        for entry in self.event.entries.all():
            user = make_person("Pat") if entry.number == 1 else None
            Member.objects.create(entry=entry, tournament=self.event, name=entry.name, user=user)
        lifecycle.start(self.event.pk, olga, anyway=True)
        self.play()
        self.event.refresh_from_db()

    def play(self):
        for step in range(20):
            if step == 1 and not self.has_partners:
                bulk_entry.enter_list(self.event.pk, self.olga, lines=[Names(["Late Lou"])])
            if step == 2 and not self.has_partners:
                leaving = self.event.entries.filter(status="entered").order_by("number").last()
                withdrawal.withdraw(leaving.pk, self.olga)
            open_ones = driving.open_pairings(self.event)
            if not open_ones and not self.answer():
                return
            for pairing in open_ones:
                results.decide(pairing.pk, self.lines(pairing), by=self.olga)
        raise AssertionError("the evening does not end")

    def lines(self, pairing):
        lines = driving.lines_of(pairing, lambda names: [self.random.choice((500, 600, 700)) for _ in names])
        return [{**line, "books": self.random.choice((1, 2))} for line in lines]

    def answer(self):
        """Decide a tie that the rule leaves by lot, as an organiser would; whether there was one."""
        asking = cuts.find_open_tie(list(Stage.objects.filter(tournament=self.event).order_by("number")))
        if asking is None:
            return False
        stage, _ = asking
        assert self.rule not in ("lot", "all")
        stage_decisions.decide_tie(stage.pk, "lot", by=self.olga)
        return True


@pytest.fixture
def evening(request, olga):
    """The evening of a seed, in a club of Olga’s."""
    club = make_club("Harbour", owner=olga)
    evening = Evening(request.param, olga, club)
    evening.club = club
    assert evening.event.status == Tournament.Status.OVER
    return evening


def sheets(stage):
    """Round by round, the card points of each entry (its id) as its sheet has them: a list of tables."""
    rounds = defaultdict(list)
    for pairing in Pairing.objects.filter(round__stage=stage, status="done").select_related("result", "round"):
        if pairing.result is not None:
            rounds[pairing.round.number].append({line["entry"]: line["score"] for line in pairing.result.lines})
    return rounds


def by_place(table):
    """Match points by place: one for each entry behind, half of one for each that is tied."""
    return {
        entry: sum((other < score) + Fraction(other == score, 2) for other in table.values()) - Fraction(1, 2)
        for entry, score in table.items()
    }


def by_result(table):
    """Match points of two sides whose partners share a score: two for a win, one for a draw."""
    best, worst = max(table.values()), min(table.values())
    return {entry: 1 if best == worst else 2 * (score == best) for entry, score in table.items()}


def recomputed(evening, stage):
    """Points by entry (its id), from the sheets and the rounds sat out alone."""
    played, sat = defaultdict(list), defaultdict(int)
    for tables in sheets(stage).values():
        for table in tables:
            points = by_result if evening.has_partners else by_place
            for entry, value in (points(table) if evening.counts == "result" else table).items():
                played[entry].append(Fraction(value))
    for sit_out in SitOut.objects.filter(round__stage=stage, kind="sit_out"):
        sat[sit_out.entry_id] += 1
    points = {}
    for entry in stage.entries.values_list("entry", flat=True):
        rounds = played[entry]
        # Standard rules play four deals, which a result without a sheet counts.
        average = Fraction(sum(rounds), len(rounds)) if rounds else Fraction(0)
        points[entry] = average / 4 if evening.counts == "average" else sum(rounds) + sat[entry] * average
    return points, played, sat


@pytest.mark.parametrize("evening", SEEDS, indirect=True)
def test_a_whole_evening(evening):
    first, last = evening.event.stages.order_by("number")
    state = load(first)
    rows = stage_standings.table(state)
    ids = {row.entry: state.entries[row.entry].entry_id for row in rows}
    points, played, sat = recomputed(evening, first)
    assert {ids[row.entry]: row.points for row in rows} == points
    assert [row.points for row in rows] == sorted(points.values(), reverse=True)
    sitting_out_costs_nothing(evening, points, played, sat)
    ties_follow_the_rule(evening, state, rows)
    champions_are_the_same_everywhere(evening, last)


def sitting_out_costs_nothing(evening, points, played, sat):
    """Whoever sat out has as many points for each round as for each one they played."""
    assert any(sat.values()) == evening.has_partners
    for entry, rounds in played.items():
        if evening.counts != "average" and rounds:
            assert points[entry] / (len(rounds) + sat[entry]) == Fraction(sum(rounds), len(rounds))


def ties_follow_the_rule(evening, state, rows):
    """Entries with equal points share their rank, unless the rule or an answer separates them, which their row says."""
    values = measures(evening, state)
    for _, group in groupby(rows, key=lambda row: (row.points, *row.values.values())):
        tied = list(group)
        for before, after in pairwise(tied):
            if before.rank == after.rank:
                continue
            assert before.by in (evening.rule, "lot"), "nothing else separates them, and the row says what did"
            if before.by == "lot":
                key = ties.lot_key(state, ties.END)
                numbers = [state.entries[row.entry].entry.number for row in (before, after)]
                assert sorted(numbers, key=lambda number: lots.place(key, number)) == numbers
            elif before.by in values:
                assert values[before.by][before.entry] > values[before.by][after.entry]


def measures(evening, state):
    """Total card points and books by entry, from the sheets."""
    totals, books = defaultdict(int), defaultdict(int)
    for round_ in state.rounds:
        for table in round_.tables:
            for line in table.row.result.lines if table.row.result else ():
                totals[state.position_of[line["entry"]]] += line["score"]
                books[state.position_of[line["entry"]]] += line["books"]
    return {"total": totals, "books": books}


def champions_are_the_same_everywhere(evening, last):
    rounds = sheets(last)
    (final,) = rounds[max(rounds)]
    highest = {entry for entry, score in final.items() if score == max(final.values())}
    won = outcome.of(evening.event)
    assert {entry.pk for entry in won.champions} <= highest
    assert won.champions
    assert len(won.champions) == 1 or evening.rule in ("share", "all")
    names = [entry.name for entry in won.champions]
    shown = champions_everywhere(evening.event)
    assert [sorted(shown[each]) for each in ("json", "csv", "api", "page")] == [sorted(names)] * 4
    assert (shown["feed"], shown["desk"], shown["stage"]) == ([f"{won.names} won."], won.names, len(names))
    assert shown["pdf"] == [won.names]
    assert shown["picture"][:-1] == [entry.name for entry in won.champions]
    (letter,) = Notice.objects.filter(kind="event_over")
    assert won.names in letter.body or ("you won" in letter.title and "Entry 1" in names)
    file = io.BytesIO()
    club_archive.export_club(evening.club.pk, evening.olga, file)
    again = club_archive.import_club(evening.olga, file, slug="again")
    copy = Tournament.objects.get(circle=again.circle)
    assert [entry.name for entry in outcome.of(copy).champions] == names
    assert outcome.of(copy).sentence == won.sentence
    assert champions_everywhere(copy)["api"] == names
