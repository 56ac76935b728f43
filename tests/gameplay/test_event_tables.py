"""Tables that a competition makes, stops and fills again, and the limits of their players."""

import pytest
from django.urls import reverse

from accounts.models import Notice
from accounts.services import notices
from engine.errors import BadInput
from engine.play.deal import commitment
from engine.play.moves import DRAW
from engine.play.rules import Rules
from gameplay.models import Deal, Happening, Table
from gameplay.services import (
    event_tables,
    invitations,
    leaving,
    pauses,
    phrases,
    play,
    rematch,
    reserves,
    seating,
    tables,
)
from gameplay.signals import table_over, table_started
from gameplay.snapshot import state_of
from tests.pages import squeezed
from web.errors import Refused

KEYS = [bytes([number]) * 32 for number in range(1, 9)]


@pytest.fixture
def arrange(four):
    """Make a table of the Autumn Cup, of Ann, Ben, Cem and Dee by default."""

    def make(preset="standard", *, options=None, seats=None, keys=(), **terms):
        return event_tables.create_event_table(
            Rules.make(preset, options or {}),
            name="Autumn Cup · R1.1",
            seats=seats or four,
            team_size=2,
            terms=terms,
            keys=keys,
            event="Autumn Cup",
            event_url="/events/autumn-cup/",
        )

    return make


@pytest.fixture
def heard():
    """The ids of tables of which the apps above heard that they began, and that they were over."""
    started, over = [], []

    def hear_start(table_id, **_):
        started.append(table_id)

    def hear_end(table_id, **_):
        over.append(table_id)

    table_started.connect(hear_start)
    table_over.connect(hear_end)
    yield started, over
    table_started.disconnect(hear_start)
    table_over.disconnect(hear_end)


def notices_to(user, kind=None):
    notices = Notice.objects.filter(user=user).order_by("pk")
    return list((notices.filter(kind=kind) if kind else notices).values_list("title", flat=True))


# Making


