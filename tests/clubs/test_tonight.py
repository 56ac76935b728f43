"""Tonight: results typed and published, who is here, matches played later; by the forms of the page."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Newsletter
from clubs.tonight.page import Night
from tests.clubs import leagues
from tests.makers import make_event
from tests.tournaments.organising import pressed
from tournaments.models import Act, Organiser, Pairing, Round, TypedScores
from tournaments.plan import standard

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 9, 7, 18, 30, tzinfo=UTC)
"""The first matchday, 20:30 by the club’s clock."""
PAGE = "/clubs/harbour/tonight/"


@pytest.fixture
def matchday(club, staff, in_september):
    """A division of eight pairs on the evening of its first matchday."""
    season = leagues.make_season(club, staff["owner"], (8,), plays_at=time(20))
    season = leagues.draw(season, staff["owner"])
    with time_machine.travel(EVENING, tick=False):
        yield season


@pytest.fixture
def evening(club, staff):
    """An evening of people at tables of four, total points, four rounds; under way, 19:30 by the club’s clock."""
    with time_machine.travel(EVENING, tick=False):
        plan = standard("swiss_pods", rounds=4, seats=4, most=5, counts="total", waits_for_go=True)
        yield make_event(
            staff["owner"], plan, name="Club evening", entries=12, circle=club.circle, starts_at=EVENING, status="open"
        )


def tables(season):
    rounds = Round.objects.filter(stage__tournament__division__season=season, number=1)
    return list(Pairing.objects.filter(round__in=rounds).order_by("number"))


def slip(desk, table, *scores):
    """Send the next slip; the answer."""
    typed = {f"s{at}": score for at, score in enumerate(scores)}
    return desk.send(PAGE, "/tonight/", "slip-next", table=str(table), **typed)


def scores(pairing):
    typed = TypedScores.objects.filter(pairing=pairing).first()
    return typed.scores if typed else None


# Typing


def test_a_slip_is_kept_and_nobody_else_sees_it(matchday, staff, browser_of):
    desk, (first, *_) = browser_of(staff["scorer"]), tables(matchday)
    answer = slip(desk, 1, "6,180", "5 705")
    assert (answer.status_code, scores(first)) == (302, [6180, 5705])
    first.refresh_from_db()
    assert (first.status, first.result) == ("ready", None)
    page = desk.get(PAGE)
    assert "Table 1 is in." in page
    assert "by 475, 2 points" in page
    assert "6,180" not in browser_of().get(first.get_absolute_url())


def test_a_number_without_scores_comes_back_with_the_names(matchday, staff, browser_of):
    answer = slip(browser_of(staff["scorer"]), 2, "", "")
    names = [place.entry.name for place in tables(matchday)[1].places.select_related("entry")]
    content = answer.content.decode()
    assert answer.status_code == 200
    assert all(f'<label for="s{at}"><bdi>{name}</bdi></label>' in content for at, name in enumerate(names))


def test_no_table_means_the_lowest_that_is_not_in(matchday, staff, browser_of):
    desk = browser_of(staff["scorer"])
    slip(desk, 1, "6000", "5000")
    assert 'name="table" inputmode="numeric" maxlength="4" value="2"' in slip(desk, "", "", "").content.decode()


@pytest.mark.parametrize("table", ["9", "0", "-1", "abc", "١", "99999999999999999999"])
def test_a_table_that_is_not_on_is_said_at_the_slip(matchday, staff, browser_of, table):
    answer = slip(browser_of(staff["scorer"]), table, "6000", "5000")
    assert (answer.status_code, "is not in tonight’s list." in answer.content.decode()) == (422, True)
    assert not TypedScores.objects.exists()


@pytest.mark.parametrize(
    ("score", "sentence"),
    [
        ("6181", "6,181 cannot be right: scores by these rules are multiples of 5."),
        ("63,100", "63,100 is more than 4 deals usually make."),
        ("631,000", "631,000 is more than 4 deals can make."),
        ("−63100", "−63,100 is less than 4 deals can make."),
    ],
)
def test_a_score_that_cannot_be_is_left_out_and_the_rest_is_published(matchday, staff, browser_of, score, sentence):
    desk, (first, second, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "6000", score)
    slip(desk, 2, "6000", "5000")
    assert sentence in desk.get(PAGE)
    desk.submit(PAGE, "big-act")
    assert scores(first) is not None
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.status, second.status) == ("ready", "done")


def test_a_score_with_a_digit_too_many_is_put_right_or_kept_by_one_press(matchday, staff, browser_of):
    desk, (first, second, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "5870", "63100")
    slip(desk, 2, "63100", "5870")
    desk.submit(PAGE, f"instead-{first.pk}-1")
    desk.submit(PAGE, f"keep-{second.pk}-0")
    assert (scores(first), scores(second)) == ([5870, 6310], [63100, 5870])
    assert "2 of 4 results will be published." in desk.get(PAGE)


def test_a_word_is_refused_at_its_cell_and_the_rest_of_the_grid_is_kept(matchday, staff, browser_of):
    desk, (first, second, *_) = browser_of(staff["scorer"]), tables(matchday)
    typed = {f"t{first.pk}-0": "6000", f"t{first.pk}-1": "lots", f"t{second.pk}-0": "100", f"t{second.pk}-1": "-5"}
    answer = desk.press(PAGE, "save", **typed)
    assert answer.status_code == 422
    assert "“lots” is not a score. Enter a whole number of points." in answer.content.decode()
    assert (scores(first), scores(second)) == ([6000, None], [100, -5])


def test_two_results_for_one_table_are_both_shown(matchday, staff, browser_of):
    desk, (first, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "6000", "5000")
    answer = slip(desk, 1, "6000", "4000")
    content = answer.content.decode()
    assert (answer.status_code, scores(first)) == (422, [6000, 5000])
    assert "Scorer typed 6,000 – 5,000, you typed 6000 – 4000." in content
    form = pressed(content, "/tonight/", f"mine-{first.pk}")
    desk.post(form)
    assert scores(first) == [6000, 4000]


def test_a_row_that_somebody_else_has_typed_since_shows_both(matchday, staff, browser_of):
    scorer, owner, (first, second, *_) = browser_of(staff["scorer"]), browser_of(staff["owner"]), tables(matchday)
    form = owner.form(PAGE, "/tonight/", "save")
    slip(scorer, 1, "6000", "5000")
    answer = owner.post(form, **{f"t{first.pk}-0": "6000", f"t{first.pk}-1": "4500", f"t{second.pk}-0": "10"})
    assert answer.status_code == 422
    assert "Scorer typed 6,000 – 5,000, you typed 6000 – 4500." in answer.content.decode()
    assert (scores(first), scores(second)) == ([6000, 5000], [10, None])


def test_a_row_that_was_not_touched_does_not_undo_what_somebody_else_typed(matchday, staff, browser_of):
    scorer, owner, (first, second, *_) = browser_of(staff["scorer"]), browser_of(staff["owner"]), tables(matchday)
    form = owner.form(PAGE, "/tonight/", "save")
    slip(scorer, 1, "6000", "5000")
    assert owner.post(form, **{f"t{second.pk}-0": "10"}).status_code == 302
    assert scores(first) == [6000, 5000]


# Publishing


def test_publishing_is_one_act_with_one_line_and_one_undo(matchday, staff, browser_of):
    desk, matches = browser_of(staff["scorer"]), tables(matchday)
    for number in (1, 2, 3, 4):
        slip(desk, number, 6000 + 5 * number, "5000")
    before = Act.objects.count()
    assert "Publish tonight (4 of 4)" in desk.get(PAGE)
    desk.submit(PAGE, "big-act")
    assert Act.objects.count() == before + 1
    assert Act.objects.first().sentence == "4 results were entered: tables 1, 2, 3 and 4."
    assert {match.status for match in tables(matchday)} == {"done"}
    desk.submit(PAGE, "take-back")
    assert {match.status for match in tables(matchday)} == {"ready"}
    assert [scores(match) for match in matches] == [[6000 + 5 * number, 5000] for number in (1, 2, 3, 4)]


def test_standings_count_what_was_typed_next_to_the_grid_only(matchday, staff, browser_of):
    desk, (first, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "5000", "6000")
    page = desk.get(PAGE)
    assert "with 1 of 4 results" in page
    winner = first.places.get(number=1).entry
    assert f'<td class="num pos">1</td>\n              <td><bdi>{winner.name}</bdi></td>' in page
    assert winner.places.get(pairing=first).points is None


def test_what_was_published_can_be_shared_and_drafted_as_a_newsletter(matchday, staff, browser_of):
    desk = browser_of(staff["owner"])
    slip(desk, 2, "6000", "5000")
    slip(desk, 3, "4000", "4995")
    desk.submit(PAGE, "big-act")
    (second,) = [match for match in tables(matchday) if match.number == 2]
    names = [str(place.entry) for place in second.places.select_related("entry")]
    page = desk.get(PAGE)
    assert f"{names[0]} 6,000 – 5,000 {names[1]}" in page
    assert "https://wa.me/?text=" in page
    assert "/newsletter/" in desk.submit(PAGE, "letter")
    assert names[0] in Newsletter.objects.get().body


def test_a_scorer_is_offered_no_newsletter(matchday, staff, browser_of):
    desk = browser_of(staff["scorer"])
    slip(desk, 2, "6000", "5000")
    desk.submit(PAGE, "big-act")
    assert 'id="letter"' not in desk.get(PAGE)


def test_the_shared_text_has_nothing_that_was_only_typed(matchday, staff, browser_of):
    desk = browser_of(staff["scorer"])
    slip(desk, 2, "6000", "5000")
    desk.submit(PAGE, "big-act")
    slip(desk, 3, "7770", "1235")
    shared = desk.get(PAGE).partition('class="share"')[2].partition("</p>")[0]
    assert "6,000" in shared
    assert "7,770" not in shared


# Played later


def test_a_match_that_is_played_later_leaves_the_matchday_and_comes_back(matchday, staff, browser_of):
    desk, (first, *_) = browser_of(staff["owner"]), tables(matchday)
    desk.submit(PAGE, "put-off", match=str(first.pk), until="2026-12-15")
    page = desk.get(PAGE)
    assert "Until Tue 15 Dec 23:59." in page
    assert "Publish tonight (0 of 3)" in page
    assert f'id="t{first.pk}-0"' not in page
    desk.submit(PAGE, f"on-{first.pk}")
    first.refresh_from_db()
    assert first.deadline_at is None
    assert f'id="t{first.pk}-0"' in desk.get(PAGE)


@pytest.mark.parametrize(
    ("until", "sentence"),
    [
        ("2026-09-07", "Choose a day after this matchday."),
        ("", "Choose the day until which it must be played."),
        ("2026-02-31", "Choose the day until which it must be played."),
    ],
)
def test_a_day_that_cannot_be_is_refused(matchday, staff, browser_of, until, sentence):
    (first, *_) = tables(matchday)
    answer = browser_of(staff["owner"]).press(PAGE, "put-off", match=str(first.pk), until=until)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)


def test_who_only_enters_results_moves_no_match(matchday, staff, browser_of):
    desk, (first, *_) = browser_of(staff["scorer"]), tables(matchday)
    assert 'id="put-off"' not in desk.get(PAGE)
    form = desk.form(PAGE, "/tonight/", "save")
    form["fields"]["do"] = ["off"]
    assert desk.post(form, match=str(first.pk), until="2026-12-15").status_code == 422
    first.refresh_from_db()
    assert first.deadline_at is None


# People and rounds


def press_form(desk, evening, **typed):
    """Start the evening from the form of the people who are here."""
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    form["fields"]["do"] = [f"begin:{evening.pk}"]
    return desk.post(form, **typed)


def test_an_evening_starts_with_everybody_but_those_missing(evening, staff, browser_of):
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    assert press_form(desk, evening, **{f"here-{gone.pk}": "no"}).status_code == 302
    evening.refresh_from_db()
    gone.refresh_from_db()
    assert (evening.status, gone.is_here) == ("running", False)
    assert Round.objects.get(stage__tournament=evening).status == "open"


def test_its_rounds_are_named_in_the_readers_language(club, evening, staff, browser_of):
    press_form(browser_of(staff["owner"]), evening)
    with override("de"):
        assert Night(club, staff["owner"], timezone.now()).round_words == "Runde 1"


def test_a_scorer_marks_who_is_here_and_starts_nothing(evening, person, browser_of):
    sam = person("Sam")
    Organiser.objects.create(tournament=evening, user=sam, role="scorer")
    desk, gone = browser_of(sam), evening.entries.get(number=12)
    page = desk.get(PAGE)
    assert "An owner or director of the event starts it." in page
    assert 'id="big-act"' not in page
    assert press_form(desk, evening).status_code == 403
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    assert desk.post(form, **{f"here-{gone.pk}": "no"}).status_code == 302
    gone.refresh_from_db()
    assert gone.is_here is False


def test_nobody_is_entered_twice(evening, staff, browser_of):
    desk = browser_of(staff["owner"])
    assert desk.press(PAGE, f"add-{evening.pk}", who="Gus").status_code == 302
    answer = desk.press(PAGE, f"add-{evening.pk}", who="gus")
    assert answer.status_code == 422
    assert "Gus already plays tonight. Nobody can be at two tables." in answer.content.decode()


def test_a_round_with_scores_is_not_redrawn(evening, staff, browser_of):
    desk = browser_of(staff["owner"])
    press_form(desk, evening)
    round_ = Round.objects.get(stage__tournament=evening)
    form = desk.form(PAGE, "/tonight/", f"redraw-{round_.pk}")
    slip(desk, 1, *["3000"] * 4)
    answer = desk.post(form)
    assert (answer.status_code, "already have scores" in answer.content.decode()) == (422, True)


def test_the_next_event_is_shown_until_it_is_on(evening, staff, browser_of):
    with time_machine.travel(EVENING - timedelta(days=3), tick=False):
        page = browser_of(staff["owner"]).get(PAGE)
        assert "Nothing is on today. This comes next." in page
        assert ">Tonight</a>" not in browser_of(staff["owner"]).get("/clubs/harbour/")
    assert ">Tonight</a>" in browser_of(staff["owner"]).get("/clubs/harbour/")
    assert ">Tonight</a>" not in browser_of(staff["member"]).get("/clubs/harbour/")


# Rights


@pytest.mark.parametrize(("role", "status"), [("owner", 200), ("organiser", 200), ("scorer", 200), ("member", 403)])
def test_the_page_is_for_people_who_enter_results(matchday, staff, browser_of, role, status):
    browser_of(staff[role]).get(PAGE, status)


def test_visitors_are_sent_to_sign_in(matchday, browser_of):
    browser_of().get(PAGE, 302)


def test_an_organiser_of_the_evening_sees_it_without_a_role_in_the_club(evening, person, browser_of):
    sam = person("Sam")
    Organiser.objects.create(tournament=evening, user=sam, role="scorer")
    assert "Club evening" in browser_of(sam).get(PAGE)


def test_a_match_of_another_event_is_not_typed_here(matchday, evening, staff, person, browser_of):
    eve = person("Eve")
    Organiser.objects.create(tournament=evening, user=eve, role="owner")
    (first, *_) = tables(matchday)
    form = browser_of(eve).form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    form["fields"] |= {"do": ["grid"], f"t{first.pk}-0": ["1"], f"t{first.pk}-1": ["2"]}
    browser_of(eve).post(form)
    assert not TypedScores.objects.exists()


# Programs


def test_programs_see_tonight_type_and_publish(matchday, staff, program):
    send, (first, second, third, fourth) = program(staff["scorer"], "clubs_read", "clubs_run"), tables(matchday)
    event = send.get("clubs/harbour/tonight/")["events"][0]
    assert (event["is_matchday"], [row["match"] for row in event["tables"]]) == (
        True,
        [each.pk for each in (first, second, third, fourth)],
    )
    typed = [
        {"match": first.pk, "scores": [6180, 5705]},
        {"match": second.pk, "scores": [6181, 5705]},
        {"match": third.pk, "scores": [6000, None]},
        {"match": fourth.pk, "scores": [1, 2, 3]},
    ]
    rows = send.post("clubs/harbour/type-results/", results=typed)["events"][0]["tables"]
    assert [row["state"] for row in rows] == ["in", "bad", "half", "bad"]
    assert rows[1]["sides"][0]["problem"] == "6,181 cannot be right: scores by these rules are multiples of 5."
    assert rows[3]["words"] == "A result has one score for each side of the match."
    done = send.post("clubs/harbour/publish-tonight/", key="one")
    assert (done["sentence"], done["tonight"]["published"]) == ("Published: 1 result.", 1)
    assert send.post("clubs/harbour/publish-tonight/", key="one", expected=422)["code"] == "nothing"
    first.refresh_from_db()
    assert first.status == "done"
    assert send.post("clubs/harbour/type-results/", results=typed[:1])["events"][0]["tables"][0]["state"] == "final"


def test_a_program_does_not_type_over_what_others_typed(matchday, staff, browser_of, program):
    first = tables(matchday)[0]
    slip(browser_of(staff["owner"]), 1, "6000", "5000")
    send = program(staff["scorer"], "clubs_read", "clubs_run")
    typed = {"match": first.pk, "scores": [6500, 5000]}
    row = send.post("clubs/harbour/type-results/", results=[typed])["events"][0]["tables"][0]
    assert (row["state"], row["words"]) == ("bad", "Owner typed 6,000 – 5,000, you typed 6500 – 5000.")
    assert scores(first) == [6000, 5000]
    row = send.post("clubs/harbour/type-results/", results=[typed | {"version": 1}])["events"][0]["tables"][0]
    assert (row["state"], scores(first)) == ("in", [6500, 5000])


def test_a_program_marks_people_in_one_act(evening, staff, program):
    send = program(staff["owner"], "clubs_read", "clubs_run")
    gone = evening.entries.get(number=3)
    before = evening.acts.count()
    done = send.post("clubs/harbour/people-here/", event=evening.pk, absent=[gone.pk])
    here = {person["id"]: person["is_here"] for person in done["tonight"]["events"][0]["people"]}
    assert (here[gone.pk], set(here.values()), evening.acts.count()) == (False, {True, False}, before + 1)
    send.post("clubs/harbour/people-here/", event=evening.pk + 1, absent=[], expected=422)
