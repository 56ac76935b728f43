"""Rights in a club, at every address: made from the table of roles and from the URLconf.

Every page and every form is tried by each role, by strangers and by nobody; with rows of another club in the
address, and in the fields of every form. An address missing from `tests.security.clubs.DOORS` fails.
"""

from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from accounts.scopes import SCOPES
from accounts.services import tokens
from clubs.roles import ACTS, RANKS, ROLES
from clubs.services.history import history
from tests.makers import make_member, make_person
from tests.security.clubs import (
    ACCOUNT,
    ANYBODY,
    API_ACTS,
    API_LOOKS,
    DOORS,
    KINDS,
    NO_ACTS,
    OF_CLUB,
    ask,
    club_addresses,
    make_full_club,
    path_of,
)
from tests.security.site_map import body_of, digest

pytestmark = pytest.mark.django_db

OTHERS = ("stranger", "former", "other club", "site staff", "guest of the site", "nobody")
"""People outside the club: among them the owner of another club, and a former owner."""
WITHOUT_ACCOUNT = ("guest of the site", "nobody")


@pytest.fixture
def clubs(made_once):
    return made_once(two_clubs)


def two_clubs():
    """Two clubs with one of everything, each of which asks the other into its league; and people of every role."""
    olive, otto = make_person("Olive"), make_person("Otto")
    asker = make_person("Asker")
    harbour, meadow = make_full_club(olive, asker, word="Harbour"), make_full_club(otto, asker, word="Meadow")
    for club in (harbour, meadow):
        ask(club, make_person(f"Ferrier of {club.club}"))
    people = {"owner": olive, "other club": otto, "stranger": make_person("Stranger")}
    for role in RANKS[1:]:
        people[role] = _in_club(harbour.club, make_person(role.title()), role)
    people["former"] = _in_club(harbour.club, make_person("Former"), "owner", left_at=harbour.club.created_at)
    staff = make_person("Staff")
    User.objects.filter(pk=staff.pk).update(is_staff=True, is_superuser=True)
    people["site staff"] = User.objects.get(pk=staff.pk)
    people["guest of the site"] = User.objects.create(username="guest-1", is_guest=True)
    return SimpleNamespace(harbour=harbour, meadow=meadow, people=people)


def _in_club(club, user, role, **fields):
    make_member(club, user, role, **fields)
    return user


def browser(clubs, role):
    """A browser in a role; a guest of the site is known by their session only."""
    client = Client()
    user = clubs.people.get(role)
    if role == "guest of the site":
        from accounts import guests

        session = client.session
        session[guests._KEY] = user.pk
        session.save()
    elif user is not None:
        client.force_login(user)
    return client


def is_allowed(role, needed):
    if needed == ANYBODY:
        return True
    if needed == ACCOUNT:
        return role not in WITHOUT_ACCOUNT
    if needed == OF_CLUB:
        return role in ROLES
    return needed in ROLES.get(role, ())


def is_refused(answer):
    """Whether an answer refuses: in words, or by leading to where one signs in."""
    return answer.status_code == 403 or (
        answer.status_code == 302 and answer["Location"].startswith("/accounts/login/")
    )


def is_answered(answer, *statuses):
    """Whether an answer is one of these, and refuses nobody."""
    return answer.status_code in statuses and not is_refused(answer)


def known_pages():
    """(view, address, door) of every page; those that nobody thought of are a test's own matter."""
    return [(view, address, DOORS[view]) for view, address in sorted(club_addresses().items()) if view in DOORS]


def test_every_address_says_who_may():
    missing = set(club_addresses()) - set(DOORS)
    assert not missing, f"Say in tests/security/clubs.py who may open and send: {sorted(missing)}"
    gone = set(DOORS) - set(club_addresses())
    assert not gone, f"These are no addresses any more; take them out of tests/security/clubs.py: {sorted(gone)}"
    needs = {need for door in DOORS.values() for need in (door.get, *(right for right, _ in door.posts)) if need}
    assert needs <= set(ACTS) | {ANYBODY, ACCOUNT, OF_CLUB}


@pytest.mark.slow
@pytest.mark.parametrize("role", [*RANKS, *OTHERS])
def test_pages_are_shown_to_whom_the_table_says(clubs, role):
    client = browser(clubs, role)
    for view, address, door in known_pages():
        answer = client.get(path_of(address, clubs.harbour))
        body_of(answer)
        if door.get is None:
            assert answer.status_code == 405, view
        elif is_allowed(role, door.get):
            assert is_answered(answer, 200, 302, 304), (view, answer.status_code)
        else:
            assert is_refused(answer), (view, answer.status_code)


@pytest.mark.slow
@pytest.mark.parametrize("role", [*RANKS, *OTHERS])
def test_forms_are_for_whom_the_table_says(clubs, role):
    client, before = browser(clubs, role), digest()
    for view, address, door in known_pages():
        path = path_of(address, clubs.harbour)
        for needed, data in door.posts or ((None, {}),):
            data = {"club": clubs.harbour.club.slug} if view == "copy_rules" else clubs.harbour.form(data)
            with transaction.atomic():
                answer = client.post(path, data)
                body_of(answer)
                if is_allowed(role, needed):
                    transaction.set_rollback(True)
            if needed is None:
                assert answer.status_code == 405, view
            elif is_allowed(role, needed):
                assert is_answered(answer, 200, 302, 409, 422), (view, data, answer.status_code)
            else:
                assert is_refused(answer), (view, data, answer.status_code)
    assert digest() == before


