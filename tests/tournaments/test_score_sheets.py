"""Score sheets of real tables: what deals come to, what cannot be, keeping them and sending them."""

import pytest

from engine.play.rules import Rules
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.paper_scoring import Terms
from tests.tournaments.reading import ONE_DEAL, TWO_DEALS
from tests.tournaments.scoring import entries_of, matches
from tournaments.models import Place, Result
from tournaments.score_sheets import services as score_sheets
from web.errors import Refused

pytestmark = pytest.mark.django_db

WON = {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True}
LOST = {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185}
BOTH = {"teams": [WON, LOST]}


def terms(preset="standard", sides=2, size=2, **changes):
    rules = Rules.make(preset, changes)
    names = tuple(f"Side {number}" for number in range(1, sides + 1))
    return Terms(names, rules, paper_scoring.shape_of(rules, sides, size))


@pytest.fixture
def played(new_event):
    """A match of two pairs at a real table, and the two entries."""

    def make(rules=TWO_DEALS, format="swiss", **choices):
        cup = new_event(format, 4, kind="partnership", setting="face", started=True, rules_json=rules, **choices)
        pairing = matches(cup)[0]
        return pairing, *entries_of(pairing)

    return make


def test_a_deal_is_scored_item_by_item_by_the_ruleset():
    scored = paper_scoring.score(terms(), BOTH, 1)
    assert scored.points == (4715, 1355)
    assert scored.items[0] == {
        "clean": 1000,
        "dirty": 600,
        "wild": 1500,
        "red_threes_laid": 400,
        "melded": 1115,
        "out": 100,
    }
    assert scored.items[1] == {"clean": 500, "dirty": 300, "red_threes_laid": 200, "melded": 540, "left": -185}
    assert scored.remarks == ()


def test_a_deal_of_which_only_totals_are_known_counts_as_it_is():
    assert paper_scoring.score(terms(), {"points": [1385, -120]}, 1).points == (1385, -120)


def test_going_out_without_the_books_for_it_is_said_and_counts():
    deal = {"teams": [{**LOST, "left": 0, "out": True}, {}]}
    scored = paper_scoring.score(terms(), deal, 3)
    assert scored.points[0] == 1640
    assert scored.remarks == ("Deal 3: Side 1 went out but still needed 1 clean book, 1 dirty book and 1 wild book.",)


@pytest.mark.parametrize(
    ("first", "second", "side", "row"),
    [
        (WON, {**LOST, "out": True}, 1, "out"),
        ({**WON, "melded": 100}, LOST, 0, "melded"),
        (WON, {**LOST, "melded": 543}, 1, "melded"),
        ({**WON, "red_threes_laid": 9}, LOST, 1, "red_threes_laid"),
    ],
    ids=["two went out", "fewer points than the books", "no sum of cards", "more red threes than there are"],
)
def test_what_cannot_be_is_refused_with_the_side_and_the_row(first, second, side, row):
    with pytest.raises(Refused) as caught:
        paper_scoring.score(terms(), {"teams": [first, second]}, 1)
    assert (caught.value.details["side"], caught.value.details["row"]) == (side, row)
    assert caught.value.sentence.endswith(".")
    assert "`" not in caught.value.sentence


def test_rows_are_those_of_the_ruleset():
    assert [row.name for row in paper_scoring.rows(terms())] == [
        *("clean", "dirty", "wild", "red_threes_laid", "red_threes_held", "melded", "left", "out", "penalties")
    ]
    assert "sevens" in [row.name for row in paper_scoring.rows(terms("pennies"))]


def test_a_table_of_a_size_that_the_rules_do_not_know_enters_totals(refuses):
    seven = terms(sides=7, size=1)
    assert seven.shape is None
    with refuses("no_shape"):
        paper_scoring.check(seven, paper_scoring.empty(seven))
    assert paper_scoring.score(seven, {"points": [7, 6, 5, 4, 3, 2, 1]}, 1).points == (7, 6, 5, 4, 3, 2, 1)


def test_the_match_is_over_when_the_rules_say_so():
    two = terms(length={"deals": 2})
    assert not paper_scoring.reckon(two, [BOTH]).is_over
    outcome = paper_scoring.reckon(two, [BOTH, BOTH])
    assert (outcome.is_over, outcome.totals) == (True, (9430, 2710))


def test_where_somebody_must_win_a_level_match_goes_on():
    level = {"points": [500, 500]}
    single = terms(length={"deals": 1})
    assert paper_scoring.reckon(single, [level]).is_over
    assert not paper_scoring.reckon(single._replace(needs_winner=True), [level]).is_over


def test_a_saved_deal_is_kept_for_the_entry_and_begins_the_match(played):
    pairing, first, second = played()
    version = pairing.round.stage.tournament.version
    sheet = score_sheets.save(pairing.pk, first.pk, 1, BOTH)
    assert sheet.totals == (4715, 1355)
    pairing.refresh_from_db()
    assert (pairing.status, pairing.begun_at is None) == ("playing", False)
    pairing.round.stage.tournament.refresh_from_db()
    assert pairing.round.stage.tournament.version > version
    match = score_sheets.read(pairing)
    assert score_sheets.saved_deals(match, first.pk) == [BOTH]
    assert score_sheets.saved_deals(match, second.pk) == []


