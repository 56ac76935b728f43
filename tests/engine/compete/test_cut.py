import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.cut import Cut, cut
from engine.compete.records import CannotPair

RANKED = [(7, 1), (2, 2), (5, 2), (3, 2), (1, 5), (4, 6)]


@pytest.mark.parametrize("tie", ["playoff", "all"])
def test_a_cut_between_two_ranks(tie):
    assert cut(RANKED, 4, tie=tie) == Cut((7, 2, 5, 3), (), "The first 4 of 6 go through.")


def test_a_tie_that_is_played_off():
    assert cut(RANKED, 3, tie="playoff") == Cut(
        (7,), (2, 5, 3), "3 entries are tied for the last 2 places and play off for them."
    )
    assert cut(RANKED, 2, tie="playoff").sentence == "3 entries are tied for the last place and play off for it."


def test_a_tie_in_which_all_are_admitted():
    assert cut(RANKED, 2, tie="all") == Cut(
        (7, 2, 5, 3), (), "3 entries are tied for the last place, so all of them go through: 4 instead of 2."
    )


def test_all_go_through():
    assert cut(RANKED, 6, tie="playoff") == Cut((7, 2, 5, 3, 1, 4), (), "All go through.")
    assert cut(RANKED[:1], 1, tie="all") == Cut((7,), (), "The only entry goes through.")


@pytest.mark.parametrize(
    ("places", "sentence"),
    [(0, "0 places cannot be filled from 6 entries."), (7, "7 places cannot be filled from 6 entries.")],
)
def test_places_that_cannot_be_filled(places, sentence):
    with pytest.raises(CannotPair) as refused:
        cut(RANKED, places, tie="all")
    assert refused.value.sentence == sentence


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12).map(sorted), st.data())
def test_nobody_behind_goes_through_before_anybody_ahead(ranks, data):
    ranked = list(enumerate(ranks, start=1))
    places = data.draw(st.integers(1, len(ranked)))
    tie = data.draw(st.sampled_from(["playoff", "all"]))
    result = cut(ranked, places, tie=tie)
    out = [rank for entry, rank in ranked if entry not in result.through + result.undecided]
    assert all(rank < min(out, default=9) for entry, rank in ranked if entry in result.through + result.undecided)
    assert (len(result.through) >= places) == (not result.undecided)
    assert len(result.through + result.undecided) >= places
