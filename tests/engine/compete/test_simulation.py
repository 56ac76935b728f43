import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.records import CannotPair
from engine.compete.simulation import FORMATS, HOW, simulate
from engine.errors import EngineError
from tests.engine.compete.test_knockout import DOUBLE_OF_EIGHT
from tests.tries import tries

USUAL = {name: (8, {}) for name in FORMATS} | {"swiss_pods": (18, {"seats": 6}), "pod_knockout": (54, {"seats": 6})}


def seats_of(session):
    return [entry for table in session.tables for entry in table.entries]


def name_tables(simulation):
    return [(table.name, *table.entries) for session in simulation.rounds for table in session.tables if table.name]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("results", HOW)
class TestEveryFormat:
    def test_nobody_is_twice_in_a_round_and_everybody_has_a_rank(self, name, results):
        entries, options = USUAL[name]
        simulation = simulate(name, entries, results=results, **options)
        for session in simulation.rounds:
            here = seats_of(session) + list(session.byes)
            assert len(here) == len(set(here))
            assert set(here) <= set(range(1, entries + 1))
            assert session.tables
        ranks = [row.rank for row in simulation.standings]
        assert ranks == sorted(ranks)
        assert all(row.rank == 1 + sum(other < row.rank for other in ranks) for row in simulation.standings)
        assert sorted(row.entry for row in simulation.standings) == list(range(1, entries + 1))

    def test_it_repeats_itself(self, name, results):
        entries, options = USUAL[name]
        first, second = (simulate(name, entries, results=results, seed="club", **options) for _ in range(2))
        assert first == second

    def test_as_json(self, name, results):
        entries, options = USUAL[name]
        simulation = simulate(name, entries, results=results, **options)
        data = json.loads(json.dumps(simulation.to_json()))
        assert list(data) == ["format", "entries", "settings", "rounds", "advancement", "standings", "counts"]
        assert (data["format"], data["entries"], data["settings"]["results"]) == (name, entries, results)
        assert all(list(each) == ["name", "tables", "byes"] for each in data["rounds"])
        assert data["counts"] == {
            "rounds": len(data["rounds"]),
            "tables": max(len(each["tables"]) for each in data["rounds"]),
            "matches": sum(len(each["tables"]) for each in data["rounds"]),
            "byes": sum(len(each["byes"]) for each in data["rounds"]),
        }
        assert {row["rank"] for row in data["standings"]} == {row.rank for row in simulation.standings}


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("howell", "mitchell", "rotating_partners")])
def test_the_better_seeds_finish_first_when_they_always_win(name):
    entries, options = USUAL[name]
    standings = simulate(name, entries, **options).standings
    assert standings[0].entry == 1
    assert standings[-1].entry == entries or standings[-1].rank == standings[-2].rank


def test_random_results_depend_on_the_seed():
    runs = {simulate("round_robin", 8, results="random", seed=seed).standings for seed in "abcdefgh"}
    assert len(runs) > 1


