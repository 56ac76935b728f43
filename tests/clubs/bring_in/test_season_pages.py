"""The pages that import results and final tables, without script: read, checked, imported in one act, undone."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Act, Honour, KeptAside, League, Season, SeasonEntry
from clubs.services import history
from clubs.services.seasons import season_close
from tests.clubs.bring_in.samples import SAMPLES
from tests.clubs.bring_in.test_pages import fields_of
from tests.pages import squeezed
from tests.tournaments.organising import refusal
from web.errors import Refused

pytestmark = pytest.mark.django_db

RESULTS = "/clubs/harbour/import/results/"
TABLE = "/clubs/harbour/import/table/"
FINAL = """\
Harbour League 2024/25
Pos\tPair\tPld\tW\tPts
1\tLund / Arai\t14\t11\t22
2\tOkafor / Bell\t14\t9\t18,5
2\tDoyle / Brandt\t14\t9\t18,5
4\tHaddad / Vik\t13\t1\t2
TOTAL\t\t55\t30\t61
"""


@pytest.fixture
def page(browser_of, owner):
    return browser_of(owner)


def read(page, url, text):
    page.get(url)
    return page.press(url, "read", paste=text)


def test_a_final_table_becomes_a_season_that_says_what_it_is(page, club, owner):
    answer = read(page, TABLE, FINAL)
    text = squeezed(answer.content.decode())
    assert "2024/25" in text
    assert "Import 4 teams" in text
    fields = fields_of(answer) | {"league": "", "league_name": "Harbour League"}
    assert fields["first_day"] == ["2024-09-01"]
    assert page.client.post(TABLE, fields)["Location"] == "/clubs/harbour/data/"
    season = Season.objects.get()
    assert (season.name, season.status, season.starts_on.isoformat()) == ("2024/25", "closed", "2024-09-01")
    entries = SeasonEntry.objects.order_by("position").values_list("team__name", "final_rank", "final_row")
    assert list(entries)[1] == ("Okafor / Bell", 2, {"played": 14, "won": 9, "points": 18.5})
    assert list(entries)[3] == ("Haddad / Vik", 4, {"played": 13, "won": 1, "points": 2})
    act = Act.objects.get()
    assert act.sentence == (
        "Final tables with 4 teams were imported into Harbour League: 2024/25. 1 row was set aside."
    )
    assert Honour.objects.filter(title__startswith="Champion", team__name="Lund / Arai").count() == 1
    shown = squeezed(page.get(season.get_absolute_url()))
    assert "Only the final table of this season is known." in shown
    assert "18.5" in shown
    assert "2=" in shown
    assert "Rows set aside" in page.get("/clubs/harbour/data/")
    page.client.post(TABLE, fields)
    assert Season.objects.count() == 1
    with pytest.raises(Refused, match="has only a final table"):
        season_close.undo_close(season.pk, owner)
    history.undo(act.pk, by=owner)
    assert not Season.objects.exists()
    assert not League.objects.exists()


def test_every_page_of_such_a_season_answers(page, club):
    fields = fields_of(read(page, TABLE, FINAL)) | {"league": "", "league_name": "Harbour League"}
    page.client.post(TABLE, fields)
    season = Season.objects.get()
    here, league = season.get_absolute_url(), season.league.get_absolute_url()
    pages = [league, f"{league}teams/1/", f"{league}teams/", here, f"{here}run/", f"{here}next/", f"{here}close/"]
    files = ["table.csv", "table.json", "table.pdf", "fixtures.csv"]
    pages += [f"{here}1/{part}" for part in ("", "fixtures/", "results/", "crosstable/", "embed/", *files)]
    pages += ["/clubs/harbour/statistics/", "/clubs/harbour/", "/clubs/harbour/run/", "/clubs/harbour/history/"]
    answers = {path: page.client.get(path).status_code for path in pages}
    assert answers[league] == answers[here] == answers[f"{league}teams/1/"] == 200
    assert max(answers.values()) < 500, answers


def test_a_final_table_can_be_the_one_before_the_next_season(page, club, owner):
    page.client.post(TABLE, fields_of(read(page, TABLE, FINAL)) | {"league": "", "league_name": "Harbour League"})
    answer = page.client.get(f"{Season.objects.get().get_absolute_url()}next/")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert text.index("Lund / Arai") < text.index("Okafor / Bell") < text.index("Haddad / Vik")


def test_a_season_of_this_name_is_refused_and_nothing_is_lost(page, club):
    page.client.post(TABLE, fields_of(read(page, TABLE, FINAL)) | {"league": "", "league_name": "Harbour League"})
    league = League.objects.get()
    again = fields_of(read(page, TABLE, FINAL))
    assert again["league"] == [str(league.pk)]
    answer = page.client.post(TABLE, again)
    assert "already has a season called 2024/25" in squeezed(answer.content.decode())
    assert "Lund / Arai" in answer.content.decode()


def test_results_become_a_season_on_the_page(page, club, owner):
    page.get(RESULTS)
    sample = next(sample for sample in SAMPLES if sample.name == "results.xlsx")
    token = page.client.cookies["csrftoken"].value
    file = SimpleUploadedFile("results.xlsx", sample.data)
    answer = page.client.post(RESULTS, {"csrfmiddlewaretoken": token, "file": file})
    assert "Import 4 matches" in squeezed(answer.content.decode())
    fields = fields_of(answer) | {"league": "", "league_name": "Harbour League"}
    assert page.client.post(RESULTS, fields)["Location"] == "/clubs/harbour/data/"
    assert (Season.objects.get().name, Act.objects.count()) == ("2025/26", 1)
    assert KeptAside.objects.get().what == "results"
    history.undo(Act.objects.get().pk, by=owner)
    assert not Season.objects.exists()


def test_results_without_days_come_in_on_the_day_that_is_typed(page, club):
    answer = read(page, RESULTS, "Home,Away,Score\nLund,Arai,2:0\nArai,Bell,1:3\n")
    fields = fields_of(answer) | {"league": "", "league_name": "L", "season_name": "Spring"}
    assert "The date is missing." in squeezed(answer.content.decode())
    page.client.post(RESULTS, fields | {"first_day": "2025-03-01"})
    season = Season.objects.get()
    assert (season.name, season.starts_on.isoformat()) == ("Spring", "2025-03-01")


def test_a_table_without_places_is_refused(page, club):
    answer = page.client.post(TABLE, fields_of(read(page, TABLE, "Pos,Team\nTOTAL,\n")))
    assert refusal(answer) == "There are no places to import."
