"""Tonight: results typed and published, who is here, matches played later; by the forms of the page."""

import re
from datetime import UTC, datetime, time, timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Club, Newsletter
from clubs.services.publications import newsletters
from clubs.services.seasons import cups
from clubs.tonight import evening as evening_of
from clubs.tonight.page import Night
from engine.play.rules import Rules
from tests.clubs import leagues
from tests.makers import make_event
from tests.pages import squeezed
from tests.tournaments import driving
from tests.tournaments.organising import pressed
from tournaments import score_bounds
from tournaments.models import Act, Member, Organiser, Pairing, Round, SitOut, Tournament, TypedScores
from tournaments.plan import standard
from tournaments.services.events import lifecycle
from tournaments.services.stages import seeding, stage_decisions

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


def test_events_of_one_night_keep_the_numbers_of_their_cards(matchday, club, staff, browser_of):
    fields = {"name": "Juniors", "circle": club.circle, "setting": "face", "starts_at": EVENING}
    juniors = make_event(staff["owner"], standard("swiss", rounds=3), entries=4, started=True, **fields)
    desk, night = browser_of(staff["owner"]), Night(club, staff["owner"], timezone.now())
    assert [row.number for row in night.rows] == [1, 2, 3, 4, 1, 2]
    answer = desk.send(PAGE, "/tonight/", "slip-next", of=juniors.pk, table="2", s0="6000", s1="5000")
    assert (answer.url, scores(at_table(juniors, 2))) == (f"{PAGE}?of={juniors.pk}#slip", [6000, 5000])
    assert "Table 2 (Juniors) is in." in desk.get(f"{PAGE}?of={juniors.pk}")
    assert scores(tables(matchday)[1]) is None


def test_of_several_events_only_those_with_results_are_shared_and_the_slip_is_of_one_still_open(
    matchday, club, staff, browser_of
):
    fields = {"name": "Juniors", "circle": club.circle, "setting": "face", "starts_at": EVENING - timedelta(hours=1)}
    juniors = make_event(staff["owner"], standard("swiss", rounds=1), entries=4, started=True, **fields)
    desk = browser_of(staff["owner"])
    for table in ("1", "2"):
        desk.send(PAGE, "/tonight/", "slip-next", of=juniors.pk, table=table, s0="6000", s1="5000")
    desk.submit(PAGE, "big-act")
    night = Night(club, staff["owner"], timezone.now())
    (shared,), open_event = night.targets, tables(matchday)[0].tournament_id
    assert (shared.title, "matchday" in night.share_text) == ("Juniors", False)
    assert [pk for pk, _ in night.events] == [juniors.pk, open_event]
    assert f'<option value="{open_event}" selected>' in desk.get(PAGE)


def test_many_tables_of_several_events_are_counted_and_not_named(matchday, club, staff, browser_of):
    fields = {"name": "Juniors", "circle": club.circle, "setting": "face", "starts_at": EVENING}
    make_event(staff["owner"], standard("swiss", rounds=3), entries=4, started=True, **fields)
    desk = browser_of(staff["owner"])
    for number, pairing in enumerate(tables(matchday), start=1):
        desk.send(PAGE, "/tonight/", "slip-next", of=pairing.tournament_id, table=str(number), s0="6000", s1="5000")
        page = desk.get(PAGE)
        assert ("5 tables can follow later." in page) == (number == 1)
    assert "Tables 1 (Juniors) and 2 (Juniors) can follow later." in page


def test_an_event_without_entries_says_what_to_do_and_cannot_start(club, staff, browser_of):
    with time_machine.travel(EVENING, tick=False):
        fields = {"circle": club.circle, "setting": "face", "starts_at": EVENING, "status": "open"}
        make_event(staff["owner"], standard("swiss", rounds=3), name="Club evening", entries=0, **fields)
        page = browser_of(staff["owner"]).get(PAGE)
    assert "Nobody has entered yet. Add everyone who is here." in page
    assert "Everyone is ticked" not in page
    button = re.search(r'<button[^>]* id="big-act"[^>]*>', page)[0]
    assert ('aria-disabled="true"' in button, '"btn go big"' in button) == (True, False)


@pytest.mark.parametrize(("count", "sentence"), [(1, "1 entry is ready."), (2, "2 entries are ready.")])
def test_entries_that_are_ready_are_counted_in_their_number(club, staff, browser_of, count, sentence):
    with time_machine.travel(EVENING, tick=False):
        fields = {"circle": club.circle, "setting": "face", "starts_at": EVENING, "status": "open"}
        make_event(staff["owner"], standard("swiss", rounds=3), entries=count, **fields)
        assert sentence in browser_of(staff["owner"]).get(PAGE)


