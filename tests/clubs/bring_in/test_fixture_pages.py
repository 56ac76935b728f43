"""The page that imports fixtures, without script: a season made by them, a draft drawn by them, undone as a whole."""

from datetime import UTC, datetime

import pytest

from clubs.models import Act, Fixture, League, Membership, Newsletter, Season, Team
from clubs.services.seasons import season_draw
from tests.clubs import leagues
from tests.clubs.bring_in.test_pages import fields_of
from tests.pages import squeezed
from tests.tournaments.organising import pressed, refusal
from tournaments import integrity
from tournaments.models import Act as EventAct
from tournaments.models import Pairing, Tournament, TypedScores
from web.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

PAGE = "/clubs/harbour/import/fixtures/"
LIST = """\
Monday League 2026/27
Round\tDate\tTime\tHome\tAway\tScore\tVenue
1\t24.08.2026\t19:30\tLund / Arai\tBell / Okafor\t6180:5705\t
1\t25.08.2026\t20:00\tDoyle / Brandt\tHaddad / Vik\t\tThe Anchor
2\t07.09.2026\t19:30\tBell / Okafor\tDoyle / Brandt\t\t
2\t07.09.2026\t19:30\tHaddad / Vik\tLund / Arai\t\t
3\t\t\tLund / Arai\tDoyle / Brandt\t\t
"""


@pytest.fixture
def page(browser_of, staff):
    return browser_of(staff["organiser"])


def read(page, text, **more):
    page.get(PAGE)
    return page.press(PAGE, "read", paste=text, **more)


def imported(page, text, **more):
    fields = fields_of(read(page, text)) | {"league": "", "league_name": "Monday League"} | more
    return page.client.post(PAGE, fields)


def matches():
    """Home, away, matchday and own start of every match."""
    rows = []
    for pairing in Pairing.objects.select_related("round").order_by("round__number", "number"):
        names = [place.entry.name for place in pairing.places.select_related("entry").order_by("number")]
        rows.append((pairing.round.number, *names, pairing.starts_at))
    return rows


def test_fixtures_become_a_season_under_way_with_its_results_typed(page, club, staff):
    text = squeezed(read(page, LIST).content.decode())
    assert "Import 4 matches" in text
    assert "The date is missing." in text
    assert "Matchday 2, 7 Sep 2026: 2 matches" in text
    answer = imported(page, LIST)
    season = Season.objects.get()
    assert answer["Location"] == f"{season.get_absolute_url()}run/"
    assert (season.name, season.status, str(season.plays_at)) == ("2026/27", "running", "19:30:00")
    assert matches() == [
        (1, "Lund / Arai", "Bell / Okafor", None),
        (1, "Doyle / Brandt", "Haddad / Vik", datetime(2026, 8, 25, 18, 0, tzinfo=UTC)),
        (2, "Bell / Okafor", "Doyle / Brandt", None),
        (2, "Haddad / Vik", "Lund / Arai", None),
    ]
    assert Pairing.objects.first().round.starts_at == datetime(2026, 8, 24, 17, 30, tzinfo=UTC)
    assert Fixture.objects.get().venue == "The Anchor"
    assert TypedScores.objects.get().scores == [6180, 5705]
    act = Act.objects.get()
    assert act.sentence == "The fixtures of 2026/27 of Monday League were imported: 4 matches. 1 row was set aside."
    assert [wrong for _, wrong in integrity.events()] == [[]]
    run = f"{season.get_absolute_url()}run/"
    assert "all that came with its fixtures are deleted" in page.get(run)
    assert page.send(run, "/draw/", "undo")["Location"] == "/clubs/harbour/leagues/"
    assert not any(model.objects.exists() for model in (Season, League, Team, Tournament, TypedScores))
    assert not Membership.objects.filter(name="Lund").exists()


def test_a_draft_is_drawn_by_the_list_and_is_a_draft_again(page, club, staff):
    season = leagues.make_season(club, staff["owner"], (4,), name="Autumn")
    text = "Matchday,Home,Away\n1,Pair 4,Pair 1\n1,Pair 2,Pair 3\n2,Pair 1,Pair 2\n2,Pair 3,Pair 4\n"
    answer = read(page, text)
    text = squeezed(answer.content.decode())
    assert "is a draft of Monday League. It gets these fixtures instead of a draw." in text
    assert page.client.post(PAGE, fields_of(answer)).status_code == 302
    assert Pairing.objects.last().round.starts_at.date().isoformat() == "2026-09-13"
    assert [row[:3] for row in matches()] == [
        (1, "Pair 4", "Pair 1"),
        (1, "Pair 2", "Pair 3"),
        (2, "Pair 1", "Pair 2"),
        (2, "Pair 3", "Pair 4"),
    ]
    season_draw.undo_draw(season.pk, staff["owner"])
    season.refresh_from_db()
    assert (season.status, Tournament.objects.count(), season.divisions.get().tournament) == ("draft", 0, None)


