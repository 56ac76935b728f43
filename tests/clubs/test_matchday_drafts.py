"""Newsletters that write themselves after a matchday, and go at one press to members, the club's page and places."""

import re
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.core import mail

from accounts.models import Notice
from clubs.models import Act, Copy, Membership, News, NewsDelivery, Newsletter, NewsPlace, Season
from clubs.news_places import sending
from clubs.news_places import services as places
from clubs.services import history
from clubs.services.publications import matchday_drafts, newsletter_sending, newsletters
from clubs.services.publications.newsletter_sending import Destinations
from tests.at_once import at_once
from tests.clubs import leagues as makers
from tests.tournaments.organising import refusal
from tournaments.models import Pairing
from tournaments.services import history as event_history
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
PAGE = "/clubs/harbour/newsletter/"


@pytest.fixture
def season(season, in_september):
    return season


def play(season, owner, day=1, most=10):
    acts = []
    in_season = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number=day)
    for pairing in in_season.filter(status="ready")[:most]:
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        acts.append(makers.decide(pairing, owner, dict(zip(names, (3000, 2000), strict=True))))
    return acts


def later(**span):
    """Some time after the results, when the sweeper comes."""
    return makers.NOW + timedelta(**(span or {"minutes": 10}))


def correct(owner):
    """Change the first result to 2,000 – 9,990, a while after it was written about."""
    pairing = Pairing.objects.filter(round__number=1).first()
    names = [place.entry.name for place in pairing.places.select_related("entry")]
    with time_machine.travel(later(minutes=20)):
        makers.decide(pairing, owner, dict(zip(names, (2000, 9990), strict=True)), reason="A typing error.")


def written():
    return Newsletter.objects.exclude(self_written_at=None)


@pytest.fixture
def draft(season, owner):
    """The newsletter about the first matchday, as the site wrote it."""
    play(season, owner)
    matchday_drafts.write_due(later())
    return Newsletter.objects.get()


# Written


def test_a_complete_matchday_is_written_about_once(season, owner):
    play(season, owner, most=1)
    matchday_drafts.write_due(later())
    assert not Newsletter.objects.exists(), "a match is still to be played"
    play(season, owner)
    for _ in range(2):
        matchday_drafts.write_due(later())
    letter = Newsletter.objects.get()
    assert (letter.season, letter.matchday, letter.status, letter.by) == (season, 1, "draft", None)
    assert "3,000 – 2,000" in letter.body
    assert "Standings:\n1. Pair" in letter.body
    assert "Next, matchday 2:" in letter.body
    assert Act.objects.get(kind="letter_written").sentence == f"A newsletter was written from the results: {letter}"


def test_results_are_left_alone_for_some_minutes(season, owner):
    play(season, owner)
    matchday_drafts.write_due(later(minutes=4))
    assert not Newsletter.objects.exists()


def test_a_matchday_with_a_match_that_is_played_later_is_complete(season, owner):
    play(season, owner, most=1)
    last = Pairing.objects.filter(round__number=1, status="ready").select_related("round").get()
    Pairing.objects.filter(pk=last.pk).update(deadline_at=last.round.deadline_at + timedelta(days=9))
    matchday_drafts.write_due(later())
    assert written().get().matchday == 1


def test_a_matchday_whose_time_is_over_is_written_about_without_its_missing_results(season, owner):
    with time_machine.travel(Pairing.objects.filter(round__number=1)[0].round.deadline_at - timedelta(hours=1)):
        play(season, owner, most=1)
    matchday_drafts.write_due(Pairing.objects.filter(round__number=1)[0].round.deadline_at + timedelta(hours=1))
    assert "Still without a result:" in written().get().body


def test_old_results_are_no_news(season, owner):
    play(season, owner)
    matchday_drafts.write_due(later(days=3))
    assert not Newsletter.objects.exists()


def test_what_an_organiser_deleted_is_not_written_again(season, owner, draft):
    newsletters.delete_draft(draft.pk, owner)
    matchday_drafts.write_due(later(minutes=20))
    assert not Newsletter.objects.exists()


