"""The people of a club: names, roles, leaving; the directory; lists brought in."""

import unicodedata

import pytest

from clubs.models import Act, Invitation, Membership
from clubs.services import history
from clubs.services.members import member_import, membership
from tests.makers import make_club
from tests.tournaments.organising import refusal
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db

NAMES = "/clubs/harbour/people/"


def member_named(club, name):
    return Membership.objects.get(club=club, name=name)


def member_of(club, user):
    return Membership.objects.get(club=club, user=user)


# Names


def test_names_are_added_with_and_without_addresses(club, staff):
    act = membership.add_names(club.pk, staff["organiser"], lines=["Ann  Lee", "Ben Ross <Ben@Example.org>"])
    assert act.sentence == "2 names were added."
    assert member_named(club, "Ann Lee").email == ""
    assert member_named(club, "Ben Ross").email == "ben@example.org"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a\u200bb", "bad_name"),
        ("Mia <nowhere>@", "bad_email"),
        ("ann@example.org", "no_name"),
        ("Ann <ann@>", "bad_email"),
        ("ORGANISER", "name_taken"),
    ],
)
def test_a_list_with_a_wrong_line_adds_nobody(club, staff, refuses, line, code):
    with refuses(code) as caught:
        membership.add_names(club.pk, staff["owner"], lines=["Zoë", " ", line])
    assert caught.value.sentence.startswith("Line 3: ")
    assert Membership.objects.filter(club=club).count() == 5


def test_a_name_twice_in_a_list(club, staff, refuses):
    with refuses("name_taken"):
        membership.add_names(club.pk, staff["owner"], lines=["Zoë Lee", "ZOË LEE"])


def test_adding_is_undone_unless_someone_has_played(club, staff, refuses, make_team):
    act = membership.add_names(club.pk, staff["owner"], lines=["Ann", "Ben"])
    second = membership.add_names(club.pk, staff["owner"], lines=["Cem"])
    make_team(club, member_named(club, "Cem"))
    with refuses("used_since"):
        history.undo(second.pk, by=staff["owner"])
    history.undo(act.pk, by=staff["owner"])
    assert not Membership.objects.filter(name__in=["Ann", "Ben"]).exists()
    assert member_named(club, "Cem")


@pytest.fixture
def make_team():
    from clubs.models import League, Team, TeamMember

    def make(club, *people):
        league = League.objects.create(club=club, name="League", slug="league")
        team = Team.objects.create(league=league, club=club, name="Foxes", number=1)
        for member in people:
            TeamMember.objects.create(team=team, membership=member)
        return team

    return make


def test_a_member_is_renamed(club, staff, refuses):
    membership.add_names(club.pk, staff["owner"], lines=["Ann"])
    act = membership.edit(member_named(club, "Ann").pk, staff["owner"], name="Ann Lee", email="ann@example.org")
    assert act.sentence == "The name of Ann Lee was corrected."
    assert member_named(club, "Ann Lee").email == "ann@example.org"
    with refuses("name_taken"):
        membership.edit(member_named(club, "Ann Lee").pk, staff["owner"], name="member")
    with refuses("nothing_new"):
        membership.edit(member_named(club, "Ann Lee").pk, staff["owner"], name="Ann Lee")


# Roles


def test_the_last_owner_stays(club, staff, refuses):
    owner = member_of(club, staff["owner"])
    with refuses("last_owner"):
        membership.give_role(owner.pk, staff["owner"], role="member")
    with refuses("last_owner"):
        membership.remove(owner.pk, staff["owner"])
    with refuses("last_owner"):
        membership.leave(club.pk, staff["owner"])
    membership.give_role(member_of(club, staff["organiser"]).pk, staff["owner"], role="owner")
    membership.give_role(owner.pk, staff["organiser"], role="member")
    assert member_of(club, staff["owner"]).role == "member"


def test_an_owner_who_cannot_sign_in_is_none(club, staff, refuses):
    membership.give_role(member_of(club, staff["organiser"]).pk, staff["owner"], role="owner")
    staff["organiser"].is_active = False
    staff["organiser"].save()
    with refuses("last_owner"):
        membership.leave(club.pk, staff["owner"])


@pytest.mark.parametrize(
    ("giver", "target", "role", "is_done"),
    [
        ("owner", "member", "organiser", True),
        ("owner", "organiser", "member", True),
        ("organiser", "member", "scorer", True),
        ("organiser", "scorer", "guest", True),
        ("organiser", "member", "organiser", False),
        ("organiser", "member", "owner", False),
        ("organiser", "owner", "member", False),
        ("organiser", "organiser", "scorer", False),
        ("scorer", "guest", "member", False),
        ("member", "guest", "member", False),
        ("guest", "member", "guest", False),
    ],
)
def test_who_gives_which_role(club, staff, giver, target, role, is_done):
    member = member_of(club, staff[target])
    if is_done:
        membership.give_role(member.pk, staff[giver], role=role)
    else:
        with pytest.raises(NotAllowed):
            membership.give_role(member.pk, staff[giver], role=role)
    member.refresh_from_db()
    assert member.role == (role if is_done else target)


