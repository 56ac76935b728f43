"""Are you coming? A link is opened on a phone and answered by one press; the organiser pairs two people at a desk."""

from datetime import time, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.coming import links, occasions, replies
from clubs.models import Meeting, MeetingReserve, Membership, Question, RepeatingMeeting, Reply
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_event, make_harbour, make_person
from tournaments.plan import standard

SIZES = {"390": PHONE, "1280": DESK}
PEOPLE = ("Edith Clark", "Ken Ito", "Luis Pardo", "Gil Castellano", "Asha Menon", "Ayşe Kaya", "Ann Carter")


@pytest.fixture
def owner(transactional_db):
    return make_person("Nora")


@pytest.fixture
def evening(owner):
    """A Tuesday of Harbour in three days, about which everyone was asked."""
    club = make_harbour(owner)
    people = {name: Membership.objects.create(club=club, name=name, is_listed=True) for name in PEOPLE}
    ted = Membership.objects.create(club=club, name="Ted Hobbs", email="ted@example.org")
    at = (timezone.now() + timedelta(days=3)).astimezone(club.zone).replace(hour=19, minute=0, second=0, microsecond=0)
    repeating = RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=at.weekday(), starts_at=time(19), first_day=at.date(), by=owner
    )
    MeetingReserve.objects.create(repeating=repeating, membership=ted)
    meeting = Meeting.objects.create(
        club=club, title="Club night", starts_at=at, ends_at=at + timedelta(hours=3), repeating=repeating, day=at.date()
    )
    question = Question.objects.create(club=club, meeting=meeting, asked_at=timezone.now())
    for name, answer in [
        ("Ken Ito", "partner"),
        ("Luis Pardo", "partner"),
        ("Gil Castellano", "no"),
        ("Asha Menon", "yes"),
    ]:
        replies.answer(question.pk, people[name], answer, way="own")
    return occasions.questions().get(pk=question.pk)


def own_link(question, name):
    return links.own_path(question, Membership.objects.get(name=name).pk)


@pytest.mark.parametrize("size", SIZES)
def test_one_press_after_the_link(evening, visit, picture, no_barriers, size):
    page = visit(SIZES[size])
    page.goto(own_link(evening, "Edith Clark"))
    assert page_width(page) == int(size)
    picture(page, f"coming-{size}")
    no_barriers(page)
    page.locator("#yes").click()
    expect(page.locator("h1")).to_contain_text("You are coming on")
    assert page_width(page) == int(size)
    picture(page, f"coming-said-{size}")
    no_barriers(page)
    page.locator(".whoc summary").click()
    expect(page.locator(".whoc")).to_contain_text("Asha Menon")
    page.locator("#no").click()
    expect(page.locator("h1")).to_contain_text("You cannot come on")
    no_barriers(page)
    assert Reply.objects.get(membership__name="Edith Clark").answer == "no"


@pytest.mark.parametrize("size", SIZES)
def test_the_group_asks_for_the_name_once(evening, visit, picture, no_barriers, size):
    page = visit(SIZES[size])
    page.goto(links.group_path(evening))
    picture(page, f"coming-group-{size}")
    no_barriers(page)
    page.locator("#yes").click()
    expect(page.locator("#refused")).to_have_text("Enter your name.")
    no_barriers(page)
    page.locator("#name").fill("Ann Carter")
    page.locator("#partner").click()
    expect(page.locator("h1")).to_contain_text("You are coming on")
    assert page_width(page) == int(size)
    picture(page, f"coming-partner-{size}")
    no_barriers(page)
    page.locator("li", has_text="Ken Ito").get_by_role("button", name="Ask").click()
    expect(page.locator("main")).to_contain_text("You asked. Waiting for the answer.")
    page.goto(own_link(evening, "Ken Ito"))
    page.locator("li", has_text="Ann Carter").get_by_role("button", name="Play together").click()
    expect(page.locator(".lead2")).to_contain_text("You play with Ann Carter.")


@pytest.mark.parametrize("size", SIZES)
def test_a_note_and_a_time_reach_the_organiser_who_asks_another_by_whatsapp(
    evening, owner, visit, picture, no_barriers, size
):
    page = visit(SIZES[size])
    page.goto(own_link(evening, "Edith Clark"))
    page.locator("#yes").click()
    page.locator("#adds summary").click()
    page.locator("#comes_at").fill("18:00")
    page.locator("#note").fill("I bring my sister")
    page.locator("#details").click()
    expect(page.locator("#comes_at")).to_have_value("18:00")
    expect(page.locator("main")).to_contain_text("Enter a time during the meeting")
    no_barriers(page)
    page.locator("#comes_at").fill("19:30")
    page.locator("#details").click()
    expect(page.locator("main")).to_contain_text("Comes at 19:30.")
    assert page_width(page) == int(size)
    picture(page, f"coming-details-{size}")
    no_barriers(page)
    desk = visit(SIZES[size], user=owner, permissions=["clipboard-read", "clipboard-write"])
    desk.goto(f"/clubs/harbour/coming/{evening.pk}/")
    expect(desk.locator("#all")).to_contain_text("I bring my sister")
    desk.get_by_role("link", name="Ann Carter").click()
    expect(desk.locator("#one-text")).to_contain_text("Hello Ann Carter.")
    desk.locator("[data-copy='#one-text']").click()
    expect(desk.locator("[data-copy='#one-text']")).to_have_text("Copied")
    copied = desk.evaluate("navigator.clipboard.readText()")
    assert own_link(evening, "Ann Carter") in copied
    assert page_width(desk) == int(size)
    picture(desk, f"coming-one-{size}")
    no_barriers(desk)