def test_the_match_begins_at_once(arrange, four, heard, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        table = arrange(clock_hours=24, is_rated=True)
    table.refresh_from_db()
    assert (table.status, table.deal_number, table.move_count) == (Table.Status.PLAYING, 1, 0)
    assert [seat.user for seat in table.seats.all()] == four
    assert all(seat.agreed_at == seat.joined_at == table.started_at for seat in table.seats.all())
    assert (table.creator, table.joining, table.is_arranged, table.is_rated) == (None, "invited", True, True)
    assert (table.event_name, table.event_path) == ("Autumn Cup", "/events/autumn-cup/")
    assert (table.shares_deals, table.is_sealed) == (False, False)
    assert heard == ([table.pk], [])
    first = table.seats.get(number=table.seat_to_act).user
    assert notices_to(first) == ["Autumn Cup · R1.1: your turn"]
    assert [line.sentence for line in table.happenings.all()] == [
        "Autumn Cup created the table.",
        "The match started.",
        "Dee dealt deal 1.",
    ]


def test_each_deal_is_dealt_by_the_key_given_for_it_and_more_by_keys_of_their_own(arrange, driver):
    table = arrange(options={"length": {"deals": 2}}, keys=KEYS[:1])
    assert list(table.deals.values_list("number", "key", "commitment")) == [(1, KEYS[0].hex(), commitment(KEYS[0]))]
    driver.until(table, lambda table: table.deal_number == 2)
    first, second = table.deals.all()
    assert (first.key, first.result is not None) == (KEYS[0].hex(), True)
    assert second.key not in {key.hex() for key in KEYS}
    assert second.commitment == commitment(bytes.fromhex(second.key))


def test_the_commitments_of_all_shared_deals_are_public_before_the_first(arrange):
    table = arrange(keys=KEYS[:4])
    assert (table.shares_deals, table.is_sealed) == (True, True)
    assert [deal.commitment for deal in table.deals.all()] == [commitment(key) for key in KEYS[:4]]
    assert [deal.dealt_at is not None for deal in table.deals.all()] == [True, False, False, False]


def test_tables_with_the_same_keys_have_the_same_cards(arrange, person):
    others = [person(name) for name in ("Eve", "Fay", "Gus", "Hal")]
    first, second = arrange(keys=KEYS[:4]), arrange(keys=KEYS[:4], seats=others)
    assert state_of(first) == state_of(second)


@pytest.mark.parametrize(
    ("change", "error", "code"),
    [
        ({"clock_hours": 2}, Refused, "bad_terms"),
        ({"clock": "none"}, Refused, "bad_terms"),
        ({"seats": "twice"}, Refused, "sits_twice"),
        ({"seats": "three"}, BadInput, "bad_input"),
    ],
)
def test_what_makes_no_table_leaves_nothing_behind(arrange, four, change, error, code):
    ann, ben, cem, dee = four
    groups = {"twice": [ann, ben, ann, dee], "three": [ann, ben, cem]}
    if "seats" in change:
        change = {"seats": groups[change["seats"]]}
    with pytest.raises(error) as refused:
        arrange(**change)
    assert refused.value.code == code
    assert (Table.objects.count(), Deal.objects.count(), Notice.objects.count()) == (0, 0, 0)


# Limits of players


ACTS = {
    "join": lambda table, ann, eve: seating.join(table.pk, eve),
    "move_to": lambda table, ann, eve: seating.move_to(table.pk, ann, seat=2),
    "swap": lambda table, ann, eve: seating.swap(table.pk, ann, first=0, second=2),
    "leave": lambda table, ann, eve: seating.leave(table.pk, ann),
    "remove": lambda table, ann, eve: seating.remove(table.pk, ann, seat=1),
    "seat_bot": lambda table, ann, eve: seating.seat_bot(table.pk, ann, seat=1, level="club"),
    "start": lambda table, ann, eve: tables.start(table.pk, ann),
    "cancel": lambda table, ann, eve: tables.cancel(table.pk, ann),
    "offer_reserve": lambda table, ann, eve: reserves.offer_reserve(table.pk, eve),
    "invite": lambda table, ann, eve: invitations.invite(table.pk, ann, "eve@example.org"),
    "invite_person": lambda table, ann, eve: invitations.invite_person(table.pk, ann, eve),
    "offer_abandon": lambda table, ann, eve: pauses.offer_abandon(table.pk, ann),
}


@pytest.mark.parametrize("act", ACTS)
def test_organisers_say_who_plays_and_whether(act, arrange, four, person):
    table, eve = arrange(), person("Eve")
    before = Table.objects.filter(pk=table.pk).values().get(), list(table.seats.values())
    with pytest.raises(Refused) as refused:
        ACTS[act](table, four[0], eve)
    assert refused.value.code == "arranged"
    assert refused.value.sentence == "This match is part of Autumn Cup. Ask its organisers to change that."
    assert (Table.objects.filter(pk=table.pk).values().get(), list(table.seats.values())) == before


def test_there_is_no_rematch(arrange, four, driver):
    table = driver.until(arrange(options={"length": {"deals": 1}}), lambda table: table.status == Table.Status.OVER)
    with pytest.raises(Refused, match="Ask its organisers"):
        rematch.ask_rematch(table.pk, four[0])
    assert Table.objects.count() == 1


def test_a_pause_is_for_the_players_to_agree_upon(arrange, four):
    table = arrange()
    pauses.propose_pause(table.pk, four[0])
    for user in four[1:]:
        pauses.agree_pause(table.pk, user)
    table.refresh_from_db()
    assert table.paused_at is not None


def test_phrases_are_mixed_into_own_deals_and_not_into_shared_ones(arrange, four, driver):
    table = driver.until(arrange(), lambda table: table.is_between_deals)
    phrases.set_phrase(table.pk, four[0], "blue moon")
    assert table.deals.get(number=2).phrases == ["blue moon", "", "", ""]
    shared = driver.until(arrange(keys=KEYS[:4]), lambda table: table.is_between_deals)
    with pytest.raises(Refused) as refused:
        phrases.set_phrase(shared.pk, four[0], "blue moon")
    assert refused.value.code == "shared_deals"
    assert shared.deals.get(number=2).phrases == [""] * 4


# Calling off


def test_a_cancelled_match_is_over_without_a_result(arrange, four, heard, django_capture_on_commit_callbacks):
    table = arrange()
    with django_capture_on_commit_callbacks(execute=True):
        assert event_tables.call_off(table.pk, "The match was redrawn.") is True
    table.refresh_from_db()
    assert (table.status, table.seat_to_act, table.deadline_at) == (Table.Status.ABANDONED, None, None)
    assert table.result == {"totals": [0, 0], "winners": [], "reason": "abandoned"}
    assert table.happenings.last().sentence == "The match was redrawn."
    assert heard[1] == [table.pk]
    for user in four:
        notice = Notice.objects.get(user=user, kind="over")
        assert (notice.title, notice.body) == ("Autumn Cup · R1.1: the match was stopped", "The match was redrawn.")
        assert notices.is_wanted(notice)


def test_calling_off_twice_or_too_late_does_no_harm(arrange, driver):
    table = arrange()
    event_tables.call_off(table.pk, "The match was redrawn.")
    version = Table.objects.get(pk=table.pk).version
    assert event_tables.call_off(table.pk, "Again.") is False
    assert Table.objects.get(pk=table.pk).version == version
    played = driver.until(arrange(options={"length": {"deals": 1}}), lambda table: table.status == Table.Status.OVER)
    result = played.result
    assert event_tables.call_off(played.pk, "Too late.") is False
    played.refresh_from_db()
    assert (played.status, played.result) == (Table.Status.OVER, result)


def test_a_paused_match_and_one_between_deals_can_be_cancelled(arrange, four, driver):
    paused = arrange()
    for user in four:
        pauses.propose_pause(paused.pk, user)
    between = driver.until(arrange(), lambda table: table.is_between_deals)
    for table in (paused, between):
        assert event_tables.call_off(table.pk, "It is late.")
        table.refresh_from_db()
        assert (table.status, table.paused_at, table.is_between_deals) == (Table.Status.ABANDONED, None, False)
    assert between.result["totals"] == between.deals.get(number=1).result["totals"]


# Replacements


def test_a_replacement_plays_on_from_the_same_cards(arrange, four, person):
    table, eve = arrange(), person("Eve")
    number = table.seat_to_act
    before, state = table.seats.get(number=number).user, state_of(table)
    event_tables.replace_player(table.pk, number, eve)
    seat = table.seats.get(number=number)
    assert (seat.user, seat.former_user, str(seat)) == (eve, before, "Eve")
    table.refresh_from_db()
    assert state_of(table) == state
    line = table.happenings.last()
    assert (line.kind, line.sentence) == (Happening.Kind.REPLACED, f"Eve took {before}’s place.")
    assert notices_to(before, "replaced") == ["Autumn Cup · R1.1: Eve now plays in your place"]
    assert notices_to(eve, "seated") == ["Autumn Cup · R1.1: you have a seat"]
    play.play(table.pk, eve, [DRAW], seen=0)
    with pytest.raises(Refused, match="no seat"):
        play.play(table.pk, before, [DRAW], seen=1)


def test_replacing_twice_does_no_harm(arrange, person):
    table, eve = arrange(), person("Eve")
    event_tables.replace_player(table.pk, 1, eve)
    version = Table.objects.get(pk=table.pk).version
    event_tables.replace_player(table.pk, 1, eve)
    assert Table.objects.get(pk=table.pk).version == version


def test_a_replacement_takes_a_seat_that_a_bot_keeps(arrange, four, person):
    table, eve = arrange(), person("Eve")
    leaving.resign(table.pk, four[1])
    assert table.seats.get(number=1).bot
    event_tables.replace_player(table.pk, 1, eve)
    seat = table.seats.get(number=1)
    assert (seat.user, seat.bot, seat.former_user) == (eve, "", four[1])
    assert notices_to(four[1], "replaced") == []


def test_who_cannot_take_the_place(arrange, four, person):
    table, eve = arrange(keys=KEYS[:4]), person("Eve")
    knows, fay = person("Fay"), person("Gus")
    arrange(keys=KEYS[3:7], seats=[knows, fay, person("Hal"), person("Ida")])
    cases = {(0, four[2]): "sits_here", (9, eve): "no_such_seat", (0, knows): "knows_deals"}
    for (seat, user), code in cases.items():
        with pytest.raises(Refused) as refused:
            event_tables.replace_player(table.pk, seat, user)
        assert refused.value.code == code
    assert [seat.user for seat in table.seats.all()] == four
    event_tables.call_off(table.pk, "It is late.")
    with pytest.raises(Refused) as refused:
        event_tables.replace_player(table.pk, 0, eve)
    assert refused.value.code == "not_running"


def test_who_had_a_seat_knows_the_deals_as_well(arrange, four, person):
    table = arrange(keys=KEYS[:2])
    eve = person("Eve")
    keys = [key.hex() for key in KEYS[1:3]]
    assert event_tables.know_deals([eve], keys) is False
    event_tables.replace_player(table.pk, 0, eve)
    assert event_tables.know_deals([eve], keys) is event_tables.know_deals([four[0]], keys) is True
    assert event_tables.know_deals([eve], keys, but=table.pk) is False
    assert event_tables.know_deals([eve], [KEYS[5].hex()]) is False


# Pages


def test_the_page_leads_up_to_the_event(arrange, four, client):
    table = arrange()
    Table.objects.filter(pk=table.pk).update(event_name="<b>Autumn</b> Cup")
    client.force_login(four[0])
    page = squeezed(client.get(table.get_absolute_url()))
    link = '<a id="event-link" href="/events/autumn-cup/" title="&lt;b&gt;Autumn&lt;/b&gt; Cup">Autumn Cup · R1.1</a>'
    assert link in page


def test_pages_offer_nothing_that_would_be_refused(arrange, four, person, client, driver):
    table = arrange(options={"length": {"deals": 1}}, watching="anybody")
    client.force_login(person("Eve"))
    assert reverse("gameplay:reserve", args=[table.slug]) not in client.get(table.get_absolute_url()).content.decode()
    client.force_login(four[0])
    orders = client.get(reverse("gameplay:standing", args=[table.slug])).content.decode()
    assert 'value="pause"' in orders
    assert 'value="abandon"' not in orders
    driver.until(table, lambda table: table.status == Table.Status.OVER)
    page = squeezed(client.get(table.get_absolute_url()))
    assert reverse("gameplay:rematch", args=[table.slug]) not in page
    assert 'id="go-event" href="/events/autumn-cup/">Autumn Cup</a>' in page


def test_a_post_that_no_page_offers_is_refused_with_the_sentence(arrange, four, client):
    table = arrange()
    client.force_login(four[0])
    answer = client.post(reverse("gameplay:pause", args=[table.slug]), {"act": "abandon"})
    assert answer.status_code == 422
    assert "Ask its organisers to change that" in answer.content.decode()
