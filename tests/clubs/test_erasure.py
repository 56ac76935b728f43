"""Personal data in clubs: exported, and erased at every door while results stay."""

import io
import json
import zipfile

import pytest
from django.core.cache import cache
from django.urls import NoReverseMatch, get_resolver, reverse

from accounts import privacy
from clubs.imports.season import read_season
from clubs.models import Appearance, Membership, News, Newsletter, Proposal, Season, SeasonEntry, Team, TeamMember
from clubs.services import club_archive, history
from clubs.services.members import joining, membership
from clubs.services.publications import news
from clubs.services.seasons import past_seasons
from clubs.services.seasons.past_seasons import Wishes
from tests.clubs.seasons import round_robin, sheet
from tests.tournaments.organising import Desk
from tournaments.models import Member, Pairing, Result, Tournament

pytestmark = pytest.mark.django_db
TEAMS = ("Zora Blix / Bo Lund", "Ina / Joy", "Kit / Lea", "Max / Nia")


@pytest.fixture
def gone(gone):
    """Delete an account, with all that follows; no page is kept from before."""

    def delete(user):
        gone(user)
        cache.clear()

    return delete


@pytest.fixture
def zora(club, owner, in_club):
    """A person who played a season, wrote news, asked to move a match, and appears in acts."""
    user = in_club(club, "Zora Blix", contact="Quay 7", is_listed=True)
    lines = round_robin(TEAMS)
    lines[0][10] = "Zora Blix was late"
    wishes = Wishes(league_name="Harbour League")
    past_seasons.import_seasons(club.pk, owner, sheet=read_season(sheet(lines)), wishes=wishes)
    news.write(club.pk, owner, title="Zora Blix wins", body="Well played, Zora Blix.")
    team = Team.objects.get(name=TEAMS[0])
    Proposal.objects.create(
        pairing=Pairing.objects.first(),
        team=team,
        by=user,
        starts_at="2026-01-01T00:00Z",
        words="Zora Blix cannot come",
        status="declined",
    )
    return user


def club_pages(club):
    """The address of every page of clubs that the rows of this club can fill."""
    season = Season.objects.get()
    arguments = {
        "club": club.slug,
        "league": season.league.slug,
        "season": season.slug,
        "level": 1,
        "number": 1,
        "match": Pairing.objects.first().pk,
        "membership": Appearance.objects.get(member__entry__number=1, member__position=0).membership_id,
        "news": News.objects.values_list("pk", flat=True).first(),
        "newsletter": Newsletter.objects.values_list("pk", flat=True).first(),
    }
    names = get_resolver("clubs.urls").reverse_dict
    for name in sorted(name for name in names if isinstance(name, str)):
        needed = {part: arguments.get(part) for possibility, *_ in names.getlist(name) for part in possibility[0][1]}
        if None not in needed.values():
            try:
                yield reverse(f"clubs:{name}", kwargs=needed)
            except NoReverseMatch:
                continue


def event_pages():
    base = Tournament.objects.get().get_absolute_url()
    files = ("", "event.json", "entries.csv", "results.csv", "schedule.csv", "1/standings.csv", "feed.atom", "print/")
    return [*(base + name for name in files), Pairing.objects.first().get_absolute_url()]


def doors(club, owner):
    """Everything public or readable by the owner of a club: its pages, its events and their files, its archive."""
    desk = Desk(owner)
    for path in (*club_pages(club), *event_pages()):
        answer = desk.client.get(path)
        assert answer.status_code < 500, path
        yield path, b"".join(answer) if answer.streaming else answer.content
    file = io.BytesIO()
    club_archive.export_club(club.pk, owner, file)
    with zipfile.ZipFile(file) as archive:
        yield from ((f"archive/{name}", archive.read(name)) for name in archive.namelist())


def pages_showing(club, owner, words):
    """The doors that show any of these words."""
    return {path for path, content in doors(club, owner) if any(word.encode() in content for word in words)}


@pytest.mark.slow
def test_a_name_is_gone_from_every_door(club, owner, zora, gone):
    Newsletter.objects.create(club=club, subject="Zora Blix again", body="Zora Blix won.", status="sent")
    assert len(pages_showing(club, owner, ["Zora", "Quay 7"])) > 40
    scores = list(Pairing.objects.order_by("pk").values_list("places__score", "places__points"))
    gone(zora)
    assert pages_showing(club, owner, ["Zora", "Blix", "Quay 7"]) == set()
    assert list(Pairing.objects.order_by("pk").values_list("places__score", "places__points")) == scores
    appearance = Appearance.objects.get(member__entry__name="former member / Bo Lund", member__name="former member")
    assert appearance.membership.name == "former member"
    assert SeasonEntry.objects.filter(team__name="former member / Bo Lund").exists()


