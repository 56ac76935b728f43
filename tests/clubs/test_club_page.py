"""The list of clubs, a club's own page, its desk and its history."""

import re
from datetime import timedelta
from html import unescape
from urllib.parse import urljoin

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Club, Division, Honour, League, Membership, News, Season, Team
from clubs.public import overview
from clubs.services import settings
from clubs.services.members import membership
from clubs.services.publications import meetings, news
from tests.makers import make_club, make_event
from tests.tournaments.organising import Desk, refusal
from tournaments.models import Pairing, Round, Tournament
from tournaments.plan import standard
from tournaments.services.matches import results

pytestmark = pytest.mark.django_db


# The list


def test_the_list_shows_clubs_that_want_to_be_found(club, client):
    make_club("Hidden", is_listed=False)
    make_club("Resting", archived_at=timezone.now())
    markup = client.get("/clubs/").content.decode()
    assert "Harbour Hand and Foot" in markup
    assert "Hidden" not in markup
    assert "Resting" not in markup


def test_clubs_are_found_by_name_town_and_address(club, client):
    make_club("Lakeside", slug="lake", line="Kitchener, Ontario")
    for query, expected in (("KITCH", ["lake"]), ("harbour", ["harbour"]), ("nowhere", [])):
        markup = client.get("/clubs/", {"q": query}).content.decode()
        assert [slug for slug in ("harbour", "lake") if f'href="/clubs/{slug}/"' in markup] == expected


def test_ones_own_clubs_come_first_wherever_they_are(club, staff, client):
    Club.objects.filter(pk=club.pk).update(is_listed=False)
    client.force_login(staff["member"])
    markup = client.get("/clubs/").content.decode()
    assert "Your clubs" in markup
    assert "Harbour Hand and Foot" in markup


def test_guests_are_not_counted_as_members(club, staff, client):
    assert "4 members" in client.get("/clubs/").content.decode()


def test_the_list_says_when_each_club_meets_next_by_its_own_clock(club, staff, client, django_assert_max_num_queries):
    Club.objects.filter(pk=club.pk).update(time_zone="Asia/Tokyo")
    soon = (timezone.now() + timedelta(days=2)).replace(hour=10, minute=30, second=0, microsecond=0)
    meetings.add(club.pk, staff["owner"], title="Night", starts_at=soon + timedelta(days=7))
    meetings.add(club.pk, staff["owner"], title="Night", starts_at=soon)
    meetings.add(club.pk, staff["owner"], title="Off", starts_at=soon - timedelta(days=1))
    meetings.cancel(club.meetings.get(title="Off").pk, staff["owner"])
    with django_assert_max_num_queries(4):
        markup = client.get("/clubs/").content.decode()
    assert f"{soon:%a} {soon.day} {soon:%b}" in markup
    assert " 19:30 Tokyo (JST)</b>" in markup


# The page


def test_a_new_club_has_a_calm_page(club, client):
    markup = client.get("/clubs/harbour/").content.decode()
    assert "No upcoming events." in markup
    assert "No meetings planned." in markup
    assert "I would like to come" in markup


def test_times_of_the_club_are_its_own(club, staff, client):
    Club.objects.filter(pk=club.pk).update(time_zone="Asia/Tokyo")
    soon = (timezone.now() + timedelta(days=2)).replace(hour=10, minute=0, second=0, microsecond=0)
    meetings.add(club.pk, staff["owner"], title="Night", starts_at=soon)
    markup = client.get("/clubs/harbour/").content.decode()
    assert "times in Tokyo" in markup
    assert "</b> 19:00" in markup


