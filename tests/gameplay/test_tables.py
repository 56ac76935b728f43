"""Making a table, taking seats, the waiting room and the lobby."""

import json
import re
from itertools import chain

import pytest
from django.urls import reverse
from django.utils import translation

from engine.play.rules import Rules
from gameplay.models import Deal, Happening, Reserve, Seat, Table
from gameplay.paces import PACES, pace_of
from gameplay.queries import last_created
from gameplay.services import phrases, quick_matches, reserves, seating, tables
from tests.at_once import at_once
from tests.makers import make_table
from tests.pages import squeezed
from web.errors import NotAllowed, Refused

TERMS = {
    "preset": "standard",
    "base": "standard",
    "shape": "4x2",
    "name": "Thursday",
    "pace": "own",
    "assist": "yes",
    "joining": "open",
    "watching": "anybody",
    "clock": "move",
    "clock_hours": "48",
    "missed": "bot",
}


@pytest.fixture
def gathering(four):
    """Make a table of Ann's that still waits, with nobody else at it."""

    def make(**terms):
        return make_table(four[:1], begun=False, name="Thursday", **terms)

    return make


@pytest.fixture
def signed_in(client):

    def sign_in(user):
        client.force_login(user)
        return client

    return sign_in


def names(table):
    return [str(seat) if seat.is_taken else "" for seat in table.seats.all()]


# Services


def test_who_joins_agrees_to_the_rules(gathering, four):
    table = gathering()
    seating.join(table.pk, four[1])
    seating.join(table.pk, four[1])
    assert names(table) == ["Ann", "Ben", "", ""]
    assert table.seats.get(number=1).agreed_at is not None
    assert [line.sentence for line in table.happenings.all()] == [
        "Ann created the table.",
        "Ben joined and agreed to the rules.",
    ]


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"clock": "none"}, "Only practice tables can have no clock."),
        ({"clock_hours": 11}, "A turn must have at least 12 hours, so that everyone can sleep."),
        ({"clock": "bank", "cap_hours": 24}, "The time bank cannot start with more than its limit."),
        (
            {"is_practice": True, "clock": "none", "is_rated": True},
            "Practice matches are never rated. Choose a clock or turn off “Rated”.",
        ),
        ({"joining": "club"}, "Choose a club."),
    ],
)
def test_terms_that_contradict_one_another_are_refused(gathering, terms, sentence):
    with pytest.raises(Refused, match=sentence):
        gathering(**terms)
    assert not Table.objects.exists()


def test_a_player_may_move_to_a_free_seat_and_takes_the_phrase_along(gathering, four):
    table = gathering()
    phrases.set_phrase(table.pk, four[0], "fair winds")
    seating.move_to(table.pk, four[0], seat=2)
    assert names(table) == ["", "", "Ann", ""]
    assert Deal.objects.get(table=table).phrases == ["", "", "fair winds", ""]


def test_a_player_may_not_move_to_a_taken_seat(gathering, four):
    table = gathering()
    seating.join(table.pk, four[1])
    with pytest.raises(Refused, match=r"Ann has this seat\."):
        seating.move_to(table.pk, four[1], seat=0)


def test_who_made_the_table_swaps_any_two(seated, four):
    table = seated(begun=False)
    phrases.set_phrase(table.pk, four[1], "one")
    phrases.set_phrase(table.pk, four[2], "two")
    seating.swap(table.pk, four[0], first=1, second=2)
    assert names(table) == ["Ann", "Cem", "Ben", "Dee"]
    assert Deal.objects.get(table=table).phrases == ["", "two", "one", ""]
    with pytest.raises(NotAllowed):
        seating.swap(table.pk, four[1], first=1, second=2)


def test_who_made_the_table_leaves_it_to_the_next(gathering, four):
    table = gathering()
    seating.join(table.pk, four[1])
    seating.leave(table.pk, four[0])
    table.refresh_from_db()
    assert table.creator == four[1]
    assert seating.leave(table.pk, four[1]) is None
    assert not Table.objects.exists()


def test_a_removed_player_is_told(gathering, four):
    table = gathering()
    seating.join(table.pk, four[1])
    seating.remove(table.pk, four[0], seat=1)
    assert names(table) == ["Ann", "", "", ""]
    assert four[1].notices.get().title == "You were removed from Thursday"


