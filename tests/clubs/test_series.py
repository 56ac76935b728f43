"""Series of a club: standings over its evenings, by the pages' own forms and by programs."""

import io
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from accounts.display_names import FORMER
from clubs.models import Club, Membership, Series, SeriesEvent
from clubs.series import services
from clubs.series.standings import board
from clubs.services import club_archive, history
from tests.makers import make_event
from tests.tournaments.driving import lines_of, open_pairings
from tournaments.models import Member, Tournament
from tournaments.plan import standard
from tournaments.services.matches import results

pytestmark = pytest.mark.django_db

START = datetime(2026, 9, 1, 17, tzinfo=UTC)
NAMES = ("Ann", "Ben", "Cem", "Dee")


def evening(club, owner, week, scores, *, names=NAMES, counts="total", **fields):
    """An evening of one table of four people, played to its end with these card points."""
    plan = standard("swiss_pods", rounds=1, seats=4, counts=counts)
    event = make_event(
        owner, plan, name=f"Evening {week}", entries=len(names), circle=club.circle,
        starts_at=START + timedelta(weeks=week), status="open", **fields,
    )  # fmt: skip
    for entry, name in zip(event.entries.order_by("number"), names, strict=True):
        person = name if isinstance(name, str) else name.display_name
        entry.name = person
        entry.save()
        Member.objects.create(entry=entry, tournament=event, name=person, user=None if isinstance(name, str) else name)
    from tournaments.services.events import lifecycle

    lifecycle.start(event.pk, owner, anyway=True)
    by_name = dict(zip([name if isinstance(name, str) else name.display_name for name in names], scores, strict=True))
    for pairing in open_pairings(event):
        results.decide(pairing.pk, lines_of(pairing, lambda people: [by_name[each] for each in people]), by=owner)
    event.refresh_from_db()
    assert event.status == "over"
    return event


@pytest.fixture
def season(club, staff):
    """Three evenings of Ann, Ben, Cem and Dee, and the best two of them as a series."""
    owner = staff["owner"]
    scores = ((4000, 3000, 2000, 1000), (1000, 3500, 2000, 500), (100, 200, 4000, 3000))
    events = [evening(club, owner, week, each) for week, each in enumerate(scores)]
    services.make(club, owner, name="Autumn", first_day=START.date(), way="best", number=2)
    return SimpleNamespace(club=club, owner=owner, events=events, series=Series.objects.get())


def places(series):
    return [(row.place, row.name, row.total) for row in board(series).rows]


# Standings


def test_the_best_evenings_of_each_person(season):
    assert places(season.series) == [
        ("1", "Ben", "6,500"),
        ("2", "Cem", "6,000"),
        ("3", "Ann", "5,000"),
        ("4", "Dee", "4,000"),
    ]


@pytest.mark.parametrize(
    ("measure", "way", "number", "expected"),
    [
        ("points", "sum", None, [("1", "Cem", "8,000"), ("2", "Ben", "6,700"), ("3", "Ann", "5,100"), ("4", "Dee", "4,500")]),
        ("place", "sum", None, [("1", "Ben", "9"), ("1", "Cem", "9"), ("3", "Ann", "7"), ("4", "Dee", "5")]),
        ("points", "average", 3, [("1", "Cem", "2,666.7"), ("2", "Ben", "2,233.3"), ("3", "Ann", "1,700"), ("4", "Dee", "1,500")]),
        ("percent", "best", 1, [("1", "Ann", "100.00"), ("1", "Ben", "100.00"), ("1", "Cem", "100.00"), ("4", "Dee", "66.67")]),
    ],
)  # fmt: skip
def test_what_counts_and_how(season, measure, way, number, expected):
    Series.objects.update(measure=measure, way=way, number=number or 1)
    standings = sorted((place.rstrip("="), name, total) for place, name, total in places(Series.objects.get()))
    assert standings == expected


def test_an_evening_that_follows_counts_without_another_act(season):
    evening(season.club, season.owner, 3, (9000, 0, 0, 0))
    assert places(season.series)[0] == ("1", "Ann", "13,000")


def test_an_evening_that_is_not_over_or_not_within_the_days_does_not_count(season):
    evening(season.club, season.owner, -1, (9000, 0, 0, 0))
    later = evening(season.club, season.owner, 3, (9000, 0, 0, 0))
    Tournament.objects.filter(pk=later.pk).update(status="running")
    assert len(board(season.series).evenings) == 3


def test_a_correction_of_an_evening_is_in_the_standings(season):
    pairing = season.events[0].stages.get().rounds.get().pairings.get()
    assert places(season.series)[0][1] == "Ben"
    results.decide(
        pairing.pk,
        lines_of(pairing, lambda people: [9000 if name == "Dee" else 0 for name in people]),
        by=season.owner,
        reason="Wrong sheet",
    )
    assert places(season.series)[0] == ("1", "Dee", "12,000")


