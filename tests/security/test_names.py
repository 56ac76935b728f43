"""Names in every script at every door that takes one, the same on every database."""

import unicodedata

import pytest
from django.test import Client

from accounts.display_names import folded
from accounts.forms import ProfileForm
from accounts.models import User
from clubs.house_rules import services as house_rules
from clubs.models import Club, HouseRules, Membership, Season, Team
from clubs.services import club_lifecycle
from clubs.services.leagues import leagues, teams
from clubs.services.members import member_import, membership
from clubs.services.seasons import season_setup
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.models import ScoreSheet, Table
from gameplay.score_sheets import services as score_sheets
from gameplay.services import tables
from tests.clubs.leagues import FIRST_DAY, names
from tests.makers import make_club, make_event
from tournaments.models import Entry
from tournaments.plan import standard
from tournaments.services.entries import bulk_entry
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.events import lifecycle
from web.errors import Refused

pytestmark = pytest.mark.django_db

KEPT = {
    "four bytes": ("🃏 Ann", "🃏 Ann"),
    "beyond the basic plane": ("𠮷野", "𠮷野"),
    "Turkish": ("İpek Işık", "İpek Işık"),
    "letter and accent": ("Zoe\u0308", "Zoë"),
    "Arabic": ("ليلى", "ليلى"),
    "two accents": ("Đặng", "Đặng"),
    "blanks": ("  Ann \u00a0 Lee ", "Ann Lee"),
}
REFUSED = {
    "right to left": "\u202eAnn", "isolate": "\u2067Ann\u2069", "zero width": "An\u200bn", "joiner": "An\u200dn",
    "mark of order": "\ufeffAnn", "line": "Ann\nBen", "filler": "\u3164", "blank": " \u2800 ", "nothing": "",
    "marks": "a" + "\u0335" * 30, "255 letters": "é" * 255, "255 of one letter with marks": "e\u0301\u0323" * 255,
    "who has left": "Ｆormer member",
}  # fmt: skip
SAME = {
    "composed and not": ("Zoë Lind", "Zoe\u0308 Lind"),
    "capitals": ("Ömer Ak", "ÖMER AK"),
    "wide letters": ("Ann Lee", "Ａｎｎ Lee"),
    "joined letters": ("Fin Fiala", "ﬁn ﬁala"),
    "sharp s": ("Anna Groß", "ANNA GROSS"),
    "dotted capital": ("İpek Su", "i\u0307pek su"),
    "final sigma": ("Νίκος", "ΝΊΚΟΣ"),
}
TOLD_APART = ("Ilgin", "Ilgın"), ("Ana", "Ána")
"""Characters that differ in any script are other names."""


@pytest.fixture
def olive(person):
    return person("Olive")


@pytest.fixture
def club(olive):
    return make_club("Harbour", owner=olive)


@pytest.fixture
def league(club, olive):
    return leagues.make(club.pk, olive, name="Monday")


@pytest.fixture
def event(olive):
    return make_event(olive, entries=0, status="open")


def profile(name, olive):
    form = ProfileForm({"display_name": name, "time_zone": "UTC", "language": "en"}, instance=olive)
    if not form.is_valid() and "display_name" in form.errors:
        raise Refused("bad_name", " ".join(form.errors["display_name"]))
    return form.cleaned_data["display_name"]


def team(name, league, olive):
    people = names(league.club, f"A{Team.objects.count()}", f"B{Team.objects.count()}")
    return teams.add(league.pk, olive, members=[person.pk for person in people], name=name).name


def by_csv(name, club, olive):
    quoted = name.replace('"', '""')
    member_import.import_members(club.pk, olive, data=f'name,role\n"{quoted}",member\n')
    return Membership.objects.filter(club=club).latest("pk").name


DOORS = {
    "account": lambda name, f: profile(name, f["olive"]),
    "club": lambda name, f: club_lifecycle.make_club(f["person"](f"Maker{User.objects.count()}"), name=name).name,
    "person of a club": lambda name, f: (
        membership.add_names(f["club"].pk, f["olive"], lines=[name]),
        Membership.objects.filter(club=f["club"]).latest("pk").name,
    )[1],
    "people by CSV": lambda name, f: by_csv(name, f["club"], f["olive"]),
    "house rules": lambda name, f: (
        house_rules.make(f["club"].pk, f["olive"], name=name, rules=Rules.preset("family")),
        HouseRules.objects.latest("pk").name,
    )[1],
    "league": lambda name, f: leagues.make(f["club"].pk, f["olive"], name=name).name,
    "season": lambda name, f: (
        season_setup.make(
            f["league"].pk, f["olive"], name=name, divisions=[("One", 4)], starts_on=FIRST_DAY, preset="standard"
        ).name
    ),
    "division": lambda name, f: (
        season_setup.make(
            f["league"].pk,
            f["olive"],
            name=f"Season {Season.objects.count()}",
            divisions=[(name, 4)],
            starts_on=FIRST_DAY,
            preset="standard",
        )
        .divisions.get()
        .name
    ),
    "event": lambda name, f: (
        lifecycle.make_event(
            f["olive"], name=name, settings={"rules": Rules.make("standard")}, plans=[standard("swiss")]
        ).name
    ),
    "table": lambda name, f: (
        tables.make_table(f["olive"], Rules.preset("standard"), name=name, seat_count=4, team_size=2).name
    ),
    "list of names": lambda name, f: (
        bulk_entry.enter_names(f["event"].pk, f["olive"], lines=[Names((name,))]),
        Entry.objects.latest("pk").name,
    )[1],
}
"""Everything that gives something a name: returns the stored name, or raises `Refused`."""
UNIQUE = ("person of a club", "people by CSV", "house rules", "league")
"""Things whose names must be unique."""


