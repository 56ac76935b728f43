"""An evening is run from one page: on a phone in a few taps, at a desk without touching the mouse."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_club, make_event, make_member, make_person
from tournaments import stage_standings, terms
from tournaments.models import Organiser, Pairing, Place, Round, TypedScores
from tournaments.plan import standard
from tournaments.services.events import lifecycle
from tournaments.services.stages import stage_decisions
from tournaments.stage_state import load

MOST_TAPS = 60
PEOPLE = 12
ROUNDS = 4
FINAL_DEALS = 8
FINAL_SCORE = 60_000
"""More than four deals usually make."""


@pytest.fixture
def owner(transactional_db):
    return make_person("Olga")


@pytest.fixture
def evening(owner):
    """Twelve people tonight, four rounds of total points at tables, the best four in a final of eight deals; check-in,
    nobody here.
    """
    club = make_club("Harbour Hand and Foot", slug="harbour", venue="Harbour Hall")
    make_member(club, owner, "owner")
    rounds = standard(
        "swiss_pods", seats=4, least=3, most=5, rounds=ROUNDS, counts="total", byes_count="average", waits_for_go=True,
        cut_tie="lot", tiebreaks=["points_scored"],
    )  # fmt: skip
    final = standard(
        "pod_knockout", seats=4, most=4, advance=1, take=4, waits_for_go=True, final_terms={"deals": FINAL_DEALS}
    )
    event = make_event(
        owner,
        rounds,
        final,
        name="Club evening",
        entries=PEOPLE,
        circle=club.circle,
        starts_at=timezone.now(),
        has_check_in=True,
        status="open",
    )
    event.entries.update(is_here=None)
    return event


class Hands:
    """Presses on a phone, which are counted, and typing."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, selector):
        self.page.locator(selector).tap()
        self.taps += 1

    def type(self, text, enter=True):
        self.page.keyboard.type(text)
        if enter:
            self.page.keyboard.press("Enter")


def score_of(table, at, number):
    """A score by these rules, another for each seat and table."""
    return str(3000 + 500 * number + 100 * at + 5 * table + (FINAL_SCORE if number > ROUNDS else 0))


def open_tables(event):
    """The tables that are played now, the last one first, with their number of sides."""
    matches = Pairing.objects.filter(round__stage__tournament=event, round__status="open", result=None)
    return [(match.number, match.places.count()) for match in matches.order_by("-number")]


def type_round(event, hands, number):
    """Type every slip of a round: the table number, then the scores; the cursor is where the next one begins."""
    tied = tied_at_the_cut(event) if number == ROUNDS else {}
    for table, sides in open_tables(event):
        hands.type(str(table))
        for at in range(sides):
            hands.type(tied.get((table, at)) or score_of(table, at, number))
        expect(hands.page.locator("#slip-said")).to_contain_text(f"Table {table} is in.")
        expect(hands.page.locator("#s-no")).to_be_focused()


def tied_at_the_cut(event):
    """Scores of the last round after which places 4 and 5 are tied: by table and seat."""
    state = load(event.stages.get(number=1))
    before = {state.entries[row.entry].entry_id: int(row.points) for row in stage_standings.table(state)}
    places = Place.objects.filter(pairing__round__stage__tournament=event, pairing__round__status="open")
    seats = {place.entry_id: (place.pairing.number, place.number) for place in places.select_related("pairing")}
    ranked = sorted(seats, key=lambda entry: -before[entry])
    scores = dict.fromkeys(ranked, 3000) | {entry: 6000 - 5 * at for at, entry in enumerate(ranked[:3])}
    fourth, fifth = ranked[3:5]
    scores |= {fourth: 4000, fifth: 4000 + before[fourth] - before[fifth]}
    return {seats[entry]: str(score) for entry, score in scores.items()}


def through_by_lot(event):
    """Whether places 4 and 5 were tied, and the lot alone sent one of them to the final."""
    state = load(event.stages.get(number=1))
    fourth, fifth = stage_standings.table(state)[3:5]
    finalists = set(event.stages.get(number=2).entries.values_list("entry", flat=True))
    ids = [state.entries[row.entry].entry_id for row in (fourth, fifth)]
    return (fourth.points == fifth.points, fourth.by, [pk in finalists for pk in ids]) == (True, "lot", [True, False])


def deals_of_final(event):
    """The length of the final, by the terms that its table has."""
    return terms.of_round(Round.objects.get(stage__tournament=event, stage__number=2)).rules.length


def of_final(event):
    """The ranks at the table of the final, in the order of its scores."""
    places = Place.objects.filter(pairing__round__stage__tournament=event, pairing__round__stage__number=2)
    return list(places.order_by("-score").values_list("rank", flat=True))