@pytest.mark.slow
@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_other_method_does_anything(clubs, method):
    client, before = browser(clubs, "owner"), digest()
    for view, address, _ in known_pages():
        assert getattr(client, method)(path_of(address, clubs.harbour)).status_code in (403, 405), view
    assert digest() == before


@pytest.mark.slow
@pytest.mark.parametrize("role", ["owner", "other club", "organiser"])
def test_rows_of_another_club_are_not_there(clubs, role):
    client, before, tried = browser(clubs, role), digest(), 0
    for view, address, door in known_pages():
        for name, foreign in foreign_rows(clubs, address):
            path = path_of(address, clubs.harbour, **{name: foreign})
            refused = (404,) if role == "owner" else (403, 404)
            if door.get is not None:
                assert client.get(path, follow=True).status_code in refused, (view, name)
                tried += 1
            for _, data in door.posts:
                assert client.post(path, clubs.harbour.form(data)).status_code in refused, (view, name, data)
                tried += 1
    assert tried > 40
    assert digest() == before


# The API


def bot(clubs, role, *without):
    """A program with a token of a role, for every scope but some."""
    client = APIClient()
    if role != "nobody":
        token = tokens.create(clubs.people[role], name="bot", scopes=[*set(SCOPES) - set(without)], days=None)[1]
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def api_doors(table):
    """(name, address, right) of the API’s pages or actions."""
    by_name = club_addresses("clubs_api")
    return [(name, by_name[name], needed) for needed, names in table.items() for name in names]


def test_every_door_of_the_api_says_who_may():
    listed_names = {name for table in (API_LOOKS, API_ACTS) for names in table.values() for name in names}
    assert set(club_addresses("clubs_api")) == listed_names, "Say who may in tests/security/clubs.py"
    needs = {*API_LOOKS, *API_ACTS}
    assert needs <= set(ACTS) | {ANYBODY, ACCOUNT, OF_CLUB}


def test_every_kind_of_act_has_a_page_and_a_door_for_whom_the_table_says():
    missing = set(history.kinds) - set(KINDS)
    assert not missing, f"Say in tests/security/clubs.py who may: {sorted(missing)}"
    assert set(KINDS) - set(history.kinds) <= {"make", "brought"}, "No code declares these"
    pages, doors, wrong = set(NO_ACTS), set(NO_ACTS), []
    for kind, (needs, on_pages, at_doors) in KINDS.items():
        rights = {needs} if isinstance(needs, str) else set(needs)
        pages |= set(on_pages.split())
        doors |= set(at_doors.split())
        wrong += [(kind, name) for name in on_pages.split() if not rights & {needed for needed, _ in DOORS[name].posts}]
        wrong += [(kind, name) for name in at_doors.split() if not any(name in API_ACTS[needed] for needed in rights)]
    assert not wrong
    assert {view for view, door in DOORS.items() if door.posts} <= pages
    assert {name for names in API_ACTS.values() for name in names} <= doors


PROGRAMS = [role for role in (*RANKS, *OTHERS) if role != "guest of the site"]
"""A guest of the site has no tokens."""


@pytest.mark.slow
@pytest.mark.parametrize("role", PROGRAMS)
def test_the_api_shows_to_whom_the_table_says(clubs, role):
    client = bot(clubs, role)
    for name, address, needed in api_doors(API_LOOKS):
        answer = client.get(path_of(address, clubs.harbour))
        expected = 200 if is_allowed(role, needed) else 401 if role == "nobody" else 403
        assert answer.status_code == expected, (name, answer.content[:200])


@pytest.mark.slow
@pytest.mark.parametrize("role", PROGRAMS)
def test_the_api_does_for_whom_the_table_says(clubs, role):
    client = bot(clubs, role)
    client.get("/api/v1/me/")  # which notes when the token was used
    before = digest()
    for name, address, needed in api_doors(API_ACTS):
        with transaction.atomic():
            answer = client.post(path_of(address, clubs.harbour), {}, format="json")
            if is_allowed(role, needed):
                transaction.set_rollback(True)
        if is_allowed(role, needed):
            assert answer.status_code in (200, 201, 400, 409, 422), (name, answer.content[:200])
        else:
            assert answer.status_code == (401 if role == "nobody" else 403), (name, answer.content[:200])
    assert digest() == before


@pytest.mark.slow
def test_a_token_does_only_what_it_is_for(clubs):
    for scopes, table in ((("clubs_read", "read"), API_LOOKS), (("clubs_join", "clubs_run"), API_ACTS)):
        client = bot(clubs, "owner", *scopes)
        for name, address, _ in api_doors(table):
            send = client.get if table is API_LOOKS else client.post
            answer = send(path_of(address, clubs.harbour), format="json")
            assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied"), name


@pytest.mark.slow
def test_the_api_knows_no_rows_of_another_club(clubs):
    client, tried = bot(clubs, "owner"), 0
    client.get("/api/v1/me/")
    before = digest()
    for table in (API_LOOKS, API_ACTS):
        for name, address, _ in api_doors(table):
            for argument, foreign in foreign_rows(clubs, address):
                path = path_of(address, clubs.harbour, **{argument: foreign})
                answer = client.get(path) if table is API_LOOKS else client.post(path, {}, format="json")
                assert answer.status_code == 404, (name, argument, answer.content[:200])
                tried += 1
    assert tried > 80
    assert digest() == before


def foreign_rows(clubs, address):
    """(argument, the other club’s value) for each argument of an address that finds a row."""
    for name in address.arguments:
        if "club" not in address.arguments or name in ("club", "level", "number", "version", "part"):
            continue
        yield name, clubs.meadow.filled(address)[name]
