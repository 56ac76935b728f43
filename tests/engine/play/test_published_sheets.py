"""Published rule sheets can be typed in: each file of tests/sheets has the facts of a sheet, and a ruleset that plays it."""

import json
import random
from itertools import chain
from typing import Any, NamedTuple

import pytest

from engine.cli import main
from engine.play.cards import RANKS
from engine.play.choices import legal_moves
from engine.play.game import apply, new_game
from engine.play.old_forms import REPLACED
from engine.play.options import Books
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from engine.play.state import OVER
from tests.test_layout import ROOT

SHEETS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tests/sheets").glob("*.json"))}
FACTS = sorted({fact for sheet in SHEETS.values() for fact in sheet["facts"]})
COLLECTED = ROOT.parent / "shared/rules/sheets/sheets.json"
"""The collection of facts that the sheets are from, where it is at hand."""


class Reader(NamedTuple):
    """How a ruleset answers a fact: the options that it looks at, and the value in the words of the fact."""

    options: tuple[str, ...]
    read: Any


READERS: dict[str, Reader] = {}


def reads(*options):
    """Make the function below the reader of the fact of its name."""

    def add(read):
        READERS[read.__name__] = Reader(options, read)
        return read

    return add


def books(contract: Books):
    return [contract.clean, contract.dirty]


def each_deal(rules: Rules):
    return [rules.in_deal(deal) for deal in range(1, rules.deals + 1)]


def deal_opening_with(rules: Rules, points):
    return next(deal for deal, (_, least) in enumerate(rules.opening.steps, start=1) if least == points)


GROWTH_WORDS = {"no": "nothing", "natural": "natural cards", "any": "any cards", "keeps": "any cards, and stays clean"}
PASSING_WORDS = {
    "both": "the first to the right, the second to the left",
    "both_left": "both to the left",
    "both_right": "both to the right",
    "first_left": "the first to the left",
}


# Facts that a sheet states as the options do: their value is the option's.

for fact in (
    *("shapes", "decks", "jokers_per_deck", "stacks", "hand_choice", "upcard", "upcard_bury", "draw_count"),
    *("pile_take", "pile_to_meld", "wild_on_top", "wild_freezes", "take_needs_open", "stock_out", "wild_limits"),
    *("pure_ranks", "kept_ranks", "black_three_meld", "opening", "foot_when", "foot_after_discard", "contract"),
    *("partner_foot", "permission", "last_card", "out_bonus", "values", "book_bonus", "red_three", "red_three_all"),
    *("red_three_sevens", "red_three_replaced", "length"),
):
    READERS[fact] = Reader((fact,), lambda rules, fact=fact: rules.write_option(fact))


# The others


@reads("lift")
def lift(rules):
    """Points of each player who lifts exactly."""
    return rules.lift and rules.lift.by == "each" and dict(rules.lift.within)[0]


@reads("pass_stack")
def stacks_passed(rules):
    return PASSING_WORDS.get(rules.pass_stack, rules.pass_stack)


@reads("stacks")
def stacks_by_deal(rules):
    return [list(deal.stacks) for deal in each_deal(rules)]


@reads("stacks")
def three_stacks_of(rules):
    """Cards of a player with hand, knee and foot."""
    return len(rules.stacks) == 3 and sum(rules.stacks)


@reads("stacks", "opening", "length")
def third_stack_where_opening_is(rules):
    """The opening minimum of the one deal with a knee."""
    (knee,) = [number for number, deal in enumerate(each_deal(rules), start=1) if len(deal.stacks) == 3] or [0]
    return knee <= rules.length.number and rules.opening.minimum(knee, 0)


@reads("decks", "shapes")
def packs_by_seats(rules):
    return {str(seats): rules.deck_count(seats) for seats in sorted({shape.seats for shape in rules.shapes})}


@reads("upcard")
def cards_turned_up(rules):
    return rules.upcard


@reads("upcard_bury")
def put_back(rules):
    """By rank, whether all its cards go back when turned up."""
    ranks = {"wild": {"2", "X"}, "red_three": set(), "black_three": set()}
    buried = set().union(*(ranks.get(kind, {kind}) for kind in rules.upcard_bury))
    return {rank: rank in buried for rank in RANKS}


@reads("draw_count")
def draw_by_deal(rules):
    return [deal.draw_count for deal in each_deal(rules)]


@reads("draw_count")
def draw_rises_by_deal(rules):
    drawn = draw_by_deal(rules)
    return len(drawn) > 1 and drawn == sorted(set(drawn))