def test_members_see_the_clubs_own_events_and_visitors_do_not(club, staff, client):
    for name, visibility in (("Open cup", "public"), ("Inner cup", "circle"), ("Secret cup", "link")):
        make_event(staff["owner"], name=name, circle=club.circle, visibility=visibility, status="open")
    for path in ("/clubs/harbour/", "/clubs/harbour/events/"):
        for _ in range(2):
            client.logout()
            visitors = client.get(path).content.decode()
            client.force_login(staff["guest"])
            inside = client.get(path).content.decode()
            assert ("Open cup" in visitors, "Inner cup" in visitors) == (True, False)
            assert ("Open cup" in inside, "Inner cup" in inside) == (True, True)
            assert "Secret cup" not in visitors + inside


@pytest.fixture
def league(club, olga):
    """A league under way, whose one division is a tournament."""
    cup = make_event(olga, standard("round_robin"), entries=4, started=True, has_matchdays=True, circle=club.circle)
    league = League.objects.create(club=club, name="Harbour League", slug="league")
    season = Season.objects.create(
        league=league,
        number=1,
        name="Autumn",
        slug="autumn",
        status="running",
        rules_json={},
        starts_on=timezone.now().date(),
    )
    Division.objects.create(season=season, level=1, name="Premier", tournament=cup)
    return cup


def test_results_of_leagues_show_at_once(club, league, olga, client):
    assert "Latest results" not in client.get("/clubs/harbour/").content.decode()
    match = Pairing.objects.filter(round__stage__tournament=league, status="ready").first()
    lines = [{"entry": place.entry_id, "score": 4000 + place.number} for place in match.places.order_by("number")]
    results.decide(match.pk, lines, by=olga)
    markup = client.get("/clubs/harbour/").content.decode()
    assert "Latest results" in markup
    assert "4,001" in markup
    assert "Harbour League" in markup
    assert "matchday 1" in markup
    assert "table 1" not in markup
    assert "event-rows" not in markup


def test_every_change_of_the_club_shows_at_once(club, staff, client):
    for act, words in (
        (lambda: settings.change(club.pk, staff["owner"], fields={"about": "Since 1983"}), "Since 1983"),
        (lambda: news.write(club.pk, staff["owner"], title="New hall", body="x"), "New hall"),
        (lambda: membership.add_names(club.pk, staff["owner"], lines=["Ann"]), "<dd>5</dd>"),
    ):
        assert words not in client.get("/clubs/harbour/").content.decode()
        act()
        assert words in client.get("/clubs/harbour/").content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_takes_as_many_queries_whatever_there_is(
    club, staff, league, olga, client, django_assert_max_num_queries, count
):
    for number in range(count):
        News.objects.create(club=club, title=f"N{number}", body="x", published_at=timezone.now())
        meetings.add(club.pk, staff["owner"], title="Night", starts_at=timezone.now() + timedelta(days=2))
        make_event(olga, name=f"Cup {number}", circle=club.circle, status="open")
    for match in Pairing.objects.filter(round__stage__tournament=league, status="ready")[:count]:
        lines = [{"entry": place.entry_id, "score": 4000} for place in match.places.all()]
        results.decide(match.pk, lines, by=olga)
    with django_assert_max_num_queries(40):
        client.get("/clubs/harbour/")
    with django_assert_max_num_queries(2):
        client.get("/clubs/harbour/")


def test_visitors_who_have_the_page_are_told_so(club, client):
    answer = client.get("/clubs/harbour/")
    repeat = client.get("/clubs/harbour/", headers={"If-None-Match": answer["ETag"]})
    assert repeat.status_code == 304


def test_what_people_write_is_shown_as_they_wrote_it(club, staff, client):
    hostile = '"><script>alert(1)</script>'
    settings.change(club.pk, staff["owner"], fields={"line": hostile, "about": hostile, "venue": hostile})
    markup = client.get("/clubs/harbour/").content.decode()
    assert "<script>alert" not in markup
    assert "&lt;script&gt;alert" in markup


# History


