"""Public pages of leagues: content, access, number of queries, and that a result shows at once."""

import re
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Season
from clubs.services.leagues import leagues, proposals
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers
from tests.makers import make_club

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

BASE = "/clubs/harbour/leagues/"
SEASON = f"{BASE}monday-league/autumn-2026/"


@pytest.fixture(scope="module")
def drawn(harbour):
    """Two divisions of four and three, drawn."""
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4, 3), name="Autumn 2026"), harbour.owner)


def page(client, path, status=200):
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def public_paths(season):
    match = makers.match(season, "Pair 1", "Pair 2")
    division = [f"{SEASON}{path}" for path in ("1/fixtures/", "1/results/", "1/crosstable/", "1/embed/", "2/")]
    files = [f"{SEASON}1/{name}" for name in ("table.csv", "fixtures.csv", "table.json", "table.pdf")]
    league = [
        f"{BASE}monday-league/{path}"
        for path in (
            "",
            "teams/",
            "teams/1/",
            "calendar.ics",
            "feed.atom",
            "teams/1/calendar.ics",
            f"match/{match.pk}/",
        )
    ]
    return [BASE, SEASON, *division, *files, *league]


@pytest.mark.slow
def test_every_public_page_opens_without_signing_in(season, client):
    for path in public_paths(season):
        assert client.get(path).status_code == 200, path


def test_the_table_says_everything_that_a_table_says(season, owner, client):
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    makers.decide(makers.match(season, "Pair 3", "Pair 4"), owner, {"Pair 3": 2800, "Pair 4": 2600})
    markup = page(client, SEASON)
    for words in (
        "▲ Champion",
        "▼ Relegated to Division 2: place 4",
        "1 won, 0 drawn, 0 lost, +500",
        'aria-label="last five, oldest first: won"',
        "3,000",
        "−500",
        "Can finish",
        "Tied on points:",
    ):
        assert words in markup, words
    assert "▲ Promoted to Division 1" in page(client, f"{SEASON}2/")


def test_the_rules_of_a_season_are_one_link_away(season, client):
    assert 'Played by the <a href="/rules/standard/">Standard</a> rules.' in page(client, SEASON)


def test_before_the_first_result_nobody_has_a_place(season, client):
    markup = page(client, SEASON)
    assert "<h2>Standings</h2>" in markup
    assert '<td class="pos" role="cell"></td>' in markup
    assert "Next: matchday 1" in markup
    assert "Can finish" not in markup


def test_the_heading_tells_how_far_the_season_is(season, owner, client):
    for winner, loser in (("Pair 1", "Pair 4"), ("Pair 2", "Pair 3")):
        makers.decide(makers.match(season, winner, loser), owner, {winner: 3000, loser: 2000})
    assert "Standings after matchday 1 of 3" in page(client, SEASON)
    makers.play_out(season, owner)
    assert "Final standings" in page(client, SEASON)


def test_a_result_shows_at_once_on_every_page(season, owner, client):
    paths = [SEASON, f"{SEASON}1/fixtures/", f"{SEASON}1/results/", f"{SEASON}1/embed/", f"{SEASON}1/table.json"]
    paths += [f"{BASE}monday-league/teams/1/", f"{BASE}monday-league/feed.atom", f"{SEASON}1/fixtures.csv"]
    for path in paths:
        assert "4321" not in page(client, path).replace(",", ""), path
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 4321, "Pair 2": 2500})
    for path in paths:
        assert "4321" in page(client, path).replace(",", ""), path


def test_a_kept_page_is_not_made_again(season, client):
    page(client, SEASON)
    with CaptureQueriesContext(connection) as cached:
        page(client, SEASON)
    cache.clear()
    with CaptureQueriesContext(connection) as fresh:
        page(client, SEASON)
    assert len(cached) < 12 < len(fresh)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        BASE,
        f"{BASE}monday-league/",
        SEASON,
        f"{SEASON}1/fixtures/",
        f"{SEASON}1/results/",
        f"{BASE}monday-league/teams/1/",
        f"{BASE}monday-league/teams/",
        f"{SEASON}1/table.json",
        f"{BASE}monday-league/calendar.ics",
        f"{BASE}monday-league/feed.atom",
    ],
)
def test_the_number_of_queries_does_not_grow(club, owner, client, path):
    counts = []
    small = makers.draw(makers.make_season(club, owner, (3,), name="Autumn 2026"), owner)
    makers.decide(makers.match(small, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2000})
    counts.append(queries(client, path))
    makers.play_out(small, owner)
    counts.append(queries(client, path))
    assert counts[1] <= counts[0] + 1  # the champion is read once a league is over


def queries(client, path):
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        page(client, path)
    return len(captured)


def test_more_teams_take_no_more_queries(club, owner, client):
    season = makers.draw(makers.make_season(club, owner, (4,), name="Autumn 2026"), owner)
    other = leagues.make(club.pk, owner, name="Big League")
    big = season_setup.make(other.pk, owner, name="Autumn 2026", starts_on=makers.FIRST_DAY, divisions=[("One", 10)])
    teams = [makers.pair(other, owner, number) for number in range(21, 31)]
    season_setup.place(big.pk, owner, divisions={big.divisions.get().pk: [team.pk for team in teams]})
    big = makers.draw(Season.objects.get(pk=big.pk), owner)
    for running in (season, big):
        makers.play_out(running, owner)
    for path in ("", "autumn-2026/", "autumn-2026/1/fixtures/", "autumn-2026/1/table.json", "teams/1/", "feed.atom"):
        assert queries(client, f"{BASE}big-league/{path}") == queries(client, f"{BASE}monday-league/{path}"), path