@reads("draw_top")
def top_card_drawn(rules):
    return {"never": "never", "first": "into the hand", "melded": "if melded at once"}[rules.draw_top]


@reads("pile_claim")
def pile_claim(rules):
    """The cards that take the pile, whatever else they must do."""
    return "natural_pair" if rules.pile_claim in ("naturals", "new_meld") else rules.pile_claim


@reads("pile_claim")
def claimed_without_wild_cards(rules):
    return rules.pile_claim == "naturals"


@reads("pile_take")
def pile_by_deal(rules):
    return [deal.pile_take for deal in each_deal(rules)]


@reads("wild_melds", "wild_on_top", "contract")
def wild_melds(rules):
    """Whether there are melds of wild cards, in the whole ruleset."""
    return rules.wild_melds or rules.wild_on_top == "matching_pair" or any(d.contract.wild for d in each_deal(rules))


@reads("wild_beyond", "books_grow")
def wild_cards_beyond_seven(rules):
    grows = "any" in (rules.books_grow.clean, rules.books_grow.dirty)
    return grows and {"fewer": "fewer than natural cards", "equal": "as many as natural cards"}.get(rules.wild_beyond)


@reads("books_grow")
def books_grow(rules):
    return rules.grows


@reads("books_grow")
def complete_books(rules):
    """What is added to clean and dirty books; a sheet may speak of the clean ones only."""
    return {kind: GROWTH_WORDS[getattr(rules.books_grow, kind)] for kind in ("clean", "dirty")}


@reads("melds_per_rank")
def second_meld(rules):
    """When a further meld of a rank may start."""
    return {"one": "never", "after_book": "beside a book", "clean_and_dirty": "clean beside dirty"}[
        rules.melds_per_rank
    ]


@reads("opening_terms")
def wild_cards_open(rules):
    return "naturals" not in rules.opening_terms


@reads("opening_terms")
def book_bonus_opens(rules):
    return "books" in rules.opening_terms


@reads("special_books")
def special_books(rules):
    """Points and number needed to go out, by rank."""
    return {rank: [special.points, special.needed] for rank, special in rules.special_books}


@reads("special_books")
def sevens_with_wild_cards(rules):
    return dict(rules.special_books)["7"].mixed if rules.sevens_apart else False


@reads("special_books", "black_three_meld")
def books_of_threes(rules):
    """Points of a book of threes, which can be melded in every turn."""
    threes = dict(rules.special_books).get("3")
    return rules.black_three_meld == "always" and threes and threes.points


@reads("red_three_meld", "black_three_meld")
def red_threes_join_black_ones(rules):
    return rules.red_three_meld and rules.black_three_meld == "always"


@reads("kept_ranks", "kept_until")
def sevens_kept(rules):
    until = {"own_sevens": "until the own team has a book", "every_sevens": "until every team has a book of sevens"}
    return "7" in rules.kept_ranks and until.get(rules.kept_until)


@reads("red_threes")
def red_threes_stay_in_hand(rules):
    """They are not laid or replaced, and only cost points."""
    return rules.red_threes == "held" and rules.red_three.held < 0


@reads("red_three_sets")
def sets_of_red_threes(rules):
    return rules.red_three_sets and list(rules.red_three_sets)


@reads("contract")
def contract_by_deal(rules):
    return [books(deal.contract) for deal in each_deal(rules)]


@reads("contract")
def contract_by_deal_begins(rules):
    """The contract of the first deal, where it rises from deal to deal."""
    contracts = contract_by_deal(rules)
    return len(contracts) > 1 and contracts == sorted(contracts) and contracts[0] != contracts[1] and contracts[0]


@reads("out_bonus")
def out_bonus_by_deal(rules):
    return [deal.out_bonus for deal in each_deal(rules)]


@reads("final_turns", "last_card")
def others_have_another_turn(rules):
    return {"always": "however the first went out", "yes": "after a discard"}.get(rules.final_turns, "never")


@reads("held_counts")
def cards_left_count(rules):
    return {"all": "for every team", "others": "not for the team that went out"}[rules.held_counts]


IN_PARTS = ("complete_books", "special_books", "put_back")
"""Facts of which a sheet may state a part, such as what is added to clean books."""


def answer(fact, rules, value):
    """The ruleset's answer to a fact, as far as the sheet goes into it."""
    read = READERS[fact].read(rules)
    return {part: read.get(part) for part in value} if fact in IN_PARTS else read


@pytest.fixture(params=SHEETS)
def sheet(request):
    return SHEETS[request.param]