def test_an_evening_of_thirteen_on_a_phone(evening, owner, visit, picture, no_barriers):
    page = visit(PHONE, user=owner)
    page.goto("/clubs/harbour/tonight/")
    assert page_width(page) == 390
    picture(page, "evening-before-390")
    no_barriers(page)
    hands = Hands(page)
    hands.tap(f"label[for=here-{evening.entries.get(number=12).pk}-no]")
    hands.tap("#big-act")
    for number in range(1, ROUNDS + 1):
        expect(page.locator("#messages")).to_contain_text("started" if number > 1 else "was left out")
        hands.tap("#s-no")
        type_round(evening, hands, number)
        if number == 1:
            assert page_width(page) == 390
            picture(page, "evening-390")
            no_barriers(page)
            hands.tap(f"#who-{evening.pk}")
            hands.type("Late Lou")
            expect(page.locator("#messages")).to_contain_text("Late Lou")
        if number == 2:
            hands.tap(f"#change-{evening.pk} summary")
            hands.tap(f"label[for=here-{evening.entries.get(number=11).pk}-no]")
            hands.tap(f"#roll-save-{evening.pk}")
            expect(page.locator("#messages")).to_contain_text("Absent:")
        hands.tap("#big-act")
    expect(page.locator("#big-act")).to_have_text(re.compile("Start final"))
    hands.tap("#big-act")
    expect(page.locator("#messages")).to_contain_text("Started: final")
    expect(page.locator("#terms")).to_have_text("The final is eight deals.")
    assert deals_of_final(evening) == ("deals", FINAL_DEALS)
    picture(page, "evening-final-390")
    hands.tap("#s-no")
    type_round(evening, hands, 5)
    hands.tap("#big-act")
    expect(page.locator("#published")).to_be_visible()
    evening.refresh_from_db()
    assert (evening.status, of_final(evening)) == ("over", [1, 2, 3, 4])
    assert through_by_lot(evening)
    picture(page, "evening-done-390")
    no_barriers(page)
    print(f"taps: {hands.taps}")
    assert hands.taps <= MOST_TAPS


def test_an_evening_at_a_desk_without_the_mouse(evening, owner, visit, picture, no_barriers):
    page = visit(DESK, user=owner)
    page.goto("/clubs/harbour/tonight/")
    picture(page, "evening-before-1280")
    hands = Hands(page)
    reach(page, f"here-{evening.entries.get(number=12).pk}-yes")
    page.keyboard.press("ArrowRight")
    press(page, "big-act")
    for number in range(1, ROUNDS + 1):
        expect(page.locator("#messages")).to_contain_text("started" if number > 1 else "was left out")
        reach(page, "s-no")
        type_round(evening, hands, number)
        if number == 1:
            move_in_grid(page)
            picture(page, "evening-1280")
            no_barriers(page)
            reach(page, f"who-{evening.pk}")
            hands.type("Late Lou")
            expect(page.locator("#messages")).to_contain_text("Late Lou")
        if number == 2:
            reach(page, f"change-{evening.pk}")
            page.keyboard.press("Enter")
            reach(page, f"here-{evening.entries.get(number=11).pk}-yes")
            page.keyboard.press("ArrowRight")
            press(page, f"roll-save-{evening.pk}")
            expect(page.locator("#messages")).to_contain_text("Absent:")
        press(page, "big-act")
    expect(page.locator("#big-act")).to_have_text(re.compile("Start final"))
    press(page, "big-act")
    expect(page.locator("#messages")).to_contain_text("Started: final")
    expect(page.locator("#terms")).to_have_text("The final is eight deals.")
    reach(page, "s-no")
    type_round(evening, hands, 5)
    press(page, "big-act")
    expect(page.locator("#published")).to_be_visible()
    picture(page, "evening-done-1280")
    evening.refresh_from_db()
    assert (evening.status, of_final(evening), hands.taps) == ("over", [1, 2, 3, 4], 0)
    assert through_by_lot(evening)


def press(page, name):
    """Reach a button by Tab and press it with Enter."""
    reach(page, name)
    page.keyboard.press("Enter")


def reach(page, name):
    """Move the focus to an element by Tab alone."""
    for _ in range(120):
        if page.evaluate("document.activeElement.id || document.activeElement.parentElement?.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} is not reached by Tab")


def move_in_grid(page):
    """Enter goes to the next cell, arrows to the table below and back, Escape restores what was there."""
    cells = page.locator("#grid-list .score")
    rows = page.locator("#grid-list li")
    reach(page, cells.nth(0).get_attribute("id"))
    before = cells.nth(0).input_value()
    page.keyboard.type("12")
    page.keyboard.press("Escape")
    expect(cells.nth(0)).to_have_value(before)
    page.keyboard.press("Enter")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1).locator(".score").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(cells.nth(1)).to_be_focused()