def test_a_person_is_their_account_their_member_and_their_name(season, in_club, person):
    mia = in_club(season.club, "Mia")
    stranger = person("Stranger")
    evening(season.club, season.owner, 3, (400, 300, 200, 100), names=(mia, stranger, "Mia", "Zoe"))
    evening(season.club, season.owner, 4, (400, 300, 200, 100), names=("mia", "Ann", stranger, "Zoe"))
    rows = {row.name: row for row in board(season.series).rows}
    assert rows["Stranger"].total == "500"
    assert [(row.name, row.total) for row in board(season.series).rows if row.name == "Mia"] == [
        ("Mia", "600"),
        ("Mia", "200"),
    ]


def test_pairs_bring_their_points_to_both(season):
    event = season.events[0]
    entry = event.entries.get(name="Ann")
    Member.objects.create(entry=entry, tournament=event, name="Eva")
    assert ("4", "Eva", "4,000") in [(place.rstrip("="), name, total) for place, name, total in places(season.series)]


def test_who_sat_out_all_evening_is_not_in_it(season):
    event = season.events[2]
    assert len(board(season.series).rows[0].cells) == 3
    entry = event.entries.get(name="Cem")
    type(entry).objects.filter(pk=entry.pk).update(status="disqualified")
    Tournament.objects.filter(pk=event.pk).update(version=event.version + 1)
    cem = next(row for row in board(season.series).rows if row.name == "Cem")
    assert cem.cells[2].words == "–"


# Pages


def test_the_page_strikes_dropped_evenings_and_links_all(season, browser_of):
    page = browser_of().get(season.series.get_absolute_url())
    assert '<s>100</s><span class="vh"> dropped</span>' in page.replace("\n", "")
    assert "Points of the evening. Each person’s best 2 evenings count." in page
    assert all(event.get_absolute_url() in page for event in season.events)
    assert "Edit series" not in page


def test_other_pages_lead_to_it(season, browser_of):
    for path in ("/clubs/harbour/", "/clubs/harbour/events/", "/clubs/harbour/series/"):
        assert season.series.get_absolute_url() in browser_of().get(path)


def test_an_evening_for_members_only_makes_the_standings_theirs(season, staff, browser_of, client):
    Tournament.objects.filter(pk=season.events[0].pk).update(visibility="circle")
    sentence = "Some of these evenings are for members only, and so are the standings."
    path = season.series.get_absolute_url()
    assert sentence in browser_of().get(path)
    assert "Ben" not in browser_of().get(path)
    assert client.get(f"{path}standings.csv").status_code == 403
    assert client.get("/api/v1/clubs/harbour/series/autumn/").status_code == 403
    assert "6,500" in browser_of(staff["member"]).get(path)


def test_an_organiser_makes_a_series_with_the_form(season, staff, browser_of):
    desk = browser_of(staff["organiser"])
    desk.submit(
        "/clubs/harbour/series/",
        "make",
        name="Winter",
        first_day="2026-12-01",
        last_day="2027-02-28",
        way="average",
        measure="place",
        number="4",
    )
    series = Series.objects.get(slug="winter")
    assert (series.last_day.isoformat(), series.way, series.measure, series.number) == (
        "2027-02-28",
        "average",
        "place",
        4,
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": " "}, "Give the series a name."),
        ({"name": "autumn"}, "A series called autumn already exists."),
        ({"last_day": "2026-08-31"}, "The last day must not be before the first."),
        ({"number": ""}, "Enter how many evenings count."),
        ({"number": "367"}, "Enter a number of evenings from 1 to 366."),
        ({"first_day": "soon"}, "Date has wrong format."),
    ],
)
def test_a_refused_form_says_why_and_loses_nothing(season, staff, browser_of, typed, sentence):
    values = {
        "name": "Winter",
        "first_day": "2026-09-01",
        "last_day": "",
        "way": "best",
        "measure": "place",
        "number": "4",
    }
    answer = browser_of(staff["owner"]).press("/clubs/harbour/series/", "make", **values | typed)
    content = answer.content.decode()
    assert (answer.status_code, Series.objects.count()) == (422, 1)
    assert sentence in content
    assert 'value="place" checked' in content


def test_evenings_are_chosen_in_one_act_with_one_undo(season, staff, browser_of):
    before = evening(season.club, season.owner, -1, (9000, 0, 0, 0))
    desk, first = browser_of(staff["organiser"]), season.events[0]
    path = f"{season.series.get_absolute_url()}edit/"
    chosen = [str(pk) for pk in (before.pk, season.events[1].pk, season.events[2].pk)]
    desk.submit(path, "save-evenings", included=chosen)
    assert dict(SeriesEvent.objects.values_list("event", "is_counted")) == {before.pk: True, first.pk: False}
    assert [each.event.pk for each in board(season.series).evenings] == [int(pk) for pk in chosen]
    act = season.club.acts.latest("pk")
    assert act.sentence == "The evenings that count in Autumn were changed."
    history.undo(act.pk, by=staff["organiser"])
    assert not SeriesEvent.objects.exists()
    assert desk.press(path, "save-evenings").status_code == 422