def test_with_nothing_planned_people_who_plan_events_are_led_to_one(club, staff, browser_of):
    link = f'href="/events/new/?circle={club.circle}"'
    assert [link in browser_of(staff[role]).get(PAGE) for role in ("owner", "scorer")] == [True, False]


def test_before_the_start_one_name_is_added_after_another(evening, staff, browser_of):
    desk, field = browser_of(staff["owner"]), rf'id="who-{evening.pk}"[^>]* autofocus'
    assert not re.search(field, desk.get(PAGE))
    assert re.search(field, desk.get(desk.press(PAGE, f"add-{evening.pk}", who="Late Lou").url))
    press_form(desk, evening)
    assert not re.search(field, desk.get(desk.press(PAGE, f"add-{evening.pk}", who="Later Lea").url))


def test_a_refused_name_stays_in_the_field_of_its_event(evening, club, staff, browser_of):
    fields = {"name": "Juniors", "circle": club.circle, "setting": "face", "starts_at": EVENING, "status": "open"}
    juniors = make_event(staff["owner"], standard("swiss", rounds=3), entries=4, **fields)
    desk = browser_of(staff["owner"])
    assert desk.press(PAGE, f"add-{evening.pk}", who="Gus").status_code == 302
    answer = desk.press(PAGE, f"add-{evening.pk}", who="gus").content.decode()
    values = {pk: re.search(rf'id="who-{pk}"[^>]* value="([^"]*)"', answer)[1] for pk in (evening.pk, juniors.pk)}
    assert values == {evening.pk: "gus", juniors.pk: ""}
    assert answer.count("Gus already plays tonight.") == 1


def test_a_result_that_a_table_sent_has_one_score_for_each_side(club, staff, browser_of):
    with time_machine.travel(EVENING, tick=False):
        fields = {"circle": club.circle, "setting": "face", "starts_at": EVENING, "kind": "person"}
        event = make_event(staff["owner"], standard("rotating_partners", rounds=3), entries=4, started=True, **fields)
        pairing = Pairing.objects.get(round__stage__tournament=event, round__number=1)
        card = f"/events/card/{pairing.token}/0/"
        Client().post(card, {"act": "send", "by": "final", "s0-final": "1250", "s1-final": "980"})
        row = browser_of(staff["owner"]).get(PAGE).partition(f'id="said-{pairing.pk}"')[2].partition("</li>")[0]
    names = [place.entry.name for place in pairing.places.select_related("entry").order_by("side", "number")][:2]
    assert f"{' / '.join(names)} entered 1,250 – 980" in unescape(re.sub(r"<[^>]+>", "", row))
    assert "980 –" not in row


def test_the_desk_of_a_division_leads_to_tonight(matchday, staff, browser_of):
    event = tables(matchday)[0].round.stage.tournament
    Round.objects.filter(pk=tables(matchday)[0].round_id).update(status=Round.Status.OPEN)
    page = browser_of(staff["owner"]).get(reverse("tournaments:organise", args=[event.slug]))
    assert "Matchday 1 of 7" in page
    assert f'href="{PAGE}" hx-boost="false">Open Tonight' in page
    assert "check-in" not in page.lower()


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
    assert "It was 6,000 – 5,000 before, you typed 6,000 – 4,000." in content
    form = pressed(content, "/tonight/", f"mine-{first.pk}")
    desk.post(form)
    assert scores(first) == [6000, 4000]


def test_a_row_that_somebody_else_has_typed_since_shows_both(matchday, staff, browser_of):
    scorer, owner, (first, second, *_) = browser_of(staff["scorer"]), browser_of(staff["owner"]), tables(matchday)
    form = owner.form(PAGE, "/tonight/", "save")
    slip(scorer, 1, "6000", "5000")
    answer = owner.post(form, **{f"t{first.pk}-0": "6000", f"t{first.pk}-1": "4500", f"t{second.pk}-0": "10"})
    assert answer.status_code == 422
    assert "Scorer typed 6,000 – 5,000, you typed 6,000 – 4,500." in answer.content.decode()
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
    season_desk = browser_of(staff["owner"]).get(f"{matchday.get_absolute_url()}run/")
    assert f'<a class="btn go" href="{PAGE}">Enter results</a>' in season_desk
    assert "4 of 4 results will be published." in desk.get(PAGE)
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