def test_bots_fill_seats_and_leave_them(gathering, four):
    table = gathering()
    seating.seat_bot(table.pk, four[0], seat=1, level="novice")
    assert names(table) == ["Ann", "Blaise (bot)", "", ""]
    seating.remove(table.pk, four[0], seat=1)
    assert names(table) == ["Ann", "", "", ""]
    with pytest.raises(Refused, match="Choose one of these bot levels"):
        seating.seat_bot(table.pk, four[0], seat=1, level="random")


def test_a_bot_is_called_one_in_the_readers_language():
    seat = Seat(name="Blaise (bot)", bot="club")
    with translation.override("de"):
        assert (str(seat), seat.player_name) == ("Blaise (Bot)", "Blaise")
    assert (str(seat), seat.player_name) == ("Blaise (bot)", "Blaise")
    assert (str(Seat(name="Ann")), Seat(name="Ann").player_name) == ("Ann", "Ann")


def test_no_bot_sits_at_a_rated_table(gathering, four):
    table = gathering(is_rated=True)
    with pytest.raises(Refused, match="Rated matches cannot have bots"):
        seating.seat_bot(table.pk, four[0], seat=1, level="club")


def test_the_match_begins_when_every_seat_is_taken(gathering, four):
    table = gathering()
    with pytest.raises(Refused, match="Some seats are still free"):
        tables.start(table.pk, four[0])
    for number in (1, 2, 3):
        seating.seat_bot(table.pk, four[0], seat=number, level="club")
    tables.start(table.pk, four[0])
    tables.start(table.pk, four[0])
    assert table.happenings.filter(kind=Happening.Kind.STARTED).count() == 1
    with pytest.raises(Refused, match="The match has already started"):
        seating.leave(table.pk, four[0])


def test_a_phrase_is_mixed_into_the_deal_and_then_fixed(gathering, four):
    table = gathering()
    for bad in ("x" * 201, "two\nlines"):
        with pytest.raises(Refused, match="at most 200 printable characters"):
            phrases.set_phrase(table.pk, four[0], bad)
    phrases.set_phrase(table.pk, four[0], "fair winds")
    for number in (1, 2, 3):
        seating.seat_bot(table.pk, four[0], seat=number, level="club")
    tables.start(table.pk, four[0])
    assert Deal.objects.get(table=table).phrases == ["fair winds", "", "", ""]
    with pytest.raises(Refused, match="The cards are dealt"):
        phrases.set_phrase(table.pk, four[0], "too late")


def test_reserves_offer_and_withdraw(seated, person):
    table, eve = seated(), person("Eve")
    for _ in range(2):
        reserves.offer_reserve(table.pk, eve)
    assert Reserve.objects.filter(table=table).count() == 1
    reserves.withdraw_reserve(table.pk, eve)
    assert not Reserve.objects.exists()
    with pytest.raises(Refused, match="You already play at this table"):
        reserves.offer_reserve(table.pk, table.seats.first().user)


@pytest.mark.django_db(transaction=True)
def test_fifty_want_the_last_free_seat_and_one_gets_it(person):
    ann, *others = [person(f"P{number}") for number in range(53)]
    table = make_table([ann, *others[:2]], begun=False)

    def want(user):
        try:
            seating.join(table.pk, user)
        except Refused as refusal:
            return refusal.code
        return "in"

    outcomes = at_once(*[lambda n=n: [want(user) for user in others[2 + n :: 10]] for n in range(10)])
    assert sorted(chain(*outcomes)) == ["in"] + ["no_free_seat"] * 49
    assert Seat.objects.filter(table=table, user__isnull=False).count() == 4


def test_one_press_fills_every_free_seat_with_bots(gathering, four):
    table = gathering()
    seating.join(table.pk, four[1], seat=2)
    for _ in range(2):
        seating.seat_bots(table.pk, four[0], level="expert")
        assert names(table) == ["Ann", "Blaise (bot)", "Ben", "Dorothea (bot)"]
    with pytest.raises(Refused, match="Choose one of these bot levels"):
        seating.seat_bots(table.pk, four[0], level="")
    with pytest.raises(Refused, match=r"Rated matches cannot have bots\."):
        seating.seat_bots(gathering(is_rated=True).pk, four[0], level="club")


# Pages


def test_a_table_is_made_from_the_form(signed_in, four):
    response = signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS)
    table = Table.objects.get()
    assert response.status_code == 302
    assert response["Location"] == table.get_absolute_url()
    assert (table.name, table.creator, table.seat_count, table.team_size) == ("Thursday", four[0], 4, 2)
    assert table.rules == Rules.preset("standard")