def test_a_list_of_teams_or_with_too_many_days_says_so_in_the_preview(page, club):
    text = LIST.replace("2\t07", "8\t07")
    fields = fields_of(read(page, text)) | {"league": "", "league_name": "Cup", "do": "read"}
    shown = squeezed(page.client.post(PAGE, fields | {"kind": "team"}).content.decode())
    assert "The list does not name the players of each team." in shown
    assert "Matchday 8 of the list becomes matchday 2." in shown
    assert not League.objects.exists()
    days = "".join(f"{day}\t2026-09-07\tA / B\tC / D\n" for day in range(1, 62))
    assert "The list has 61 matchdays." in squeezed(read(page, "Round\tDate\tHome\tAway\n" + days).content.decode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Round,Date,Home,Away\n1,2026-09-07,Pair 1,Pair 2\n", "Pair 3 of Division 1 has no match in the list."),
        (
            "Round,Date,Home,Away\n1,2026-09-07,Pair 1,Pair 2\n1,2026-09-07,Pair 1,Pair 3\n",
            "Row 3: Pair 1 plays twice on matchday 1.",
        ),
    ],
)
def test_a_list_that_does_not_fit_is_refused_and_stays(page, club, staff, text, words):
    leagues.make_season(club, staff["owner"], (3,), name="Autumn")
    shown = read(page, text)
    assert words in squeezed(shown.content.decode())
    assert 'id="import"' not in shown.content.decode()
    fields = pressed(shown.content.decode(), "", "again")["fields"]
    answer = page.client.post(PAGE, fields | {"do": "import"})
    assert words in refusal(answer)
    assert "Pair 2" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_results_so_far_are_typed_in_one_grid_and_published_together(page, club, staff, browser_of):
    imported(page, LIST + "1\t24.08.2026\t19:30\tA / B\tC / D\t\t\n")
    desk, here = browser_of(staff["scorer"]), f"{Season.objects.get().get_absolute_url()}so-far/"
    shown = squeezed(desk.get(here))
    assert "Matchday 1, 24 Aug 2026" in shown
    assert "Matchday 2" not in shown
    second, third = Pairing.objects.filter(round__number=1).order_by("number")[1:]
    typed = {f"t{second.pk}-0": "5000", f"t{second.pk}-1": "4,200", f"t{third.pk}-0": "many", f"t{third.pk}-1": "100"}
    answer = desk.send(here, "/so-far/", "save", **typed)
    assert answer.status_code == 422
    assert "“many” is not a score." in answer.content.decode()
    answer = desk.send(here, "/so-far/", "big-act")
    assert answer["Location"] == here
    assert Pairing.objects.filter(status="done").count() == 2
    assert "Published." in desk.get(here)
    of_day_one = Newsletter.objects.create(club=club, season=Season.objects.get(), matchday=1, subject="Day 1")
    desk.send(here, "/so-far/", "take-back")
    assert Newsletter.objects.get() == of_day_one
    assert Pairing.objects.filter(status="done").count() == 0
    in_round_two = Pairing.objects.filter(round__number=2).first()
    TypedScores.objects.create(
        pairing=in_round_two, scores=[5000, 4000], by=staff["scorer"], at=datetime(2026, 9, 1, tzinfo=UTC)
    )
    desk.send(here, "/so-far/", "big-act")
    assert EventAct.objects.first().sentence == "3 results of several rounds were entered."
    desk.send(here, "/so-far/", "take-back")
    typed_later = TypedScores.objects.filter(pairing=second)
    assert typed_later.get().scores == [5000, 4200]
    typed_later.update(at=datetime(2026, 9, 2, tzinfo=UTC))
    with pytest.raises(Refused, match="Scores have been typed since the draw"):
        season_draw.undo_draw(Season.objects.get().pk, staff["owner"])
    assert browser_of(staff["member"]).client.get(here).status_code == 403
