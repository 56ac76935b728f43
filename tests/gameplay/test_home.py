"""The front page, practice, your turn, rule sheets and the pages about the site."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.budgets import TABLES
from accounts.models import Absence, User
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS, choices, in_groups
from engine.play.state import ANSWERING
from gameplay.house_rules import ruleset_facts
from gameplay.models import Invitation, Move, Table
from gameplay.services import tables
from gameplay.snapshot import state_of, view_of

PAGES = ["/", "/practice/", "/rules/", "/rules/bain/", "/about/", "/privacy/", "/accessibility/", "/api/"]


@pytest.fixture
def question(seated, driver):
    """A match in which the partner of a player asks to go out."""
    table = driver.until(seated("denexa"), lambda table: table.move_count and _is_asked(table))
    return table, table.seats.get(number=table.seat_to_act).user


def _is_asked(table):
    return not table.is_between_deals and state_of(table).phase == ANSWERING


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_a_visitor_sees_every_page_and_nothing_is_posted_to_it(client, address):
    assert client.get(address).status_code == 200
    if address != "/practice/":
        assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_the_drawn_table_has_its_points_as_the_reader_writes_numbers(client):
    assert "<span>1,870</span>" in client.get("/").content.decode()
    assert "<span>1.870</span>" in client.get("/", headers={"accept-language": "de"}).content.decode()


@pytest.mark.django_db
def test_no_link_of_the_site_leads_nowhere(client):
    addresses = {"/"}
    visited = set()
    while addresses - visited:
        address = min(addresses - visited)
        visited.add(address)
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        if address.count("/") < 4 and response["Content-Type"].startswith("text/html"):
            links = set(re.findall(r'<a [^>]*href="(/[^"#?]*)', response.content.decode()))
            addresses |= {link for link in links if not link.startswith(("/api/v1/", "/accounts/", "/static/"))}
    assert {"/rules/standard/", "/practice/", "/tables/", "/privacy/"} <= visited


# Practice


@pytest.mark.django_db
def test_one_press_makes_a_guest_and_deals(client):
    response = client.post("/practice/")
    guest, table = User.objects.get(), Table.objects.get()
    assert guest.is_guest
    assert (response.status_code, response["Location"]) == (302, table.get_absolute_url())
    assert (table.is_practice, table.rules, table.seats.get(number=0).user) == (True, Rules.preset("standard"), guest)
    assert list(table.seats.exclude(number=0).values_list("bot", flat=True)) == ["club"] * 3


@pytest.mark.django_db
def test_practice_is_limited_by_address_and_says_so_calmly(client, limited):
    limited(TABLES, address=2)
    for number in range(2):
        assert Client().post("/practice/", headers={"x-forwarded-for": f"198.51.100.{number}"}).status_code == 302
    refused = client.post("/practice/", {"level": "expert"})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 2 * 3600
    page = refused.content.decode()
    assert "There were too many new tables. Everyone on your internet connection counts together." in page
    assert '<option value="expert" selected>' in page
    assert User.objects.count() == Table.objects.count() == 2
    assert client.post("/practice/", REMOTE_ADDR="203.0.113.9").status_code == 302


@pytest.mark.django_db
def test_behind_a_proxy_the_address_is_what_the_proxy_says(settings, limited):
    limited(TABLES, address=1)
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    answers = [
        Client().post("/practice/", headers={"x-forwarded-for": f"{forged}, {address}"}).status_code
        for forged, address in (
            ("10.0.0.1", "198.51.100.1"),
            ("10.0.0.2", "198.51.100.1"),
            ("10.0.0.1", "198.51.100.2"),
        )
    ]
    assert answers == [302, 429, 302]


@pytest.mark.django_db
def test_everyone_has_a_limit_of_their_own(client, person, limited):
    limited(TABLES, person=1)
    answers = []
    for user in (person("Ann"), person("Ben")):
        client.force_login(user)
        answers += [client.post("/practice/").status_code for _ in range(2)]
    assert answers == [302, 429, 302, 429]


@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_practice_by_every_ruleset(client, preset):
    client.post("/practice/", {"ruleset": preset, "level": "novice"})
    table = Table.objects.get()
    assert table.rules == Rules.preset(preset)
    assert set(table.seats.exclude(number=0).values_list("bot", flat=True)) == {"novice"}


@pytest.mark.django_db
@pytest.mark.parametrize("data", [{"ruleset": "whist"}, {"level": "grandmaster"}])
def test_what_cannot_be_practised_is_refused_with_the_form(client, data):
    response = client.post("/practice/", data)
    assert response.status_code == 422
    assert "is not one of the available choices" in response.content.decode()
    assert User.objects.count() == 0


def test_the_front_page_offers_a_guest_the_running_deal(client, db):
    client.post("/practice/")
    page = client.get("/").content.decode()
    assert "Continue your practice deal" in page
    assert Table.objects.get().get_absolute_url() in page


def test_there_is_a_limit_to_practice_matches_at_once(client, db):
    for _ in range(5):
        assert client.post("/practice/").status_code == 302
    response = client.post("/practice/")
    assert response.status_code == 429
    assert "Finish one of them first." in response.content.decode()
    assert Table.objects.count() == 5


# The front page


def test_public_matches_are_shown_with_scores_and_private_ones_are_not(client, seated):
    public, private = seated(watching="anybody"), seated(watching="link")
    page = client.get("/").content.decode()
    assert public.get_absolute_url() in page
    assert "Ann / Cem – Ben / Dee" in page
    assert private.get_absolute_url() not in page


def test_the_front_page_tells_a_person_how_many_tables_wait(client, seated):
    table = seated()
    client.force_login(table.seats.get(number=table.seat_to_act).user)
    page = client.get("/").content.decode()
    assert "Your turn at 1 table" in page
    assert "<title>(1) Your day · Foothold" in page


# Your turn


@pytest.mark.django_db
def test_a_visitor_is_sent_from_your_turn_to_practice(client):
    response = client.get("/play/")
    assert (response.status_code, response["Location"]) == (302, "/practice/")
    assert client.post("/play/").status_code == 405


def test_your_turn_names_partner_opponents_time_and_what_to_do(client, seated):
    table = seated()
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now() + timezone.timedelta(hours=30, minutes=1))
    client.force_login(table.seats.get(number=table.seat_to_act).user)
    page = client.get("/play/").content.decode()
    assert 'id="turn-' + table.slug in page
    assert re.search(r"With \w+ against \w+ / \w+\. Draw", page)
    assert "data-left>1 d 6 h</time>" in page
    assert "0 – 0" in page
    assert "deal 1 of 4" in page
    assert re.search(r'<progress class="timebar" max="100" value="6[23]"', page)


@pytest.mark.parametrize(("minutes", "mark"), [(50, "late"), (300, "soon"), (500, "")])
def test_deadlines_that_are_near_are_marked(client, seated, minutes, mark):
    table = seated()
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now() + timezone.timedelta(minutes=minutes))
    client.force_login(table.seats.get(number=table.seat_to_act).user)
    page = client.get("/play/").content.decode()
    assert [name for name in ("late", "soon") if f'<li class="{name}">' in page] == ([mark] if mark else [])


def test_waiting_for_someone_who_is_away_says_so(client, seated, four):
    table = seated()
    awaited = table.seats.get(number=table.seat_to_act).user
    now = timezone.now()
    Absence.objects.create(user=awaited, starts_at=now, ends_at=now + timezone.timedelta(days=3))
    client.force_login(next(user for user in four if user != awaited))
    page = client.get("/play/").content.decode()
    assert f"<td>{awaited}<br>" in page
    assert "away until " in page


def test_what_was_won_and_lost(client, seated, four):
    table = seated()
    result = {"totals": [5000, -120], "winners": [0], "reason": "played"}
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER, ended_at=timezone.now(), result=result)
    for user, words in ((four[0], "<b>Won</b>, 5,000 – −120."), (four[1], "<b>Lost</b>, −120 – 5,000.")):
        client.force_login(user)
        assert words in client.get("/play/").content.decode()


def test_invitations_and_practice_are_listed(client, seated, four, person):
    eve, table = person("Eve"), seated(begun=False)
    Invitation.objects.create(table=table, user=eve, token="t", invited_by=four[0])
    tables.make_practice(eve, Rules.preset("family"))
    client.force_login(eve)
    page = client.get("/play/").content.decode()
    assert "Ann invites you: Standard, 4 players." in page
    assert "Family against bots" in page
    assert "You’re all caught up" in page


def test_a_new_account_is_offered_a_first_deal(client, person, seated):
    client.force_login(person("Eve"))
    page = client.get("/play/").content.decode()
    assert "No matches yet" in page
    assert 'name="guided" value="yes"' in page
    assert "No account needed." not in page
    client.force_login(seated().seats.get(number=1).user)
    assert 'name="guided"' not in client.get("/play/").content.decode()


def test_a_guest_has_a_list_too(client, db):
    client.post("/practice/")
    page = client.get("/play/").content.decode()
    assert "You are playing as a guest" in page
    assert Table.objects.get().get_absolute_url() in page


def test_htmx_is_sent_the_list_alone(client, seated, four):
    seated()
    client.force_login(four[0])
    part = client.get("/play/", headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div class="split" id="turns"')
    assert "<html" not in part


def test_your_turn_takes_as_many_queries_for_three_tables_as_for_one(
    client, seated, four, django_assert_max_num_queries
):
    def queries():
        with django_assert_max_num_queries(30) as captured:
            assert client.get("/play/").status_code == 200
        return len(captured)

    table = seated()
    client.force_login(table.seats.get(number=table.seat_to_act).user)
    client.get("/play/")
    for_one = queries()
    seated()
    seated()
    assert queries() == for_one


def test_your_turn_shows_no_card_but_the_top_of_the_pile(client, seated):
    table = seated()
    seat = table.seats.get(number=table.seat_to_act)
    client.force_login(seat.user)
    page = client.get("/play/").content.decode()
    cards = re.findall(r"(?:10|[2-9JQKA])[♣♦♥♠]", page)
    top = view_of(table, seat.number).position.pile[:1]
    assert len(cards) == len(top)


def test_players_pages_are_kept_nowhere(client, seated, four):
    client.force_login(four[0])
    assert client.get("/play/")["Cache-Control"] == "private, no-store"
    assert client.get("/")["Cache-Control"] == "private, no-store"


# The partner's question


def test_the_question_is_answered_in_the_list(client, question):
    table, user = question
    client.force_login(user)
    page = client.get("/play/").content.decode()
    assert "asks: may I go out?" in page
    assert re.search(r"You have [\d,]+ cards? in your (hand|foot) \([\d,]+ points?\)", page)
    response = client.post(f"/play/{table.slug}/answer/", {"answer": "no", "seen": table.move_count, "key": "k"})
    assert (response.status_code, response["Location"]) == (302, "/play/")
    assert Move.objects.filter(table=table).latest("number").text == "answer no"
    assert "you said no." in client.get("/play/").content.decode()


def test_an_answer_sent_twice_is_given_once(client, question):
    table, user = question
    client.force_login(user)
    for _ in range(2):
        client.post(f"/play/{table.slug}/answer/", {"answer": "no", "seen": table.move_count, "key": "k"})
    assert Move.objects.filter(table=table, number__gt=table.move_count).count() == 1


def test_an_answer_to_what_is_no_longer_asked_says_so(client, question):
    table, user = question
    client.force_login(user)
    client.post(f"/play/{table.slug}/answer/", {"answer": "no", "seen": table.move_count - 1, "key": "k"})
    assert Move.objects.filter(table=table, number__gt=table.move_count).count() == 0
    assert "The table has changed since you last saw it." in client.get("/play/").content.decode()


def test_only_who_is_asked_may_answer(client, question, four, person):
    table, user = question
    address, data = f"/play/{table.slug}/answer/", {"answer": "yes", "seen": table.move_count}
    assert client.post(address, data).status_code == 403
    client.force_login(person("Eve"))
    assert client.post(address, data).status_code == 403
    client.force_login(next(other for other in four if other != user))
    assert client.post(address, data).status_code == 302
    client.force_login(user)
    assert client.get(address).status_code == 405
    assert client.post(address, {"answer": "perhaps", "seen": table.move_count}).status_code == 404
    assert client.post(address, {"answer": "yes", "seen": "x"}).status_code == 404
    assert Move.objects.filter(table=table).count() == table.move_count


# Rules


@pytest.mark.django_db
def test_rulesets_stand_side_by_side(client):
    page = client.get("/rules/").content.decode()
    assert all(f'href="/rules/{name}/"' in page for name in PRESETS)
    assert "50, 90, 120, 150, by deal" in page
    assert "to 20,000 points" in page


def test_each_kind_of_ruleset_is_compared_with_standard():
    comparisons = ruleset_facts.compare_published()
    assert [name for each in comparisons for name in (ruleset.name for ruleset in each.rulesets)] == [
        each.name for _, group in in_groups() for each in group
    ]
    answers = {}
    for each in comparisons:
        assert each.columns[0].name == "standard"
        for fact in each.facts:
            answers |= {
                (rules.name, fact.question): answer for rules, answer in zip(each.columns, fact.answers, strict=True)
            }
    assert answers["standard", "After going out"] == "the deal is over"
    assert answers["family", "After going out"] == "others have one more turn"
    assert answers["standard", "Drawn from the stock"] == "2"
    assert answers["vegas", "Drawn from the stock"] == "3; 3; 4; 5, by deal"
    assert answers["vegas", "To go out"] == (
        "3 clean, 3 dirty; 3 clean, 3 dirty; 4 clean, 4 dirty; 5 clean, 5 dirty, by deal"
    )
    assert answers["tanglewood", "Red threes"] == "held, −500 each"
    assert answers["knee", "Hand and foot"] == "15, 13 and 11"
    assert answers["fives", "To go out"] == "1 clean, 1 dirty, 1 wild, 1 of fives, 1 of sevens"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/tables/", "/tables/new/", "/score/"])
def test_each_ruleset_can_be_chosen_under_its_heading(client, person, path):
    client.force_login(person("Eve"))
    page = client.get(path).content.decode()
    for heading, group in choices():
        options = "".join(f'\\s*<option value="{name}"(?: selected)?>{title}</option>' for name, title in group)
        assert re.search(f'<optgroup label="{heading}">{options}\\s*</optgroup>', page), heading


@pytest.mark.django_db
def test_a_ruleset_says_where_it_comes_from_and_what_its_source_does_otherwise(client):
    page = client.get("/rules/knee/").content.decode()
    assert "Two descriptions of Triple Play and a retirement community’s paper." in page
    assert "Red threes are laid only once the team has opened. Here they are laid at once." in page
    assert "Played differently by its source" not in client.get("/rules/standard/").content.decode()
    german = client.get("/rules/knee/", HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Hand, Knie und Foot" in german
    assert "Hier werden sie sofort hingelegt." in german


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_each_rule_sheet_and_what_differs_from_standard(client, name):
    page = client.get(f"/rules/{name}/", {"from": "standard"}).content.decode()
    assert f"<h1>Hand and Foot: {Rules.preset(name).title}</h1>" in page
    assert ("As Standard, but" in page) is (name != "standard")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/rules/whist/", "/rules/bain/?from=whist", "/nothing-here/"])
def test_what_is_not_there_is_said_on_a_page_with_a_way_back(client, address):
    response = client.get(address)
    assert response.status_code == 404
    page = response.content.decode()
    assert "Page not found" in page
    assert "To the front page" in page


def test_a_form_without_its_token_is_refused_with_a_sentence(db):
    from django.test import Client

    response = Client(enforce_csrf_checks=True).post("/practice/")
    assert response.status_code == 403
    assert "Please try that again" in response.content.decode()


@pytest.mark.parametrize("template", ["400.html", "500.html"])
def test_pages_for_faults_need_neither_request_nor_database(template):
    from django.template.loader import render_to_string

    assert "To the front page" in render_to_string(template)