def test_the_history_tells_who_when_and_what_and_undoes(club, staff, browser_of):
    act = membership.add_names(club.pk, staff["organiser"], lines=["Ann"])
    page = browser_of(staff["owner"])
    markup = page.get("/clubs/harbour/history/")
    assert "Ann was added." in markup
    assert "Organiser" in markup
    page.submit("/clubs/harbour/history/", f"undo-{act.pk}")
    markup = page.get("/clubs/harbour/history/")
    assert "Undone: Ann was added." in markup
    assert f'id="undo-{act.pk}"' not in markup
    assert not Membership.objects.filter(name="Ann").exists()


def test_an_undo_that_is_refused_says_why_beside_it(club, staff, browser_of):
    first = settings.change(club.pk, staff["owner"], fields={"line": "a"})
    settings.change(club.pk, staff["owner"], fields={"line": "b"})
    answer = browser_of(staff["owner"]).press("/clubs/harbour/history/", f"undo-{first.pk}")
    assert answer.status_code == 422
    assert refusal(answer) == "This was changed again later. Undo that first."


def test_an_act_of_another_club_is_not_found(club, staff, person, client):
    other = make_club("Other", owner=person("Eve"))
    client.force_login(staff["owner"])
    assert client.post(f"/clubs/harbour/history/{other.acts.get().pk}/undo/").status_code == 404


def test_the_history_is_cut_into_pages(club, staff, browser_of, django_assert_max_num_queries):
    for number in range(60):
        settings.change(club.pk, staff["owner"], fields={"line": str(number)})
    page = browser_of(staff["owner"])
    with django_assert_max_num_queries(9):
        markup = page.get("/clubs/harbour/history/")
    assert markup.count('id="undo-') == 50
    assert "Earlier" in markup


def test_the_desk_answers_a_league_of_another_club(club, staff, person, browser_of):
    from clubs.models import LeagueClub

    other = make_club("Other", owner=person("Eve"))
    invitations = [
        LeagueClub.objects.create(
            league=League.objects.create(club=other, name=f"County {number}", slug=f"county-{number}"), club=club
        )
        for number in (1, 2)
    ]
    page = browser_of(staff["organiser"])
    assert "County 1" in page.get("/clubs/harbour/run/")
    page.submit("/clubs/harbour/run/", f"league-yes-{invitations[0].pk}")
    page.submit("/clubs/harbour/run/", f"league-no-{invitations[1].pk}")
    assert [invitation.agreed_at is not None for invitation in LeagueClub.objects.all()] == [True]


def test_the_page_for_a_new_event_asks_for_the_clubs_of_the_person_once(club, staff, client):
    client.force_login(staff["organiser"])
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/events/new/?from=club_night&circle={club.circle}").content.decode()
    assert f'<option value="{club.circle}" selected>' in page
    assert len([each for each in queries.captured_queries if each["sql"].startswith('SELECT "clubs_club"')]) == 1


# The parts for strangers, also on other sites


def test_a_stranger_is_asked_to_come_and_finds_the_way(club, staff, client):
    Club.objects.filter(pk=club.pk).update(venue="Harbour Hall, Quay Street")
    meetings.add(club.pk, staff["owner"], title="Off", starts_at=timezone.now() + timedelta(days=1))
    meetings.cancel(club.meetings.get().pk, staff["owner"])
    meetings.add(club.pk, staff["owner"], title="Night", starts_at=timezone.now() + timedelta(days=2))
    markup = client.get("/clubs/harbour/embed/meeting/").content.decode()
    assert "Come and play" in markup
    assert "<bdi>Night</bdi>" in markup
    assert "Off" not in markup
    assert 'href="https://www.openstreetmap.org/search?query=Harbour+Hall%2C+Quay+Street"' in markup


def test_on_the_evening_of_an_event_no_page_says_that_nothing_is_planned(club, olga, client):
    nothing = "No meeting is planned yet."
    assert nothing in client.get("/clubs/harbour/").content.decode()
    now = timezone.now()
    make_event(olga, name="Open cup", circle=club.circle, visibility="public", status="open", starts_at=now)
    make_event(olga, name="Inner cup", circle=club.circle, visibility="circle", status="open", starts_at=now)
    cache.clear()
    for address in ("/clubs/harbour/", "/clubs/harbour/embed/meeting/"):
        markup = client.get(address).content.decode()
        assert nothing not in markup
        assert f"Today, {now.astimezone(club.zone):%H:%M}" in unescape(markup).replace("\u2060", "")
        assert "Inner cup" not in markup


