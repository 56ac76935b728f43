import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.pairing.knockout import (
    Loser,
    Nobody,
    Outcome,
    Resolved,
    Seed,
    Winner,
    depends_on,
    double,
    places,
    possible_places,
    resolve,
    round_title,
    seed_order,
    single,
)
from engine.compete.records import CannotPair
from engine.errors import BadInput
from tests.tries import tries

EVERY_COUNT = range(2, 65)

DOUBLE_OF_EIGHT = [
    ("WB1.1", 1, 8),
    ("WB1.2", 4, 5),
    ("WB1.3", 2, 7),
    ("WB1.4", 3, 6),
    ("WB2.1", 1, 4),
    ("WB2.2", 2, 3),
    ("WB3.1", 1, 2),
    ("LB1.1", 8, 5),
    ("LB1.2", 7, 6),
    ("LB2.1", 3, 5),
    ("LB2.2", 4, 6),
    ("LB3.1", 3, 4),
    ("LB4.1", 2, 3),
    ("GF1.1", 1, 2),
]
"""Double elimination of eight as published: the tables in which the better seed always wins."""


def better(entries):
    return min(entries)


def worse(entries):
    return max(entries)


def play(bracket, choose=better, decided=None):
    """Play what can be played; the results by match."""
    decided = dict(decided or {})
    while ready := {name: match for name, match in resolve(bracket, decided).items() if match.state == "ready"}:
        decided |= {name: Outcome(match.entries, choose(match.entries)) for name, match in ready.items()}
    return decided


def tables(bracket, decided):
    return [(name, *decided[name].entries) for name in (match.name for match in bracket.matches) if name in decided]


@st.composite
def brackets(draw, most=64):
    entries = draw(st.integers(2, most))
    if draw(st.booleans()):
        return double(entries, reset=draw(st.booleans()))
    return single(entries, third_place=draw(st.booleans()))


def choices(draw, *, forfeits=False):
    """Chooses a winner by the data of a test, or nobody where both may forfeit."""
    return lambda entries: draw(st.sampled_from([*entries, None] if forfeits else entries))


class TestSingle:
    def test_seeds_of_sixteen(self):
        assert seed_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)

    def test_matches_of_four_with_third_place(self):
        assert [(match.name, match.slots) for match in single(4, third_place=True).matches] == [
            ("WB1.1", (Seed(1), Seed(4))),
            ("WB1.2", (Seed(2), Seed(3))),
            ("TP1.1", (Loser("WB1.1"), Loser("WB1.2"))),
            ("WB2.1", (Winner("WB1.1"), Winner("WB1.2"))),
        ]

    @pytest.mark.parametrize("entries", EVERY_COUNT)
    def test_byes_go_to_the_top_seeds_and_never_meet(self, entries):
        first = [match for match in single(entries).matches if match.round == "WB1"]
        byes = [match.slots for match in first if not match.is_played]
        size = 2 * len(first)
        assert sorted(slots[0].number for slots in byes) == list(range(1, size - entries + 1))
        assert all(slots[1] == Nobody() for slots in byes)
        assert all(match.is_played for match in single(entries).matches if match.round != "WB1")

    @pytest.mark.parametrize("entries", EVERY_COUNT)
    def test_everybody_but_the_champion_loses_once(self, entries):
        bracket = single(entries)
        decided = play(bracket, worse)
        losers = Counter(outcome.entries[0] + outcome.entries[1] - outcome.winner for outcome in decided.values())
        assert len(decided) == entries - 1
        assert set(losers.values()) == {1}
        assert places(bracket, resolve(bracket, decided))[0] == tuple(set(range(1, entries + 1)) - set(losers))

    def test_third_place_of_three_is_a_bye(self):
        bracket = single(3, third_place=True)
        resolved = resolve(bracket, play(bracket))
        assert (resolved["TP1.1"].state, resolved["TP1.1"].winner) == ("bye", 3)
        assert places(bracket, resolved) == ((1,), (2,), (3,))

    def test_two_entries_have_no_third_place(self):
        assert [match.name for match in single(2, third_place=True).matches] == ["WB1.1"]

    @pytest.mark.parametrize("entries", [-1, 0, 1, 1025])
    def test_too_few_and_too_many(self, entries):
        for draw in (single, double):
            with pytest.raises(CannotPair, match=f"for 2 to 1,024 entries, not for {entries:,}\\."):
                draw(entries)