def test_no_role_comes_back_by_undoing_that_one_may_not_give(club, staff, refuses):
    act = membership.give_role(member_of(club, staff["organiser"]).pk, staff["owner"], role="member")
    membership.give_role(member_of(club, staff["scorer"]).pk, staff["owner"], role="organiser")
    with pytest.raises(NotAllowed):
        history.undo(act.pk, by=staff["scorer"])
    with pytest.raises(NotAllowed):
        history.undo(act.pk, by=staff["organiser"])
    history.undo(act.pk, by=staff["owner"])
    assert member_of(club, staff["organiser"]).role == "organiser"


def test_undoing_leaves_an_owner(club, staff, refuses):
    act = membership.give_role(member_of(club, staff["organiser"]).pk, staff["owner"], role="owner")
    membership.leave(club.pk, staff["owner"])
    with refuses("last_owner"):
        history.undo(act.pk, by=staff["organiser"])


def test_a_name_without_account_has_no_part_on_the_site(club, staff, refuses):
    membership.add_names(club.pk, staff["owner"], lines=["Ann"])
    with refuses("needs_account"):
        membership.give_role(member_named(club, "Ann").pk, staff["owner"], role="scorer")
    membership.give_role(member_named(club, "Ann").pk, staff["owner"], role="guest")
    assert member_named(club, "Ann").role == "guest"


def test_nobody_acts_on_another_club(club, staff, person):
    other = make_club("Other", owner=person("Eve"))
    eve = other.memberships.get()
    for act in (
        lambda: membership.edit(eve.pk, staff["owner"], name="x"),
        lambda: membership.give_role(eve.pk, staff["owner"], role="member"),
        lambda: membership.remove(eve.pk, staff["owner"]),
        lambda: membership.renew_claim_link(eve.pk, staff["owner"]),
    ):
        with pytest.raises(NotAllowed):
            act()


# Leaving


def test_leaving_keeps_the_row_and_ends_consents(club, staff, in_club):
    mia = in_club(club, "Mia", is_listed=True, wants_letters=True)
    membership.leave(club.pk, mia)
    member = member_of(club, mia)
    assert member.left_at is not None
    assert (member.is_listed, member.wants_letters, member.name) == (False, False, "Mia")


def test_who_was_removed_is_brought_back(club, staff, refuses):
    membership.add_names(club.pk, staff["owner"], lines=["Ann"])
    ann = member_named(club, "Ann")
    act = membership.remove(ann.pk, staff["organiser"])
    with refuses("left"):
        membership.remove(ann.pk, staff["organiser"])
    history.undo(act.pk, by=staff["organiser"])
    assert member_named(club, "Ann").is_here
    membership.remove(ann.pk, staff["organiser"])
    membership.add_names(club.pk, staff["owner"], lines=["Ann"])
    membership.restore(ann.pk, staff["organiser"])
    ann.refresh_from_db()
    assert (ann.name, ann.is_here) == ("Ann (2)", True)


def test_people_with_accounts_come_back_themselves(club, staff, refuses):
    member = member_of(club, staff["member"])
    membership.remove(member.pk, staff["owner"])
    with refuses("has_account"):
        membership.restore(member.pk, staff["owner"])


# Oneself


def test_consents_are_ones_own_and_not_in_the_history(club, staff, browser_of):
    page = browser_of(staff["member"])
    page.submit("/clubs/harbour/me/", "save", name="Mem Ber", contact="+44 20 7946 0000", is_listed="on")
    member = member_of(club, staff["member"])
    assert (member.name, member.contact) == ("Mem Ber", "+44 20 7946 0000")
    assert (member.is_listed, member.wants_letters) == (True, False)
    act = Act.objects.get()
    assert (act.sentence, act.changes) == ("Mem Ber changed their club profile.", [])


def test_the_directory_shows_who_agreed_to_who_may_read_it(club, staff, browser_of, client):
    Membership.objects.filter(user=staff["scorer"]).update(is_listed=True, contact="Quay 3")
    Membership.objects.filter(user=staff["organiser"]).update(contact="Hidden 4")
    markup = browser_of(staff["member"]).get("/clubs/harbour/members/")
    assert "Quay 3" in markup
    assert "Hidden 4" not in markup
    browser_of(staff["guest"]).get("/clubs/harbour/members/", status=403)
    assert client.get("/clubs/harbour/members/").status_code == 403
    club.has_directory = False
    club.save()
    assert "Quay 3" not in browser_of(staff["member"]).get("/clubs/harbour/members/")


def test_strangers_have_no_entry(club, person, browser_of, client):
    browser_of(person("Eve")).get("/clubs/harbour/me/", status=403)
    assert client.get("/clubs/harbour/me/").status_code == 302


# Pages