def test_what_an_organiser_has_written_is_not_written_twice(season, owner):
    play(season, owner)
    newsletters.draft(season.league.club_id, owner, about=[(season.pk, 1)])
    matchday_drafts.write_due(later())
    assert Newsletter.objects.count() == 1
    assert Season.objects.get().drafted_matchday == 1


def test_the_next_matchday_takes_the_place_of_a_draft_that_nobody_touched(season, owner, draft):
    play(season, owner, day=2)
    matchday_drafts.write_due(later())
    assert Newsletter.objects.get().matchday == 2


def test_the_next_matchday_leaves_a_draft_that_somebody_changed(season, owner, draft):
    newsletters.edit(draft.pk, owner, subject="Mine", body="Words", version=draft.version)
    play(season, owner, day=2)
    matchday_drafts.write_due(later())
    assert sorted(Newsletter.objects.values_list("matchday", flat=True)) == [1, 2]


def test_an_archived_club_gets_none(season, owner, club):
    play(season, owner)
    type(club).objects.filter(pk=club.pk).update(archived_at=makers.NOW)
    matchday_drafts.write_due(later())
    assert not Newsletter.objects.exists()


def test_it_is_written_in_the_language_of_the_owner(season, owner):
    type(owner).objects.filter(pk=owner.pk).update(language="de")
    play(season, owner)
    matchday_drafts.write_due(later())
    assert "Spieltag" in Newsletter.objects.get().body


def test_organisers_hear_of_it_once_if_anybody_reads_newsletters(season, owner, staff, in_club, club):
    in_club(club, "Ida", wants_letters=True)
    play(season, owner)
    for _ in range(2):
        matchday_drafts.write_due(later())
    notices = Notice.objects.filter(kind=matchday_drafts.NOTICE)
    assert {notice.user for notice in notices} == {staff["owner"], staff["organiser"]}
    assert {notice.url for notice in notices} == {f"{PAGE}{Newsletter.objects.get().pk}/"}
    assert matchday_drafts.is_waiting(Newsletter.objects.get().pk)


def test_nobody_hears_of_a_newsletter_without_readers(draft):
    assert not Notice.objects.filter(kind=matchday_drafts.NOTICE).exists()


# Follows the results


def test_it_follows_a_corrected_result(season, owner, draft):
    correct(owner)
    matchday_drafts.write_due(later(minutes=30))
    followed = Newsletter.objects.get()
    assert "9,990" in followed.body
    assert followed.version == draft.version + 1


def test_it_goes_if_all_its_results_are_removed_and_comes_again(season, owner):
    acts = play(season, owner)
    matchday_drafts.write_due(later())
    with time_machine.travel(later(minutes=20)):
        for act in reversed(acts):
            event_history.undo(act.pk, by=owner)
    matchday_drafts.write_due(later(minutes=30))
    assert not Newsletter.objects.exists()
    play(season, owner)
    matchday_drafts.write_due(later(minutes=40))
    assert written().get().matchday == 1


def test_what_a_person_changed_follows_nothing(season, owner, draft):
    newsletters.edit(draft.pk, owner, subject="Mine", body="Words", version=draft.version)
    correct(owner)
    matchday_drafts.write_due(later(minutes=30))
    assert Newsletter.objects.get().body == "Words"


@pytest.mark.django_db(transaction=True)
def test_two_workers_write_one(club, in_club):
    owner = in_club(club, "Ann", "owner")
    with makers.september():
        season = makers.draw(makers.make_season(club, owner, (4,)), owner)
        play(season, owner)
    results = at_once(*[partial(matchday_drafts.write_due, later())] * 2)
    assert not [result for result in results if isinstance(result, Exception)]
    assert Newsletter.objects.count() == 1


# Published at one press


@pytest.fixture
def place(club, owner, local):
    places.add(club.pk, owner, typed=f"{local.url}/hook", kinds=["champion"], name="Hall")
    local.requests.clear()
    return NewsPlace.objects.get()