def test_saving_twice_is_harmless_and_deals_are_saved_in_order(played, refuses):
    pairing, first, _ = played()
    score_sheets.save(pairing.pk, first.pk, 1, BOTH, seen="")
    score_sheets.save(pairing.pk, first.pk, 1, BOTH, seen="")
    with refuses("no_such_deal"):
        score_sheets.save(pairing.pk, first.pk, 3, BOTH)
    score_sheets.save(pairing.pk, first.pk, 2, BOTH)
    with refuses("over"):
        score_sheets.save(pairing.pk, first.pk, 3, BOTH)


def test_a_deal_that_a_partner_saved_meanwhile_is_not_overwritten_unseen(played, refuses):
    pairing, first, _ = played()
    score_sheets.save(pairing.pk, first.pk, 1, {"points": [100, 200]}, seen="")
    with refuses("stale") as caught:
        score_sheets.save(pairing.pk, first.pk, 1, BOTH, seen="")
    assert "100 to 200" in caught.value.sentence
    score_sheets.save(pairing.pk, first.pk, 1, BOTH, seen=caught.value.details["mark"])
    assert score_sheets.saved_deals(score_sheets.read(pairing), first.pk) != []


def test_the_last_deal_is_taken_away_once(played):
    pairing, first, _ = played()
    score_sheets.save(pairing.pk, first.pk, 1, BOTH)
    for _ in range(2):
        score_sheets.drop_last(pairing.pk, first.pk, 1)
    pairing = type(pairing).objects.get(pk=pairing.pk)
    assert score_sheets.saved_deals(score_sheets.read(pairing), first.pk) == []


def test_a_sheet_of_other_opponents_is_forgotten(played):
    pairing, first, second = played()
    score_sheets.save(pairing.pk, first.pk, 1, BOTH)
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    Place.objects.filter(pairing=pairing, entry=second).update(entry=third)
    pairing = type(pairing).objects.get(pk=pairing.pk)
    assert score_sheets.saved_deals(score_sheets.read(pairing), first.pk) == []


def test_sending_reports_lines_and_keeps_the_sheet_once(played, user_of):
    pairing, first, second = played(ONE_DEAL)
    score_sheets.save(pairing.pk, first.pk, 1, BOTH)
    for _ in range(2):
        score_sheets.send(pairing.pk, first.pk, by=user_of(first), request_key="k")
    result = Result.objects.get()
    assert result.lines == [
        {"entry": first.pk, "score": 4715, "forfeit": False, "books": 5, "outs": 1},
        {"entry": second.pk, "score": 1355, "forfeit": False, "books": 2, "outs": 0},
    ]
    assert result.sheet["totals"] == [4715, 1355]
    assert result.sheet["deals"][0]["points"] == [4715, 1355]
    assert result.status == "reported"


def test_a_match_is_sent_before_its_end_only_when_somebody_says_so(played, user_of, refuses):
    pairing, first, _ = played(TWO_DEALS)
    with refuses("nothing"):
        score_sheets.send(pairing.pk, first.pk, by=user_of(first))
    score_sheets.save(pairing.pk, first.pk, 1, BOTH)
    with refuses("not_over"):
        score_sheets.send(pairing.pk, first.pk, by=user_of(first))
    score_sheets.send(pairing.pk, first.pk, by=user_of(first), is_early=True)
    assert Result.objects.get().lines[0]["score"] == 4715


def test_only_the_end_can_be_sent(played, user_of):
    pairing, first, _ = played()
    score_sheets.send(pairing.pk, first.pk, by=user_of(first), final=[5980, 7710])
    assert [line["score"] for line in Result.objects.get().lines] == [5980, 7710]


def test_a_knockout_match_that_is_level_is_refused(played, user_of, refuses):
    pairing, first, _ = played(ONE_DEAL, "single_elimination")
    with refuses("level"):
        score_sheets.send(pairing.pk, first.pk, by=user_of(first), final=[500, 500])


def test_no_deal_is_saved_by_an_entry_of_another_match_or_after_the_end(played, user_of, refuses, olga):
    from tournaments.services.matches import results

    pairing, first, second = played(ONE_DEAL)
    third = first.tournament.entries.exclude(pk__in=[first.pk, second.pk]).first()
    with refuses("not_yours"):
        score_sheets.save(pairing.pk, third.pk, 1, BOTH)
    lines = [{"entry": first.pk, "score": 1}, {"entry": second.pk, "score": 2}]
    results.decide(pairing.pk, lines, by=olga)
    with refuses("closed"):
        score_sheets.save(pairing.pk, first.pk, 1, BOTH)