@pytest.fixture
def pairs_event(evening, owner):
    """Its event for pairs, an hour after the start: Ken and Luis have found each other, Ann and Ayşe look."""
    event = make_event(
        owner,
        standard("swiss"),
        name="Club evening",
        kind="partnership",
        entries=0,
        circle=evening.club.circle,
        starts_at=evening.meeting.starts_at,
        status="open",
    )
    Meeting.objects.update(event=event)
    for name in ("Ann Carter", "Ayşe Kaya"):
        replies.answer(evening.pk, Membership.objects.get(name=name), "partner", way="own")
    pair = [Reply.objects.get(membership__name=name) for name in ("Ken Ito", "Luis Pardo")]
    replies.ask_partner(evening.pk, pair[0], pair[1].pk)
    replies.ask_partner(evening.pk, pair[1], pair[0].pk)
    return event


@pytest.mark.parametrize("size", SIZES)
def test_tonight_shows_pairs_as_done_and_changes_one(evening, pairs_event, owner, visit, picture, no_barriers, size):
    page = visit(SIZES[size], user=owner)
    page.goto("/clubs/harbour/tonight/")
    expect(page.locator("#partners")).to_contain_text("Ken Ito with Luis Pardo")
    assert page_width(page) == int(size)
    picture(page, f"evening-partners-{size}")
    no_barriers(page)
    pair = Reply.objects.get(membership__name="Ken Ito").pk
    page.locator(f"#change-pair-{pair} summary").click()
    picture(page, f"evening-partners-change-{size}")
    page.locator(f"#partner-{pair}").select_option(label="Ann Carter")
    page.locator(f"#partner-save-{pair}").click()
    expect(page.locator("#partners")).to_contain_text("Ken Ito with Ann Carter")
    expect(page.locator("#here")).to_contain_text("Ken Ito / Ann Carter")
    no_barriers(page)


def test_without_script_and_by_keyboard(evening, visit):
    page = visit(PHONE, java_script_enabled=False)
    page.goto(own_link(evening, "Edith Clark"))
    page.locator("#partner").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("You are coming on")


@pytest.mark.parametrize("size", SIZES)
def test_the_desk_pairs_two_and_answers_for_someone(evening, owner, visit, picture, no_barriers, size):
    replies.answer(evening.pk, "Kenneth Newman", "yes", way="group")
    page = visit(SIZES[size], user=owner)
    page.goto(f"/clubs/harbour/coming/{evening.pk}/")
    assert page_width(page) == int(size)
    picture(page, f"coming-desk-{size}")
    no_barriers(page)
    page.locator("#pair").click()
    expect(page.locator("#messages")).to_contain_text("play together")
    page.locator(".dock a").click()
    page.locator("#who").fill("Ayşe Kaya")
    page.locator("#for-no").click()
    expect(page.locator("#messages")).to_contain_text("Ayşe Kaya, no.")
    page.locator(f"#confirm-{Reply.objects.get(membership=None).pk}").click()
    expect(page.locator("#messages")).to_contain_text("was confirmed")
    page.locator("#remind").click()
    expect(page.locator("#messages")).to_contain_text("asked again")
    no_barriers(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_meeting_that_repeats(evening, owner, visit, picture, no_barriers, size):
    page = visit(SIZES[size], user=owner)
    page.goto("/clubs/harbour/dates/repeating/")
    assert page_width(page) == int(size)
    picture(page, f"repeating-{size}")
    no_barriers(page)
    page.locator("#title").fill("Beginners’ night")
    page.locator("#every").select_option("month")
    page.locator("#starts_at").fill("19:30")
    page.locator("#first_day").fill(timezone.localdate().isoformat())
    page.locator("#add").click()
    expect(page.locator("#messages")).to_contain_text("every first Tuesday of the month at 19:30")
    page.goto(f"/clubs/harbour/dates/repeating/{RepeatingMeeting.objects.get(title='Club night').pk}/")
    assert page_width(page) == int(size)
    picture(page, f"repeating-one-{size}")
    no_barriers(page)
    page.goto("/clubs/harbour/dates/")
    expect(page.get_by_role("link", name="Are you coming?")).to_be_visible()
    no_barriers(page)


def test_in_german(evening, owner, visit, picture, no_barriers):
    owner.language = "de"
    owner.save()
    page = visit(PHONE, locale="de-DE")
    page.goto(own_link(evening, "Edith Clark"))
    expect(page.locator("h1")).to_have_text("Kommst du, Edith?")
    assert page_width(page) == 390
    picture(page, "coming-de-390")
    desk = visit(PHONE, user=owner, locale="de-DE")
    desk.goto(f"/clubs/harbour/coming/{evening.pk}/")
    assert page_width(desk) == 390
    picture(desk, "coming-desk-de-390")
    no_barriers(desk)