def test_visitors_get_304_until_something_is_new(season, owner, client):
    tag = client.get(SEASON)["ETag"]
    assert client.get(SEASON, headers={"if-none-match": tag}).status_code == 304
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), owner, {"Pair 1": 3000, "Pair 2": 2500})
    assert client.get(SEASON, headers={"if-none-match": tag}).status_code == 200


def test_a_draft_is_seen_by_who_prepares_it_alone(club, staff, client):
    makers.make_season(club, staff["owner"], (4,), name="Autumn 2026")
    page(client, SEASON, 404)
    page(client, f"{SEASON}1/fixtures/", 404)
    assert "Autumn 2026" not in page(client, f"{BASE}monday-league/")
    client.force_login(staff["member"])
    page(client, SEASON, 404)
    client.force_login(staff["organiser"])
    assert "Before it starts" in client.get(SEASON, follow=True).content.decode()


def test_nothing_of_another_club_is_found_below_a_club(season, client):

    make_club("Lake")
    for path in public_paths(season):
        if path != BASE:
            assert client.get(path.replace("/harbour/", "/lake/")).status_code == 404, path
    page(client, f"{SEASON}3/", 404)
    page(client, f"{BASE}monday-league/teams/99/", 404)


def test_times_are_the_clubs_with_its_zone(club, owner, client, person):
    season = makers.make_season(club, owner, (4,), name="Autumn 2026")
    season_setup.change(season.pk, owner, changes={"plays_at": datetime(2026, 1, 1, 19, 0).time()})
    makers.draw(season, owner)
    reader = person("Reader")
    reader.time_zone = "Asia/Tokyo"
    reader.save()
    client.force_login(reader)
    markup = page(client, f"{SEASON}1/fixtures/")
    assert "Mon 7 Sep 19:00" in markup
    assert "Times in Amsterdam (CEST)." in markup


@pytest.mark.slow
def test_every_page_and_file_of_a_club_reads_alike_everywhere(season, client):
    def read(path, zone):
        client.cookies.pop("zone", None)
        if zone:
            client.cookies["zone"] = zone
        answer = client.get(path)
        assert answer.status_code == 200, path
        return re.sub(rb"nonce-[^\"';]+", b"", answer.getvalue())

    for path in [*public_paths(season), "/clubs/harbour/", "/clubs/harbour/events/", "/clubs/harbour/statistics/"]:
        first = read(path, "")  # a first visit
        assert [read(path, zone) for zone in ("Asia/Kolkata", "America/Toronto")] == [first, first], path


@pytest.mark.parametrize(
    ("zone", "deadline"), [("Asia/Tokyo", "Mon 14 Sep 06:59"), ("America/Toronto", "Sun 13 Sep 17:59")]
)
def test_deadlines_of_an_online_season_are_the_readers(season, client, zone, deadline):
    Season.objects.update(settings={**season.settings, "setting": "online"})
    client.cookies["zone"] = zone
    assert f"play by {deadline}" in page(client, f"{SEASON}1/fixtures/")


def test_a_proposed_time_shows_at_once(season, club, in_club, client):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    match = makers.match(season, "Pair 1", "Pair 2")
    team = makers.team(season, "Pair 1")
    assert "another time proposed" not in page(client, f"{SEASON}1/fixtures/")
    proposals.propose(match.pk, ann, team_id=team.pk, starts_at=datetime(2026, 9, 9, 18, 0, tzinfo=UTC))
    assert "another time proposed" in page(client, f"{SEASON}1/fixtures/")


def test_names_are_escaped(club, owner, client):
    season = makers.make_season(club, owner, (3,), name="Autumn 2026")
    from clubs.services.leagues import teams

    teams.change(makers.team(season, "Pair 1").pk, owner, name="<b>Bold</b> & Co", venue="<i>Hall</i>")
    season = makers.draw(season, owner)
    for path in public_paths_of(season):
        markup = page(client, path)
        assert "<b>Bold" not in markup, path
        assert "<i>Hall" not in markup, path


def public_paths_of(season):
    return [BASE, SEASON, f"{SEASON}1/fixtures/", f"{SEASON}1/embed/", f"{BASE}monday-league/teams/1/"]


def test_the_frame_for_other_sites_has_one_script_and_no_header(season, client):
    answer = client.get(f"{SEASON}1/embed/")
    markup = answer.content.decode()
    assert markup.count("<script") == 1
    assert "<header" not in markup
    assert "X-Frame-Options" not in answer
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "form-action 'none'" in policy


def test_honours_stand_where_people_look(season, owner, client):
    from clubs.services.seasons import season_close

    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    for path in (SEASON, f"{BASE}monday-league/", f"{BASE}monday-league/teams/1/"):
        assert "Champion of Division 1" in page(client, path), path
    assert "Champion: <bdi>Pair 1</bdi>" in page(client, BASE)


def test_organisers_correct_a_finished_match_from_its_page(season, client, staff):
    match = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(match, staff["owner"], {"Pair 1": 3000, "Pair 2": 2000})
    path = f"{BASE}monday-league/match/{match.pk}/"
    for role, is_offered in (("organiser", True), ("member", False)):
        client.force_login(staff[role])
        assert ("Correct the result" in page(client, path)) == is_offered