def test_publishing_the_last_results_drafts_the_newsletter_once(matchday, staff, browser_of):
    desk = browser_of(staff["owner"])
    for number in range(1, 5):
        slip(desk, number, "6000", "5000")
    desk.submit(PAGE, "big-act")
    newsletter = Newsletter.objects.get()
    page = desk.get(PAGE)
    assert f'href="/clubs/harbour/newsletter/{newsletter.pk}/" id="letter"' in page
    assert "6,000 – 5,000" in newsletter.body
    desk.submit(PAGE, "take-back")
    assert not Newsletter.objects.exists()


def test_a_changed_draft_stays_when_results_are_taken_back(matchday, staff, browser_of):
    desk = browser_of(staff["owner"])
    for number in range(1, 5):
        slip(desk, number, "6000", "5000")
    desk.submit(PAGE, "big-act")
    Newsletter.objects.update(version=1, self_written_at=None)
    desk.submit(PAGE, "take-back")
    desk.submit(PAGE, "big-act")
    assert Newsletter.objects.count() == 1


def test_a_published_evening_has_a_draft_and_a_text_with_its_champion(club, staff, browser_of):
    plan = standard("swiss_pods", rounds=1, seats=4, most=4, counts="total")
    with time_machine.travel(EVENING, tick=False):
        event = make_event(
            staff["owner"], plan, name="Club evening", entries=4, circle=club.circle, starts_at=EVENING, status="open"
        )
        lifecycle.start(event.pk, staff["owner"])
        desk = browser_of(staff["owner"])
        slip(desk, 1, "6000", "5000", "3000", "1000")
        desk.submit(PAGE, "big-act")
        newsletter, page = Newsletter.objects.get(), desk.get(PAGE)
    pairing = Pairing.objects.get(round__stage__tournament=event)
    name = pairing.places.get(score=6000).entry.name
    assert (newsletter.event, newsletter.subject) == (event, f"Club evening: {name} won")
    assert f"1. {name}, 6,000" in newsletter.body
    assert event.get_absolute_url() in newsletter.body
    assert f"Club evening: {name} won." in page
    assert f"1. {name}, 6,000" in page
    assert 'data-copy="#share-text" hidden' in page


def test_a_newsletter_is_not_about_an_event_of_another_club(club, quay, staff, refuses):
    event = make_event(staff["owner"], standard("swiss"), entries=2, circle=quay.circle, status="running")
    with refuses("no_evening"):
        newsletters.draft(club.pk, staff["owner"], events=[event.pk])


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
    assert "0 of 3 results will be published." in page
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
    page = desk.get(PAGE)
    form = pressed(page, "/tonight/", f"roll-save-{evening.pk}")
    form["fields"] |= {"do": [f"begin:{evening.pk}"], "drawn": re.findall(r'name="drawn" value="(\w+)"', page)}
    return desk.post(form, **typed)


def test_an_evening_starts_with_everybody_but_those_missing(evening, staff, browser_of):
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    assert press_form(desk, evening, **{f"here-{gone.pk}": "no"}).status_code == 302
    evening.refresh_from_db()
    gone.refresh_from_db()
    assert (evening.status, gone.is_here) == ("running", False)
    assert Round.objects.get(stage__tournament=evening).status == "open"


DIFFERS = "The tables differ from the draw you saw"


def drawn_on(page):
    """The tables of the first round as the page shows them: the names at each."""
    tables = re.findall(r'<li>\s*<b><span class="vh">Table </span>(\d+)</b>(.*?)</li>', page, re.DOTALL)
    return {int(number): set(re.findall(r"<bdi>(.*?)</bdi>", names)) for number, names in tables}


def seated(event):
    """The names at each table of the first round that was started."""
    rows = Pairing.objects.filter(round__stage__tournament=event, round__number=1)
    return {row.number: {place.entry.name for place in row.places.all()} for row in rows}


def test_the_draw_is_seen_before_the_start_by_organisers_alone_and_started_as_seen(evening, staff, browser_of):
    desk = browser_of(staff["owner"])
    page = desk.get(PAGE)
    assert "12 entries: 3 tables of 4" in page
    seen = drawn_on(page)
    assert sum(map(len, seen.values())) == 12
    assert not Pairing.objects.exists()
    assert not set(evening.entries.values_list("name", flat=True)) & set(
        re.findall(r"<bdi>(.*?)</bdi>", browser_of().get(f"{evening.get_absolute_url()}schedule/"))
    )
    press_form(desk, evening)
    assert seated(evening) == seen
    assert DIFFERS not in desk.get(PAGE)


