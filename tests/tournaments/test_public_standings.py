"""Standings as pages show them: tiebreaks in words, form, former entries, and places still possible."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.tournaments import driving
from tournaments.models import Entry, Stage
from tournaments.plan import standard
from tournaments.public import possible_ranks, progress, standings
from tournaments.public.names import entrants_of, links_of
from tournaments.public.standings import value_words
from tournaments.public.tiebreak_text import letters
from tournaments.services.entries import withdrawal
from tournaments.services.matches import results
from tournaments.stage_state import load


@pytest.fixture
def tables():
    """The standings of a stage of an event."""

    def of(event, number=1):
        stages = {stage.number: stage for stage in Stage.objects.filter(tournament=event)}
        state = load(stages[number], event)
        return standings.tables(state, entrants_of(state, links_of(event)), stages.get(number + 1))

    return of


@pytest.fixture
def play(olga):
    """Enters a result by the names of two opponents: `play(event, "Player 1", 7000, "Player 2", 6000)`."""

    def enter(event, entry, score, opponent, worse, **how):
        scores = {entry: score, opponent: worse}
        for pairing in driving.open_pairings(event):
            names = {place.entry.name: place.entry_id for place in pairing.places.select_related("entry")}
            if set(names) == set(scores):
                lines = [{"entry": names[name], "score": points} for name, points in scores.items()]
                return results.decide(pairing.pk, lines, by=olga, **how)
        raise AssertionError(f"{entry} and {opponent} do not meet.")

    return enter


def lines_of(table):
    return {line.entrant.name: line for line in table.lines}


def test_before_the_first_result_nobody_has_a_place(new_event, tables):
    (table,) = tables(new_event("round_robin", 4, started=True))
    assert [line.place for line in table.lines] == [""] * 4
    assert [line.entrant.name for line in table.lines] == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert (table.whys, table.has_ranges) == ((), False)


def test_places_still_possible_are_shown_until_the_last_match(new_event, tables, olga, client):
    event = new_event("round_robin", 4, started=True)
    shown = []
    for _ in range(3):
        driving.play_round(event, olga)
        markup = client.get(f"{event.get_absolute_url()}1/").content.decode()
        shown.append((tables(event)[0].has_ranges, markup.count("Can finish")))
    assert shown == [(True, 2), (True, 2), (False, 0)]


def test_neighbours_with_the_same_points_are_told_apart_in_words(new_event, tables, play):
    event = new_event("round_robin", 4, started=True, all_at_once=True, tiebreaks=["direct_encounter", "spread"])
    play(event, "Player 1", 7105, "Player 2", 6400)
    play(event, "Player 3", 9000, "Player 1", 5000)
    play(event, "Player 2", 8000, "Player 3", 7950)
    (table,) = tables(event)
    # Each of the three has won once against the others: only the points part them.
    assert [(why.letter, why.upper.name, why.words, why.lower.name, why.points) for why in table.whys] == [
        ("a", "Player 3", "on points difference, 3,950 to −655", "Player 2", "2 points"),
        ("b", "Player 2", "on points difference, −655 to −3,295", "Player 1", "2 points"),
    ]
    lines = lines_of(table)
    assert [lines[f"Player {number}"].letters for number in (3, 2, 1, 4)] == [("a",), ("a", "b"), ("b",), ()]


def test_direct_encounter_tells_of_the_match(new_event, tables, play):
    event = new_event("round_robin", 3, started=True, all_at_once=True, tiebreaks=["direct_encounter"])
    play(event, "Player 1", 7105, "Player 2", 6400)
    play(event, "Player 2", 7000, "Player 3", 6900)
    (table,) = tables(event)
    (why,) = table.whys
    assert (why.upper.name, why.lower.name) == ("Player 1", "Player 2")
    assert why.words.startswith("on direct encounter: 7,105 – 6,400 in round ")


def test_who_is_level_in_everything_shares_the_place(new_event, tables, play):
    event = new_event("round_robin", 4, started=True, all_at_once=True, tiebreaks=["wins"])
    play(event, "Player 1", 7000, "Player 2", 6000)
    play(event, "Player 3", 7000, "Player 4", 6000)
    (table,) = tables(event)
    assert [(line.entrant.name, line.place) for line in table.lines] == [
        ("Player 1", "1="), ("Player 3", "1="), ("Player 2", "3="), ("Player 4", "3="),
    ]  # fmt: skip
    assert [why.words for why in table.whys] == ["", ""]


def test_form_is_the_last_five_the_oldest_first(new_event, olga, tables, play):
    event = new_event("round_robin", 7, started=True, all_at_once=True)
    for number, (score, opponents) in enumerate([(1, 0), (0, 1), (1, 1), (1, 0), (0, 1), (1, 0)], 2):
        play(event, "Player 1", 6000 + score, f"Player {number}", 6000 + opponents)
    (table,) = tables(event)
    first = lines_of(table)["Player 1"]
    assert (first.tally.played, first.tally.won, first.tally.drawn, first.tally.lost) == (6, 3, 1, 2)
    assert len(first.form) == 5
    assert sorted(result.sign for result in first.form) == sorted(result.sign for result in first.tally.form[1:])
    assert first.form_words == ", ".join({"W": "won", "D": "drew", "L": "lost"}[result.sign] for result in first.form)


def test_who_left_is_listed_last_with_a_word_about_it(new_event, olga, tables):
    event = new_event("round_robin", 5, started=True)
    driving.play_round(event, olga)
    first, second = Entry.objects.get(tournament=event, number=1), Entry.objects.get(tournament=event, number=2)
    withdrawal.withdraw(first.pk, olga, at_once=True)
    withdrawal.disqualify(second.pk, olga, reason="Did not keep to the rules.")
    (table,) = tables(event)
    last = table.lines[-2:]
    assert {line.entrant.name: line.note for line in last} == {
        "Player 1": "withdrew after round 2, not counted",
        "Player 2": "disqualified",
    }
    assert [(line.place, line.range) for line in last] == [("–", "–")] * 2


def test_the_cut_stands_below_the_last_who_goes_on(new_event, olga, tables):
    plans = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]
    event = new_event(entries=8, plans=plans, started=True)
    driving.play_round(event, olga)
    for table in tables(event):
        assert [line.cut for line in table.lines] == ["", "Places 1 to 2 go through to Knockout", "", ""]
    plans = [standard("swiss", rounds=2), standard("single_elimination", take=2)]
    smaller = new_event(entries=6, plans=plans, started=True)
    driving.play_round(smaller, olga)
    (table,) = tables(smaller)
    assert [line.cut for line in table.lines if line.cut] == ["Places 1 to 2 go through to Knockout"]
    assert tables(smaller)[0].lines[1].cut


def test_groups_have_tables_of_their_own(new_event, olga, tables):
    event = new_event("groups", 8, groups=2, started=True)
    driving.play_round(event, olga)
    groups = tables(event)
    assert [table.title for table in groups] == ["Group A", "Group B"]
    assert [len(table.lines) for table in groups] == [4, 4]
    assert [line.range for line in groups[0].lines] == ["1–4"] * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "format",
    [
        "round_robin",
        "swiss",
        "groups",
        "swiss_pods",
        "pod_knockout",
        "rotating_partners",
        "single_elimination",
        "double_elimination",
    ],
)
def test_ranges_are_never_wrong_and_never_widen(new_event, olga, format):
    choices = {"groups": {"groups": 2}, "swiss": {"rounds": 3}, "swiss_pods": {"rounds": 2}}.get(format, {})
    event = new_event(format, 12 if "pod" in format else 8, started=True, **choices)
    ranges = []

    def note_ranges():
        state = load(Stage.objects.get(tournament=event), event)
        groups = [1, 2] if format == "groups" else [0]
        spans = {}
        for group in groups:
            rows = (
                standings.stage_standings.table(state, group=group)
                if format not in ("single_elimination", "double_elimination")
                else ()
            )
            spans |= possible_ranks.of(state, rows, group=group)
        ranges.append(spans)

    note_ranges()
    while pairings := driving.open_pairings(event):
        driving.decide(pairings[0], olga, driving.by_lot)
        note_ranges()
    last = ranges[-1]
    assert all(best == worst for best, worst in last.values())
    for earlier, later in pairwise(ranges):
        for at, (best, worst) in earlier.items():
            assert best <= later[at][0] <= later[at][1] <= worst
            assert best <= last[at][0] <= worst


def test_ranges_in_words():
    assert [possible_ranks.words(span) for span in ((1, 1), (2, 5), None)] == ["1", "2–5", "–"]
    assert possible_ranks.words((5, 5), is_shared=True) == "5="
    assert possible_ranks.sentence((3, 3), 8) == "Place 3 is certain."
    assert possible_ranks.sentence((3, 3), 8, is_over=True) == "Finished in place 3."
    assert possible_ranks.sentence((1, 8), 8) == "Can still finish in any place."
    assert possible_ranks.sentence((2, 5), 8) == "Can still finish in places 2 to 5."
    assert possible_ranks.sentence(None, 8) == ""


def test_how_far_a_stage_is(new_event, olga):
    event = new_event("swiss", 8, started=True, rounds=2)

    def words():
        return progress.words(load(Stage.objects.get(tournament=event), event))

    assert words() == "Round 1 of 2: 0 of 4 tables finished"
    driving.decide(driving.open_pairings(event)[0], olga)
    assert words() == "Round 1 of 2: 1 of 4 tables finished"
    driving.play_round(event, olga)
    assert words() == "Round 2 of 2: 0 of 4 tables finished"
    driving.play_out(event, olga)
    assert words() == "after round 2 of 2"


def test_values_as_people_write_them():
    assert value_words(Fraction(12345), "points_scored") == "12,345"
    assert value_words(Fraction(-1205), "spread") == "−1,205"
    assert value_words(Fraction(3785), "spread") == "+3,785"
    assert value_words(Fraction(25, 2), "buchholz") == "12½"
    assert value_words(None) == "–"


def test_letters_go_on_after_z():
    assert [letters(at) for at in (0, 25, 26, 27, 52, 701, 702)] == ["a", "z", "aa", "ab", "ba", "zz", "aaa"]


def test_the_page_shows_each_tie_break_with_what_it_counts(new_event, olga, client):
    event = new_event("swiss", 8, started=True, rounds=3, tiebreaks=["buchholz", "spread"])
    driving.play_round(event, olga, driving.by_lot)
    markup = client.get(f"/events/{event.slug}/1/").content.decode()
    assert '<abbr title="The sum of the points of all opponents.">Buchholz</abbr>' in markup
    assert "<b>Buchholz</b> The sum of the points of all opponents." in markup
    assert re.search(r"is ahead of <b><bdi>Player \d</bdi></b>, both 2 points, on points difference, ", markup)