@pytest.mark.slow
def test_who_claimed_a_name_of_a_past_season_is_forgotten_too(club, owner, in_club, person, gone):
    past_seasons.import_seasons(
        club.pk, owner, sheet=read_season(sheet(round_robin(TEAMS))), wishes=Wishes(league_name="Harbour League")
    )
    name = Membership.objects.get(name="Zora Blix")
    zoe = person("Zoelle")
    from clubs.services.members import name_claims

    name_claims.claim_by_link(name.claim_token, zoe)
    assert Member.objects.get(name="Zora Blix").user == zoe
    gone(zoe)
    assert pages_showing(club, owner, ["Zora", "Blix", "Zoelle"]) == set()


@pytest.mark.slow
def test_who_claimed_a_name_beside_their_own_is_forgotten_under_both(club, owner, in_club, gone):
    """Both names played in one event: only one of them can be the account's there, and both are the person's."""
    zoe = in_club(club, "Zoe Quill")
    lines = round_robin(("Zora Blix / Bo Lund", "Zoe Quill / Joy", *TEAMS[2:]))
    wishes = Wishes(league_name="Harbour League")
    past_seasons.import_seasons(club.pk, owner, sheet=read_season(sheet(lines)), wishes=wishes)
    from clubs.services.members import name_claims

    name_claims.claim_by_link(Membership.objects.get(name="Zora Blix").claim_token, zoe)
    assert Appearance.objects.filter(membership__user=zoe).count() == 2
    gone(zoe)
    assert pages_showing(club, owner, ["Zora", "Blix", "Quill"]) == set()


def test_drafts_of_newsletters_forget_too(club, owner, zora, gone):
    Newsletter.objects.create(club=club, subject="Zora Blix again", body="Zora Blix won.")
    gone(zora)
    newsletter = Newsletter.objects.get()
    assert "Zora" not in newsletter.subject + newsletter.body


def test_undoing_brings_no_name_back(club, owner, zora, gone):
    gone(zora)
    act = club.acts.get(kind="bring_in")
    history.undo(act.pk, by=owner)
    text = json.dumps(list(club.acts.values("sentence", "changes", "reason")), default=str)
    assert "Zora" not in text
    assert not Membership.objects.filter(name__contains="Zora").exists()


def test_an_imported_archive_knows_only_former_member(club, owner, zora, gone, person):
    gone(zora)
    file = io.BytesIO()
    club_archive.export_club(club.pk, owner, file)
    new = club_archive.import_club(person("Otto"), file, slug="harbour-two")
    assert Team.objects.filter(club=new, name="former member / Bo Lund").exists()
    assert Membership.objects.filter(club=new, name="former member").exists()


def test_a_person_takes_away_what_clubs_know(club, owner, zora, person):
    joining_one = person("Mia")
    joining.ask(club.pk, joining_one, words="I am Mia")
    data = privacy.export(zora)["clubs"]
    (membership,) = data["memberships"]
    assert (membership["club"], membership["name"], membership["contact"], membership["in_directory"]) == (
        "Harbour Hand and Foot",
        "Zora Blix",
        "Quay 7",
        True,
    )
    assert [(team["league"], team["team"], team["role"]) for team in data["teams"]] == [
        ("Harbour League", TEAMS[0], "captain")
    ]
    assert [(entry["entry"], entry["name"]) for entry in data["events"]] == [(TEAMS[0], "Zora Blix")]
    assert [proposal["words"] for proposal in data["proposals"]] == ["Zora Blix cannot come"]
    assert [request["words"] for request in privacy.export(joining_one)["clubs"]["requests"]] == ["I am Mia"]
    assert [item["title"] for item in privacy.export(owner)["clubs"]["news"]] == ["Zora Blix wins"]
    assert len(privacy.export(owner)["clubs"]["acts"]) == 2
    text = json.dumps([privacy.export(item) for item in (zora, owner, joining_one)], default=str)
    assert not [item for item in Membership.objects.values_list("claim_token", flat=True) if item in text]


@pytest.mark.parametrize("count", [1, 3])
def test_that_takes_a_fixed_number_of_queries(club, zora, django_assert_num_queries, count):
    from clubs import queries

    for number in range(count):
        TeamMember.objects.create(
            team=Team.objects.create(
                league=Team.objects.first().league, club=club, name=f"T{number}", number=90 + number
            ),
            membership=Membership.objects.get(user=zora),
        )
    with django_assert_num_queries(17):
        queries.export(zora)


def test_notes_of_matches_forget(club, zora, gone):
    assert Result.objects.filter(reason="Zora Blix was late").exists()
    gone(zora)
    assert not Result.objects.filter(reason__contains="Zora").exists()


def test_whose_name_another_has_too_stays_theirs(club, owner, zora, gone):
    membership.add_names(club.pk, owner, lines=["Zora Blix-Olsen"])
    gone(zora)
    assert Membership.objects.filter(name="Zora Blix-Olsen").exists()