def test_nobody_is_asked_to_an_event_that_is_over_and_its_results_are_one_press_away(club, olga, client):
    now = timezone.now()
    fields = {"circle": club.circle, "visibility": "public", "starts_at": now}
    make_event(olga, name="Open cup", status="over", ended_at=now, **fields)
    make_event(olga, name="Off cup", status="cancelled", **fields)
    event = Tournament.objects.get(name="Open cup")
    markup = client.get("/clubs/harbour/").content.decode()
    assert "No meeting is planned yet." in markup
    finished = markup.partition("Recently finished")[2].partition("</section>")[0]
    assert f'href="{event.get_absolute_url()}"' in finished
    assert "Off cup" not in markup


def test_on_a_matchday_no_page_says_that_nothing_is_planned(club, league, client):
    today = timezone.now()
    Round.objects.filter(stage__tournament=league, number=1).update(starts_at=today)
    Round.objects.filter(stage__tournament=league).exclude(number=1).update(starts_at=today + timedelta(days=7))
    markup = client.get("/clubs/harbour/").content.decode()
    assert "No meeting is planned yet." not in markup
    assert markup.count("matchday 1</bdi>") == 1


def test_results_are_said_in_words_and_champions_are_remembered(club, league, olga, client):
    match = Pairing.objects.filter(round__stage__tournament=league, status="ready").first()
    first, second = match.places.order_by("number")
    results.decide(
        match.pk, [{"entry": first.entry_id, "score": 4000}, {"entry": second.entry_id, "score": 5200}], by=olga
    )
    assert f"{second.entry} beat {first.entry} by 1,200." in client.get("/clubs/harbour/").content.decode()
    division = Division.objects.get()
    team = Team.objects.create(league=division.season.league, club=club, number=1, name="Okafor / Bell")
    assert "No season has ended yet." in client.get("/clubs/harbour/embed/champions/").content.decode()
    Honour.objects.create(season=division.season, division=division, team=team, title="Champion of Premier")
    cache.clear()
    markup = client.get("/clubs/harbour/embed/champions/").content.decode()
    assert "Okafor / Bell" in markup
    assert "Champion of Premier" in markup


@pytest.mark.parametrize("part", overview.PARTS)
def test_every_part_can_be_shown_on_other_sites_and_says_so_if_it_is_empty(club, client, part):
    code = client.get("/clubs/harbour/website/").content.decode()
    assert f"/clubs/harbour/embed/{part}/" in code
    answer = client.get(f"/clubs/harbour/embed/{part}/")
    assert "X-Frame-Options" not in answer
    assert re.search(r'class="empty|class="come', answer.content.decode())
    assert client.get("/clubs/harbour/embed/members/").status_code == 404


@pytest.mark.parametrize("role", ["owner", "stranger"])
def test_an_event_that_is_planned_from_a_clubs_page_is_the_clubs(role, club, staff, person):
    make_club("Another", owner=staff["owner"])
    desk = Desk(staff["owner"] if role == "owner" else person("Stranger"))
    path = "/events/new/"

    def follow(page, words):
        """The address behind a link with these words."""
        links = re.findall(r'<a [^>]*href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
        return urljoin(path, unescape(next(address for address, text in links if words in text)))

    templates = follow(Desk(staff["owner"]).get(f"/clubs/{club.slug}/events/"), "Plan an event")
    form = follow(desk.get(templates), "Swiss weekend")
    desk.post(desk.form(form, path, "publish"), name="Our Swiss")
    event = Tournament.objects.get()
    assert event.circle == (club.circle if role == "owner" else "")
    assert (event.time_zone == club.time_zone) == (role == "owner")