def test_the_draw_follows_the_ticks_before_they_are_saved(evening, staff, browser_of):
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    del form["fields"]["do"]
    answer = desk.post(form, **{f"here-{gone.pk}": "no"})
    page = answer.content.decode()
    gone.refresh_from_db()
    assert (answer.status_code, gone.is_here) == (200, None)
    assert "11 entries are ready." in page
    assert gone.name not in set().union(*drawn_on(page).values())
    press_form(desk, evening, **{f"here-{gone.pk}": "no", "drawn": re.search(r'name="drawn" value="(\w+)"', page)[1]})
    assert seated(evening) == drawn_on(page)
    assert DIFFERS not in desk.get(PAGE)


def test_ticks_stay_until_they_are_saved(evening, staff, browser_of):
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    do = form["fields"].pop("do")
    desk.post(form, **{f"here-{gone.pk}": "no"})
    desk.submit(PAGE, f"add-{evening.pk}", who="Late Lou")
    ticked = f'id="here-{gone.pk}-no" name="here-{gone.pk}" value="no"\n                  checked'
    assert ticked in desk.get(PAGE)
    assert ticked not in browser_of(staff["owner"]).get(PAGE)
    desk.post({**form, "fields": form["fields"] | {"do": do}})
    assert ticked not in desk.get(PAGE)


def test_a_draw_that_changed_since_it_was_seen_is_said_at_the_start(evening, staff, browser_of):
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    press_form(desk, evening, **{f"here-{gone.pk}": "no"})
    assert DIFFERS in desk.get(PAGE)


def test_drawing_again_keeps_the_ticks_and_gives_other_tables(evening, staff, browser_of):
    evening.entries.update(seed=None)
    desk, gone = browser_of(staff["owner"]), evening.entries.get(number=12)
    before = drawn_on(desk.get(PAGE))
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    form["fields"]["do"] = [f"again:{evening.pk}"]
    assert desk.post(form, **{f"here-{gone.pk}": "no"}).status_code == 302
    gone.refresh_from_db()
    page = desk.get(PAGE)
    assert gone.is_here is False
    assert "The first round was redrawn." in page
    assert drawn_on(page) != before
    assert f'id="again-{evening.pk}"' in page


def test_a_draw_by_seeds_has_no_button_to_draw_it_again(evening, staff, browser_of):
    numbers = [entry.pk for entry in evening.entries.order_by("-number")]
    seeding.seed_by_hand(evening.pk, staff["owner"], order=numbers)
    page = browser_of(staff["owner"]).get(PAGE)
    assert "The draw follows the seeds." in page
    assert f'id="again-{evening.pk}"' not in page


def test_a_scorer_sees_the_draw_and_does_not_change_it(evening, person, browser_of):
    evening.entries.update(seed=None)
    sam = person("Sam")
    Organiser.objects.create(tournament=evening, user=sam, role="scorer")
    desk = browser_of(sam)
    page = desk.get(PAGE)
    assert drawn_on(page)
    assert f'id="again-{evening.pk}"' not in page
    form = desk.form(PAGE, "/tonight/", f"roll-save-{evening.pk}")
    form["fields"]["do"] = [f"again:{evening.pk}"]
    assert desk.post(form).status_code == 403


def test_the_desk_of_an_event_shows_the_draw_too(evening, staff, browser_of):
    evening.entries.update(seed=None)
    desk, address = browser_of(staff["owner"]), reverse("tournaments:organise", args=[evening.slug])
    before = drawn_on(desk.get(address))
    desk.submit(address, "draw-again")
    page = desk.get(address)
    assert sum(map(len, before.values())) == 12
    assert drawn_on(page) != before
    desk.submit(address, "big-act")
    evening.refresh_from_db()
    assert evening.status == "running"


def test_its_rounds_are_named_in_the_readers_language(club, evening, staff, browser_of):
    press_form(browser_of(staff["owner"]), evening)
    with override("de"):
        assert Night(club, staff["owner"], timezone.now()).titles == "Club evening, Runde 1"


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


def test_a_finished_evening_names_who_was_there(club, staff, browser_of):
    with time_machine.travel(EVENING, tick=False):
        fields = {"circle": club.circle, "setting": "face", "starts_at": EVENING}
        event = make_event(staff["owner"], standard("swiss", rounds=1), entries=4, started=True, **fields)
        driving.play_out(event, staff["owner"])
        Tournament.objects.filter(pk=event.pk).update(status="over", ended_at=EVENING)
        people = browser_of(staff["owner"]).get(PAGE).partition('id="here"')[2].partition("</section>")[0]
    assert all(f"<bdi>{entry.name}</bdi>" in people for entry in event.entries.all())
    assert "Not here" not in people


