"""Guests: strangers who say on a club's public page that they would like to come to a meeting."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client

from accounts.budgets import MEETING_GUESTS
from clubs.coming import guests, links, replies
from clubs.models import Club, Meeting, MeetingGuest, Membership, Question, Reply
from clubs.services import history, settings
from clubs.services.history import Actor
from clubs.services.publications import meetings
from tests.at_once import at_once
from tests.makers import make_club, make_event
from tournaments.models import Entry, Member
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
STARTS = datetime(2026, 11, 24, 18, tzinfo=UTC)
"""19:00 on a Tuesday by the club’s clock."""


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as travelling:
        cache.clear()
        yield travelling


@pytest.fixture
def evening(club):
    """A meeting of Harbour, which takes guests."""
    return make_evening(club)


def make_evening(club, **fields):
    Club.objects.filter(pk=club.pk).update(takes_guests=True, venue="Harbour Hall")
    times = {"starts_at": STARTS, "ends_at": STARTS + timedelta(hours=3)}
    return Meeting.objects.create(club=club, title="Club night", **times | fields)


def come_path(meeting):
    return f"/clubs/{meeting.club.slug}/dates/{meeting.pk}/come/"


def send(meeting, client=None, **fields):
    """Send the form as the page of now has it."""
    start = Meeting.objects.get(pk=meeting.pk).starts_at.isoformat()
    return (client or Client()).post(
        come_path(meeting), {"name": "Sam Field", "starts_at": start, "key": "k1"} | fields
    )


def add(meeting, name="Sam Field", **fields):
    return guests.add(meeting.pk, name=name, shown=meeting.starts_at.isoformat(), **fields)


def text_of(answer):
    return unescape(" ".join(re.sub(r"<[^>]+>", "", answer.content.decode()).split()))


# The setting


def test_a_new_club_takes_no_guests(club):
    assert Club.objects.get(pk=club.pk).takes_guests is False


def test_without_the_setting_the_page_leads_to_joining(club, evening):
    Club.objects.filter(pk=club.pk).update(takes_guests=False)
    markup = Client().get("/clubs/harbour/").content.decode()
    assert ('href="/clubs/harbour/join/"' in markup, come_path(evening) in markup) == (True, False)


def test_without_the_setting_the_form_is_closed(club, evening):
    Club.objects.filter(pk=club.pk).update(takes_guests=False)
    answer = send(evening)
    assert (answer.status_code, MeetingGuest.objects.exists()) == (422, False)
    assert "This club takes no guests here. Ask to join it." in text_of(answer)


def test_an_owner_turns_it_on(club, owner, browser_of):
    browser_of(owner).submit("/clubs/harbour/settings/", "save", takes_guests="on")
    assert Club.objects.get(pk=club.pk).takes_guests is True


def test_the_page_changes_with_the_setting(club, owner, evening):
    before = Client().get("/clubs/harbour/").content.decode()
    settings.change(club.pk, owner, fields={"takes_guests": False})
    after = Client().get("/clubs/harbour/").content.decode()
    assert (come_path(evening) in before, come_path(evening) in after) == (True, False)


def test_the_part_for_other_sites_leads_to_the_club(evening):
    markup = Client().get("/clubs/harbour/embed/meeting/").content.decode()
    assert "I would like to come" in markup
    assert come_path(evening) not in markup


def test_the_list_of_meetings_offers_it_to_strangers_alone(evening, staff, browser_of):
    assert come_path(evening) in Client().get("/clubs/harbour/dates/").content.decode()
    assert come_path(evening) not in browser_of(staff["member"]).get("/clubs/harbour/dates/")


# Saying it


def test_a_name_is_enough(evening):
    answer = send(evening, name="  Sam   Field ")
    guest = MeetingGuest.objects.get()
    assert (answer.status_code, guest.name, guest.note, guest.meeting) == (302, "Sam Field", "", evening)


def test_opening_the_form_stores_nothing(evening):
    assert Client().get(come_path(evening)).status_code == 200
    assert not MeetingGuest.objects.exists()


def test_the_page_afterwards_thanks_and_says_when_and_where(evening):
    page = text_of(Client().get(send(evening)["Location"]))
    assert "Thank you, Sam Field" in page
    assert "Tuesday 24 November 19:00 to 22:00 Club night Harbour Hall Map" in page


def test_a_form_that_is_sent_twice_is_one_guest(evening):
    assert send(evening)["Location"] == send(evening)["Location"]
    assert MeetingGuest.objects.count() == 1


def test_a_form_that_is_sent_again_changes_the_name(evening):
    send(evening)
    send(evening, name="Sam and Kim", note="We come by car.")
    assert list(MeetingGuest.objects.values_list("name", "note")) == [("Sam and Kim", "We come by car.")]


def test_two_people_of_one_name_both_come(evening):
    for key in ("k1", "k2"):
        send(evening, key=key)
    assert MeetingGuest.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Enter your name."),
        ({"name": "x" * 61}, "at most 60"),
        ({"note": "x" * 141}, "At most 140 characters."),
    ],
)
def test_refused_input_is_still_in_the_form(evening, fields, sentence):
    typed = {"name": "Sam Field", "note": "I am new."} | fields
    answer = send(evening, **typed)
    assert (answer.status_code, MeetingGuest.objects.exists()) == (422, False)
    assert sentence in text_of(answer)
    assert all(f'value="{value}"' in answer.content.decode() for value in typed.values())


def test_a_cancelled_meeting_is_refused(evening):
    Meeting.objects.update(is_called_off=True)
    answer = send(evening)
    assert (answer.status_code, MeetingGuest.objects.exists()) == (422, False)
    assert "This meeting was cancelled. Choose another one." in text_of(answer)


def test_a_meeting_that_has_started_is_refused(evening, clock):
    clock.move_to(STARTS)
    answer = send(evening)
    assert (answer.status_code, MeetingGuest.objects.exists()) == (422, False)
    assert "This meeting has started. Choose another one." in text_of(answer)


def test_a_meeting_that_was_moved_since_is_shown_again(evening):
    shown = evening.starts_at.isoformat()
    Meeting.objects.update(starts_at=STARTS + timedelta(days=1), ends_at=None)
    answer = send(evening, starts_at=shown)
    assert (answer.status_code, MeetingGuest.objects.exists()) == (422, False)
    assert "This meeting has just been moved. Check the new time and send it again." in text_of(answer)
    assert 'value="2026-11-25T18:00:00+00:00"' in answer.content.decode()
    assert 'value="Sam Field"' in answer.content.decode()


def test_an_eleventh_guest_is_refused(evening):
    MeetingGuest.objects.bulk_create(MeetingGuest(meeting=evening, name=f"Guest {at}") for at in range(10))
    assert "This meeting is full. Choose another one." in text_of(send(evening))
    assert MeetingGuest.objects.count() == 10


def test_a_full_event_takes_no_guests(evening, owner):
    event = make_event(owner, entries=2, entry_limit=2)
    Meeting.objects.update(event=event)
    assert "This meeting is full. Choose another one." in text_of(send(evening))


def test_an_archived_club_takes_no_guests(evening):
    Club.objects.update(archived_at=NOW)
    assert send(evening).status_code == 422
    assert not MeetingGuest.objects.exists()


def test_a_closed_form_says_why_when_it_is_opened(evening):
    Meeting.objects.update(is_called_off=True)
    answer = Client().get(come_path(evening))
    assert (answer.status_code, 'name="name"' in answer.content.decode()) == (200, False)
    assert "This meeting was cancelled." in text_of(answer)


def test_members_are_led_to_their_own_links(evening, staff, browser_of):
    answer = browser_of(staff["member"]).client.get(come_path(evening))
    assert (answer.status_code, answer["Location"]) == (302, "/clubs/harbour/dates/")


def test_a_meeting_of_another_club_is_not_found(evening, quay):
    assert Client().get(f"/clubs/quay/dates/{evening.pk}/come/").status_code == 404


def test_one_address_says_it_only_so_often(evening, limited):
    limited(MEETING_GUESTS, address=1)
    send(evening)
    answer = send(evening, key="k2", note="I am new.")
    assert (answer.status_code, MeetingGuest.objects.count()) == (429, 1)
    assert answer["Retry-After"].isdecimal()
    assert "There were too many guests." in text_of(answer)
    assert 'value="I am new."' in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_ten(transactional_db):
    evening = make_evening(make_club("Harbour", slug="harbour"))
    MeetingGuest.objects.bulk_create(MeetingGuest(meeting=evening, name=f"Guest {at}") for at in range(8))
    with time_machine.travel(NOW, tick=False):
        at_once(*[lambda: add(evening)] * 5)
    assert MeetingGuest.objects.count() == 10


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_many_times_at_once_is_one_guest(transactional_db):
    evening = make_evening(make_club("Harbour", slug="harbour"))
    with time_machine.travel(NOW, tick=False):
        at_once(*[lambda: add(evening, key="k1")] * 4)
    assert MeetingGuest.objects.count() == 1


# Apart from members


def test_a_members_name_is_neither_matched_nor_revealed(club, evening):
    Membership.objects.create(club=club, name="Edith Clark")
    Question.objects.create(club=club, meeting=evening)
    stranger, member = send(evening), send(evening, name="Edith Clark", key="k2")
    pages = [text_of(Client().get(answer["Location"])) for answer in (stranger, member)]
    without = [re.sub(r"Sam Field|Edith Clark|http\S+", "", page) for page in pages]
    assert without[0] == without[1]
    assert (Reply.objects.count(), Membership.objects.filter(name="Edith Clark").count()) == (0, 1)


def test_the_form_names_no_members(club, evening):
    Membership.objects.create(club=club, name="Edith Clark", is_listed=True)
    assert "Edith" not in Client().get(come_path(evening)).content.decode()


def test_a_guest_is_no_name_to_confirm_and_no_partner(club, evening):
    question = Question.objects.create(club=club, meeting=evening)
    add(evening)
    assert (replies.looking(question), Membership.objects.filter(club=club).exists()) == ([], False)


def test_a_guest_enters_no_event(club, evening, owner):
    Meeting.objects.update(event=make_event(owner, entries=2))
    add(evening)
    assert (Entry.objects.count(), Member.objects.count()) == (2, 0)


def test_members_see_only_how_many_guests_come(club, evening):
    edith = Membership.objects.create(club=club, name="Edith Clark", is_listed=True)
    question = Question.objects.create(club=club, meeting=evening)
    replies.answer(question.pk, edith, "yes", way="own")
    add(evening, note="I am new.")
    page = text_of(Client().get(links.own_path(question, edith.pk)))
    assert "1 is coming and 1 guest" in page
    assert ("Sam" in page, "I am new" in page) == (False, False)


# The guest's own link


def test_who_cannot_come_after_all_leaves_the_list(evening):
    path = send(evening)["Location"]
    assert Client().post(path)["Location"] == path
    assert not MeetingGuest.objects.exists()
    assert "You are not on the list" in text_of(Client().get(path))


def test_leaving_twice_does_no_harm(evening):
    path = send(evening)["Location"]
    send(evening, key="k2")
    for _ in range(2):
        assert Client().post(path).status_code == 302
    assert MeetingGuest.objects.count() == 1


def test_leaving_makes_room(evening):
    MeetingGuest.objects.bulk_create(MeetingGuest(meeting=evening, name=f"Guest {at}") for at in range(9))
    Client().post(send(evening)["Location"])
    assert send(evening, key="k2").status_code == 302


def test_the_link_ends_with_the_meeting(evening, clock):
    path = send(evening)["Location"]
    clock.move_to(STARTS + timedelta(hours=3))
    answer = Client().get(path)
    assert (answer.status_code, Client().post(path).status_code) == (404, 404)
    assert "This link has expired because the meeting is over." in text_of(answer)
    assert MeetingGuest.objects.exists()


def test_the_page_of_a_cancelled_meeting_says_so(evening):
    path = send(evening)["Location"]
    Meeting.objects.update(is_called_off=True)
    assert "This was cancelled" in text_of(Client().get(path))


@pytest.mark.parametrize("token", ["1", "1-1", "1-1:x", "x-y:z", "-:", "1-1-1:x", "9" * 30 + "-1:x"])
def test_forged_links_lead_nowhere(evening, token):
    send(evening)
    assert Client().post(f"/clubs/coming/guest/{token}/").status_code == 404
    assert MeetingGuest.objects.count() == 1


def test_the_number_of_another_guest_does_not_fit_the_signature(evening):
    path = send(evening)["Location"]
    other = add(evening, "Kim")
    forged = re.sub(r"-\d+:", f"-{other.pk}:", path)
    assert Client().post(forged).status_code == 404
    assert MeetingGuest.objects.count() == 2


def test_a_link_of_a_member_is_none_of_a_guest(club, evening):
    edith = Membership.objects.create(club=club, name="Edith Clark")
    question = Question.objects.create(club=club, meeting=evening)
    token = links.own_token(question, edith.pk)
    assert Client().get(f"/clubs/coming/guest/{token}/").status_code == 404


# Organisers


def test_organisers_see_names_and_notes(club, evening, staff, browser_of):
    question = Question.objects.create(club=club, meeting=evening)
    add(evening, note="I am new.")
    for path in (f"/clubs/harbour/coming/{question.pk}/", f"/clubs/harbour/dates/{evening.pk}/guests/"):
        page = text_of(browser_of(staff["scorer"]).client.get(path))
        assert "Guests from the public page" in page
        assert ("Sam Field" in page, "“I am new.”" in page) == (True, True)


def test_tonight_shows_guests_of_the_day(evening, staff, browser_of):
    add(evening, note="I am new.")
    page = text_of(browser_of(staff["scorer"]).client.get("/clubs/harbour/tonight/"))
    assert "Guests from the public page1 Sam Field “I am new.”" in page


def test_tonight_leaves_out_guests_of_other_days(evening, staff, browser_of):
    Meeting.objects.update(starts_at=STARTS + timedelta(days=7), ends_at=None)
    add(Meeting.objects.get())
    assert "Sam" not in text_of(browser_of(staff["scorer"]).client.get("/clubs/harbour/tonight/"))


def test_the_list_of_meetings_counts_guests_for_organisers(evening, staff, browser_of):
    add(evening)
    assert "1 guest from the public page" in text_of(browser_of(staff["scorer"]).client.get("/clubs/harbour/dates/"))
    assert "1 guest from" not in text_of(browser_of(staff["member"]).client.get("/clubs/harbour/dates/"))


def test_organisers_remove_a_guest(evening, staff, browser_of):
    guest = add(evening)
    path = f"/clubs/harbour/dates/{evening.pk}/guests/"
    assert browser_of(staff["scorer"]).submit(path, f"remove-{guest.pk}") == path
    assert not MeetingGuest.objects.exists()


def test_organisers_can_send_a_guest_the_link_again(evening, staff, browser_of, clock):
    guest = add(evening)
    address = f"/clubs/harbour/dates/{evening.pk}/guests/"
    link = links.full(links.guest_path(guest))
    assert link in browser_of(staff["scorer"]).get(address)
    clock.move_to(evening.ends_at)
    assert link not in browser_of(staff["scorer"]).get(address)


def test_removing_twice_is_done_once(evening, owner):
    guest = add(evening)
    acts = [guests.remove(evening, Actor(owner, "r1"), guest=guest.pk) for _ in range(2)]
    assert acts[0] == acts[1]


def test_the_history_names_no_guest(evening, owner):
    act = guests.remove(evening, owner, guest=add(evening, note="I am new.").pk)
    assert act.sentence == "Guest removed: Club night."
    assert "Sam" not in f"{act.sentence} {act.changes}"


def test_a_removed_guest_does_not_come_back(evening, owner):
    act = guests.remove(evening, owner, guest=add(evening).pk)
    with pytest.raises(Refused) as refused:
        history.undo(act.pk, by=owner)
    assert (refused.value.code, MeetingGuest.objects.exists()) == ("cannot_undo", False)


def test_members_remove_nobody(evening, staff):
    guest = add(evening)
    with pytest.raises(NotAllowed):
        guests.remove(evening, staff["member"], guest=guest.pk)
    assert MeetingGuest.objects.exists()


def test_a_guest_of_another_meeting_is_not_removed(club, evening, owner):
    other = add(make_evening(club))
    with pytest.raises(Refused, match="no longer exists"):
        guests.remove(evening, owner, guest=other.pk)
    assert MeetingGuest.objects.exists()


def test_guests_go_with_a_deleted_meeting(evening, owner):
    add(evening)
    meetings.delete(evening.pk, owner)
    assert not MeetingGuest.objects.exists()


# Programs


def test_programs_read_and_remove_guests(evening, owner, program):
    guest = add(evening, note="I am new.")
    nora = program(owner)
    (row,) = nora.get(f"clubs/harbour/dates/{evening.pk}/guests/")["guests"]
    assert (row["id"], row["name"], row["note"]) == (guest.pk, "Sam Field", "I am new.")
    nora.post(f"clubs/harbour/dates/{evening.pk}/remove-guest/", guest=guest.pk)
    assert not MeetingGuest.objects.exists()


def test_programs_see_how_many_guests_come(club, evening, staff, program):
    Question.objects.create(club=club, meeting=evening)
    add(evening)
    (row,) = program(staff["member"]).get("clubs/harbour/coming/")["coming"]
    assert (row["yes"], row["guests"]) == (0, 1)


def test_programs_turn_it_on(club, owner, program):
    program(owner).post("clubs/harbour/settings/", takes_guests=True)
    assert program(owner).get("clubs/harbour/")["takes_guests"] is True