def test_the_ruleset_answers_every_fact_as_the_sheet(sheet):
    rules = Rules.read(sheet["rules"])
    answers = {fact: answer(fact, rules, value) for fact, value in sheet["facts"].items()}
    assert answers == sheet["facts"]


def test_the_ruleset_changes_nothing_that_the_sheet_does_not_say(sheet):
    rules, base = Rules.read(sheet["rules"]), Rules.preset(sheet["rules"]["base"])
    stated = {option for fact in sheet["facts"] for option in READERS[fact].options}
    assert set(rules.differences(base)) <= stated


def test_no_option_was_made_for_what_a_sheet_cannot_say(sheet):
    for missing in sheet["cannot_say"]:
        assert missing["needs"] not in {*KINDS_OF_OPTION, *REPLACED}
        assert missing["fact"]
        assert missing["why"]


def test_a_deal_is_played_by_the_ruleset(sheet):
    state, dice = new_game(Rules.read(sheet["rules"]), bytes(32)), random.Random(7)
    for _ in range(60):
        if state.phase == OVER:
            break
        moves = legal_moves(state)
        assert moves
        state, _ = apply(state, dice.choice(moves))


@pytest.mark.parametrize("name", SHEETS)
def test_the_command_line_says_which_ruleset_is_nearest(capsys, name):
    assert main(["fits", str(ROOT / f"tests/sheets/{name}.json"), "--json"]) == 0
    fit = json.loads(capsys.readouterr().out)
    assert fit["nearest"] in PRESETS
    assert Rules.read(fit["rules"]) == Rules.read(SHEETS[name]["rules"])


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_not_true_of_all_rulesets(fact):
    rulesets = [Rules.read(sheet["rules"]) for sheet in SHEETS.values()] + [Rules.preset(name) for name in PRESETS]
    rulesets.append(Rules.make("standard", {"jokers_per_deck": 4}))  # no sheet has another number of jokers
    values = [sheet["facts"][fact] for sheet in SHEETS.values() if fact in sheet["facts"]]
    assert any(answer(fact, rules, values[0]) != values[0] for rules in rulesets)


def test_every_reader_is_of_a_fact():
    assert sorted(READERS) == FACTS


# The collection

OPTION_OF_NEED = {
    "draw_from_pile": "draw_top",
    "decks_by_seats": "decks",
    "opening_book": "opening",
    "three_melds": "black_three_meld",
    "upcards": "upcard",
}
OLD = {"hand_cards": "stacks", "foot_cards": "stacks", "lift_bonus": "lift", "second_meld": "melds_per_rank"}


@pytest.mark.skipif(not COLLECTED.is_file(), reason="the collection of sheets is not at hand")
def test_every_fact_of_the_collection_is_stated_or_cannot_be_said():
    missed = []
    for collected in json.loads(COLLECTED.read_text()):
        files = [sheet for sheet in SHEETS.values() if sheet["where"] == collected["where"]]
        stated = {option for sheet in files for fact in sheet["facts"] for option in READERS[fact].options}
        cannot = {missing["needs"] for sheet in files for missing in sheet["cannot_say"]}
        options = {OLD.get(fact, fact) for fact in collected["facts"]}
        for missing in collected["not_expressible"]:
            need = OPTION_OF_NEED.get(missing["needs"], missing["needs"])
            if need == "by_deal":
                is_known = any("unknown" in sheet or any("deal" in fact for fact in sheet["facts"]) for sheet in files)
                options |= set() if is_known else {need}
            else:
                options.add(need)
        missed += [(collected["name"], option) for option in options - stated - cannot]
    assert missed == []


@pytest.mark.skipif(not COLLECTED.is_file(), reason="the collection of sheets is not at hand")
def test_the_facts_are_those_of_the_collection():
    """Facts that the sheets give in the words of the options, unless a sentence beside them says more."""
    differing = []
    for collected in json.loads(COLLECTED.read_text()):
        files = [sheet for sheet in SHEETS.values() if sheet["where"] == collected["where"]]
        for fact, value in collected["facts"].items():
            known = [sheet["facts"][fact] for sheet in files if fact in sheet["facts"]]
            if fact in ("contract", "book_bonus"):
                value = {kind: number for kind, number in value.items() if kind != "sevens"}
            if fact == "second_meld":
                value = "beside a book" if value else "never"
            is_split = fact == "shapes" and len(known) > 1 and sorted(chain(*known)) == sorted(value)
            if known and value not in known and not is_split:
                differing.append((collected["name"], fact, value, known))
    assert differing == []