@pytest.mark.parametrize("name", PACES)
def test_one_press_chooses_a_clock_whatever_the_fields_of_an_own_clock_hold(signed_in, four, name):
    signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS | {"pace": name, "clock": "", "clock_hours": "x"})
    table = Table.objects.get()
    assert pace_of(table) == name
    assert table.is_practice == (name == "none")


def test_an_own_clock_has_the_hours_that_were_entered(signed_in, four):
    typed = {"pace": "own", "clock": "bank", "clock_hours": "20", "increment_hours": "3", "cap_hours": "30"}
    signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS | typed)
    table = Table.objects.get()
    assert (table.clock, table.clock_hours, table.increment_hours, table.cap_hours) == ("bank", 20, 3, 30)
    assert pace_of(table) == "own"


def checked(page, name):
    return re.findall(rf'name="{name}" value="(\w+)"\s+checked', page)


def test_the_form_is_filled_in_as_last_time(signed_in, four):
    client = signed_in(four[0])
    first = client.get(reverse("gameplay:new_table")).content.decode()
    assert (checked(first, "joining"), checked(first, "pace")) == (["link"], ["two_days"])
    assert "Filled in as last time." not in first
    chosen = {"pace": "bank", "joining": "open", "preset": "family", "base": "family", "shape": "4x2"}
    client.post(reverse("gameplay:new_table"), TERMS | chosen | {"rule-draw_count": "3"})
    again = client.get(reverse("gameplay:new_table")).content.decode()
    assert "Filled in as last time." in again
    assert (checked(again, "joining"), checked(again, "watching"), checked(again, "pace")) == (
        ["open"],
        ["anybody"],
        ["bank"],
    )
    assert '<option value="family" selected>' in again
    assert 'name="rule-draw_count" value="3"' in again
    fresh = client.get(reverse("gameplay:new_table"), {"fresh": "yes"}).content.decode()
    assert (checked(fresh, "joining"), checked(fresh, "pace")) == (["link"], ["two_days"])


def test_practice_alone_events_rematches_and_quick_matches_are_not_the_last_time(four):
    ann = four[0]
    make_table(four, name="Last", clock_hours=24)
    tables.make_practice(ann, Rules.preset("standard"))
    Table.objects.create(creator=ann, is_arranged=True, rules_json={}, seat_count=4, team_size=2)
    quick_matches.play_now(ann, ruleset="standard", pace="day", wait=None)
    assert str(last_created(ann)) == "Last"


def test_house_rules_are_made_from_the_form(signed_in, four):
    changed = {"rule-draw_count": "3", "rule-length.by": "target", "rule-length.number": "10000"}
    signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS | changed)
    expected = Rules.make("standard", {"draw_count": 3, "length": {"target": 10000}})
    assert Table.objects.get().rules == expected


def test_another_preset_keeps_what_was_changed_and_only_that(signed_in, four):
    data = TERMS | {"preset": "bga", "rule-draw_count": "3", "rule-out_bonus": "100", "rule-foot_cards": "13"}
    signed_in(four[0]).post(reverse("gameplay:new_table"), data)
    assert Table.objects.get().rules == Rules.make("bga", {"draw_count": 3})


def test_contradictions_are_named_in_the_engines_words_and_nothing_is_lost(signed_in, four):
    data = TERMS | {"name": "Keep me", "rule-wild_melds": "no", "rule-draw_count": "4"}
    response = signed_in(four[0]).post(reverse("gameplay:new_table"), data)
    assert response.status_code == 422
    page = response.content.decode()
    assert "The contract asks for a wild book, but melds of wild cards are not allowed." in page
    assert 'value="Keep me"' in page
    assert 'name="rule-draw_count" value="4"' in page
    assert not Table.objects.exists()