class TestFormats:
    def test_round_robins(self):
        assert [len(simulate("round_robin", entries).rounds) for entries in (4, 5, 12)] == [3, 5, 11]
        double = simulate("double_round_robin", 5)
        assert (len(double.rounds), double.matches, double.byes) == (10, 20, 10)
        assert simulate("round_robin", 5).standings[0].points == 8

    def test_swiss(self):
        simulation = simulate("swiss", 9)
        assert simulation.settings == {"rounds": 4, "results": "better-seed"}
        assert (len(simulation.rounds), simulation.byes) == (4, 4)
        assert len({session.byes for session in simulation.rounds}) == 4
        assert len(simulate("swiss", 9, rounds=6).rounds) == 6

    def test_swiss_in_pods(self):
        simulation = simulate("swiss_pods", 54, seats=6, rounds=4)
        assert [[len(table.entries) for table in each.tables] for each in simulation.rounds] == [[6] * 9] * 4
        assert simulate("swiss_pods", 16).settings == {"seats": 4, "rounds": 3, "results": "better-seed"}

    def test_double_elimination_of_eight_as_published(self):
        assert name_tables(simulate("double_elimination", 8)) == DOUBLE_OF_EIGHT

    def test_in_a_bracket_tables_have_names_in_json(self):
        first = simulate("single_elimination", 5).to_json()["rounds"][0]
        assert first == {"name": "Quarter-finals", "tables": [{"name": "WB1.2", "entries": [4, 5]}], "byes": [1, 2, 3]}

    def test_single_elimination(self):
        simulation = simulate("single_elimination", 6)
        assert [each.name for each in simulation.rounds] == ["Quarter-finals", "Semi-finals", "Final"]
        assert simulation.rounds[0].byes == (1, 2)
        assert [advance.entries for advance in simulation.advancement] == [(1, 4, 2, 3), (1, 2), (1,)]
        assert [(row.rank, row.entry) for row in simulation.standings] == [
            (1, 1),
            (2, 2),
            (3, 3),
            (3, 4),
            (5, 5),
            (5, 6),
        ]

    @tries(40)
    @given(st.integers(2, 64), st.sampled_from(list(HOW)), st.integers())
    def test_in_double_elimination_everybody_but_the_champion_loses_twice(self, entries, results, seed):
        simulation = simulate("double_elimination", entries, results=results, seed=str(seed))
        played = [entry for _, *both in name_tables(simulation) for entry in both]
        wins = {row.entry: row.points / 2 for row in simulation.standings}
        lost = {entry: played.count(entry) - wins[entry] for entry in wins}
        champion = simulation.standings[0].entry
        assert {entry for entry, count in lost.items() if count != 2} == {champion}
        assert simulation.matches == 2 * entries - 2 + lost[champion]

    def test_in_a_round_of_byes_only_nobody_plays(self):
        simulation = simulate("double_elimination", 6)
        assert "Second chance, round 1" not in [session.name for session in simulation.rounds]
        assert simulation.matches == 10

    def test_fifty_four_at_nine_tables_of_six(self):
        simulation = simulate("pod_knockout", 54, seats=6, advance=2)
        assert [[len(table.entries) for table in each.tables] for each in simulation.rounds] == [[6] * 9, [6] * 3, [6]]
        assert [len(advance.entries) for advance in simulation.advancement] == [18, 6, 1]
        assert [len(set(seats_of(each))) for each in simulation.rounds] == [54, 18, 6]
        assert [row.entry for row in simulation.standings[:6]] == [1, 2, 3, 4, 5, 6]
        assert (simulation.standings[0].rank, simulation.standings[6].rank, simulation.standings[18].rank) == (1, 7, 19)

    @tries(20)
    @given(st.integers(3, 120), st.integers(3, 7), st.sampled_from(list(HOW)))
    def test_in_pods_who_goes_on_plays_the_next_level(self, entries, seats, results):
        simulation = simulate("pod_knockout", entries, seats=seats, results=results)
        for advance, following in zip(simulation.advancement, simulation.rounds[1:], strict=False):
            assert sorted(advance.entries) == sorted(seats_of(following))
        assert simulation.advancement[-1].entries == (simulation.standings[0].entry,)

    def test_groups_then_knockout(self):
        simulation = simulate("groups_knockout", 16)
        assert simulation.settings == {"seats": 4, "groups": 4, "advance": 2, "results": "better-seed"}
        assert [each.name for each in simulation.rounds] == [
            "Group round 1",
            "Group round 2",
            "Group round 3",
            "Quarter-finals",
            "Semi-finals",
            "Final",
        ]
        assert [len(advance.entries) for advance in simulation.advancement] == [8, 4, 2, 1]
        mates = {}
        for session in simulation.rounds[:3]:
            for table in session.tables:
                for entry in table.entries:
                    mates.setdefault(entry, set()).update(table.entries)
        for session in simulation.rounds[3:-1]:
            assert all(second not in mates[first] for first, second in (table.entries for table in session.tables))

    @pytest.mark.parametrize(
        ("entries", "seats", "advance", "others", "through"),
        [(12, 4, 1, 1, 4), (12, 4, 2, 2, 8), (24, 4, 2, 4, 16), (54, 6, 2, 0, 18), (20, 4, 2, 0, 10), (16, 4, 2, 0, 8)],
    )
    def test_the_best_others_fill_the_bracket_where_one_a_group_are_enough(
        self, entries, seats, advance, others, through
    ):
        simulation = simulate("groups_knockout", entries, seats=seats, advance=advance)
        assert simulation.settings.get("others", 0) == others
        groups = simulation.settings["groups"]
        gone_on = set(simulation.advancement[0].entries)
        assert len(gone_on) == through
        certain = {entry for entry in range(1, entries + 1) if (entry - 1) // groups < advance}
        assert certain <= gone_on
        assert gone_on - certain <= {entry for entry in range(1, entries + 1) if (entry - 1) // groups == advance}
        first = simulation.rounds[seats - 1]
        assert len(first.tables) * 2 + len(first.byes) == through
        assert [row.entry for row in simulation.standings if row.rank > through] == sorted(
            set(range(1, entries + 1)) - gone_on
        )

    def test_rotating_partners(self):
        simulation = simulate("rotating_partners", 8)
        partners = [
            frozenset(pair)
            for session in simulation.rounds
            for table in session.tables
            for pair in (table.entries[::2], table.entries[1::2])
        ]
        assert len(simulation.rounds) == 7
        assert sorted(map(sorted, partners)) == sorted(map(list, itertools.combinations(range(1, 9), 2)))

    def test_on_a_ladder_nobody_moves_when_the_better_seed_wins(self):
        assert [row.entry for row in simulate("ladder", 7).standings] == [1, 2, 3, 4, 5, 6, 7]
        upset = simulate("ladder", 7, results="worse-seed", rounds=1)
        assert [table.entries for table in upset.rounds[0].tables] == [(1, 4), (2, 5), (3, 6)]
        assert [row.entry for row in upset.standings] == [4, 1, 5, 2, 6, 3, 7]


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "entries", "options", "sentence"),
        [
            ("chess", 8, {}, "There is no format 'chess'; there are round_robin, "),
            (
                "swiss",
                8,
                {"results": "fair"},
                "There are no results 'fair'; there are better-seed, worse-seed, random.",
            ),
            ("swiss", 1, {}, "Swiss is simulated for 2 to 512 entries, not for 1."),
            ("round_robin", 500, {}, "Round robin is simulated for 2 to 200 entries, not for 500."),
            ("swiss", 8, {"seats": 4}, "Swiss: every table has 2 seats, not 4."),
            ("swiss_pods", 8, {"seats": 1}, "A table has at least 2 seats, not 1."),
            (
                "swiss",
                8,
                {"advance": 2},
                "Swiss: nobody advances from table to table, so how many do cannot be chosen.",
            ),
            ("pod_knockout", 54, {"advance": 0}, "At least one of each must advance, not 0."),
            ("pod_knockout", 54, {"seats": 6, "advance": 6}, "From a table of 6, 6 cannot go through, only 1 to 5."),
            ("swiss", 8, {"rounds": 101}, "A competition has 1 to 100 rounds, not 101."),
            ("round_robin", 8, {"rounds": 5}, "Round robin: 8 entries play 7 rounds, not 5."),
            ("groups_knockout", 4, {}, "4 entries make one group of up to 4; a knockout needs two groups."),
            ("groups_knockout", 8, {"advance": 4}, "If the top 4 of 2 groups go on, nobody of 8 goes out."),
        ],
    )
    def test_what_cannot_be(self, name, entries, options, sentence):
        with pytest.raises(CannotPair) as refused:
            simulate(name, entries, **options)
        assert refused.value.sentence.startswith(sentence)

    def test_a_number_of_rounds_that_there_are_is_no_contradiction(self):
        assert len(simulate("round_robin", 8, rounds=7, seats=2).rounds) == 7

    @tries(60)
    @given(
        st.sampled_from(list(FORMATS)),
        st.integers(1, 24),
        st.none() | st.integers(1, 9),
        st.none() | st.integers(1, 5),
        st.none() | st.integers(1, 9),
    )
    def test_everything_is_played_or_refused_in_a_sentence(self, name, entries, seats, advance, rounds):
        sentence, simulation = "", None
        try:
            simulation = simulate(name, entries, seats=seats, advance=advance, rounds=rounds)
        except EngineError as refused:
            sentence = refused.sentence
        assert (simulation is None) == sentence.endswith(".")
        if simulation is not None:
            assert rounds in (None, len(simulation.rounds))
            assert simulation.standings[0].rank == 1