class TestDouble:
    def test_four_as_published(self):
        bracket = double(4)
        assert tables(bracket, play(bracket)) == [
            ("WB1.1", 1, 4),
            ("WB1.2", 2, 3),
            ("WB2.1", 1, 2),
            ("LB1.1", 4, 3),
            ("LB2.1", 2, 3),
            ("GF1.1", 1, 2),
        ]

    def test_eight_as_published(self):
        bracket = double(8)
        assert tables(bracket, play(bracket)) == DOUBLE_OF_EIGHT

    @pytest.mark.parametrize("entries", EVERY_COUNT)
    def test_counts_for_every_number_of_entries(self, entries):
        assert sum(match.is_played for match in double(entries).matches) == 2 * entries - 1
        assert sum(match.is_played for match in double(entries, reset=False).matches) == 2 * entries - 2
        assert [match.name for match in double(entries).matches if match.is_conditional] == ["GF2.1"]

    @tries(40)
    @given(st.data())
    def test_everybody_but_the_champion_loses_twice(self, data):
        entries = data.draw(st.integers(2, 64))
        bracket = double(entries)
        decided = play(bracket, choices(data.draw))
        lost = Counter(outcome.entries[0] + outcome.entries[1] - outcome.winner for outcome in decided.values())
        (champion,) = places(bracket, resolve(bracket, decided))[0]
        assert {entry for entry in range(1, entries + 1) if lost[entry] != 2} == {champion}
        assert lost[champion] == ("GF2.1" in decided)
        assert len(decided) == 2 * entries - 2 + ("GF2.1" in decided)

    def test_the_final_is_played_again_when_the_unbeaten_one_loses_it(self):
        bracket = double(4)
        before = play(bracket)
        assert resolve(bracket, before)["GF2.1"].state == "unneeded"
        lost = {**before, "GF1.1": Outcome((1, 2), 2)}
        assert resolve(bracket, lost)["GF2.1"] == Resolved((2, 1), (Winner("GF1.1"), Loser("GF1.1")), "ready")
        assert places(bracket, resolve(bracket, lost)) == ((3,), (4,))
        assert places(bracket, resolve(bracket, {**lost, "GF2.1": Outcome((2, 1), 1)})) == ((1,), (2,), (3,), (4,))
        assert places(double(4, reset=False), resolve(double(4, reset=False), lost)) == ((2,), (1,), (3,), (4,))

    def test_two_entries(self):
        bracket = double(2)
        assert [(match.name, match.slots) for match in bracket.matches][1] == (
            "GF1.1",
            (Winner("WB1.1"), Loser("WB1.1")),
        )
        assert places(bracket, resolve(bracket, play(bracket))) == ((1,), (2,))

    def test_final_places_of_eight(self):
        bracket = double(8)
        assert places(bracket, resolve(bracket, play(bracket))) == ((1,), (2,), (3,), (4,), (5, 6), (7, 8))