def test_what_is_no_number_is_refused_beside_its_field(signed_in, four):
    response = signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS | {"rule-draw_count": "a few"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Cards drawn from the stock must be a whole number from 1 to 10." in page
    assert 'name="rule-draw_count" value="a few"' in page


def test_terms_that_do_not_fit_come_back_with_a_sentence(signed_in, four):
    response = signed_in(four[0]).post(
        reverse("gameplay:new_table"), TERMS | {"pace": "none", "is_rated": "on", "name": "Keep me"}
    )
    assert response.status_code == 422
    assert "Practice matches are never rated" in response.content.decode()
    assert 'value="Keep me"' in response.content.decode()


def test_an_unknown_ruleset_or_size_is_refused(signed_in, four):
    client = signed_in(four[0])
    assert client.post(reverse("gameplay:new_table"), TERMS | {"preset": "poker"}).status_code == 422
    assert client.post(reverse("gameplay:new_table"), TERMS | {"shape": "5x5"}).status_code == 422
    assert not Table.objects.exists()


def test_nobody_sets_what_is_not_in_the_form(signed_in, four):
    extra = {"creator": four[1].pk, "status": "over", "version": 99, "slug": "mine", "rules_json": json.dumps("bga")}
    signed_in(four[0]).post(reverse("gameplay:new_table"), TERMS | extra)
    table = Table.objects.get()
    assert (table.creator, table.status, table.slug == "mine") == (four[0], Table.Status.GATHERING, False)
    assert table.rules == Rules.preset("standard")


def test_the_sheet_follows_the_form(signed_in, four):
    response = signed_in(four[0]).post(
        reverse("gameplay:new_table_sheet"), TERMS | {"preset": "family", "rule-draw_count": "3"}
    )
    page = response.content.decode()
    assert response.status_code == 200
    assert "Family with house rules" in page
    assert 'id="house-rules" hx-swap-oob="true"' in page
    assert not Table.objects.exists()


def test_the_sheet_says_what_differs_for_a_guest(signed_in, seated, four):
    seated("family")
    response = signed_in(four[0]).post(
        reverse("gameplay:new_table_sheet"), TERMS | {"guests": [four[1].pk, four[2].pk]}
    )
    page = " ".join(response.content.decode().split())
    assert "Differences for" in page
    assert "Compared with Family, which they play most:" in page


def test_visitors_and_guests_are_sent_to_sign_in(client, gathering):
    table = gathering()
    assert client.get(reverse("gameplay:new_table"))["Location"] == "/accounts/login/?next=/tables/new/"
    response = client.post(reverse("gameplay:join", args=[table.slug]))
    assert response["Location"] == f"/accounts/login/?next=/tables/{table.slug}/"


DOORS = ("join", "leave", "change_seat", "swap_seats", "remove_player", "seat_bot", "cancel", "start", "phrase")
DOORS += ("reserve", "invite", "revoke", "decline", "seat_bots", "join_as_guest")


@pytest.mark.parametrize("door", DOORS)
def test_acts_are_posted(signed_in, gathering, four, door):
    address = reverse(f"gameplay:{door}", args=[gathering().slug])
    assert signed_in(four[0]).get(address).status_code == 405


@pytest.mark.parametrize("door", [door for door in DOORS if door != "decline"])
def test_who_may_not_know_of_a_table_finds_nothing(signed_in, gathering, person, door):
    table = gathering(joining="invited", watching="nobody")
    before = Table.objects.filter(pk=table.pk).values().get()
    assert signed_in(person("Eve")).post(reverse(f"gameplay:{door}", args=[table.slug])).status_code == 404
    assert Table.objects.filter(pk=table.pk).values().get() == before


@pytest.mark.parametrize("door", ["swap_seats", "remove_player", "seat_bot", "seat_bots", "cancel", "start", "revoke"])
def test_only_who_made_the_table_arranges_it(signed_in, gathering, four, door):
    table = gathering()
    seating.join(table.pk, four[1])
    data = {"seat": "0", "first": "0", "second": "1", "level": "club", "invitation": "1"}
    response = signed_in(four[1]).post(reverse(f"gameplay:{door}", args=[table.slug]), data)
    assert response.status_code == 403
    assert "Only the table’s creator can do that." in response.content.decode()
    assert names(table) == ["Ann", "Ben", "", ""]


def test_the_waiting_room_from_arrival_to_the_first_card(client, gathering, four):
    table = gathering()

    def post(user, door, **data):
        client.force_login(user)
        return client.post(reverse(f"gameplay:{door}", args=[table.slug]), data)

    client.force_login(four[1])
    assert "Agree to the rules and join" in client.get(table.get_absolute_url()).content.decode()
    assert post(four[1], "join", seat="2").status_code == 302
    assert post(four[2], "join").status_code == 302
    assert names(table) == ["Ann", "Cem", "Ben", ""]
    assert post(four[1], "change_seat", seat="3").status_code == 302
    assert post(four[0], "seat_bot", seat="2", level="expert").status_code == 302
    client.force_login(four[1])
    assert "Waiting for Ann to start" in client.get(table.get_absolute_url()).content.decode()
    assert post(four[1], "phrase", phrase="mine").status_code == 302
    assert post(four[0], "swap_seats", first="1", second="3").status_code == 302
    assert names(table) == ["Ann", "Ben", "Charles (bot)", "Cem"]
    assert post(four[0], "start").status_code == 302
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    assert Deal.objects.get(table=table, number=1).phrases == ["", "mine", "", ""]


def test_a_refused_act_shows_its_sentence_and_keeps_what_was_typed(signed_in, gathering, four):
    table = gathering()
    response = signed_in(four[0]).post(reverse("gameplay:phrase", args=[table.slug]), {"phrase": "y" * 201})
    assert response.status_code == 422
    assert "A phrase is at most 200 printable characters on one line." in response.content.decode()
    assert "y" * 201 in response.content.decode()


def test_a_cancelled_table_is_gone_and_its_page_says_so(signed_in, gathering, four):
    table = gathering()
    seating.join(table.pk, four[1])
    response = signed_in(four[0]).post(reverse("gameplay:cancel", args=[table.slug]))
    assert response["Location"] == reverse("gameplay:lobby")
    assert not Table.objects.exists()
    assert four[1].notices.get().title == "Ann cancelled Thursday"
    part = signed_in(four[1]).get(reverse("gameplay:waiting_part", args=[table.slug]))
    assert "This table no longer exists." in part.content.decode()


def test_the_waiting_room_leads_to_the_table_once_play_begins(signed_in, seated, four):
    table = seated()
    part = signed_in(four[1]).get(reverse("gameplay:waiting_part", args=[table.slug]))
    assert part["HX-Redirect"] == table.get_absolute_url()


def test_the_lobby_lists_what_one_may_join_and_watch(signed_in, gathering, seated, person):
    gathering(joining="open")
    gathering(joining="link")
    gathering(joining="invited")
    seated("family", watching="anybody")
    page = signed_in(person("Eve")).get(reverse("gameplay:lobby"))
    assert [table.name for table in page.context["page"]] == ["Thursday"]
    assert [table.name for table in page.context["watched"]] == ["Harbour Four"]
    filtered = signed_in(person("Fay")).get(reverse("gameplay:lobby"), {"rules": "family"})
    assert list(filtered.context["page"]) == []
    assert len(filtered.context["watched"]) == 1


@pytest.mark.parametrize("count", [1, 3])
def test_the_lobby_costs_the_same_for_many_tables(
    client, gathering, seated, person, django_assert_max_num_queries, count
):
    for _ in range(count):
        gathering(joining="open")
    with django_assert_max_num_queries(8):
        assert client.get(reverse("gameplay:lobby")).status_code == 200


def test_a_reserve_steps_forward_on_the_page(signed_in, seated, person):
    table, eve = seated(watching="anybody"), person("Eve")
    assert signed_in(eve).post(reverse("gameplay:reserve", args=[table.slug])).status_code == 302
    assert Reserve.objects.get().user == eve
    signed_in(eve).post(reverse("gameplay:reserve", args=[table.slug]), {"offer": "no"})
    assert not Reserve.objects.exists()


def test_a_full_table_is_not_offered_to_join(four, person, client):
    table = make_table(four[:1], begun=False, joining="open", watching="nobody")
    client.force_login(person("Eve"))
    assert "Harbour Four" in client.get(reverse("gameplay:lobby")).content.decode()
    for user in four[1:]:
        seating.join(table.pk, user)
    assert "Harbour Four" not in client.get(reverse("gameplay:lobby")).content.decode()


def test_a_new_table_for_named_people_has_them_chosen(four, person, client):
    ann, ben, *_ = four
    make_table(four)
    person("Eve")
    client.force_login(ann)
    page = squeezed(client.get("/tables/new/?with=ben&with=eve"))
    assert re.findall(r'name="guests"\s*value="(\d+)"\s*checked', page) == [str(ben.pk)]
    assert re.search(r"<textarea[^>]*name=\"invite\"[^>]*>eve\s*</textarea>", page)
    assert re.search(r'name="joining"\s*value="invited"\s*checked', page)
    assert not re.findall(r'name="guests"\s*value="\d+"\s*checked', squeezed(client.get("/tables/new/")))
