"""Entries by program: entered one by one or from a list, and everything that is done to one."""

import pytest

from tests.tournaments.driving import play_round
from tournaments.models import Act, Entry, Member

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(program, olga):
    """Posts as the organiser to a door of an event: `desk(event)("entries/1/withdraw/")`."""
    bot = program(olga)

    def at(event):
        return lambda part, expected=200, **data: bot.post(f"events/{event.slug}/{part}", expected, **data)

    at.bot = bot
    return at


def status(event, number):
    return Entry.objects.get(tournament=event, number=number).status


def test_entries_come_in_pages_with_their_people(program, new_event):
    event = new_event("swiss", 5, kind="partnership")
    bot = program()
    page = bot.get(f"events/{event.slug}/entries/", limit=2, since=1)
    assert ([entry["number"] for entry in page["entries"]], page["more"]) == ([2, 3], True)
    assert [member["name"] for member in page["entries"][0]["members"]] == ["Player 3", "Player 4"]
    assert set(page["entries"][0]["members"][0]) == {"id", "name", "role", "is_captain", "answer", "has_account"}
    assert bot.get(f"events/{event.slug}/entries/", status="waiting")["entries"] == []
    bot.get(f"events/{event.slug}/entries/", 400, limit=0)


def test_an_organiser_enters_anybody(desk, new_event):
    do = desk(event := new_event("swiss", 0, kind="partnership"))
    tried = do("entries/", members=["Ann Lee", "Ben Roe"], preview=True)
    assert tried["sentence"] == "Ann Lee / Ben Roe was entered by Olga."
    assert event.entries.count() == 0
    entry = do("entries/", 201, members=["Ann Lee", "Ben Roe"], key="k")
    assert do("entries/", 201, members=["Ann Lee", "Ben Roe"], key="k") == entry
    assert (entry["number"], entry["name"], entry["status"]) == (1, "Ann Lee / Ben Roe", "entered")


def test_a_list_of_names_is_entered_whole_or_not_at_all(desk, new_event):
    event = new_event("swiss", 1, kind="partnership", entry_limit=3)
    do = desk(event)
    pairs = [{"members": ["Ann", "Ben"]}, {"members": ["Cem", "Dee"], "name": "Pair 9"}, {"members": ["Eve"]}]
    assert do("name-list/", entries=pairs, preview=True)["sentence"] == "3 entries were entered from a list."
    pairs += [{"members": ["Ann", "Ben"]}]
    entries = do("name-list/", 201, entries=pairs, is_here=True)
    assert entries["entries"] == [2, 3, 4, 5]
    stored = [(entry.name, entry.status, entry.is_here) for entry in event.entries.filter(number__gt=1)]
    assert stored == [
        ("Ann / Ben", "entered", True),
        ("Pair 9", "entered", True),
        ("Eve", "forming", True),
        ("Ann / Ben (5)", "waiting", True),
    ]
    captains = Member.objects.filter(entry__number=2, tournament=event).values_list("name", "is_captain", "position")
    assert list(captains) == [("Ann", True, 0), ("Ben", False, 1)]
    for wrong, code, line in (
        ([{"members": ["Fay", "Gus"]}, {"members": ["A", "B", "C"]}], "too_many", 1),
        ([{"members": ["Fay", "Gus"], "name": "pair 9"}], "name_taken", 0),
        ([{"members": ["Fay", "gus@example.org"]}], "bad_name", 0),
    ):
        refused = do("name-list/", 422, entries=wrong)
        assert (refused["code"], refused["line"]) == (code, line)
    assert event.entries.count() == 5
    assert do("name-list/", 400, entries=[])["code"] == "invalid"
    assert do("name-list/", 400, entries=[{"members": ["x"]}] * 513)["code"] == "invalid"
    do(f"history/{Act.objects.filter(kind='enter').first().pk}/undo/")
    assert event.entries.count() == 1
    assert do("name-list/", 201, entries=pairs[:1])["entries"] == [6]
    online = desk(new_event("swiss", 0, setting="online"))
    assert online("name-list/", 422, entries=[{"members": ["Ann"]}])["code"] == "names_alone"


def test_before_the_start(desk, new_event):
    event = new_event("swiss", 4, entry_limit=4, has_check_in=True)
    do = desk(event)
    do("entries/", 201, members=["Late"])
    assert status(event, 5) == "waiting"
    do("entries/5/accept/")
    do("entries/1/wait/")
    assert (status(event, 5), status(event, 1)) == ("entered", "waiting")
    do("entries/2/check-in/")
    do("entries/3/absent/")
    assert list(event.entries.values_list("number", "is_here"))[1:3] == [(2, True), (3, False)]
    do("entries/3/put-back/")
    do("entries/2/bye/", round=1)
    assert Entry.objects.get(tournament=event, number=2).byes == {"1": "half_bye"}
    do("entries/2/bye/", round=1, kind="none")
    do("entries/2/rename/", name="The Twos", key="r")
    assert do("entries/4/rename/", 422, name="the twos")["code"] == "name_taken"
    do("apart/", one=2, other=4)
    assert desk.bot.get(f"events/{event.slug}/apart/") == {"apart": [{"one": 2, "other": 4}]}
    do("apart/", one=4, other=2, apart=False)
    assert desk.bot.get(f"events/{event.slug}/apart/") == {"apart": []}
    assert do("apart/", 422, one=4, other=99)["code"] == "no_such_entry"
    do("seeds/", by="hand", order=[4, 2])
    assert list(event.entries.values_list("seed", flat=True)) == [None, 2, None, 1, None]
    assert do("seeds/", 422, by="hand", order=[99])["code"] == "no_such_entry"


