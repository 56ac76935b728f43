"""Rule sheets: every option has its sentence, every ruleset a sheet of its own, and a newcomer can read it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput, BadRules
from engine.play.options import (
    BookBonus,
    BooksGrow,
    ByDeal,
    Contract,
    DeckCount,
    LiftPoints,
    Limits,
    MatchLength,
    OpeningSteps,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThreePoints,
    RedThreeSets,
    Shape,
    Shapes,
    SpecialBooks,
    StackSizes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
    YesNoCount,
    YesNoOr,
)
from engine.play.rule_sheet.sheet import (
    WRITERS,
    differences,
    rule_sheet,
    sheet_title,
    sheet_to_json,
    write_differences,
    write_sheet,
)
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from tests.tries import tries

STANDARD = Rules.preset("standard")
PAIRS, ALONE = Shape(4, 2), Shape(3, 1)
TABLES = [(name, shape) for name in PRESETS for shape in (None, *Rules.preset(name).shapes)]

# Some JSON values of each kind of option. Values that an option excludes are left out where it is tried.
VALUES = {
    YesNo: lambda kind: [False, True],
    Word: lambda kind: list(kind.words),
    Whole: lambda kind: sorted({n for n in (-150, -1, 0, 1, 2, 3, 6, 100, 1500) if kind.low <= n <= kind.high}),
    WordOrWhole: lambda kind: [*kind.words, 1, 2, 7, 8],
    WordSet: lambda kind: [[], [kind.words[0]], [kind.words[1]], list(kind.words[:3]), list(kind.words[-2:])],
    Shapes: lambda kind: [[[4, 2]], [[4, 1]], [[6, 2]], [[4, 2], [4, 1]], [[4, 1], [4, 2]], [[5, 1], [6, 1]]],
    ByDeal: lambda kind: by_deal(VALUES[type(kind.plain)](kind.plain)),
    StackSizes: lambda kind: [[13, 13], [13, 11], [11, 13], [13, 13, 13], [13, 11, 12]],
    BooksGrow: lambda kind: [
        {"clean": clean, "dirty": dirty, "wild": wild}
        for clean in ("no", "natural", "any", "keeps")
        for dirty in ("no", "natural", "any")
        for wild in ("no", "any")
    ],
    SpecialBooks: lambda kind: [
        {},
        {"7": {"points": 1500}},
        {"7": {"points": 1500, "needed": 1}},
        {"7": {"points": 1500, "mixed": True}},
        {"5": {"points": 1500}},
        {"3": {"points": 1500}},
        {"7": {"points": 1500}, "5": {"points": -50, "needed": 2, "mixed": True}},
    ],
    LiftPoints: lambda kind: [
        None,
        *(
            {"by": by, "within": within}
            for by in ("each", "dealer")
            for within in ([[0, 100]], [[0, 50]], [[1, 100]], [[0, 100], [2, 50]], [[1, -100], [3, 0]])
        ),
    ],
    RedThreeSets: lambda kind: [
        None,
        {"size": 7, "points": 1000},
        {"size": 6, "points": 1000},
        {"size": 7, "points": -1},
    ],
    YesNoCount: lambda kind: [False, True, 2, 5],
    YesNoOr: lambda kind: [False, True, kind.word],
    DeckCount: lambda kind: (
        [{"by_seats": {str(s): n for s in range(2, 13)}} for n in (8, 9)]
        + [5, 6, {"seats_plus": 0}, {"seats_plus": 1}, {"seats_plus": 2}, {"seats_plus": -1}]
    ),
    Limits: lambda kind: [[0, 0, 0, 0, 0], [1, 1, 1, 2, 2], [1, 2, 2, 2, 2], [1, 2, 2, 2, 3], [0, 1, 2, 3, 4]],
    OpeningSteps: lambda kind: [
        *("none", {"by_deal": [0]}, {"by_deal": [50]}, {"by_deal": [50, 50]}, {"by_deal": [50, 90, 120, 150]}),
        *({"by_score": [[None, 50]]}, {"by_score": [[0, 50]]}, {"by_score": [[None, 15], [0, 50]]}),
        *({"by_score": [[-500, 15], [0, 50]]}, {"by_score": [[500, 15], [700, 50]]}, {"by_deal": [10] * 11}),
        *({"by_deal": ["clean_book"]}, {"by_deal": [50, "clean_book"]}, {"by_deal": ["clean_book", 50]}),
    ],
    Contract: lambda kind: [
        {"clean": clean, "dirty": dirty, "wild": wild}
        for clean, dirty, wild in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 3, 0), (0, 0, 1)]
    ],
    BookBonus: lambda kind: [
        {"clean": 500, "dirty": 300, "wild": 0},
        {"clean": 300, "dirty": 500, "wild": 0},
        {"clean": 500, "dirty": 300, "wild": 1500},
        {"clean": -500, "dirty": 300, "wild": 0},
    ],
    RankPoints: lambda kind: [{}, *({rank: 7} for rank in "23456789TJQKAX")],
    RedThreePoints: lambda kind: [
        {"laid": laid, "held": held} for laid, held in [(100, -100), (-100, 100), (0, -100), (100, 0), (-500, -500)]
    ],
    PointsOrNull: lambda kind: [None, 0, 1000, -1000],
    MatchLength: lambda kind: [{"deals": 1}, {"deals": 4}, {"target": 4}, {"target": 20000}],
    PenaltyPoints: lambda kind: [
        None,
        *(
            {"out_refused": out, "asked_not_out": asked, "wrong_claim": claim}
            for out, asked, claim in [(0, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1), (-100, -100, -50)]
        ),
    ],
}


def by_deal(plain):
    """Some values of an option that may change from deal to deal."""
    first, second, *_ = plain
    return [*plain, {"by_deal": [first, second]}, {"by_deal": [second, first]}, {"by_deal": [first, first, second]}]


def values(option):
    kind = KINDS_OF_OPTION[option]
    return VALUES[type(kind)](kind)


# Presets, and rulesets that some options need, or in which some mean nothing.
BASES = {
    **{name: Rules.preset(name) for name in PRESETS},
    "special sevens": Rules.make("standard", {"special_books": {"7": {"points": 1500}}}),
    "threes melded": Rules.make("standard", {"black_three_meld": "always", "red_threes": "held"}),
    "red threes melded": Rules.make(
        "standard", {"black_three_meld": "always", "red_threes": "held", "red_three_meld": True}
    ),
    "clean books grow": Rules.make("standard", {"books_grow": {"clean": "keeps"}, "melds_per_rank": "free"}),
    "hand, knee and foot": Rules.make("bain", {"stacks": [9, 9, 9], "foot_when": "hand_empty"}),
    "held in Bain": Rules.make(
        "bain",
        {"red_threes": "held", "red_three_sevens": False, "contract_red_threes": "none", "kept_until": "any_sevens"},
    ),
    "each opens": Rules.make(
        "bain", {"opening_terms": ["books", "each_player"], "lift": {"by": "dealer", "within": [[2, 9]]}}
    ),
    "wild on top of the stock": Rules.make("bain", {"upcard": 3, "upcard_bury": ["2", "X"], "draw_top": "melded"}),
    "no wild melds": Rules.make("bain", {"wild_melds": False, "contract": {"wild": 0}}),
    "books grow": Rules.make("standard", {"books_grow": True}),
    "pile frozen for good": Rules.make("bain", {"pile_claim": "none"}),
    "individuals": Rules.make("standard", {"shapes": [[4, 1]]}),
    "nothing to take": Rules.make("family", {"upcard": True, "stock_out": "reshuffle", "kept_ranks": ["2", "3"]}),
}


def changed(base, option, value):
    """The base with the option set, or `None` where that contradicts another option."""
    special = {"special_books": base.special_books_json} if option == "book_bonus" else {}
    try:
        return Rules.make(base, {option: value} | special)
    except BadRules:
        return None


def sentences(rules, shape=None):
    return [sentence for section in rule_sheet(rules, shape) for sentence in section.sentences]


def texts(rules, shape=None):
    return {sentence.text for sentence in sentences(rules, shape)}


# Every option has its sentence


def test_every_option_has_exactly_one_sentence_of_its_own():
    assert sorted(option for writer in WRITERS for option in writer.options) == sorted(KINDS_OF_OPTION)
    assert {option for writer in WRITERS for option in writer.on} <= set(KINDS_OF_OPTION)


@pytest.mark.parametrize("name", PRESETS)
def test_sheet_for_all_shapes_states_every_option(name):
    stated = {option for sentence in sentences(Rules.preset(name)) for option in sentence.options}
    assert stated == set(KINDS_OF_OPTION)


def test_sections_come_in_an_order_for_newcomers():
    assert [section.title for section in rule_sheet(STANDARD)] == [
        *("The game", "The pack and the deal", "The cards", "Your turn", "Taking the discard pile"),
        *("Melds and books", "The opening", "The foot", "Going out", "The end of the deal"),
        *("Scoring", "The match", "Penalties"),
    ]


@pytest.mark.parametrize("option", KINDS_OF_OPTION)
def test_each_value_of_an_option_has_a_sheet_of_its_own(option):
    fitting = set()
    for base in BASES.values():
        rulesets = [changed(base, option, value) for value in values(option)]
        fitting |= {index for index, rules in enumerate(rulesets) if rules}
        different = {base, *filter(None, rulesets)}
        assert len({write_sheet(rules) for rules in different}) == len(different)
    assert fitting == set(range(len(values(option))))


@pytest.mark.parametrize("option", [option for option in KINDS_OF_OPTION if option != "shapes"])
def test_a_sentence_names_all_options_that_change_it(option):
    for base in BASES.values():
        before = texts(base)
        for value in values(option):
            for sentence in sentences(changed(base, option, value) or base):
                assert option in sentence.options or sentence.text in before


# Text of the sheet


@pytest.mark.parametrize(("name", "shape"), TABLES)
def test_sheets_are_clean_english(name, shape):
    for text in texts(Rules.preset(name), shape):
        assert re.fullmatch(r"[A-Z][^{}_\[\]]*\.", text)
        assert not re.search(r"None|True|False|  |\.\.|,,| [.,;]|\bnull\b|\b(clean|dirty|wild) wild\b", text)


@pytest.mark.parametrize(("name", "shape"), [(n, s) for n, s in TABLES if s and s.team_size == 1])
def test_individual_tables_hear_nothing_of_partners(name, shape):
    assert not re.search(r"partner|team", write_sheet(Rules.preset(name), shape))


def test_a_ruleset_without_partners_does_not_speak_of_them():
    assert not re.search(r"partner|team", write_sheet(Rules.preset("solo")))


def test_sheet_for_a_shape_has_its_numbers():
    sheet = texts(STANDARD, Shape(6, 3))
    assert "This game is played by six players in two teams of three." in sheet
    assert "The pack is seven decks of 52 cards, with two jokers added to each: 378 cards in all." in sheet
    assert "Laying all 14 red threes of the pack earns nothing extra." in sheet


def test_sheet_for_a_shape_that_is_not_allowed_is_refused():
    with pytest.raises(BadInput, match="Denexa does not allow"):
        rule_sheet(Rules.preset("denexa"), Shape(6, 3))


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("jokers_per_deck", 3, "three jokers"),
        ("stacks", [17, 18], "the first of 17 cards and the second of 18 cards"),
        ("stacks", [17, 18, 16], "the first of 17 cards, the second of 18 cards and the third of 16 cards"),
        (
            "stacks",
            {"by_deal": [[11, 11], [13, 11]]},
            "In the first deal: Each player gets two face-down stacks, the first of 11 cards and the second of 11 cards. "
            "In all later deals: Each player gets two face-down stacks, the first of 13 cards and the second of 11",
        ),
        ("lift", {"by": "each", "within": [[0, 175]]}, "Lifting exactly 26 earns 175 points"),
        ("lift", {"by": "each", "within": [[0, 9], [3, 5]]}, "earns 9 points and up to three more or fewer earns 5"),
        ("special_books", {"5": {"points": 777}}, "a book of fives earns 777 points"),
        ("special_books", {"5": {"points": 7, "needed": 2}}, "one wild book and two books of fives"),
        ("red_three_sets", {"size": 6, "points": 900}, "Every six red threes that one team has laid count 900 points"),
        ("draw_count", 4, "you take four cards from the stock"),
        ("draw_count", 4, "When the stock has fewer than four cards"),
        ("pile_take", 9, "the top nine cards"),
        ("wild_limits", [0, 1, 1, 1, 3], "three cards may have no wild cards"),
        ("opening", {"by_deal": [35, 1234]}, "at least 35 points in the first deal and 1,234 in all later deals"),
        ("contract", {"clean": 4, "dirty": 3}, "four clean books, three dirty books and one wild book"),
        ("out_bonus", 1, "Going out earns 1 point."),
        ("out_bonus", -250, "Going out costs 250 points."),
        ("values", {"Q": 11}, "kings 10, queens 11, jacks to eights 10"),
        ("book_bonus", {"dirty": 333}, "a dirty book earns 333 points"),
        ("red_three", {"held": -350}, "each one still in a hand or foot costs 350 points"),
        ("red_three_all", 800, "they count 800 points together instead"),
        ("wild_unfinished", -900, "costs 900 points"),
        ("length", {"deals": 6}, "A match is six deals"),
        ("length", {"target": 12345}, "a team has 12,345 points or more"),
        ("penalties", {"out_refused": -7, "asked_not_out": -8, "wrong_claim": -9}, "said no costs 7 points"),
    ],
)
def test_numbers_come_from_the_options(option, value, words):
    assert words not in write_sheet(STANDARD)
    assert words in write_sheet(Rules.make("standard", {option: value}))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("standard", "To open, the melds that your team lays first in a deal must together be worth at least 50 points "
         "in the first deal, 90 in the second deal, 120 in the third deal and 150 in all later deals."),
        ("standard", "You may go out only if your team has two clean books, two dirty books and one wild book. More "
         "books do no harm."),
        ("denexa", "You must ask your partner “May I go out?”, and may go out only after a yes from your partner."),
        ("family", "Each card has a value: jokers 50 points, twos and aces 20, kings to nines 10, eights to fours 5 "
         "and threes of clubs and spades 0."),
        ("family", "The discard pile is never taken, neither with cards from a hand nor with a meld on the table."),
        ("bain", "Sevens may never be discarded, nor may red threes. Any other card may."),
        ("bain", "Nobody may go out before all the red threes of the pack are on the table, laid by any player."),
        ("solo", "Each red three on the table costs 500 points, and each one still in a hand or foot costs 500 "
         "points."),
        ("bga", "The deal ends with the turn after which the stock has fewer than two cards."),
        ("pennies", "If one team has laid all the red threes of the pack, they count 1,000 points together instead."),
    ],
)  # fmt: skip
def test_golden_sentences(name, text):
    assert text in texts(Rules.preset(name))


@pytest.mark.parametrize(
    ("shape", "options", "text"),
    [
        (PAIRS, {}, "Those in hand, knee or foot count against your team."),
        (ALONE, {}, "Those in hand, knee or foot count against you."),
        (PAIRS, {}, "Cards that partners have left in hand, knee and foot count even if you go out."),
        (ALONE, {"held_counts": "others"}, "Nothing left in hand, knee and foot counts for or against the player"),
        (PAIRS, {"held_counts": "others"}, "Nothing left in hands, knees and feet counts for or against the team"),
        (PAIRS, {}, "each one still in a hand, knee or foot costs 500 points."),
        (PAIRS, {"final_turns": "always"}, "In that turn, hand, knee and foot may be played to the last card"),
        (PAIRS, {"final_turns": True}, "In that turn, hand, knee and foot may be played to the last card"),
        (PAIRS, {}, "If your discard empties your hand or your knee, you pick up the next stack when"),
        (PAIRS, {"foot_after_discard": "at_once"}, "you pick up the next stack at once, but play from it only in"),
        (PAIRS, {}, "Nobody looks at a knee or a foot before it is picked up."),
        (PAIRS, {}, "those in your knee or your foot when you pick it up, and others"),
        (PAIRS, {"red_three_replaced": "never"}, "those in your knee or your foot when you pick it up, and others"),
    ],
)
def test_with_three_stacks_the_knee_is_named_wherever_it_counts(shape, options, text):
    assert any(text in sentence for sentence in texts(Rules.make("knee", options), shape))
    assert not any("hand or foot" in sentence for sentence in texts(Rules.make("knee", options), shape))


def test_with_three_stacks_and_a_garbage_pile_the_knee_is_named_too():
    rules = Rules.make("bain", {"stacks": [11, 11, 11]})
    assert any("Those in hand, knee or foot count against" in sentence for sentence in texts(rules))


def test_opening_by_score_reads_upwards():
    rules = Rules.make("standard", {"opening": {"by_score": [[-500, 15], [0, 50]]}})
    assert [sentence.text for sentence in differences(rules, STANDARD)] == [
        "To open, the melds that your team lays first in a deal must together be worth a minimum that depends on your "
        "team’s total before the deal: nothing below minus 500, 15 points from minus 500 and 50 points from 0 upwards."
    ]


@pytest.mark.parametrize(("name", "shape"), TABLES)
def test_json_and_text_agree(name, shape):
    rules = Rules.preset(name)
    data = sheet_to_json(rules, shape)
    assert (data["title"], data["name"]) == (rules.title, name)
    lines = [f"Hand and Foot: {data['title']}"]
    for section in data["sections"]:
        lines += [section["title"], *(f"- {sentence['text']}" for sentence in section["sentences"])]
        assert all(set(sentence["options"]) <= set(KINDS_OF_OPTION) for sentence in section["sentences"])
    written = [line for line in write_sheet(rules, shape).splitlines() if line.strip("-=")]
    assert written == lines


def test_width_wraps_lines_without_changing_words():
    narrow, wide = write_sheet(STANDARD, width=60), write_sheet(STANDARD)
    assert max(map(len, narrow.splitlines())) <= 60
    assert narrow.split() == wide.split()


@pytest.mark.parametrize(
    ("rules", "title"),
    [
        (STANDARD, "Standard"),
        (Rules.make("bga", {"draw_count": 3}), "Board Game Arena with house rules"),
        (Rules.read({"options": STANDARD.write_options()}), "House rules"),
        (Rules.read({"name": "Club night", "options": STANDARD.write_options()}), "Club night"),
    ],
)
def test_titles(rules, title):
    assert sheet_title(rules) == title


# Differences


@pytest.mark.parametrize("name", PRESETS)
def test_a_ruleset_is_exactly_as_itself(name):
    rules = Rules.preset(name)
    assert differences(rules, rules) == ()
    assert write_differences(rules, rules) == f"Exactly as {rules.title}."


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("base", PRESETS)
def test_differences_name_exactly_the_options_that_differ(name, base):
    rules, base = Rules.preset(name), Rules.preset(base)
    options = {option for sentence in differences(rules, base) for option in sentence.options}
    assert options == set(rules.differences(base))


def test_differences_read_alone():
    rules = Rules.preset("saskatchewan")
    assert write_differences(rules, STANDARD) == (
        "As Standard, but:\n\n"
        "- This game is for four players in two teams of two; or for six players in two teams of three. The usual "
        "table is four players in two teams of two.\n"
        "- You may go out only if your team has one clean book, one dirty book and one wild book. More books do no "
        "harm."
    )


@pytest.mark.parametrize(
    ("base", "option", "value", "text"),
    [
        ("bain", "wild_freezes", False, "The pile is never frozen: a wild card in it does nothing once it is covered."),
        (
            "standard",
            "opening",
            "none",
            "To open, the melds that your team lays first in a deal may be worth any number of points.",
        ),
        ("bain", "garbage", False, "There is no garbage pile for cards that no longer fit a meld."),
        ("denexa", "permission", "none", "Nobody is asked for permission to go out."),
        ("pennies", "red_three_all", None, "Laying all the red threes of the pack earns nothing extra."),
        ("denexa", "penalties", None, "There are no penalties: a move against the rules is refused and costs nothing."),
    ],
)
def test_what_is_turned_off_is_said_in_words(base, option, value, text):
    base = Rules.preset(base)
    assert text in [sentence.text for sentence in differences(Rules.make(base, {option: value}), base)]


OPTION_VALUES = [(option, value) for option in KINDS_OF_OPTION for value in values(option)]
HOUSE_RULES = st.tuples(st.sampled_from(list(PRESETS)), st.lists(st.sampled_from(OPTION_VALUES), max_size=12))


def house_rules(name, changes):
    rules = Rules.preset(name)
    for option, value in changes:
        rules = changed(rules, option, value) or rules
    return rules


@tries(150)
@given(HOUSE_RULES, HOUSE_RULES)
def test_random_house_rules_differ_in_their_sheets_where_they_differ(first, second):
    rules, base = house_rules(*first), house_rules(*second)
    assert (write_sheet(rules) == write_sheet(base)) == (rules == base)
    options = {option for sentence in differences(rules, base) for option in sentence.options}
    assert options == set(rules.differences(base))
    assert {option for sentence in sentences(rules) for option in sentence.options} == set(KINDS_OF_OPTION)