def test_a_round_names_its_bye_and_leads_to_its_table_cards(club, staff, browser_of):
    with time_machine.travel(EVENING, tick=False):
        fields = {"circle": club.circle, "setting": "face", "starts_at": EVENING}
        plan = standard("rotating_partners", rounds=3)
        event = make_event(staff["owner"], plan, entries=5, started=True, **fields)
        page = browser_of(staff["owner"]).get(PAGE)
    bye = SitOut.objects.get(round__stage__tournament=event, round__number=1)
    assert f'<p class="note"><b>Bye:</b><bdi>{bye.entry.name}</bdi></p>' in squeezed(page)
    assert f'href="/events/{event.slug}/print/cards/?stage=1&amp;round=1"' in page


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


def test_a_program_that_publishes_the_last_results_drafts_the_newsletter_as_the_page_does(matchday, staff, program):
    typed = [{"match": row.pk, "scores": [6000, 5000]} for row in tables(matchday)]
    for role, drafts in (("scorer", 0), ("owner", 1)):
        send = program(staff[role], "clubs_read", "clubs_run")
        few, typed = (typed[:3], typed[3:]) if role == "scorer" else (typed, [])
        send.post("clubs/harbour/type-results/", results=few)
        tonight = send.post("clubs/harbour/publish-tonight/")["tonight"]
        assert (tonight["newsletter"] is not None, Newsletter.objects.count()) == (drafts == 1, drafts)
    assert Newsletter.objects.get(pk=tonight["newsletter"]).status == "draft"
    assert "6,000 – 5,000" in Newsletter.objects.get().body


def test_a_program_does_not_type_over_what_others_typed(matchday, staff, browser_of, program):
    first = tables(matchday)[0]
    slip(browser_of(staff["owner"]), 1, "6000", "5000")
    send = program(staff["scorer"], "clubs_read", "clubs_run")
    typed = {"match": first.pk, "scores": [6500, 5000]}
    row = send.post("clubs/harbour/type-results/", results=[typed])["events"][0]["tables"][0]
    assert (row["state"], row["words"]) == ("bad", "Owner typed 6,000 – 5,000, you typed 6,500 – 5,000.")
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


# Boards


@pytest.fixture
def duplicate(club, staff):
    """A duplicate evening of four pairs at real tables, two boards in each match, its first round under way."""
    with time_machine.travel(EVENING, tick=False):
        rules = Rules.make("standard", {"length": {"deals": 2}}).write()
        choices = {"name": "Duplicate", "kind": "partnership", "setting": "face", "rules_json": rules, "entries": 4}
        plan = standard("howell", waits_for_go=True)
        event = make_event(
            staff["owner"], plan, circle=club.circle, starts_at=EVENING, status="open", started=True, **choices
        )
        Organiser.objects.create(tournament=event, user=staff["scorer"], role="scorer")
        stage_decisions.start_round(event.stages.get().pk, 1, by=staff["owner"])
        yield event


def at_table(event, number):
    return Pairing.objects.get(round__stage__tournament=event, round__number=1, number=number)


def posted(desk, path, data):
    """Send fields that are not on the page as it is, or not alone."""
    desk.client.handler.enforce_csrf_checks = False
    return desk.client.post(path, data)


def type_board(desk, pairing, at, *typed, was="|"):
    """Send one board of a table as the page does when a cell of it changes."""
    cells = {f"t{pairing.pk}-{2 * at + side}": score for side, score in enumerate(typed)}
    return posted(desk, PAGE, {**cells, f"was-{pairing.pk}-{at}": was})


def test_a_table_has_a_row_for_each_board(duplicate, staff, browser_of):
    desk, (first, second) = browser_of(staff["scorer"]), [at_table(duplicate, number) for number in (1, 2)]
    page = desk.get(PAGE)
    for pairing in (first, second):
        assert [f'id="row-{pairing.pk}-{at}"' in page for at in range(3)] == [True, True, False]
        assert all(f'id="t{pairing.pk}-{at}"' in page for at in range(4))
    assert "<bdi>Board 1, Entry" in page
    type_board(desk, first, 0, "600", "500")
    assert "2 scores to come" in desk.get(PAGE)
    type_board(desk, first, 1, "300", "700")
    assert TypedScores.objects.get(pairing=first).deals == [[600, 500], [300, 700]]
    assert scores(first) == [900, 1200]
    slip(desk, 2, "700", "500", "300", "600")
    assert TypedScores.objects.get(pairing=second).deals == [[700, 500], [300, 600]]