def test_slips_are_typed_faster_than_the_server_answers(evening, owner, visit):
    lifecycle.start(evening.pk, owner, anyway=True, absent=[])
    stage_decisions.start_round(evening.stages.get(number=1).pk, 1, by=owner)
    page = visit(DESK, user=owner)
    page.goto("/clubs/harbour/tonight/")
    reach(page, "s-no")
    hands = Hands(page)
    hands.type("77")
    expect(page.locator("#slip-said")).to_contain_text("Table 77 is not")
    page.keyboard.type("1")
    expect(page.locator("#slip-said")).to_have_text("")
    expect(page.locator("#s-no")).not_to_have_attribute("aria-invalid", "true")
    page.locator("#s-no").fill("")
    for table in (1, 2):
        hands.type(str(table))
        for at in range(4):
            hands.type(score_of(table, at, 1))
    expect(page.locator("#s-no")).to_be_focused()
    expect(page.locator("#slip-said")).to_contain_text("Table 2 is in.")
    typed = TypedScores.objects.order_by("pairing__number").values_list("scores", flat=True)
    assert list(typed) == [[int(score_of(table, at, 1)) for at in range(4)] for table in (1, 2)]


def test_two_people_type_at_once_and_see_both(evening, owner, visit):
    lifecycle.start(evening.pk, owner, anyway=True, absent=[])
    stage_decisions.start_round(evening.stages.get(number=1).pk, 1, by=owner)
    scorer = make_person("Sam")
    Organiser.objects.create(tournament=evening, user=scorer, role="scorer")
    match = Pairing.objects.filter(round__status="open").order_by("number").first()
    pages = [visit(DESK, user=user) for user in (owner, scorer)]
    for page in pages:
        page.goto("/clubs/harbour/tonight/")
    for page, score in zip(pages, ("5000", "5005"), strict=True):
        page.locator(f"#t{match.pk}-0").fill(score)
        page.locator(f"#t{match.pk}-0").press("Enter")
        expect(page.locator(f"#said-{match.pk}")).to_contain_text("to come" if page is pages[0] else "you typed")
    pages[1].locator(f"#mine-{match.pk}").click()
    expect(pages[1].locator(f"#t{match.pk}-0")).to_have_value("5,005")


@pytest.fixture
def round_one(evening, owner):
    """The first round of the evening, under way with twelve people at three tables."""
    lifecycle.start(evening.pk, owner, anyway=True, absent=[])
    stage_decisions.start_round(evening.stages.get(number=1).pk, 1, by=owner)
    return evening


def without_lost(page):
    """Take what HTMX says of lost requests off the problems of a page."""
    page.problems[:] = [problem for problem in page.problems if not re.search("htmx:|locked", problem)]


def test_scores_typed_without_a_connection_are_kept_and_sent_when_it_is_back(
    round_one, owner, visit, picture, no_barriers
):
    page = visit(PHONE, user=owner)
    page.goto("/clubs/harbour/tonight/")
    hands, strip = Hands(page), page.locator("#unsent")
    expect(strip).to_be_hidden()
    page.context.set_offline(True)
    page.locator("#s-no").tap()
    for table in (1, 2):
        hands.type(str(table))
        for at in range(4):
            hands.type(score_of(table, at, 1))
    expect(strip).to_contain_text("2 results are saved on this device and not sent yet.")
    match = Pairing.objects.get(round__status="open", number=3)
    cells = page.locator(f"#row-{match.pk} .score")
    for at in range(4):
        cells.nth(at).fill(score_of(3, at, 1))
        cells.nth(at).press("Enter")
    expect(strip).to_contain_text("3 results are saved on this device and not sent yet.")
    picture(page, "evening-offline-390")
    no_barriers(page)
    assert not TypedScores.objects.exists()
    page.context.set_offline(False)
    expect(strip).to_be_hidden()
    without_lost(page)
    typed = TypedScores.objects.order_by("pairing__number").values_list("scores", flat=True)
    assert list(typed) == [[int(score_of(table, at, 1)) for at in range(4)] for table in (1, 2, 3)]


