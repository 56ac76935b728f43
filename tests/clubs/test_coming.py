"""Who comes: answers by links without an account, partners, reserves, reminders, and the organisers’ page."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Notice
from clubs.coming import asking, desk, letters, links, occasions, phone, replies
from clubs.coming.page import Desk
from clubs.models import Act, Meeting, MeetingReserve, Membership, Question, RepeatingMeeting, Reply, ReplyLetter
from clubs.services import history
from tests.at_once import at_once
from tests.makers import make_club, make_event, make_member, make_person
from tournaments.plan import standard

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 11, 24, 18, tzinfo=UTC)
"""19:00 on a Tuesday by the club’s clock."""
BEFORE = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def now():
    with time_machine.travel(BEFORE, tick=False):
        yield BEFORE


@pytest.fixture
def question(club, now):
    """The question about a Tuesday of Harbour, which shows its members."""
    return make_question(club)


def make_question(club, starts_at=STARTS, **fields):
    row = RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=1, starts_at=time(19), first_day=date(2026, 11, 1), **fields
    )
    meeting = Meeting.objects.create(
        club=club,
        title="Club night",
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=3),
        repeating=row,
        day=date(2026, 11, 24),
    )
    return Question.objects.create(club=club, meeting=meeting)


@pytest.fixture
def name_of(club):
    """Make a name without an account: `name_of("Edith Clark")`."""

    def make(name, **fields):
        return Membership.objects.create(club=club, name=name, **fields)

    return make


def own_path(question, member):
    return links.own_path(occasions.questions().get(pk=question.pk), member.pk)


def group(question):
    return links.group_path(question)


def answer_of(question, member):
    return Reply.objects.get(question=question, membership=member).answer


def say(question, member, wish, **fields):
    return replies.answer(question.pk, member, wish, way="own", **fields)


# The own link


def test_a_link_is_opened_without_answering(question, name_of):
    edith = name_of("Edith Clark")
    answer = Client().get(own_path(question, edith))
    content = answer.content.decode()
    assert (answer.status_code, Reply.objects.count()) == (200, 0)
    assert "Are you coming, <bdi>Edith</bdi>?" in content
    assert "<b>Tuesday 24 November</b> <span>19:00 to 22:00</span>" in content
    assert Client().head(own_path(question, edith)).status_code == 200
    assert not Reply.objects.exists()


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ("yes", "You are coming on Tuesday"),
        ("partner", "You are on the list of people who need a partner."),
        ("no", "You cannot come on Tuesday"),
    ],
)
def test_one_press_answers(question, name_of, wish, sentence):
    edith, client = name_of("Edith Clark"), Client()
    path = own_path(question, edith)
    assert client.post(path, {"answer": wish})["Location"] == path
    assert answer_of(question, edith) == wish
    assert sentence in client.get(path).content.decode()


def test_an_answer_can_be_changed_and_sent_twice(question, name_of):
    edith, client = name_of("Edith Clark"), Client()
    path = own_path(question, edith)
    for wish in ("yes", "yes", "no", "partner", "partner"):
        client.post(path, {"answer": wish})
    assert list(Reply.objects.values_list("answer", "way")) == [("partner", "own")]


@pytest.mark.parametrize("wish", ["", "maybe", "YES", "yes ", "١"])
def test_an_odd_answer_is_refused(question, name_of, wish):
    answer = Client().post(own_path(question, name_of("Edith Clark")), {"answer": wish})
    assert (answer.status_code, Reply.objects.exists()) == (422, False)
    assert "Choose one of the three answers." in answer.content.decode()


def test_altered_and_forged_links_lead_nowhere(question, name_of, quay):
    edith, ted = name_of("Edith Clark"), name_of("Ted Hobbs")
    token = own_path(question, edith).rstrip("/").rpartition("/")[2]
    numbers, _, signature = token.partition(":")
    stranger = Membership.objects.create(club=quay, name="Quentin")
    other = make_question(quay)
    for forged in (
        f"{question.pk}-{ted.pk}:{signature}",
        f"{other.pk}-{edith.pk}:{signature}",
        f"{numbers}:{signature[:-1]}",
        numbers,
        f"{numbers}:",
        f"x-y:{signature}",
        f"٣-{edith.pk}:{signature}",
        own_path(question, stranger).rstrip("/").rpartition("/")[2],
    ):
        answer = Client().post(f"/clubs/coming/{forged}/", {"answer": "yes"})
        assert (forged, answer.status_code) == (forged, 404)
    assert not Reply.objects.exists()


def test_new_links_end_the_old_ones(question, name_of, owner):
    edith = name_of("Edith Clark")
    old, old_group = own_path(question, edith), group(question)
    asking.renew_links(question.pk, owner)
    question.refresh_from_db()
    assert Client().get(old).status_code == Client().get(old_group).status_code == 404
    assert Client().get(own_path(question, edith)).status_code == Client().get(group(question)).status_code == 200


def test_the_link_of_somebody_who_left_ends(question, name_of, now):
    edith = name_of("Edith Clark")
    path = own_path(question, edith)
    Membership.objects.filter(pk=edith.pk).update(left_at=now)
    assert Client().get(path).status_code == 404


def test_from_the_start_on_answers_are_closed(question, name_of):
    edith = name_of("Edith Clark")
    path = own_path(question, edith)
    with time_machine.travel(STARTS, tick=False):
        answer = Client().post(path, {"answer": "yes"})
        assert (answer.status_code, Reply.objects.exists()) == (422, False)
        assert "Answers are closed" in Client().get(path).content.decode()


def test_a_cancelled_meeting_asks_nobody(question, name_of):
    Meeting.objects.update(is_called_off=True)
    edith = name_of("Edith Clark")
    answer = Client().post(own_path(question, edith), {"answer": "yes"})
    assert (answer.status_code, Reply.objects.exists()) == (422, False)
    assert "This was cancelled" in Client().get(own_path(question, edith)).content.decode()


def test_a_link_shows_no_address_and_no_telephone(question, name_of):
    edith = name_of("Edith Clark", email="edith@example.org", contact="+49 30 1234567", is_listed=True)
    ted = name_of("Ted Hobbs", email="ted@example.org", contact="0171 99", is_listed=True)
    say(question, ted, "partner")
    say(question, edith, "partner")
    for path in (own_path(question, edith), group(question)):
        content = Client().get(path).content.decode()
        assert not any(secret in content for secret in ("example.org/", "@example.org", "1234567", "0171 99"))


def test_the_calendar_has_the_meeting(question, name_of):
    file = Client().get(f"{own_path(question, name_of('Edith Clark'))}meeting.ics").content.decode()
    assert "SUMMARY:Club night: Harbour Hand and Foot" in file
    assert "DTSTART:20261124T180000Z" in file


# The group's link


def test_the_group_asks_for_the_name_once(question, name_of):
    edith, client = name_of("Edith Clark"), Client()
    path = group(question)
    assert client.post(path, {"answer": "yes"}).status_code == 422
    assert client.post(path, {"answer": "yes", "name": " edith  clark "}).status_code == 302
    assert answer_of(question, edith) == "yes"
    assert "See you at 19:00, <bdi>Edith</bdi>." in client.get(path).content.decode()
    client.post(path, {"answer": "no"})
    assert (answer_of(question, edith), Reply.objects.get().way) == ("no", "group")
    assert 'name="name"' in client.get(f"{path}?other=1").content.decode()


def test_the_name_is_kept_for_the_next_evening_of_this_club_alone(question, name_of, club, quay):
    name_of("Edith Clark")
    client = Client()
    client.post(group(question), {"answer": "yes", "name": "Edith Clark"})
    next_one = make_question(club, STARTS + timedelta(days=7))
    assert "Are you coming, <bdi>Edith</bdi>?" in client.get(group(next_one)).content.decode()
    assert 'name="name"' in client.get(group(make_question(quay))).content.decode()


def test_a_forged_cookie_is_no_name(question, club):
    client = Client()
    client.cookies[f"{phone.PREFIX}{club.pk}"] = "IkVkaXRoIg:forged"
    assert 'name="name"' in client.get(group(question)).content.decode()


def test_a_strange_name_waits_for_an_organiser(question, club, owner):
    client = Client()
    client.post(group(question), {"answer": "partner", "name": "Ken Ito"})
    reply = Reply.objects.get()
    assert (reply.membership, reply.name, club.memberships.filter(name="Ken Ito").exists()) == (None, "Ken Ito", False)
    desk.confirm_guest(reply.pk, owner)
    ken = club.memberships.get(name="Ken Ito")
    assert (ken.role, answer_of(question, ken)) == ("guest", "partner")
    client.post(group(question), {"answer": "no"})
    assert (answer_of(question, ken), Reply.objects.count()) == ("no", 1)


def test_a_strange_name_can_be_a_member(question, name_of, owner):
    kenneth = name_of("Kenneth Ito")
    Client().post(group(question), {"answer": "yes", "name": "Ken Ito"})
    desk.confirm_guest(Reply.objects.get().pk, owner, membership=kenneth.pk)
    assert answer_of(question, kenneth) == "yes"


def test_strange_names_are_limited(question, monkeypatch):
    monkeypatch.setattr(replies, "MOST_NAMES", 2)
    answers = [Client().post(group(question), {"answer": "yes", "name": f"Name {at}"}).status_code for at in range(3)]
    assert (answers, Reply.objects.count()) == ([302, 302, 422], 2)


@pytest.mark.parametrize("name", ["x" * 61, "a\u202eb", "<script>", "\u200b"])
def test_odd_names_stay_in_the_form_or_are_escaped(question, name):
    answer = Client().post(group(question), {"answer": "yes", "name": name})
    assert answer.status_code in (302, 422)
    assert "<script>" not in Client().get(group(question)).content.decode()


def test_names_are_shown_only_if_the_club_shows_its_members(question, name_of, club):
    say(question, name_of("Ann Carter", is_listed=True), "yes")
    say(question, name_of("Bob Carter"), "yes")
    content = Client().get(group(question)).content.decode()
    assert ["Ann Carter" in content, "Bob Carter" in content, "and 1 more" in content] == [True, False, True]
    type(club).objects.update(has_directory=False)
    assert "Ann Carter" not in Client().get(group(question)).content.decode()


# Partners


def test_people_who_look_for_a_partner_find_each_other(question, name_of):
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    for member in (ken, luis):
        say(question, member, "partner")
    kens, luiss = (Reply.objects.get(membership=member) for member in (ken, luis))
    client = Client()
    assert "Luis Pardo" in client.get(own_path(question, ken)).content.decode()
    client.post(own_path(question, ken), {"partner": luiss.pk})
    assert "You asked." in client.get(own_path(question, ken)).content.decode()
    assert "asks you" in client.get(own_path(question, luis)).content.decode()
    for _ in range(2):
        assert client.post(own_path(question, luis), {"partner": kens.pk}).status_code == 302
    assert "You play with <bdi>Ken Ito</bdi>." in client.get(own_path(question, luis)).content.decode()
    assert [answer_of(question, member) for member in (ken, luis)] == ["yes", "yes"]
    assert ReplyLetter.objects.filter(kind="partner").count() == 2


def test_a_club_that_hides_its_members_shows_no_name_until_they_agree(question, name_of, club):
    type(club).objects.update(has_directory=False)
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    replies_ = [say(question, member, "partner") for member in (ken, luis)]
    content = Client().get(own_path(question, ken)).content.decode()
    assert ["Luis" in content, "Someone in the club" in content] == [False, True]
    Client().post(own_path(question, ken), {"partner": replies_[1].pk})
    Client().post(own_path(question, luis), {"partner": replies_[0].pk})
    assert "Luis Pardo" in Client().get(own_path(question, ken)).content.decode()


def test_if_one_of_a_pair_cannot_come_the_other_looks_again(question, name_of):
    ken, luis = name_of("Ken Ito"), name_of("Luis Pardo")
    first, second = say(question, ken, "partner"), say(question, luis, "partner")
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    say(question, ken, "no")
    reply = Reply.objects.get(membership=luis)
    assert (reply.answer, reply.partner) == ("partner", None)
    assert ReplyLetter.objects.filter(reply=reply, kind="alone").count() == 1


def test_nobody_is_the_partner_of_two(question, name_of, refuses):
    people = [say(question, name_of(name), "partner") for name in ("Ann", "Ben", "Cem")]
    replies.ask_partner(question.pk, people[0], people[1].pk)
    replies.ask_partner(question.pk, people[1], people[0].pk)
    with refuses("not_looking"):
        replies.ask_partner(question.pk, people[2], people[0].pk)
    with refuses("no_partner"):
        replies.ask_partner(question.pk, people[2], people[2].pk)


def test_a_reply_to_another_question_is_no_partner(question, name_of, club, refuses):
    ann = say(question, name_of("Ann"), "partner")
    other = say(make_question(club, STARTS + timedelta(days=7)), name_of("Ben"), "partner")
    with refuses("no_partner"):
        replies.ask_partner(question.pk, ann, other.pk)


# Reserves


@pytest.fixture
def reserves(question, name_of):
    """Three reserves in their order; everyone else was asked."""
    people = [name_of(f"Reserve {at}") for at in range(3)]
    for at, member in enumerate(people):
        MeetingReserve.objects.create(repeating=question.meeting.repeating, membership=member, position=at)
    return people


def reserves_asked(question):
    return [reply.membership.name for reply in Reply.objects.filter(question=question, is_reserve=True)]


def test_reserves_are_asked_in_order_each_with_a_time_to_answer(question, name_of, reserves, now):
    ann, ben = name_of("Ann"), name_of("Ben")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert reserves_asked(question) == []
    with time_machine.travel(now + timedelta(hours=7), tick=False):
        say(question, ann, "no")
        assert reserves_asked(question) == ["Reserve 0"]
        asking.attend_to(question.pk, now + timedelta(hours=8))
        assert reserves_asked(question) == ["Reserve 0"]
    asking.attend_to(question.pk, now + timedelta(hours=20))
    asking.attend_to(question.pk, now + timedelta(hours=20))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1"]
    with time_machine.travel(now + timedelta(hours=21), tick=False):
        say(question, reserves[1], "no")
        assert reserves_asked(question) == ["Reserve 0", "Reserve 1", "Reserve 2"]
        say(question, reserves[2], "yes")
        say(question, ben, "yes")
    asking.attend_to(question.pk, now + timedelta(hours=60))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1", "Reserve 2"]
    assert ReplyLetter.objects.filter(kind="reserve").count() == 3


def test_reserves_are_not_asked_with_everyone(question, name_of, reserves, now):
    name_of("Ann")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert set(ReplyLetter.objects.values_list("reply__membership__name", flat=True)) == {"Ann"}


def test_reserves_are_asked_if_fewer_than_needed_can_come(question, name_of, reserves, now):
    RepeatingMeeting.objects.update(least=3)
    name_of("Ann")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    assert reserves_asked(question) == ["Reserve 0", "Reserve 1"]


def test_the_day_before_an_odd_number_asks_one_more(question, name_of, reserves, now):
    asking.attend_to(question.pk, now + timedelta(hours=6))
    for name in ("Ann", "Ben", "Cem"):
        say(question, name_of(name), "yes")
    asking.attend_to(question.pk, STARTS - timedelta(days=2))
    assert reserves_asked(question) == []
    asking.attend_to(question.pk, STARTS - timedelta(hours=24))
    assert reserves_asked(question) == ["Reserve 0"]


# Asking and reminding


def sent():
    """Due letters are sent; the subjects by address, and the titles of notifications."""
    letters.send_due()
    return [(message.to[0], message.subject) for message in mail.outbox], list(
        Notice.objects.values_list("user__username", "title")
    )


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Europe/Amsterdam", datetime(2026, 11, 20, 17, tzinfo=UTC)),
        ("America/Toronto", datetime(2026, 11, 20, 23, tzinfo=UTC)),
        ("Pacific/Auckland", datetime(2026, 11, 21, 5, tzinfo=UTC)),
    ],
)
def test_people_are_asked_four_days_before_at_six_by_the_clubs_clock(question, name_of, club, zone, moment):
    type(club).objects.update(time_zone=zone)
    name_of("Ann", email="ann@example.org")
    asking.ask_due(moment - timedelta(minutes=1))
    assert not ReplyLetter.objects.exists()
    asking.ask_due(moment)
    asking.ask_due(moment + timedelta(minutes=1))
    assert ReplyLetter.objects.count() == 1


def test_clocks_that_change_in_between_move_the_moment(club, name_of):
    with time_machine.travel(datetime(2026, 10, 20, tzinfo=UTC), tick=False):
        asked_question = make_question(club, datetime(2026, 10, 27, 18, tzinfo=UTC))
        name_of("Ann")
        occasion = occasions.Occasion(occasions.questions().get(pk=asked_question.pk))
        # 18:00 in summer time, and after the change of clocks.
        assert occasion.asks_at == datetime(2026, 10, 23, 16, tzinfo=UTC)
        assert occasion.reminds_at == datetime(2026, 10, 26, 17, tzinfo=UTC)


def test_letters_are_sent_once_in_the_language_of_their_readers(question, name_of, club, now):
    make_member(club, make_person("Greta", language="de"))
    make_member(club, make_person("Ann", language="en"))
    name_of("Edith Clark", email="edith@example.org")
    name_of("Nobody")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    emails, notices = sent()
    assert emails == [("edith@example.org", "Are you coming? Club night, Tuesday 24 November, 19:00 to 22:00")]
    titles = dict(notices)
    assert titles["ann"] == "Are you coming? Club night, Tuesday 24 November, 19:00 to 22:00"
    assert titles["greta"] == "Kommst du? Club night, Dienstag, 24. November, 19:00 bis 22:00"
    assert sent() == (emails, notices)


def test_the_email_leads_to_the_own_link_and_can_be_stopped(question, name_of, now):
    edith = name_of("Edith Clark", email="edith@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    sent()
    body, headers = mail.outbox[0].body, mail.outbox[0].extra_headers
    assert own_path(question, edith) in body
    stop = headers["List-Unsubscribe"].strip("<>").partition("/clubs")[2]
    assert Client().get(f"/clubs{stop}").status_code == 200
    edith.refresh_from_db()
    assert edith.wants_questions
    assert Client(enforce_csrf_checks=True).post(f"/clubs{stop}").status_code == 200
    edith.refresh_from_db()
    assert not edith.wants_questions
    asking.attend_to(question.pk, STARTS - timedelta(hours=24))
    sent()
    assert len(mail.outbox) == 1


def test_the_day_before_people_are_reminded_or_asked_again_once(question, name_of, now):
    ann, ben, _ = (name_of(name, email=f"{name}@example.org") for name in ("ann", "ben", "cem"))
    asking.attend_to(question.pk, now + timedelta(hours=6))
    sent()
    mail.outbox.clear()
    say(question, ann, "yes")
    say(question, ben, "no")
    eve = datetime(2026, 11, 23, 17, tzinfo=UTC)
    asking.ask_due(eve - timedelta(seconds=1))
    assert sent()[0] == []
    with time_machine.travel(eve, tick=False):
        for _ in range(3):
            asking.ask_due(eve)
            sent()
    assert sorted((message.to[0], message.subject.partition(":")[0]) for message in mail.outbox) == [
        ("ann@example.org", "Tomorrow"),
        ("cem@example.org", "Are you coming tomorrow? Club night, Tuesday 24 November, 19"),
    ]


def test_nobody_is_asked_who_has_answered_meanwhile(question, name_of, now):
    ann = name_of("Ann", email="ann@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    say(question, ann, "yes")
    assert sent()[0] == []


def test_a_letter_that_the_mail_server_refuses_is_tried_again(question, name_of, now, monkeypatch):
    name_of("Ann", email="ann@example.org")
    asking.attend_to(question.pk, now + timedelta(hours=6))
    ReplyLetter.objects.update(due_at=now)

    def fail(self, *args):
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", fail)
        letters.send_due()
    letter = ReplyLetter.objects.get()
    assert (letter.sent_at, letter.due_at) == (None, now + letters.SENDING_TIME)


# The organisers' page


def test_the_desk_leads_with_the_pair_then_the_answers_newest_first(question, name_of, staff, browser_of):
    for minutes, (name, wish) in enumerate([("Ann", "yes"), ("Ken Ito", "partner"), ("Luis Pardo", "partner")]):
        with time_machine.travel(BEFORE + timedelta(minutes=minutes), tick=False):
            say(question, name_of(name), wish)
    reader = browser_of(staff["scorer"])
    path = f"/clubs/harbour/coming/{question.pk}/"
    page = reader.get(path)
    order = [page.index(words) for words in ("could play together", "Answers</h2>", "Luis Pardo</bdi></th>"[:10])]
    assert order[0] < order[1]
    desk_page = Desk(occasions.Occasion(occasions.questions().get()), BEFORE)
    assert [line.name for line in desk_page.lines] == ["Luis Pardo", "Ken Ito", "Ann"]
    assert dict(desk_page.counts)["partner"] == 2
    reader.submit(path, "pair")
    assert [reply.answer for reply in Reply.objects.order_by("pk")] == ["yes", "yes", "yes"]
    history.undo(Act.objects.get(kind="coming_pair").pk, by=staff["scorer"])
    assert list(Reply.objects.order_by("pk").values_list("answer", "partner")) == [
        ("yes", None),
        ("partner", None),
        ("partner", None),
    ]


def test_an_answer_for_somebody_is_one_line_and_one_undo(question, name_of, staff, browser_of):
    edith = name_of("Edith Clark")
    reader = browser_of(staff["scorer"])
    reader.submit(f"/clubs/harbour/coming/{question.pk}/", "for-no", who="edith clark")
    reply = Reply.objects.get(membership=edith)
    assert (reply.answer, reply.way, reply.by) == ("no", "organiser", staff["scorer"])
    act = Act.objects.get(kind="coming_answer")
    assert act.sentence == "Club night: Edith Clark, no."
    history.undo(act.pk, by=staff["scorer"])
    assert not Reply.objects.filter(membership=edith).exists()


def test_people_without_an_answer_are_asked_again_once(question, name_of, staff, browser_of, refuses):
    name_of("Edith Clark", email="edith@example.org")
    reader = browser_of(staff["organiser"])
    path = f"/clubs/harbour/coming/{question.pk}/"
    assert "Ask 5 again by email" in " ".join(reader.get(path).split())
    reader.submit(path, "remind")
    assert ReplyLetter.objects.filter(kind="again").count() == 5
    assert "again by email" not in reader.get(path)
    with refuses("nobody"):
        asking.remind(question.pk, staff["organiser"])


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("organiser", 200), ("scorer", 200), ("member", 403), ("guest", 403)]
)
def test_only_people_who_run_the_evening_see_the_desk(question, staff, role, status):
    client = Client()
    client.force_login(staff[role])
    assert client.get(f"/clubs/harbour/coming/{question.pk}/").status_code == status
    answer = client.post(f"/clubs/harbour/coming/{question.pk}/", {"act": "yes", "who": "Edith"})
    assert (answer.status_code == 403) == (status == 403)


def test_the_question_of_another_club_is_not_found(question, quay, staff, browser_of):
    make_member(quay, staff["owner"], "owner")
    other = make_question(quay)
    client = browser_of(staff["owner"]).client
    assert client.get(f"/clubs/harbour/coming/{other.pk}/").status_code == 404


def test_members_find_their_link_with_the_meetings(question, staff, browser_of):
    page = browser_of(staff["member"]).get("/clubs/harbour/dates/")
    member = Membership.objects.get(user=staff["member"])
    assert own_path(question, member) in page
    assert "/coming/" not in browser_of().get("/clubs/harbour/dates/")


def test_organisers_ask_about_a_single_meeting(club, now, staff, browser_of):
    meeting = Meeting.objects.create(club=club, title="General meeting", starts_at=STARTS)
    browser_of(staff["organiser"]).submit(f"/clubs/harbour/dates/{meeting.pk}/", "ask")
    assert Question.objects.get().meeting == meeting


# Tonight


def test_tonight_enters_people_who_said_yes_and_unticks_those_who_cannot(question, name_of, staff, club, browser_of):
    event = make_event(
        staff["owner"], standard("swiss"), entries=0, circle=club.circle, starts_at=STARTS, status="open"
    )
    Meeting.objects.update(event=event)
    for name, wish in [("Ann", "yes"), ("Ben", "partner"), ("Cem", "no")]:
        say(question, name_of(name), wish)
    say(question, Membership.objects.get(user=staff["member"]), "yes")
    with time_machine.travel(STARTS - timedelta(minutes=30), tick=False):
        desk = browser_of(staff["owner"])
        assert "Add 3 entries that said yes" in " ".join(desk.get("/clubs/harbour/tonight/").split())
        desk.submit("/clubs/harbour/tonight/", f"coming-{event.pk}")
        assert sorted(event.entries.values_list("name", flat=True)) == ["Ann", "Ben", "Member"]
        assert event.entries.get(name="Member").members.get().user == staff["member"]
        assert "said yes" not in desk.get("/clubs/harbour/tonight/")
        say(question, Membership.objects.get(name="Ben"), "no")
        page = desk.get("/clubs/harbour/tonight/")
    ticked = {name: pressed_here(page, event.entries.get(name=name).pk) for name in ("Ann", "Ben", "Member")}
    assert ticked == {"Ann": "yes", "Ben": "no", "Member": "yes"}


def pressed_here(page, pk):
    """The ticked choice of an entry on the page of tonight."""
    return re.search(rf'name="here-{pk}" value="(yes|no)"\s*checked', page)[1]


def test_tonight_enters_pairs_in_an_event_of_pairs(question, name_of, staff, club, browser_of):
    event = make_event(
        staff["owner"],
        standard("swiss"),
        kind="partnership",
        entries=0,
        circle=club.circle,
        starts_at=STARTS,
        status="open",
    )
    first, second = (say(question, name_of(name), "partner") for name in ("Ann", "Ben"))
    say(question, name_of("Cem"), "partner")
    replies.ask_partner(question.pk, first, second.pk)
    replies.ask_partner(question.pk, second, first.pk)
    with time_machine.travel(STARTS - timedelta(minutes=30), tick=False):
        browser_of(staff["owner"]).submit("/clubs/harbour/tonight/", f"coming-{event.pk}")
    assert [entry.name for entry in event.entries.all()] == ["Ann / Ben"]


# At once


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_are_one_reply(transactional_db):
    with time_machine.travel(BEFORE, tick=False):
        club = make_club("Harbour", slug="harbour", time_zone="Europe/Amsterdam")
        asked_question = make_question(club)
        edith = Membership.objects.create(club=club, name="Edith Clark")
        at_once(*[lambda: say(asked_question, edith, "yes")] * 4)
        at_once(*[lambda: replies.answer(asked_question.pk, "Ken Ito", "yes", way="group")] * 4)
    assert Reply.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_several_sweepers_at_once_ask_everyone_once(transactional_db):
    # By the clock of the database, which does not travel.
    make_question(make_club("Harbour", slug="harbour"), timezone.now() + timedelta(days=3))
    for name in ("ann", "ben"):
        Membership.objects.create(club_id=Question.objects.get().club_id, name=name, email=f"{name}@example.org")
    at_once(*[asking.ask_due] * 4)
    at_once(*[letters.send_due] * 4)
    assert (ReplyLetter.objects.count(), len(mail.outbox)) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_the_same_person_at_once_make_one_pair(transactional_db):
    with time_machine.travel(BEFORE, tick=False):
        club = make_club("Harbour", slug="harbour", time_zone="Europe/Amsterdam")
        asked_question = make_question(club)
        ann, ben, cem = (
            say(asked_question, Membership.objects.create(club=club, name=name), "partner")
            for name in ("Ann", "Ben", "Cem")
        )
        Reply.objects.filter(pk=ann.pk).update(wish=ben)
        Reply.objects.filter(pk=cem.pk).update(wish=ann)
        at_once(
            lambda: replies.ask_partner(asked_question.pk, ben, ann.pk),
            lambda: replies.ask_partner(asked_question.pk, ann, cem.pk),
        )
    assert Reply.objects.exclude(partner=None).count() == 2


def test_pages_are_in_german(question, name_of):
    edith = name_of("Edith Clark")
    with override("de"):
        content = Client(headers={"accept-language": "de"}).get(own_path(question, edith)).content.decode()
    assert "Kommst du, <bdi>Edith</bdi>?" in content
    assert "Dienstag, 24. November" in content