def test_boards_are_published_in_one_act_with_matchpoints_and_undone_by_one(duplicate, staff, browser_of):
    desk, tables_ = browser_of(staff["scorer"]), [at_table(duplicate, number) for number in (1, 2)]
    slip(desk, 1, "600", "500", "300", "700")
    slip(desk, 2, "700", "500", "300", "600")
    board = Night(Club.objects.get(), staff["scorer"], EVENING).boards[0]
    assert sorted(line.points for line in board.lines) == ["0", "0", "4", "4"]
    posted(desk, PAGE, {"do": "publish", "key": "a"})
    act = Act.objects.filter(tournament=duplicate, kind="result").get()
    assert act.sentence == "2 results were entered: tables 1 and 2."
    lines = [Pairing.objects.get(pk=each.pk).result.lines for each in tables_]
    assert [[line["deals"] for line in each] for each in lines] == [[[600, 300], [500, 700]], [[700, 300], [500, 600]]]
    points = [[int(place.points) for place in each.places.order_by("number")] for each in tables_]
    assert points == [[0, 4], [4, 0]]
    posted(desk, PAGE, {"do": "back", "key": "b"})
    assert [TypedScores.objects.get(pairing=each).deals[0] for each in tables_] == [[600, 500], [700, 500]]


def test_a_wrong_board_is_said_beside_its_cell_and_the_rest_is_kept(duplicate, staff, browser_of):
    desk, first = browser_of(staff["scorer"]), at_table(duplicate, 1)
    cells = {f"t{first.pk}-{at}": text for at, text in enumerate(("600", "503", "abc", "700"))}
    answer = posted(desk, PAGE, {"do": "grid", **cells, f"was-{first.pk}-0": "|", f"was-{first.pk}-1": "|"})
    content = answer.content.decode()
    assert answer.status_code == 422
    assert "“abc” is not a score. Enter a whole number of points." in content
    parts = content.split(f'id="said-{first.pk}-')
    assert "“abc”" in parts[2]
    assert TypedScores.objects.get(pairing=first).deals == [[600, 503], [None, 700]]
    assert "503 cannot be right: scores by these rules are multiples of 5." in desk.get(PAGE)
    most = score_bounds.most(Rules.make("standard", {"length": {"deals": 1}}), 4)
    type_board(desk, first, 0, "600", str(most + 5), was="600|503")
    assert "is more than 1 deal can make." in desk.get(PAGE)


def test_two_people_type_boards_of_one_table_at_once(duplicate, staff, browser_of):
    first, (desk, other) = at_table(duplicate, 1), [browser_of(staff[role]) for role in ("scorer", "owner")]
    type_board(desk, first, 0, "600", "500")
    type_board(other, first, 1, "300", "700")
    assert TypedScores.objects.get(pairing=first).deals == [[600, 500], [300, 700]]
    clash = type_board(other, first, 0, "650", "500").content.decode()
    assert "It was 600 – 500 before, you typed 650 – 500." in clash
    assert TypedScores.objects.get(pairing=first).deals == [[600, 500], [300, 700]]
    form = {f"mine-{first.pk}-{at}": text for at, text in enumerate(("650", "500", "300", "700"))}
    posted(other, PAGE, {"do": f"mine:{first.pk}", **form})
    assert TypedScores.objects.get(pairing=first).deals == [[650, 500], [300, 700]]


def test_of_two_results_for_a_board_neither_is_taken_unasked_as_typing_goes_on(duplicate, staff, browser_of):
    first, (desk, other) = at_table(duplicate, 1), [browser_of(staff[role]) for role in ("scorer", "owner")]
    type_board(desk, first, 0, "600", "500")
    clash = type_board(other, first, 0, "650", "").content.decode()
    was = re.search(rf'name="was-{first.pk}-0" value="([^"]*)"', clash)[1]
    clash = type_board(other, first, 0, "650", "450", was=was).content.decode()
    assert "It was 600 – 500 before, you typed 650 – 450." in clash
    assert TypedScores.objects.get(pairing=first).deals[0] == [600, 500]


def test_a_board_that_is_sent_leaves_the_others_of_the_form_alone(duplicate, staff, browser_of):
    desk, first = browser_of(staff["scorer"]), at_table(duplicate, 1)
    type_board(desk, first, 0, "600", "")
    cells = {f"t{first.pk}-{at}": text for at, text in enumerate(("600", "500", "300", "700"))}
    known = {f"was-{first.pk}-0": "|", f"was-{first.pk}-1": "|"}
    desk.client.handler.enforce_csrf_checks = False
    headers = {"HX-Request": "true", "HX-Trigger": f"row-{first.pk}-1"}
    answer = desk.client.post(PAGE, {**cells, **known}, headers=headers).content.decode()
    assert "typed twice" not in answer
    assert TypedScores.objects.get(pairing=first).deals == [[600, None], [300, 700]]