class TestRematches:
    """Entries that have met in the winners' bracket should meet again in the second chance as late as possible."""

    @staticmethod
    def expected(size, crossings):
        """By second-chance round, the expected number of rematches when every match is an even one."""
        rounds = size.bit_length() - 1
        last = 2 * (rounds - 1)

        def path(number, place):
            where = (1, place // 2) if number == 1 else (2 * (number - 1), crossings[number][place])
            while where[0] <= last:
                yield where
                where = (where[0] + 1, where[1] if where[0] % 2 else where[1] // 2)

        counts = [Fraction(0)] * last
        for number in range(1, rounds + 1):
            for place in range(size >> number):
                loser = list(path(number, place))
                for later in range(number + 1, rounds + 1):
                    # The winner goes through and loses in round `later`; both then have to win up to where they meet.
                    winner = list(path(later, place >> (later - number)))
                    meeting = next(where for where in winner if where in loser)
                    odds = Fraction(1, 2 ** (later - number + winner.index(meeting) + loser.index(meeting)))
                    counts[meeting[0] - 1] += odds
        return counts

    @staticmethod
    def crossings(bracket):
        """By winners' round, to which second-chance match each match sends its loser."""
        result = {}
        for match in bracket.matches:
            newcomer, other = match.slots
            if match.round.startswith("LB") and isinstance(newcomer, Loser) and isinstance(other, Winner):
                number, place = newcomer.match.removeprefix("WB").split(".")
                result.setdefault(int(number), {})[int(place) - 1] = int(match.name.split(".")[1]) - 1
        return result

    @pytest.mark.parametrize("size", [4, 8, 16])
    def test_no_other_crossing_puts_them_off_longer(self, size):
        ours = self.crossings(double(size))
        all_crossings = itertools.product(*(itertools.permutations(range(len(ours[number]))) for number in ours))
        assert self.expected(size, ours) == min(
            self.expected(size, dict(zip(ours, crossing, strict=True))) for crossing in all_crossings
        )

    @pytest.mark.parametrize(
        ("size", "first", "total"), [(8, 3, "5/8"), (16, 4, "3/4"), (32, 5, "47/64"), (64, 7, "1439/2048")]
    )
    def test_how_many_are_expected_and_from_which_round(self, size, first, total):
        counts = self.expected(size, self.crossings(double(size)))
        assert next(number for number, rematches in enumerate(counts, start=1) if rematches) == first
        assert sum(counts) == Fraction(total)

    @pytest.mark.parametrize("size", [8, 16, 32, 64])
    @pytest.mark.parametrize("choose", [better, worse])
    def test_only_the_last_two_matches_repeat_when_seeds_decide(self, size, choose):
        decided = play(double(size), choose)
        met = Counter(frozenset(outcome.entries) for outcome in decided.values())
        assert sum(met.values()) - len(met) == 2


class TestResolve:
    def test_what_waits_and_what_is_ready(self):
        resolved = resolve(single(3), {})
        assert {name: (match.state, match.entries) for name, match in resolved.items()} == {
            "WB1.1": ("bye", (1, None)),
            "WB1.2": ("ready", (2, 3)),
            "WB2.1": ("waits", (1, None)),
        }

    def test_a_double_forfeit_makes_a_bye(self):
        bracket = double(4)
        resolved = resolve(bracket, {"WB1.1": Outcome((1, 4), None)})
        assert (resolved["WB1.1"].state, resolved["WB1.1"].winner, resolved["WB1.1"].loser) == ("done", None, None)
        assert resolved["WB2.1"].state == "waits"
        resolved = resolve(bracket, play(bracket, decided={"WB1.1": Outcome((1, 4), None)}))
        assert [(name, match.state) for name, match in resolved.items()] == [
            ("WB1.1", "done"),
            ("WB1.2", "done"),
            ("WB2.1", "bye"),
            ("LB1.1", "bye"),
            ("LB2.1", "bye"),
            ("GF1.1", "done"),
            ("GF2.1", "unneeded"),
        ]
        assert places(bracket, resolved) == ((2,), (3,), (1, 4))

    def test_two_double_forfeits_leave_a_match_void(self):
        bracket = single(4)
        resolved = resolve(bracket, {"WB1.1": Outcome((1, 4), None), "WB1.2": Outcome((2, 3), None)})
        assert resolved["WB2.1"].state == "void"
        assert places(bracket, resolved) == ((1, 2, 3, 4),)

    def test_what_has_begun_keeps_its_entries_after_a_correction(self):
        bracket = single(4)
        decided = play(bracket)
        corrected = {**decided, "WB1.1": Outcome((1, 4), 4)}
        assert resolve(bracket, corrected)["WB2.1"].entries == (1, 2)
        assert resolve(bracket, corrected)["WB2.1"].winner == 1
        assert possible_places(bracket, resolve(bracket, corrected)) == {1: (1, 1), 2: (2, 2), 3: (3, 3), 4: (2, 2)}
        del corrected["WB2.1"]
        assert resolve(bracket, corrected)["WB2.1"].entries == (4, 2)
        begun = resolve(bracket, corrected, begun={"WB2.1": (1, 2)})
        assert (begun["WB2.1"].entries, begun["WB2.1"].state) == ((1, 2), "ready")
        assert possible_places(bracket, begun) == {1: (1, 2), 2: (1, 2), 3: (3, 3), 4: (2, 2)}

    def test_nobody_plays_against_itself_after_a_correction(self):
        bracket = double(2)
        resolved = resolve(bracket, {"WB1.1": Outcome((1, 2), 1), "GF1.1": Outcome((2, 1), 1)}, begun={"GF2.1": (1, 2)})
        assert resolved["GF2.1"].state == "ready"
        bracket = double(4)
        decided = play(bracket)
        decided["WB1.1"] = Outcome((1, 4), 4)
        del decided["LB1.1"], decided["LB2.1"], decided["GF1.1"]
        decided |= {"LB1.1": Outcome((1, 3), 1), "LB2.1": Outcome((2, 1), 1)}
        resolved = resolve(bracket, decided)
        assert (resolved["GF1.1"].state, resolved["GF1.1"].entries, resolved["GF1.1"].winner) == ("bye", (1, None), 1)
        assert places(bracket, resolved)[0] == (1,)

    def test_what_is_none_of_this_bracket(self):
        bracket = single(4)
        with pytest.raises(BadInput, match=r"no match 'LB1\.1'"):
            resolve(bracket, {"LB1.1": Outcome((1, 4), 1)})
        with pytest.raises(BadInput, match="no match 'X'"):
            depends_on(bracket, "X")
        with pytest.raises(BadInput, match=r"Entry 7 cannot win WB1\.1: it does not play there\."):
            resolve(bracket, {"WB1.1": Outcome((1, 4), 7)})

    def test_what_descends_from_a_match(self):
        assert depends_on(double(8), "WB2.1") == ("WB3.1", "LB2.2", "LB3.1", "LB4.1", "GF1.1", "GF2.1")
        assert depends_on(single(4), "WB2.1") == ()

    @tries(40)
    @given(st.data())
    def test_never_a_hang_whoever_forfeits(self, data):
        bracket = data.draw(brackets(24))
        decided = play(bracket, choices(data.draw, forfeits=True))
        resolved = resolve(bracket, decided)
        assert all(match.is_over for match in resolved.values())
        assert sorted(itertools.chain(*places(bracket, resolved))) == list(range(1, bracket.entries + 1))

    @tries(40)
    @given(st.data())
    def test_a_correction_ends_where_the_right_result_would_have(self, data):
        """Results that fall with a corrected one are played again; the others stay as they were."""
        bracket = data.draw(brackets(16))
        decided = play(bracket, choices(data.draw))
        for _ in range(data.draw(st.integers(1, 3))):
            name = data.draw(st.sampled_from(list(decided)))
            entries = decided[name].entries
            decided[name] = Outcome(entries, data.draw(st.sampled_from([*entries, None])))
            for later in depends_on(bracket, name):
                without = {other: outcome for other, outcome in decided.items() if other != later}
                if later in decided and resolve(bracket, without)[later].entries != decided[later].entries:
                    decided = without
            decided = play(bracket, choices(data.draw), decided)
        anew = {}
        for match in bracket.matches:
            stands = resolve(bracket, anew)[match.name]
            if stands.state == "ready":
                anew[match.name] = Outcome(stands.entries, decided[match.name].winner)
        assert anew == decided
        assert resolve(bracket, anew) == resolve(bracket, decided)


class TestPlaces:
    def test_ranges_narrow_to_the_place(self):
        bracket = single(8, third_place=True)
        assert set(possible_places(bracket, resolve(bracket, {})).values()) == {(1, 5)}
        decided = {"WB1.1": Outcome((1, 8), 8), "WB1.2": Outcome((4, 5), 4), "WB2.1": Outcome((8, 4), 8)}
        resolved = resolve(bracket, decided)
        assert possible_places(bracket, resolved) == {
            1: (5, 5),
            2: (1, 5),
            3: (1, 5),
            4: (3, 4),
            5: (5, 5),
            6: (1, 5),
            7: (1, 5),
            8: (1, 2),
        }
        assert places(bracket, resolved) == ((1, 5),)

    @tries(40)
    @given(st.data())
    def test_they_hold_and_never_widen(self, data):
        bracket = data.draw(brackets(14))
        choose = choices(data.draw, forfeits=data.draw(st.booleans()))
        decided = {}
        resolved = resolve(bracket, decided)
        ranges = [possible_places(bracket, resolved)]
        while ready := [name for name, match in resolved.items() if match.state == "ready"]:
            name = data.draw(st.sampled_from(ready))
            decided[name] = Outcome(resolved[name].entries, choose(resolved[name].entries))
            resolved = resolve(bracket, decided)
            ranges.append(possible_places(bracket, resolved))
        for before, after in itertools.pairwise(ranges):
            assert before.keys() == after.keys()
            assert all(before[e][0] <= after[e][0] <= after[e][1] <= before[e][1] for e in after)
        assert all(best == worst for best, worst in ranges[-1].values())

    @pytest.mark.parametrize("draw", [single, double])
    @pytest.mark.parametrize("entries", [2, 3, 4, 5])
    def test_they_are_exact(self, draw, entries):
        """Each end of each range comes true in some way to continue, by brute force."""
        bracket = draw(entries)
        reached = {}

        def go_on(decided):
            resolved = resolve(bracket, decided)
            ready = next((name for name, match in resolved.items() if match.state == "ready"), None)
            ranges = possible_places(bracket, resolved)
            if ready is None:
                places = {entry: {best} for entry, (best, _) in ranges.items()}
            else:
                places = {entry: set() for entry in ranges}
                pair = resolved[ready].entries
                for winner in (*pair, None) if entries < 5 else pair:
                    for entry, more in go_on({**decided, ready: Outcome(pair, winner)}).items():
                        places[entry] |= more
            assert ranges == {entry: (min(ends), max(ends)) for entry, ends in places.items()}
            reached[tuple(sorted(decided))] = True
            return places

        go_on({})
        assert len(reached) > 1


class TestTitles:
    def test_single(self):
        bracket = single(20, third_place=True)
        assert [round_title(bracket, name) for name in bracket.rounds] == [
            "Round of 32",
            "Round of 16",
            "Quarter-finals",
            "Semi-finals",
            "Third place",
            "Final",
        ]

    def test_double(self):
        bracket = double(8)
        assert [round_title(bracket, name) for name in bracket.rounds] == [
            "Round 1",
            "Semi-finals",
            "Last two",
            "Second chance, round 1",
            "Second chance, round 2",
            "Second chance, round 3",
            "Second chance, round 4",
            "Final",
            "Decider",
        ]
        assert round_title(double(2), "WB1") == "Round 1"

    def test_a_round_that_is_not_there(self):
        with pytest.raises(BadInput, match="no round 'LB1'"):
            round_title(single(4), "LB1")
