"""The newsletter by program: started from results, edited by two, sent once, and its readers."""

import pytest
from django.core import mail

from clubs import tasks
from clubs.models import Act, Membership, Newsletter
from clubs.services import history
from clubs.services.publications import newsletters
from tests.clubs import leagues as makers
from tests.makers import make_club

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

CLUB = "clubs/harbour/"


@pytest.fixture
def owner(staff, program):
    return program(staff["owner"])


@pytest.fixture
def draft(owner, club):
    """The id of a newsletter with its text."""
    letter = owner.post(f"{CLUB}write-newsletter/")["made"]["id"]
    owner.post(f"{CLUB}newsletters/{letter}/edit/", subject="Week 36", body="Dear all.", version=0)
    return letter


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        season = makers.draw(makers.make_season(harbour.club, harbour.owner, (4,)), harbour.owner)
        makers.decide(makers.match(season, "Pair 1", "Pair 2"), harbour.owner, {"Pair 1": 3000, "Pair 2": 2000})
        return season


def test_a_newsletter_is_started_from_results(owner, season):
    (topic,) = owner.get(f"{CLUB}newsletter-topics/")["topics"]
    assert (topic["season"], topic["league"], topic["name"]) == (season.pk, "monday-league", "Autumn 2026")
    about = [{"season": topic["season"], "matchday": topic["matchday"]}]
    answer = owner.post(f"{CLUB}write-newsletter/", about=about)
    letter = owner.get(f"{CLUB}newsletters/{answer['made']['id']}/")
    assert (letter["status"], letter["version"], letter["season"]) == ("draft", 0, season.pk)
    assert "Pair 1" in letter["body"]
    assert "3,000" in letter["body"]
    wrong = owner.post(f"{CLUB}write-newsletter/", 422, about=[{"season": season.pk, "matchday": 9}])
    assert (wrong["code"], wrong["field"]) == ("no_matchday", "about")


def test_a_draft_that_was_asked_for_twice_is_there_once(owner, club):
    first = owner.post(f"{CLUB}write-newsletter/", key="k")
    assert owner.post(f"{CLUB}write-newsletter/", key="k") == first
    assert Newsletter.objects.count() == 1
    assert owner.post(f"{CLUB}write-newsletter/", preview=True)["act"] is None
    assert Newsletter.objects.count() == 1


def test_who_saves_second_is_given_the_other_text(owner, staff, program, draft):
    path = f"{CLUB}newsletters/{draft}/edit/"
    program(staff["organiser"]).post(path, subject="Week 36", body="From the organiser.", version=1)
    stale = owner.post(path, 409, subject="Week 36", body="From the owner.", version=1)
    assert (stale["code"], stale["version"], stale["body"]) == ("stale", 2, "From the organiser.")
    assert owner.post(f"{CLUB}newsletters/{draft}/send/", 409, version=1)["code"] == "stale"
    owner.post(path, subject="Week 36", body="From both.", version=2)
    assert owner.get(f"{CLUB}newsletters/{draft}/")["body"] == "From both."
    assert owner.post(path, 422, subject=" ", body="", version=3)["field"] == "subject"


def test_it_is_sent_once_to_who_wants_it(owner, program, draft, in_club, club):
    path = f"{CLUB}newsletters/{draft}/send/"
    assert owner.post(path, 422, version=1)["code"] == "nobody"
    ida = program(in_club(club, "Ida"))
    ida.post(f"{CLUB}change-own/", wants_letters=True)
    assert ida.get(f"{CLUB}newsletters/")["you_want_it"]
    assert owner.get(f"{CLUB}newsletters/{draft}/")["readers"] == 1
    preview = owner.post(path, version=1, preview=True)
    assert "goes to 1 member" in preview["sentence"]
    assert Newsletter.objects.get().status == "draft"
    sent = owner.post(path, version=1, key="send")
    assert owner.post(path, version=1, key="send")["act"] == sent["act"]
    assert owner.post(path, 422, version=1)["code"] == "sent"
    tasks.sweep_newsletters()
    assert [message.to for message in mail.outbox] == [["ida@example.org"]]
    newsletter = ida.get(f"{CLUB}newsletters/{draft}/")
    assert (newsletter["status"], newsletter["body"], newsletter["readers"]) == ("sent", "Dear all.", None)


def test_drafts_are_for_who_writes_them(owner, program, draft, staff, person):
    member = program(staff["member"])
    assert [newsletter["id"] for newsletter in owner.get(f"{CLUB}newsletters/")["newsletters"]] == [draft]
    assert member.get(f"{CLUB}newsletters/")["newsletters"] == []
    assert member.get(f"{CLUB}newsletters/")["readers"] is None
    member.get(f"{CLUB}newsletters/{draft}/", 404)
    assert member.post(f"{CLUB}write-newsletter/", 403)["code"] == "not_your_part"
    assert program(person("Eve")).get(f"{CLUB}newsletters/", 403)["code"] == "not_of_club"


def test_a_draft_is_thrown_away_once(owner, draft):
    answer = owner.post(f"{CLUB}newsletters/{draft}/delete/", key="k")
    assert owner.post(f"{CLUB}newsletters/{draft}/delete/", key="k") == answer
    owner.post(f"{CLUB}newsletters/{draft}/delete/", 404)
    assert owner.post(f"{CLUB}write-news/", 422, title="N", body="B", key="k")["code"] == "key_used"


def test_newsletters_of_another_club_are_not_found(owner, person, draft):
    eve = person("Eve")
    other = make_club("Other", owner=eve)
    newsletter = history.added_row(newsletters.draft(other.pk, eve), Newsletter)
    owner.get(f"{CLUB}newsletters/{newsletter.pk}/", 404)
    owner.post(f"{CLUB}newsletters/{newsletter.pk}/send/", 404, version=0)
    owner.post(f"clubs/other/newsletters/{newsletter.pk}/send/", 403, version=0)


def test_pages_of_newsletters_continue_after_the_last(owner, club):
    ids = [owner.post(f"{CLUB}write-newsletter/")["made"]["id"] for _ in range(3)]
    first = owner.get(f"{CLUB}newsletters/", limit=2)
    assert ([newsletter["id"] for newsletter in first["newsletters"]], first["more"]) == ([ids[2], ids[1]], True)
    rest = owner.get(f"{CLUB}newsletters/", before=ids[1])
    assert ([newsletter["id"] for newsletter in rest["newsletters"]], rest["more"]) == ([ids[0]], False)


def test_who_has_no_account_is_asked_for_by_an_organiser(owner, club, in_club):
    fay = Membership.objects.create(club=club, name="Fay", email="fay@example.org")
    Membership.objects.create(club=club, name="Gus")
    ida = Membership.objects.get(user=in_club(club, "Ida"))
    (reader,) = owner.get(f"{CLUB}newsletter-readers/")["people"]
    assert reader == {"membership": fay.pk, "name": "Fay", "wants_letters": False}
    answer = owner.post(f"{CLUB}set-newsletter-readers/", wanted=[fay.pk], key="k")
    assert owner.post(f"{CLUB}set-newsletter-readers/", wanted=[fay.pk], key="k")["act"] == answer["act"]
    fay.refresh_from_db()
    assert fay.wants_letters
    before = Act.objects.count()
    assert owner.post(f"{CLUB}set-newsletter-readers/", 422, wanted=[ida.pk])["code"] == "not_without"
    assert Act.objects.count() == before