def test_the_page_of_a_board_and_tonight_share_what_is_typed(duplicate, staff, browser_of):
    desk, first = browser_of(staff["owner"]), at_table(duplicate, 1)
    url = reverse("tournaments:organise_board", args=[duplicate.slug, 1, 1])
    type_board(desk, first, 0, "600", "500")
    assert 'value="600"' in desk.get(url)
    stale = posted(desk, url, {f"s0-{first.pk}": "650", f"s1-{first.pk}": "500", f"was-{first.pk}": "|", "key": "x"})
    assert (stale.status_code, TypedScores.objects.get(pairing=first).deals[0]) == (422, [600, 500])
    assert "Someone else has just typed other scores for this table: 600 – 500." in stale.content.decode()
    posted(desk, url, {f"s0-{first.pk}": "650", f"s1-{first.pk}": "500", f"was-{first.pk}": "600|500", "key": "y"})
    assert TypedScores.objects.get(pairing=first).deals == [[650, 500], [None, None]]


def test_tonight_says_where_the_boards_go_after_a_round(duplicate, staff, browser_of):
    desk = browser_of(staff["owner"])
    slip(desk, 1, "600", "500", "300", "700")
    slip(desk, 2, "700", "500", "300", "600")
    assert "move the boards" not in desk.get(PAGE)
    posted(desk, PAGE, {"do": "publish", "key": "a"})
    page = desk.get(PAGE)
    assert "After round 1: move the boards" in page
    assert "<li>Boards 3 and 4 go to tables 1 and 2.</li>" in page
    assert "<li>Boards 1 and 2 are given back.</li>" in page


# What is refused beside its cell


def test_two_results_for_one_table_are_refused_at_the_slip_and_the_rest_is_kept(matchday, staff, browser_of):
    desk, (first, second, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "6000", "5000")
    answer = slip(desk, 1, "6100", "5000").content.decode()
    assert "Table 1 already has other scores. Choose below." in answer
    row = answer.split(f'id="said-{first.pk}"')[1].split("</li>")[0]
    assert "It was 6,000 – 5,000 before, you typed 6,100 – 5,000." in row
    slip(desk, 2, "6200", "5000")
    assert (scores(first), scores(second)) == ([6000, 5000], [6200, 5000])
    desk.submit(PAGE, "big-act")
    slip(desk, 1, "6100", "5000")
    first.refresh_from_db()
    assert [line["score"] for line in first.result.lines] == [6000, 5000]


def test_two_results_for_one_table_in_one_form_are_refused_at_its_row(matchday, staff, browser_of):
    desk, (first, second, *_) = browser_of(staff["scorer"]), tables(matchday)
    slip(desk, 1, "6000", "5000")
    cells = {f"t{first.pk}-0": "6100", f"t{first.pk}-1": "5000", f"t{second.pk}-0": "6200", f"t{second.pk}-1": "5000"}
    known = {f"v-{first.pk}": "0", f"was-{first.pk}": "|", f"v-{second.pk}": "0", f"was-{second.pk}": "|"}
    answer = posted(desk, PAGE, {"do": "grid", **cells, **known})
    row = answer.content.decode().split(f'id="said-{first.pk}"')[1].split("</li>")[0]
    assert (answer.status_code, "It was 6,000 – 5,000 before, you typed 6,100 – 5,000." in row) == (422, True)
    assert (scores(first), scores(second)) == ([6000, 5000], [6200, 5000])


def test_of_two_results_neither_is_taken_unasked_as_typing_goes_on(matchday, staff, browser_of):
    first, (desk, other) = tables(matchday)[0], [browser_of(staff[role]) for role in ("scorer", "owner")]
    slip(desk, 1, "6000", "5000")
    known = "0"
    for typed in (("6100", ""), ("6100", "4900")):
        cells = {f"t{first.pk}-{at}": text for at, text in enumerate(typed)}
        answer = posted(other, PAGE, {"do": "grid", **cells, f"v-{first.pk}": known, f"was-{first.pk}": "|"})
        content = answer.content.decode()
        known = re.search(rf'name="v-{first.pk}" value="(\d+)"', content)[1]
    assert f"{staff['scorer']} typed 6,000 – 5,000, you typed 6,100 – 4,900." in content
    assert scores(first) == [6000, 5000]
    other.post(pressed(content, "/tonight/", f"mine-{first.pk}"))
    assert scores(first) == [6100, 4900]


