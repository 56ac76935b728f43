"""Who comes to a team’s match, and who comes by program."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.test import Client

from clubs.coming import asking, letters, links, occasions
from clubs.coming.page import Desk
from clubs.models import Meeting, Membership, Question, Reply, ReplyLetter, Season, TeamMember
from clubs.services.leagues import teams
from tests.clubs import leagues
from tournaments.models import Round

pytestmark = pytest.mark.django_db
MATCH = datetime(2026, 9, 7, 18, tzinfo=UTC)
"""20:00 by the club’s clock."""
ASKED = datetime(2026, 9, 3, 16, tzinfo=UTC)
"""18:00 by the club’s clock, four days before."""


@pytest.fixture
def team(club, staff, in_september):
    """A pair whose captain wants its players to be asked, with a reserve."""
    season = leagues.draw(leagues.make_season(club, staff["owner"], (4,), plays_at=time(20)), staff["owner"])
    team = leagues.team(season, "Pair 1")
    reserve = Membership.objects.create(club=club, name="Rita Reserve")
    teams.add_member(team.pk, staff["owner"], membership_id=reserve.pk, role=TeamMember.Role.RESERVE)
    asking.ask_team(team.pk, staff["owner"], asks=True)
    with time_machine.travel(ASKED, tick=False):
        yield team


def players(team):
    rows = team.roster.filter(left_at=None).exclude(role=TeamMember.Role.RESERVE)
    return [row.membership for row in rows.select_related("membership")]


def test_every_player_is_asked_before_each_match_and_nobody_else(team):
    for _ in range(2):
        asking.ask_due(ASKED)
    question = Question.objects.get()
    assert (question.team, question.pairing.round.starts_at) == (team, MATCH)
    people = ReplyLetter.objects.filter(kind="ask").values_list("reply__membership", flat=True)
    assert sorted(people) == sorted(member.pk for member in players(team))


def test_teams_that_do_not_want_it_are_not_asked(team, staff):
    asking.ask_team(team.pk, staff["owner"], asks=False)
    asking.ask_due(ASKED)
    assert not Question.objects.exists()


def test_a_player_answers_by_link_and_the_next_reserve_is_asked(team):
    asking.ask_due(ASKED)
    question, player = occasions.questions().get(), players(team)[0]
    path = links.own_path(question, player.pk)
    assert "Pair 1 against " in Client().get(path).content.decode()
    assert Client().post(path, {"answer": "no"}).status_code == 302
    assert Reply.objects.get(is_reserve=True).membership.name == "Rita Reserve"
    lines = Desk(occasions.Occasion(question), ASKED).lines
    assert [(line.name, f"/match/{question.pairing_id}/" in line.match_url) for line in lines] == [(player.name, True)]


def test_nobody_needs_a_partner_for_a_match(team):
    asking.ask_due(ASKED)
    path = links.own_path(occasions.questions().get(), players(team)[0].pk)
    assert 'value="partner"' not in Client().get(path).content.decode()
    answer = Client().post(path, {"answer": "partner"})
    assert (answer.status_code, Reply.objects.filter(answer="partner").exists()) == (422, False)
    assert "Nobody needs a partner for a match" in answer.content.decode()


def test_strangers_and_other_members_cannot_answer_for_a_team(team, club):
    asking.ask_due(ASKED)
    question = occasions.questions().get()
    other = Membership.objects.create(club=club, name="Otto Other")
    assert Client().get(links.own_path(question, other.pk)).status_code == 404
    answer = Client().post(links.group_path(question), {"answer": "yes", "name": "Otto Other"})
    assert (answer.status_code, Reply.objects.exclude(answer="").exists()) == (422, False)


def test_the_captain_sees_it_and_others_do_not(team, in_club, club, browser_of, staff):
    asking.ask_due(ASKED)
    captain = in_club(club, "Carla")
    teams.add_member(
        team.pk, staff["owner"], membership_id=club.memberships.get(user=captain).pk, role=TeamMember.Role.RESERVE
    )
    TeamMember.objects.filter(membership__user=captain).update(role=TeamMember.Role.CAPTAIN)
    page = f"{team.get_absolute_url()}coming/"
    desk = browser_of(captain)
    assert "Pair 1 against " in desk.get(page)
    question = Question.objects.get()
    desk.submit(f"/clubs/harbour/coming/{question.pk}/", "for-no", who=players(team)[0].name)
    assert Reply.objects.get(answer="no").by == captain
    desk.submit(page, "stop")
    team.refresh_from_db()
    assert not team.asks
    stranger = Client()
    stranger.force_login(staff["member"])
    assert {stranger.get(url).status_code for url in (page, f"/clubs/harbour/coming/{question.pk}/")} == {403}


# Programs


def test_a_program_lists_answers_and_pairs(program, club, staff):
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=datetime(2036, 1, 8, 18, tzinfo=UTC))
    asking.ask(meeting.pk, staff["owner"])
    path = f"clubs/harbour/coming/{Question.objects.get().pk}/"
    member = program(staff["member"], "clubs_read", "clubs_join")
    member.post(f"{path}answer/", answer="partner")
    (row,) = member.get("clubs/harbour/coming/")["coming"]
    assert (row["title"], row["your_answer"], row["need_a_partner"]) == ("Club night", "partner", 1)
    member.get(f"{path}answers/", 403)
    scorer = program(staff["scorer"], "clubs_read", "clubs_join")
    scorer.post(f"{path}answer-for/", name="Ken Ito", answer="partner")
    rows = scorer.get(f"{path}answers/")["replies"]
    assert [(each["name"], each["answer"]) for each in rows] == [("Ken Ito", "partner"), ("Member", "partner")]
    first, second = (each["id"] for each in rows)
    scorer.post(f"{path}pair/", first=first, second=second)
    assert member.get("clubs/harbour/coming/")["coming"][0]["your_partner"] == "Ken Ito"
    program(staff["member"], "clubs_read").post(f"{path}answer/", 403, answer="no")


def test_a_program_plans_a_repeating_meeting(program, club, staff):
    organiser = program(staff["organiser"], "clubs_read", "clubs_run")
    body = {"title": "Club night", "weekday": 1, "starts_at": "19:00", "first_day": "2036-01-01"}
    organiser.post("clubs/harbour/add-repeating/", **body)
    (row,) = organiser.get("clubs/harbour/repeating/")["repeating"]
    assert (row["title"], row["starts_at"], row["every"]) == ("Club night", "19:00:00", "week")
    organiser.post(f"clubs/harbour/repeating/{row['id']}/skip/", 422, day="9999-12-31")


def test_a_match_whose_time_is_open_can_be_answered_until_its_deadline(team):
    asking.ask_due(ASKED)
    question = occasions.questions().get()
    Season.objects.update(plays_at=None)
    deadline = MATCH + timedelta(days=6)
    Round.objects.filter(pk=question.pairing.round_id).update(deadline_at=deadline)
    occasion = occasions.Occasion(occasions.questions().get())
    assert occasion.day == "by Sunday 13 September"
    assert not occasion.is_closed(MATCH + timedelta(days=1))
    assert occasion.is_closed(deadline)
    assert question.pk in asking._open(deadline - timedelta(hours=1))
    assert question.pk not in asking._open(deadline)
    for kind in ("again", "reminder"):
        words = letters.words_of(ReplyLetter(kind=kind, reply=Reply(question=question)), occasion)
        assert "omorrow" not in words.subject
        assert words.subject.endswith("by Sunday 13 September")