def test_during_play(desk, new_event):
    event = new_event("swiss", 8, rounds=5, started=True)
    do = desk(event)
    tried = do("entries/1/withdraw/", preview=True)
    assert (tried["sentence"], tried["preview"]["has_choice"]) == ("Player 1 withdrew after the round.", False)
    assert status(event, 1) == "entered"
    do("entries/1/withdraw/")
    do("entries/1/reinstate/", missed="half_bye")
    do("entries/2/disqualify/", 400)
    do("entries/2/disqualify/", reason="Cards under the table.")
    assert (status(event, 1), status(event, 2)) == ("entered", "disqualified")
    late_entry = do("late/", 201, members=["Zoe"], missed="half_bye", key="z")
    assert do("late/", 201, members=["Zoe"], missed="half_bye", key="z") == late_entry
    assert (late_entry["stages"][0]["first_round"], late_entry["stages"][0]["start_points"]) == (2, "1")
    assert do("late/", 422, members=["Yan"], entry=1)["code"] == "bad_input"
    member = Member.objects.get(entry__number=3, tournament=event).pk
    replaced = do("entries/3/replace/", 201, member=member, who="New Hand")
    assert [person["name"] for person in replaced["members"]] == ["New Hand"]
    assert do("entries/4/replace/", 422, member=member, who="Other")["code"] == "no_such_member"


def test_the_people_of_a_team(desk, new_event, players):
    event = new_event("swiss", 2, kind="team")
    do = desk(event)
    first, second = Member.objects.filter(tournament=event, entry__number=1)
    do("entries/1/captain/", member=second.pk)
    third = do("entries/1/invite/", 201, who="Third Man")["members"][2]
    do("entries/1/member-role/", member=third["id"], role="reserve")
    do("entries/1/order/", members=[second.pk, first.pk, third["id"]])
    members = desk.bot.get(f"events/{event.slug}/entries/1/")["members"]
    assert [(member["name"], member["role"], member["is_captain"]) for member in members] == [
        ("Player 2", "player", True),
        ("Player 1", "player", False),
        ("Third Man", "reserve", False),
    ]
    do("entries/1/drop/", member=third["id"])
    assert len(desk.bot.get(f"events/{event.slug}/entries/1/")["members"]) == 2
    assert do("entries/2/drop/", 422, member=first.pk)["code"] == "no_such_member"


def test_what_a_player_does_with_their_own_entry(program, new_event, players):
    event = new_event("swiss", 4, kind="team", has_check_in=True, status="open")
    captain = program(players(8)[0])
    path = f"events/{event.slug}/own"
    assert captain.get(f"{path}/")["number"] == 1
    captain.post(f"{path}/check-in/", key="here")
    captain.post(f"{path}/rename/", name="The Firsts")
    captain.post(f"{path}/bye/", round=1)
    invited = captain.post(f"{path}/invite/", 201, who="player9@example.org", role="reserve")["members"][-1]
    assert (invited["role"], invited["answer"]) == ("reserve", "invited")
    captain.post(f"{path}/drop/", member=invited["id"])
    ids = [member["id"] for member in captain.get(f"{path}/")["members"]]
    captain.post(f"{path}/order/", members=ids[::-1])
    captain.post(f"{path}/captain/", member=ids[1])
    assert captain.post(f"{path}/captain/", 403, member=ids[0])["code"] == "not_yours"
    other = program(players(8)[1])
    third = other.post(f"{path}/invite/", 201, who="player10@example.org")["members"][-1]
    other.post(f"{path}/member-role/", member=third["id"], role="reserve")
    assert other.post(f"{path}/bye/", 403, round=2, kind="bye")["code"] == "not_organiser"
    other.post(f"{path}/withdraw/")
    assert other.get(f"{path}/", 403)["code"] == "not_in_it"


def test_an_entry_tells_its_part_in_each_stage(program, new_event, olga):
    event = new_event("swiss", 4, started=True)
    play_round(event, olga)
    answer = program().get(f"events/{event.slug}/entries/3/")
    assert answer["stages"] == [
        {"stage": 1, "position": 3, "group": 0, "first_round": 1, "last_round": None, "start_points": "0", "byes": {}}
    ]