def test_a_person_at_two_tables_is_refused_beside_the_field_and_the_rest_is_kept(evening, staff, browser_of):
    desk = browser_of(staff["owner"])
    name = evening.entries.get(number=3).name
    Member.objects.create(entry=evening.entries.get(number=3), tournament=evening, name=name)
    answer = desk.send(PAGE, "/tonight/", f"add-{evening.pk}", who=name)
    content = answer.content.decode()
    assert (answer.status_code, evening.entries.count()) == (422, 12)
    form = content.split(f'id="add-{evening.pk}"')[1]
    assert f"{name} already plays tonight. Nobody can be at two tables." in form.split("</section>")[0]
    assert f'value="{name}"' in content


def test_a_tie_at_the_cut_is_the_next_act_and_the_final_has_its_name(club, staff, browser_of):
    owner = staff["owner"]
    with time_machine.travel(EVENING, tick=False):
        plan = standard("swiss_pods", rounds=1, seats=4, most=4, counts="total", tiebreaks=["points_scored"])
        final = standard("pod_knockout", seats=4, most=4, take=4, waits_for_go=True)
        event = make_event(owner, plan, final, name="Cut", entries=8, circle=club.circle, starts_at=EVENING)
        lifecycle.start(event.pk, owner, anyway=True)
        driving.play_round(event, owner, lambda names: [500] * len(names))
        night = Night(club, owner, timezone.now())
        assert (night.button.label, night.button.url) == (
            "Decide the tie",
            f"/events/{event.slug}/organise/stages/1/tie/?from=tonight",
        )
        assert not night.is_complete
        answer = browser_of(owner).send(night.button.url, "/tie/", by="lot")
        assert (answer.status_code, answer.url) == (302, PAGE)
        night = Night(club, owner, timezone.now())
        assert night.button.label == "Start final"


# Cups of a season


@pytest.fixture
def cup(matchday, staff):
    """A cup of four pairs of the season, whose semi-finals can be played; its division is not on."""
    season, by = matchday, staff["owner"]
    Round.objects.filter(stage__tournament__division__season=season).update(starts_at=None)
    ids = [leagues.team(season, f"Pair {number}").pk for number in (1, 2, 3, 4)]
    return cups.make_cup(season.pk, by, name="Harbour Cup", team_ids=ids).tournament


def test_a_round_of_a_cup_is_run_from_tonight_and_the_next_one_follows(cup, club, staff, browser_of):
    desk = browser_of(staff["owner"])
    page = desk.get(PAGE)
    assert "Monday League, Harbour Cup, semi-finals" in page
    assert "People here" not in page
    slip(desk, 1, "6000", "5000")
    slip(desk, 2, "6000", "5000")
    desk.submit(PAGE, "big-act")
    page = desk.get(PAGE)
    assert "<b>Published.</b>2 results," in squeezed(page)
    assert "Published: 2 results." not in page
    assert "Monday League, Harbour Cup, semi-finals and final" in page
    slip(desk, 3, "6000", "5000")
    desk.submit(PAGE, "big-act")
    cup.refresh_from_db()
    assert cup.status == "over"
    assert "<b>Published.</b>1 result," in squeezed(desk.get(PAGE))
    assert Newsletter.objects.filter(event=cup).exists()


def test_the_desk_of_a_cup_leads_to_tonight_and_has_no_check_in(cup, staff, browser_of):
    page = browser_of(staff["owner"]).get(reverse("tournaments:organise", args=[cup.slug]))
    assert f'href="{PAGE}" hx-boost="false">Open Tonight' in page
    assert "check-in" not in page.lower()
    assert "A round is run from Tonight." in page


def test_ticks_of_a_cup_are_refused_with_a_sentence(cup, staff, browser_of):
    desk = browser_of(staff["owner"])
    form = desk.form(PAGE, "/tonight/", "save")
    form["fields"]["do"] = [f"ticks:{cup.pk}"]
    answer = desk.post(form)
    assert "This event has no check-in." in answer.content.decode()


@pytest.mark.parametrize("deadline", ["as planned", None])
def test_a_cup_is_on_until_its_round_is_closed_and_the_tab_says_so(cup, club, staff, deadline):
    rounds = Round.objects.filter(stage__tournament=cup)
    if deadline is None:
        rounds.update(deadline_at=None)
    for days, is_on in ((0, True), (5, True), (60, True), (61, False)):
        with time_machine.travel(EVENING + timedelta(days=days), tick=False):
            if not is_on:
                rounds.update(status="closed", closed_at=EVENING + timedelta(days=59))
            assert evening_of.is_on(club, timezone.now()) == is_on
            assert bool(Night(club, staff["owner"], timezone.now()).sections) == is_on