def test_changed_and_deleted_and_undone(season, staff, browser_of):
    desk, path = browser_of(staff["organiser"]), f"{season.series.get_absolute_url()}edit/"
    desk.submit(path, "save", name="Autumn league", number="1")
    season.series.refresh_from_db()
    assert (season.series.name, season.series.slug, season.series.number) == ("Autumn league", "autumn", 1)
    services.choose(season.series, season.owner, left_out=[season.events[0].pk])
    desk.submit(path, "delete")
    assert (Series.objects.count(), SeriesEvent.objects.count()) == (0, 0)
    history.undo(season.club.acts.latest("pk").pk, by=season.owner)
    assert (Series.objects.count(), SeriesEvent.objects.count()) == (1, 1)
    page = browser_of(staff["owner"]).get("/clubs/harbour/history/")
    assert "Series changed: Autumn league." in page


def test_events_of_other_clubs_cannot_be_chosen(season, quay, refuses):
    other = evening(quay, season.owner, 0, (1, 2, 3, 4))
    with refuses("no_event"):
        services.choose(season.series, season.owner, included=[other.pk])


@pytest.mark.parametrize("role", ["scorer", "member", "guest"])
def test_only_organisers_change_series(season, staff, browser_of, role):
    answer = browser_of(staff[role]).client.post("/clubs/harbour/series/", {"name": "x"})
    assert answer.status_code == 403
    assert browser_of(staff[role]).client.get(f"{season.series.get_absolute_url()}edit/").status_code == 403


def test_the_pages_cost_as_much_with_one_evening_as_with_four(season, browser_of, django_assert_num_queries):
    reader, path = browser_of(), season.series.get_absolute_url()
    reader.get(path)
    Club.objects.update(version=1000)
    with django_assert_num_queries(9):
        reader.get(path)
    evening(season.club, season.owner, 3, (1, 2, 3, 4))
    reader.get(path)
    Club.objects.update(version=1001)
    with django_assert_num_queries(9):
        reader.get(path)


# Files and programs


def test_the_file_has_a_column_for_each_evening(season, client):
    answer = client.get(f"{season.series.get_absolute_url()}standings.csv")
    lines = answer.content.decode("utf-8-sig").split("\r\n")
    assert (
        lines[0]
        == "place,name,total,evenings,counted,dropped,2026-09-01 Evening 0,2026-09-08 Evening 1,2026-09-15 Evening 2"
    )
    assert lines[1] == "1,Ben,6500,3,2,2026-09-15,3000,3500,200"


def test_programs_read_the_same_standings(season, client):
    data = client.get("/api/v1/clubs/harbour/series/autumn/").json()
    assert data["standings"][0] == {
        "rank": 1,
        "name": "Ben",
        "total": 6500.0,
        "evenings": [3000.0, 3500.0, 200.0],
        "dropped": [2],
    }
    assert [each["slug"] for each in data["evenings"]] == [event.slug for event in season.events]
    assert data["rule"] == "Points of the evening. Each person’s best 2 evenings count."


def test_programs_make_change_choose_and_delete(season, program):
    send, base = program(season.owner, "clubs_run", "clubs_read"), "clubs/harbour/series/winter/"
    send.post("clubs/harbour/make-series/", name="Winter", first_day="2026-12-01")
    send.post(f"{base}change/", name="Winter", first_day="2026-09-01", way="best", number=1)
    send.post(f"{base}choose/", left_out=[season.events[0].pk])
    chosen = {each["id"]: each["is_counted"] for each in send.get(f"{base}could-count/")["evenings"]}
    assert chosen == {season.events[0].pk: False, season.events[1].pk: True, season.events[2].pk: True}
    send.post(f"{base}choose/", included=[season.events[0].pk + 1000], expected=422)
    send.post(f"{base}delete/")
    assert Series.objects.count() == 1


# The archive, and people who leave


def test_the_archive_has_the_series_with_the_same_standings(season):
    services.choose(season.series, season.owner, left_out=[season.events[0].pk])
    file = io.BytesIO()
    club_archive.export_club(season.club.pk, season.owner, file)
    club = club_archive.import_club(season.owner, file, slug="moved")
    series = Series.objects.get(club=club)
    assert places(series) == places(season.series)
    assert len(board(series).evenings) == 2


def test_people_whose_accounts_are_deleted_are_former_members_each_on_a_line_of_their_own(season, in_club, gone):
    mia, noa = in_club(season.club, "Mia"), in_club(season.club, "Noa")
    evening(season.club, season.owner, 3, (400, 300, 200, 100), names=(mia, noa, "Cem", "Zoe"))
    for user in (mia, noa):
        gone(user)
    rows = board(season.series).rows
    assert [row.total for row in rows if row.name == FORMER] == ["400", "300"]
    assert not any(row.name in ("Mia", "Noa") for row in rows)
    assert Membership.objects.filter(club=season.club, name=FORMER).count() == 2