def test_what_is_half_typed_and_what_is_unsent_survives_a_reload(round_one, owner, visit):
    page = visit(DESK, user=owner)
    page.goto("/clubs/harbour/tonight/")
    hands = Hands(page)
    page.route("**/tonight/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    reach(page, "s-no")
    hands.type("1")
    for at in range(4):
        hands.type(score_of(1, at, 1))
    expect(page.locator("#unsent")).to_contain_text("1 result is saved on this device and not sent yet.")
    hands.type("2")
    hands.type("3105")
    page.reload()
    expect(page.locator("#s-no")).to_have_value("2")
    expect(page.locator("#s0")).to_have_value("3105")
    expect(page.locator("#unsent")).to_contain_text("1 result is saved on this device and not sent yet.")
    page.unroute_all()
    without_lost(page)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#unsent")).to_be_hidden()
    assert TypedScores.objects.get().scores == [int(score_of(1, at, 1)) for at in range(4)]


@pytest.fixture
def two_events(owner):
    """Eight people and four pairs on one night: an evening of points at tables, and a Swiss; nobody is seeded."""
    club = make_club("Harbour Hand and Foot", slug="harbour", venue="Harbour Hall")
    make_member(club, owner, "owner")
    fields = {"circle": club.circle, "starts_at": timezone.now(), "status": "open"}
    pods = standard("swiss_pods", seats=4, least=3, most=5, rounds=2, counts="total", waits_for_go=True)
    swiss = standard("swiss", rounds=2, waits_for_go=True)
    first = make_event(owner, pods, name="Club evening", entries=8, **fields)
    second = make_event(owner, swiss, name="Juniors", kind="partnership", entries=4, **fields)
    for event in (first, second):
        event.entries.update(seed=None)
    return first, second


def drawn(page, event):
    """The names at each table of the first round of an event, as the page shows them before the start."""
    tables = page.locator(f"#draw-{event.pk} .drawn > li")
    return {
        int(table.locator("b").inner_text().split()[-1]): sorted(table.locator("bdi").all_inner_texts())
        for table in tables.all()
    }


def seated(event):
    """The same of the round that was started."""
    rows = Pairing.objects.filter(round__stage__tournament=event, round__number=1)
    return {row.number: sorted(place.entry.name for place in row.places.all()) for row in rows}


def test_two_events_of_one_night_on_a_phone(two_events, owner, visit, picture, no_barriers):
    page, (evening, juniors) = visit(PHONE, user=owner), two_events
    page.goto("/clubs/harbour/tonight/")
    assert page_width(page) == 390
    no_barriers(page)
    hands = Hands(page)
    gone = evening.entries.get(number=8)
    hands.tap(f"label[for=here-{gone.pk}-no]")
    expect(page.locator(f"#draw-{evening.pk}")).not_to_contain_text(gone.name)
    expect(page.locator(f"#count-{evening.pk}")).to_have_text("7 of 8")
    lots = juniors.lots
    hands.tap(f"#again-{juniors.pk}")
    expect(page.locator("#messages")).to_contain_text("The first round was redrawn.")
    # Other lots; of four pairs, one draw in a few is the same again.
    juniors.refresh_from_db()
    assert juniors.lots != lots
    # The tick of the other event is not lost by that.
    expect(page.locator(f"#draw-{evening.pk}")).not_to_contain_text(gone.name)
    expect(page.locator(f"#here-{gone.pk}-no")).to_be_checked()
    picture(page, "two-events-before-390")
    seen = {event.pk: drawn(page, event) for event in two_events}
    for event in two_events:
        expect(page.locator("#wait")).to_contain_text(f"{event.name}: ")
        hands.tap("#big-act")
        expect(page.locator("#messages")).to_contain_text("The event started")
        expect(page.locator("#messages")).not_to_contain_text("differ")
        assert seated(event) == seen[event.pk]
    picture(page, "two-events-390")
    no_barriers(page)
    assert page_width(page) == 390
    hands.tap("#s-no")
    for number in (1, 2):
        for event in two_events:
            page.locator("#s-of").select_option(str(event.pk))
            fields = max(sides for _, sides in open_tables(event))
            expect(page.locator("#slip .score >> visible=true")).to_have_count(fields)
            page.locator("#s-no").focus()
            for table, sides in open_tables(event):
                hands.type(str(table))
                for at in range(sides):
                    hands.type(score_of(table, at, number))
                expect(page.locator("#slip-said")).to_contain_text(f"Table {table} ({event.name}) is in.")
        for event in two_events if number == 1 else ():
            expect(page.locator("#wait")).to_contain_text(f"{event.name}: ")
            expect(page.locator("#big-act")).to_have_text("Draw round 2")
            hands.tap("#big-act")
            expect(page.locator("#messages")).to_contain_text("was started")
    expect(page.locator("#big-act")).to_have_text("Publish tonight")
    hands.tap("#big-act")
    expect(page.locator("#published")).to_be_visible()
    picture(page, "two-events-done-390")
    for event in two_events:
        event.refresh_from_db()
        assert event.status == "over"
