"""Rules of scoring that vectors cannot express: the counts of each line of a team's score sheet."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.scoring import outcome, score_sheet
from tests.engine.play.test_rules_positions import JACKS, KINGS, SEVENS, TENS, WILD, house, table

SUITS = "cdhs"


def over(rules: Any = "standard", **keys: Any) -> Any:
    """A position that is over, with nothing in any hand or foot that is not named."""
    seats = keys.get("seats", 6 if rules == "pennies" else 4)
    hands, feet = keys.pop("hands", {}), keys.pop("feet", {})
    full = {"hands": [hands.get(s, "") for s in range(seats)], "feet": [feet.get(s) for s in range(seats)]}
    return table(rules, phase="over", **{**full, **keys})


def sheet(team: int, rules: Any = "standard", **keys: Any) -> dict[str, tuple[int, int]]:
    """Number and points of each line of a team's sheet."""
    return {item.what: (item.number, item.points) for item in score_sheet(over(rules, **keys), team)}


def test_standard_every_line_of_a_sheet() -> None:
    items = sheet(
        0,
        melds={0: [KINGS, SEVENS, JACKS, TENS, WILD, "4: 4c 4d 4h"]},
        hands={0: "Kc 3d", 2: "4c"},
        feet={2: "Ac 3h"},
        red_threes={0: "3d 3d 3h", 1: "3d"},
        went_out=0,
        penalties={0: -150},
    )
    assert items == {
        "clean": (2, 1000),
        "dirty": (2, 600),
        "wild": (1, 1500),
        "red_threes_laid": (3, 300),
        "red_threes_held": (2, -200),
        "out": (1, 100),
        "melded": (38, 70 + 35 + 80 + 90 + 170 + 15),
        "left": (3, -35),
        "penalties": (1, -150),
    }


def test_standard_a_line_that_counts_nothing_is_left_out() -> None:
    assert sheet(1) == {}


@pytest.mark.parametrize(
    ("rules", "clean", "dirty", "wild", "sevens"),
    [
        *[("standard", 500, 300, 1500, None), ("denexa", 500, 300, 1500, None), ("family", 300, 100, 1000, None)],
        *[("bain", 500, 300, 1000, 1500), ("solo", 300, 100, None, None), ("bga", 500, 300, 1500, None)],
        *[("saskatchewan", 500, 300, 1500, None), ("pennies", 500, 300, 1000, 1500)],
    ],
)
def test_r12_books_of_each_kind(rules: str, clean: int, dirty: int, wild: int | None, sevens: int | None) -> None:
    items = sheet(0, rules, melds={0: [KINGS, JACKS, SEVENS] + [WILD] * (wild is not None)})
    assert items["clean"] == ((1, clean) if sevens else (2, 2 * clean))
    assert items["dirty"] == (1, dirty)
    assert items.get("wild") == (wild and (1, wild))
    assert items.get("sevens") == (sevens and (1, sevens))


VALUES = {
    "X": 50, "2": 20, "A": 20, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 10, "8": 10, "7": 5, "6": 5, "5": 5, "4": 5, "3": 5,
}  # fmt: skip
FAMILY_VALUES = VALUES | {"8": 5, "3": 0}


@pytest.mark.parametrize("rules", ["standard", "denexa", "family", "bain", "solo", "bga", "saskatchewan", "pennies"])
def test_values_of_every_card_left_in_a_hand(rules: str) -> None:
    for rank, points in (FAMILY_VALUES if rules == "family" else VALUES).items():
        for suit in {"X": "rb", "3": "cs"}.get(rank, SUITS):
            assert sheet(0, rules, hands={0: rank + suit}) == {"left": (1, -points)}


@pytest.mark.parametrize(
    ("rules", "laid", "held"),
    [
        *[("standard", 100, -100), ("denexa", 100, -100), ("family", 100, -100), ("bain", -100, -100)],
        *[("solo", -500, -500), ("bga", 100, -100), ("saskatchewan", 100, -100), ("pennies", -100, -100)],
    ],
)
def test_r17_red_threes_laid_without_a_book_of_sevens_and_held(rules: str, laid: int, held: int) -> None:
    items = sheet(0, rules, red_threes={0: "3d 3h"}, hands={0: "3d"})
    assert items == {"red_threes_laid": (2, 2 * laid), "red_threes_held": (1, held)}


@pytest.mark.parametrize(("rules", "points"), [("bain", 800), ("pennies", 1000)])
def test_r17_all_red_threes_beside_a_book_of_sevens_and_without(rules: str, points: int) -> None:
    reds = {0: "3d 3d 3d 3d 3h 3h 3h 3h"}
    assert sheet(0, rules, red_threes=reds, melds={0: [SEVENS]})["red_threes_laid"] == (8, points)
    assert sheet(0, rules, red_threes=reds, melds={1: [SEVENS]})["red_threes_laid"] == (8, -points)


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [
        *[("standard", 100), ("denexa", 100), ("family", 0), ("bain", 200)],
        *[("solo", 100), ("bga", 100), ("saskatchewan", 100), ("pennies", 100)],
    ],
)
def test_out_bonus_of_each_preset(rules: str, bonus: int) -> None:
    assert sheet(1, rules, went_out=1) == {"out": (1, bonus)}
    assert sheet(0, rules, went_out=1) == {}


@pytest.mark.parametrize(
    ("rules", "needed", "bonus"), [("denexa", 22, 100), ("family", 22, 100), (house("standard", lift_bonus=40), 26, 40)]
)
def test_r1_exact_lifts_of_partners_add_up(rules: Any, needed: int, bonus: int) -> None:
    items = sheet(0, rules, grabs=[needed, needed, needed, needed + 1])
    assert items == {"lift": (2, 2 * bonus)}
    assert sheet(1, rules, grabs=[needed, needed, needed, needed - 1]) == {"lift": (1, bonus)}


@pytest.mark.parametrize("rules", ["standard", "bain", "bga", "saskatchewan"])
def test_r1_lifting_counts_nothing_where_it_is_not_rewarded(rules: str) -> None:
    assert sheet(0, rules, grabs=[26, 28, 22, 26]) == {}


def test_family_wild_melds_finished_and_unfinished() -> None:
    items = sheet(0, "family", melds={0: ["wild: 2c 2d Xr"]})
    assert items == {"wild_unfinished": (1, -1000), "melded": (3, 90)}
    assert sheet(0, "family", melds={0: [WILD]}) == {"wild": (1, 0), "melded": (7, 170)}
    assert sheet(0, "family", melds={0: [WILD, KINGS]})["wild"] == (1, 1000)


def test_bain_r8_r20_garbage_and_sevens_laid_at_the_end_are_cards_on_the_table() -> None:
    items = sheet(0, "bain", melds={0: [SEVENS, KINGS, "garbage: Kc Kd"]}, laid_sevens={0: "7c 7d"})
    assert items["melded"] == (18, 35 + 70 + 20 + 10)


def test_denexa_r19_penalties_are_a_line_of_their_own() -> None:
    assert sheet(1, "denexa", penalties={1: -50}) == {"penalties": (1, -50)}


def test_a_deal_under_way_has_no_outcome() -> None:
    assert outcome(table()) is None