def test_one_press_goes_to_members_the_page_and_places(season, owner, draft, place, local, club, in_club, browser_of):
    in_club(club, "Ida", wants_letters=True)
    desk = browser_of(owner)
    path = f"{PAGE}{draft.pk}/"
    page = desk.get(path)
    assert page.count(" checked>") == 3
    assert "/pictures/season/" in page
    desk.submit(path, "send")
    news = News.objects.get()
    assert (news.title, news.body, news.newsletters.get()) == (draft.subject, draft.body, draft)
    sending.OUTBOX.send_due()
    newsletter_sending.send_due()
    (message,) = local.bodies
    assert message["type"] == "letter"
    assert message["data"]["title"] == draft.subject
    assert "3,000 – 2,000" in message["data"]["text"]
    assert message["data"]["url"].endswith(f"/news/{news.pk}/")
    assert "/pictures/season/" in message["data"]["picture"]
    assert [email.to for email in mail.outbox] == [["ida@example.org"]]
    [(html, _)] = mail.outbox[0].alternatives
    assert "/pictures/season/" in html
    page = desk.get(path)
    assert f'href="/clubs/harbour/news/{news.pk}/"' in page
    assert "<bdi>Hall</bdi>" in page
    assert Act.objects.filter(kind="letter_send").get().sentence == (
        f"A newsletter goes to 1 member, the club’s page and Hall: {draft.subject}"
    )


def test_the_news_shows_the_picture(draft, owner, client):
    newsletter_sending.send(draft.pk, owner, version=draft.version, to=Destinations(readers=False, page=True))
    page = client.get(f"/clubs/harbour/news/{News.objects.get().pk}/").content.decode()
    assert re.search(r'<p class="shot">\s+<img src="/pictures/season/', page)
    assert re.search(r'og:image"\s+content="[^"]+/pictures/season/', page)


def test_the_page_and_places_alone_need_no_readers(draft, owner, place):
    to = Destinations(readers=False, page=True, places=[place.pk])
    for _ in range(2):
        newsletter_sending.send(draft.pk, owner, version=draft.version, to=to, request_key="k")
    newsletter_sending.send_copies(draft.pk)
    draft.refresh_from_db()
    assert (draft.status, draft.by, Copy.objects.count(), News.objects.count()) == ("sent", owner, 0, 1)
    assert NewsDelivery.objects.filter(place=place, kind="letter").count() == 1


def test_it_goes_nowhere_only_if_nothing_is_ticked(draft, owner, browser_of):
    answer = browser_of(owner).press(f"{PAGE}{draft.pk}/", "send", to=[])
    assert (answer.status_code, refusal(answer)) == (422, "Choose where it goes.")
    assert " checked>" not in answer.content.decode(), "what was ticked stays as it was"


def test_a_place_that_gets_the_standings_anyway_is_not_ticked(draft, owner, place, browser_of):
    NewsPlace.objects.update(since={"standings": makers.NOW.isoformat()})
    page = browser_of(owner).get(f"{PAGE}{draft.pk}/")
    assert f'value="place-{place.pk}">' in page
    assert "Gets results and standings automatically." in page


@pytest.mark.parametrize(
    ("change", "code"), [({"rest": "hand"}, "paused"), ({"removed_at": makers.NOW}, "no_place"), ({}, "no_place")]
)
def test_a_place_that_takes_nothing_is_refused_and_nothing_goes(draft, owner, place, quay, change, code):
    NewsPlace.objects.update(**(change or {"club": quay}))
    with pytest.raises(Refused) as refused:
        newsletter_sending.send(
            draft.pk, owner, version=draft.version, to=Destinations(readers=False, page=True, places=[place.pk])
        )
    assert refused.value.code == code
    assert not News.objects.exists()
    assert not NewsDelivery.objects.exists()


def test_the_page_needs_the_right_to_write_news(draft, staff, monkeypatch):
    from clubs import roles

    role = Membership.Role.ORGANISER
    monkeypatch.setitem(roles.ROLES, role, roles.ROLES[role] - {"news"})
    to = Destinations(readers=False, page=True)
    with pytest.raises(NotAllowed):
        newsletter_sending.send(draft.pk, staff["organiser"], version=draft.version, to=to)
    assert not News.objects.exists()


def test_what_was_published_cannot_be_undone_but_the_news_can_be_deleted(draft, owner):
    act = newsletter_sending.send(draft.pk, owner, version=draft.version, to=Destinations(readers=False, page=True))
    with pytest.raises(Refused):
        history.undo(act.pk, by=owner)
    News.objects.get().delete()
    draft.refresh_from_db()
    assert draft.news is None