MENDED = {("people by CSV", "line"): "Ann Ben"}
"""A spreadsheet’s line break within a name, which is read as a space."""


@pytest.fixture
def givers(olive, club, league, event, person):
    return {"person": person, "olive": olive, "club": club, "league": league, "event": event}


def club_names():
    models = (Club, Membership, HouseRules, Season, Table, Team, Entry)
    return [list(model.objects.order_by("pk").values_list("pk", "name")) for model in models]


@pytest.mark.parametrize("door", DOORS)
def test_every_script_is_kept_and_what_deceives_is_refused(door, givers):
    for typed, stored in KEPT.values():
        assert DOORS[door](typed, givers) == stored
        assert unicodedata.is_normalized("NFC", stored)
    for kind, typed in REFUSED.items():
        if (door, kind) in MENDED:
            assert DOORS[door](typed, givers) == MENDED[door, kind]
            continue
        before = club_names()
        with pytest.raises(Refused) as refusal:
            DOORS[door](typed, givers)
        assert refusal.value.sentence.endswith("."), (kind, refusal.value.sentence)
        assert club_names() == before, kind


@pytest.mark.parametrize("kind", REFUSED)
def test_a_table_is_not_named_so_by_page_or_program(kind, olive):
    client, typed = Client(), REFUSED[kind]
    client.force_login(olive)
    form = {"name": typed, "preset": "standard", "shape": "4x2", "pace": "none"}
    page = client.post("/tables/new/", {**form, "joining": "link", "watching": "link", "missed": "bot"})
    answer = client.post("/api/v1/tables/", {"name": typed}, "application/json")
    assert page.status_code == 422
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("invalid", "bad_name")
    assert not Table.objects.exists()


@pytest.mark.parametrize("kind", ["right to left", "isolate", "zero width", "joiner", "mark of order", "filler"])
def test_a_score_sheet_has_no_such_names_by_page_or_program(kind, olive):
    client, typed = Client(), REFUSED[kind]
    client.force_login(olive)
    names = ["Ann", "Ben", "Cem", "Dee"]
    sent = {"rules": "standard", "seat_count": 4, "team_size": 2, "names": names, "title": ""}
    for wrong in ({"title": typed}, {"names": [typed, *names[1:]]}):
        answer = client.post("/api/v1/score-sheets/", {**sent, **wrong}, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_name"), wrong
    with pytest.raises(Refused) as refusal:
        score_sheets.make(Rules.preset("standard"), Shape(4, 2), names, title=typed)
    assert refusal.value.code == "bad_name"
    assert not ScoreSheet.objects.exists()


@pytest.mark.parametrize("door", [*UNIQUE, "team"])
def test_names_that_pass_for_one_another_are_one(door, givers):
    give = DOORS.get(door) or (lambda name, f: team(name, f["league"], f["olive"]))
    for kind, (first, second) in SAME.items():
        assert folded(first) == folded(second), kind
        give(first, givers)
        with pytest.raises(Refused):
            give(second, givers)
    for first, second in TOLD_APART:
        give(first, givers)
        give(second, givers)


@pytest.mark.parametrize("typed", ["ömer", "ÖMER", "Ömer", "mer"])
def test_a_search_finds_whatever_the_capitals(typed, olive, club):
    Club.objects.filter(pk=club.pk).update(name="Ömer’s club")
    make_event(olive, name="Ömer cup", entries=0, status="open")
    membership.add_names(club.pk, olive, lines=["Ömer Ak"])
    client = Client()
    client.force_login(olive)
    for path in (f"/clubs/?q={typed}", f"/events/?name={typed}", f"/clubs/{club.slug}/members/?q={typed}"):
        Membership.objects.update(is_listed=True)
        assert "Ömer" in client.get(path).content.decode().partition("<main")[2], path
    for path in ("clubs", "events"):
        assert client.get(f"/api/v1/{path}/", {"name": typed}).json()[path], path
        assert not client.get(f"/api/v1/{path}/", {"name": "%"}).json()[path]
        assert not client.get(f"/api/v1/{path}/", {"name": "_mer"}).json()[path]