def test_the_pages_do_what_they_say(club, staff, browser_of):
    page = browser_of(staff["owner"])
    page.submit(NAMES, "add", names="Ann Lee\nBen Ross <ben@example.org>")
    ann = member_named(club, "Ann Lee")
    path = f"{NAMES}{ann.pk}/"
    page.submit(path, "save", name="Ann Leigh", email="ann@example.org")
    page.submit(path, "give", role="guest")
    page.submit(path, "letter")
    assert Invitation.objects.get().membership == ann
    assert page.press(path, "remove").status_code == 422
    page.submit(path, "remove", sure="yes")
    page.submit(path, "back")
    ann.refresh_from_db()
    assert (ann.name, ann.email, ann.role, ann.is_here) == ("Ann Leigh", "ann@example.org", "member", True)


def test_a_refused_list_is_still_there(club, staff, browser_of):
    answer = browser_of(staff["owner"]).press(NAMES, "add", names="Ann\n\nOwner")
    assert answer.status_code == 422
    assert refusal(answer).startswith("Line 3: Owner is already in the club")
    assert "Ann\n\nOwner</textarea>" in answer.content.decode().replace("\r\n", "\n")


def test_a_name_that_is_in_the_list_twice_is_not_said_to_be_in_the_club(club, staff, browser_of):
    answer = browser_of(staff["owner"]).press(NAMES, "add", names="Ann\nBen\nANN")
    assert refusal(answer).startswith("Line 3: ANN is already in the list.")


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_as_many_queries_however_long(
    club, staff, browser_of, in_club, django_assert_max_num_queries, count
):
    for number in range(count * 3):
        in_club(club, f"P{number}")
    page = browser_of(staff["owner"])
    with django_assert_max_num_queries(13):
        page.get(NAMES)


# From a table

TABLE = (
    "E-Mail;Rôle;Telefon;Name\r\n"
    "ann@example.org;member;x;Ann Lee\r\n"
    "\r\n"
    ";GUEST;;Zoë Müller\r\n"
    "ann@example.org;;;Bob Lee\r\n"
    ";captain;;Cem\r\n"
    "nowhere;;;Dee\r\n"
    ";;;Owner\r\n"
    ";;;zoë müller\r\n"
    "z2@example.org;;;Zoë Müller\r\n"
    "e@example.org;;;\r\n"
)


def fates(reading):
    return [(line.number, line.name, line.fate) for line in reading.lines]


def test_a_table_is_looked_at_before_anything_is_written(club, staff):
    reading = member_import.preview(club.pk, TABLE.encode("cp1252"))
    assert fates(reading) == [
        (2, "Ann Lee", "add"),
        (4, "Zoë Müller", "add"),
        (5, "Bob Lee", "add"),
        (6, "Cem", "wrong"),
        (7, "Dee", "wrong"),
        (8, "Owner", "known"),
        (9, "zoë müller", "known"),
        (10, "Zoë Müller", "wrong"),
        (11, "", "wrong"),
    ]
    words = {line.number: line.words for line in reading.lines}
    assert words[5] == "The same address as line 2."
    assert words[7] == "nowhere is not an email address."
    assert words[10] == "The same name as line 4. Add something that tells them apart."
    assert words[11] == "The name is missing."
    assert reading.unused == ("Telefon",)
    assert Membership.objects.filter(club=club).count() == 5
    assert not Act.objects.exists()


def test_names_are_the_same_however_their_accents_are_written_and_without_them_others(club):
    """Some systems write ë as e and two dots behind it."""
    Membership.objects.create(club=club, name="Zoë Müller")
    lines = [
        "Name",
        unicodedata.normalize("NFD", "ZOË Müller"),
        "Zoe Muller",
        unicodedata.normalize("NFD", "José"),
        "José",
    ]
    reading = member_import.preview(club.pk, "\n".join(lines).encode("utf-8-sig"))
    assert fates(reading) == [
        (2, "ZOË Müller", "known"),
        (3, "Zoe Muller", "add"),
        (4, "José", "add"),
        (5, "José", "known"),
    ]


def test_dates_and_lines_of_empty_cells_are_passed_over(club):
    table = "Name;Joined;Left\nAnn;12.09.2024;2025-01-31\n;;\n  ; ;\nBo;9/12/2024;\n"
    reading = member_import.preview(club.pk, table)
    assert fates(reading) == [(2, "Ann", "add"), (5, "Bo", "add")]
    assert reading.unused == ("Joined", "Left")


def test_first_and_last_names_are_put_together(club):
    reading = member_import.preview(club.pk, "Surname,First name\nLee,Ann\nRoss,\n")
    assert [line.name for line in reading.lines] == ["Ann Lee", "Ross"]
    assert [line.name for line in member_import.preview(club.pk, "Name,First name\nLee,Ann\nBen Ross,Ben").lines] == [
        "Ann Lee",
        "Ben Ross",
    ]


def test_an_empty_column_of_names_is_said(club, refuses):
    with refuses("no_names"):
        member_import.preview(club.pk, "E-mail;Role\nann@example.org;member\n")
