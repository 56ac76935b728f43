"""Score sheets without an event: storage, two phones at once, owners, and when they are deleted."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts import privacy
from accounts.services import clearing
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import display, files, listing, paper_scoring, score_form
from gameplay.score_sheets import services as score_sheets
from gameplay.score_sheets.display import Seating
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.paper_scoring import Terms
from gameplay.score_sheets.terms import terms_of
from tests.gameplay.sheet_deals import all_terms, random_deal
from web.errors import Refused, Stale

pytestmark = pytest.mark.django_db

FOUR = ("Ann", "Ben", "Cem", "Dee")
WON = {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True}
LOST = {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185}
BOTH = {"teams": [WON, LOST]}
LEVEL = {"points": [100, 100]}


def begin(preset="standard", names=FOUR, shape=(4, 2), changes=None, **more):
    return score_sheets.make(Rules.make(preset, changes or {}), Shape(*shape), names, **more)


def save(sheet, *deals, seen=None, key="k", **more):
    seen = sheet.version if seen is None else seen
    return score_sheets.save(sheet.pk, deals, is_stopped=False, seen=seen, key=key, **more)


# Beginning one


def test_a_sheet_knows_its_sides_and_who_deals_first():
    sheet = begin()
    assert terms_of(sheet).names == ("Ann / Cem", "Ben / Dee")
    assert sheet.dealer == 3
    assert len({sheet.slug, sheet.key, begin().slug}) == 3


def test_who_gives_no_name_is_called_by_number():
    assert terms_of(begin(names=("", "Ben"))).names == ("Side 1", "Ben")
    assert terms_of(begin("solo", names=("Ann",), shape=(3, 1))).names == ("Ann", "Player 2", "Player 3")


def test_sent_twice_it_is_one_sheet():
    assert begin(request_key="one").pk == begin(request_key="one").pk
    assert ScoreSheet.objects.count() == 1


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"shape": (5, 1), "preset": "denexa"}, "Denexa does not allow a table of 5 in teams of 1"),
        ({"names": ("Ann", "ann", "", "")}, "Two players are called ann. Give them different names."),
        ({"names": ("x" * 31, "", "", "")}, "The name is too long. The limit is 30 characters."),
        ({"dealer": 4}, "Choose the first dealer."),
    ],
)
def test_what_no_table_can_be_is_refused(choices, words):
    with pytest.raises(Refused, match=words):
        begin(**choices)
    assert not ScoreSheet.objects.exists()


# Keeping deals


def test_deals_of_a_phone_take_the_place_of_those_that_were_kept():
    sheet = begin()
    assert save(sheet, BOTH).version == 1
    sheet.refresh_from_db()
    save(sheet, {"points": [4715, 1300]}, BOTH)
    sheet.refresh_from_db()
    assert sheet.version == 2
    assert listing.ScoredSheet(sheet).reckoning.totals == (9430, 2655)


def test_the_same_sent_again_changes_nothing():
    sheet = begin()
    save(sheet, BOTH, key="a")
    assert save(sheet, BOTH, key="a", seen=0).version == 1
    assert save(sheet, BOTH, key="b", seen=0).version == 1


def test_another_phone_is_not_overwritten():
    sheet = begin()
    save(sheet, BOTH, key="a")
    with pytest.raises(Stale, match="changed on another phone"):
        save(sheet, LEVEL, key="b", seen=0)
    sheet.refresh_from_db()
    assert sheet.deals == [BOTH]


def test_a_phone_that_had_no_answer_is_not_taken_for_another():
    sheet = begin()
    save(sheet, BOTH, key="a")
    assert save(sheet, BOTH, LEVEL, key="b", seen=0, earlier=["a"]).version == 2
    with pytest.raises(Stale):
        save(sheet, LEVEL, key="c", seen=0, earlier=["a"])


@pytest.mark.parametrize(
    ("deals", "words", "details"),
    [
        ([LEVEL, {"teams": [{**WON, "melded": 10}, LOST]}], "its books alone are worth", {"deal": 2, "row": "melded"}),
        ([{"teams": [WON, {**LOST, "out": True, "left": 0}]}], "Only one side can go out", {"deal": 1, "side": 1}),
        ([LEVEL] * 5, "at most 4 deals", {}),
    ],
)
def test_what_cannot_be_is_refused_with_the_place(deals, words, details):
    sheet = begin()
    with pytest.raises(Refused, match=words) as refused:
        save(sheet, *deals)
    assert details.items() <= refused.value.details.items()
    sheet.refresh_from_db()
    assert sheet.deals == []


def test_extra_deals_follow_where_the_rules_have_them():
    sheet = begin(changes={"tie": "extra_deals", "length": {"deals": 1}})
    assert save(sheet, LEVEL, LEVEL, {"points": [5, 0]}).version == 1


def test_going_out_without_the_contract_is_said_and_counts():
    sheet = begin()
    save(sheet, {"teams": [{**LOST, "left": 0, "out": True}, {}]})
    sheet.refresh_from_db()
    tally = listing.ScoredSheet(sheet)
    assert tally.reckoning.totals == (1640, 0)
    assert tally.remarks == ["Deal 1: Ann / Cem went out but still needed 1 clean book, 1 dirty book and 1 wild book."]


def test_without_a_script_one_deal_is_saved_at_a_time():
    sheet = begin()
    score_sheets.save_deal(sheet.pk, 1, BOTH, seen=0)
    assert score_sheets.save_deal(sheet.pk, 1, BOTH, seen=0).version == 1
    with pytest.raises(Stale, match="Save again"):
        score_sheets.save_deal(sheet.pk, 1, LEVEL, seen=0)
    with pytest.raises(Refused, match="Enter deal 2 first"):
        score_sheets.save_deal(sheet.pk, 3, LEVEL, seen=1)
    score_sheets.save_deal(sheet.pk, 1, LEVEL, seen=1)
    assert score_sheets.drop_last(sheet.pk, 2).deals == [LEVEL]
    assert score_sheets.drop_last(sheet.pk, 1).deals == []
    assert score_sheets.drop_last(sheet.pk, 1).version == 3


def test_after_the_last_deal_none_is_entered():
    sheet = begin("family")
    score_sheets.save_deal(sheet.pk, 1, {"points": [5, 0]}, seen=0)
    with pytest.raises(Refused, match="The match was over after deal 1"):
        score_sheets.save_deal(sheet.pk, 2, LEVEL, seen=1)


def test_players_can_stop_early_and_continue():
    sheet = begin()
    with pytest.raises(Refused, match="Enter a score first"):
        score_sheets.stop(sheet.pk, is_stopped=True)
    save(sheet, {"points": [5, 0]})
    score_sheets.stop(sheet.pk, is_stopped=True)
    sheet.refresh_from_db()
    assert listing.ScoredSheet(sheet).outcome == "Ann / Cem won. The match was stopped before the end."
    assert not score_sheets.stop(sheet.pk, is_stopped=False).is_stopped


def test_names_and_the_first_dealer_can_be_changed():
    sheet = begin()
    score_sheets.rename(sheet.pk, ["Ann", "Bob", "Cem", " Dee  D "], title=" Friday ", dealer=0)
    sheet.refresh_from_db()
    assert (sheet.names, sheet.title, sheet.dealer, sheet.version) == (["Ann", "Bob", "Cem", "Dee D"], "Friday", 0, 1)
    with pytest.raises(Refused, match="Two players"):
        score_sheets.rename(sheet.pk, ["Ann", "Ann"], title="", dealer=0)


# Typed sheets


def terms(preset="standard", sides=2, size=2, **changes):
    rules = Rules.make(preset, changes)
    return Terms(tuple(f"Side {n}" for n in range(1, sides + 1)), rules, paper_scoring.shape_of(rules, sides, size))


def test_cards_are_counted_by_rank():
    typed = score_form.read(terms(), "books", {"s0-melded-K": "8", "s0-melded-2": "1", "s0-left-3": "2"})
    assert typed.deal["teams"][0] | {"books": None} == {
        "books": None,
        "melded": {"2": 1, "K": 8},
        "left": {"3": 2},
        "out": False,
        "penalties": 0,
        "red_threes_held": 0,
        "red_threes_laid": 0,
    }
    assert (typed.texts["s0-melded"], typed.texts["s0-left"], typed.wrong) == ("100", "10", {})
    assert paper_scoring.count(terms(), typed.deal, 1).points[0] == 90


def test_a_press_at_a_rank_takes_the_points_along():
    typed = score_form.read(terms(), "books", {"s0-melded": "80", "s0-melded-K": "8", "step": "s0-melded-K:1"})
    assert (typed.texts["s0-melded-K"], typed.texts["s0-melded"], typed.wrong) == ("9", "90", {})


def test_ranks_and_points_that_differ_are_said_and_kept():
    typed = score_form.read(terms(), "books", {"s0-melded": "85", "s0-melded-K": "8"})
    assert typed.texts["s0-melded"] == "85"
    assert typed.wrong["s0-melded"].startswith("The ranks add up to 80, but 85 is entered here.")
    typed = score_form.read(terms(), "books", {"s0-melded-K": "no"})
    assert typed.wrong == {"s0-melded-K": "“no” is not a number of cards."}


def test_a_deal_by_rank_comes_back_as_it_was_typed():
    deal = {"teams": [{"melded": {"K": 8}}, {}]}
    typed = score_form.from_deal(terms(), "books", deal)
    assert (typed.texts["s0-melded-K"], typed.texts["s0-melded"]) == ("8", "80")
    assert typed.deal["teams"][0]["melded"] == {"K": 8}


@pytest.mark.parametrize("which", list(all_terms()), ids=lambda case: f"{case.rules.name}-{case.shape}")
def test_what_a_phone_sends_is_what_is_kept(which):
    """In every ruleset and at every size of table: nothing is lost on the way, and nothing is added."""
    chance = Random(7)
    for _ in range(10):
        deal = random_deal(which, chance)
        stored = score_form.from_phone(which, deal)
        assert paper_scoring.count(which, stored, 1) == paper_scoring.count(which, deal, 1)
        assert score_form.from_phone(which, stored) == stored


@pytest.mark.parametrize(
    "sent",
    [
        None, 3, "teams", [], {}, {"teams": []}, {"teams": [1, 2]}, {"points": [1]}, {"points": ["1", 2]},
        {"points": [1.5, 2]}, {"points": [True, 2]}, {"points": [10**7, 0]}, {"teams": [{"books": {"clean": -1}}, {}]},
        {"teams": [{"melded": {"K": "8"}}, {}]}, {"teams": [{"melded": [1]}, {}]}, {"teams": [{"penalties": 5}, {}]},
    ],
)  # fmt: skip
def test_what_a_phone_cannot_have_meant_is_refused(sent):
    with pytest.raises(Refused, match="cannot read the score sheet"):
        score_form.from_phone(terms(), sent)


# Facts for the table


def test_who_deals_and_what_it_takes_to_open():
    rules = {"opening": {"by_score": [[None, 15], [0, 50], [1500, 90]]}}
    seating = Seating(FOUR, 1)
    sheet_terms = terms("standard", **rules)
    typed = score_form.from_deal(sheet_terms, "books", None)
    page = display.sheet(sheet_terms, [{"points": [1600, -20]}], 2, typed, seating=seating, url="/x/")
    assert [deal["opening"] for deal in page["coming"]] == ["90 for Side 1, 15 for Side 2"] * 2
    assert [(deal["dealer"], deal["beginner"]) for deal in page["coming"]] == [("Cem", "Dee"), ("Dee", "Ann")]
    assert [side.opening for side in page["sides"]] == ["90", "15"]
    page = display.sheet(sheet_terms, [LEVEL] * 3, 4, typed, seating=seating, url="/x/")
    assert [deal["is_last"] for deal in page["coming"]] == [True]


def test_every_ruleset_has_a_row_for_all_that_it_scores():
    labels = {row.label for row in paper_scoring.rows(terms("family"))}
    assert {"Wild books", "Unfinished wild meld", "Exact lifts"} <= labels
    hints = {row.name: row.hint for row in paper_scoring.rows(terms("pennies", 2, 3))}
    assert hints["red_threes_laid"] == "100 each, on the table; all 8: 1,000; minus without sevens"
    assert hints["sevens"] == "1,500 each"
    assert {row.name: row.hint for row in paper_scoring.rows(terms("family"))}["wild"].endswith("with a clean one")


def test_with_a_knee_the_row_of_cards_left_names_it():
    hints = {row.name: row.hint for row in paper_scoring.rows(terms("knee"))}
    assert hints["left"] == "in hand, knee and foot, in points"


# Whose it is


def test_a_sheet_is_kept_in_one_account(person):
    ann, ben, sheet = person("Ann"), person("Ben"), begin()
    score_sheets.keep(sheet.pk, ann)
    score_sheets.keep(sheet.pk, ann)
    with pytest.raises(Refused, match="another account"):
        score_sheets.keep(sheet.pk, ben)
    assert [line.sheet.pk for line in listing.of_owner(ann)] == [sheet.pk]
    sheets = privacy.export(ann)["score_sheets"]
    assert [(item["address"], item["sides"]) for item in sheets] == [
        (sheet.get_absolute_url(), ["Ann / Cem", "Ben / Dee"])
    ]


def test_with_the_account_its_sheets_go(person, django_capture_on_commit_callbacks):
    ann, sheet = person("Ann"), begin()
    score_sheets.keep(sheet.pk, ann)
    other = begin()
    with django_capture_on_commit_callbacks(execute=True):
        privacy.delete_account(ann)
    assert [sheet.pk for sheet in ScoreSheet.objects.all()] == [other.pk]


def test_what_nobody_keeps_nor_changes_for_a_year_is_deleted(person):
    recent, owned, old = begin(), begin(owner=person("Ann")), begin()
    for sheet, days in ((recent, 364), (owned, 900), (old, 366)):
        ScoreSheet.objects.filter(pk=sheet.pk).update(touched_at=timezone.now() - timedelta(days=days))
    clearing.clear()
    clearing.clear()
    assert set(ScoreSheet.objects.values_list("pk", flat=True)) == {recent.pk, owned.pk}


# As files


def test_as_json_it_says_everything():
    sheet = begin(title="Friday")
    save(sheet, BOTH, {"points": [5, 0]})
    sheet.refresh_from_db()
    data = files.as_json(sheet)
    assert data["totals"] == [4720, 1355]
    assert data["deals"][0]["points"] == [4715, 1355]
    assert data["deals"][0]["teams"] == [WON, LOST]
    assert (data["players"], data["first_dealer"], data["is_over"]) == (list(FOUR), 4, False)
    assert Rules.read(data["rules"]) == Rules.preset("standard")


def test_as_csv_it_calculates_nothing_of_its_own():
    sheet = begin(names=("=1+1", "Ben", "", ""))
    save(sheet, BOTH, LEVEL)
    sheet.refresh_from_db()
    lines = files.as_csv(sheet).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Deal,Side,Clean books,Dirty books,Wild books,Red threes")
    assert lines[1] == "1,'=1+1,2,2,1,4,0,1115,0,yes,0,4715,4715"
    assert lines[3] == "2,'=1+1,,,,,,,,,,100,4815"
