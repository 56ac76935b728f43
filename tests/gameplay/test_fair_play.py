"""Views of matches that count: the notes about them, the findings, and that they stay where they belong."""

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import privacy
from accounts.services import clearing
from gameplay.fair_play import patterns
from gameplay.fair_play import services as page_views
from gameplay.fair_play.models import FairPlayRemark
from gameplay.models import Look, Move, Seat, Table
from gameplay.views.devices import COOKIE

pytestmark = pytest.mark.django_db

DEVICE, OTHER = "A" * 22, "B" * 22


def browser(user, device=None):
    client = Client()
    client.force_login(user)
    if device:
        client.cookies[COOKIE] = device
    return client


def report_view(client, table):
    """The page says that it is looked at, some time after it last did."""
    Seat.objects.filter(table=table).update(looked_at=None)
    return client.post(reverse("gameplay:looking", args=[table.slug]))


def own_look(table, user, *, device=DEVICE, after=None, at=None):
    """A row as a look leaves it, at a given moment."""
    table.refresh_from_db()
    return Look.objects.create(
        seat=table.seats.get(user=user),
        user=user,
        after_move=table.move_count if after is None else after,
        mark=page_views.mark_of(table.pk, device),
        at=at or timezone.now(),
    )


# Notes of views


def test_the_first_look_at_a_match_that_counts_gives_the_device_its_cookie(seated, four):
    table = seated(is_rated=True)
    client = browser(four[1])
    answer = report_view(client, table)
    assert answer.status_code == 204
    cookie = answer.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert 300 * 86_400 < int(cookie["max-age"]) <= 395 * 86_400
    assert len(cookie.value) == 22
    (page_view,) = Look.objects.all()
    assert (page_view.seat.table, page_view.user, page_view.after_move) == (table, four[1], 0)
    assert COOKIE not in report_view(client, table).cookies, "it keeps the cookie that it has"


def test_the_cookie_is_for_https_alone_where_the_site_is(seated, four, settings):
    settings.SESSION_COOKIE_SECURE = True
    assert report_view(browser(four[1]), seated(is_rated=True)).cookies[COOKIE]["secure"]


def test_a_cookie_that_was_not_made_here_is_replaced(seated, four):
    table = seated(is_rated=True)
    for typed in ("short", "x" * 23, "é" * 22, "'; DROP TABLE x; --  "):
        client = browser(four[1], typed.encode("utf-8").decode("latin-1"))
        assert len(report_view(client, table).cookies[COOKIE].value) == 22


@pytest.mark.parametrize(
    ("fields", "is_noted"),
    [
        ({}, False),
        ({"is_rated": True}, True),
        ({"is_arranged": True}, True),
        ({"is_rated": True, "is_practice": True}, False),
        ({"is_rated": True, "status": "over"}, False),
        ({"is_rated": True, "status": "gathering"}, False),
    ],
)
def test_only_matches_that_count_are_noted(seated, four, fields, is_noted):
    table = seated()
    Table.objects.filter(pk=table.pk).update(**fields)
    answer = report_view(browser(four[1]), table)
    assert Look.objects.exists() == is_noted == (COOKIE in answer.cookies)


def test_nobody_is_noted_who_has_no_seat(seated, four, person):
    table = seated(is_rated=True)
    for client in (Client(), browser(person("Eve"))):
        assert COOKIE not in report_view(client, table).cookies
    assert not Look.objects.exists()


def test_a_look_is_written_once_for_each_position_and_device(seated, four, driver):
    table = seated(is_rated=True)
    client = browser(four[1], DEVICE)
    for _ in range(3):
        report_view(client, table)
    assert Look.objects.count() == 1
    report_view(browser(four[1], OTHER), table)
    driver.act(table)
    report_view(client, table)
    marks = [page_views.mark_of(table.pk, device) for device in (DEVICE, OTHER, DEVICE)]
    first = Table.objects.get(pk=table.pk).move_count
    assert list(Look.objects.order_by("pk").values_list("after_move", "mark")) == list(
        zip((0, 0, first), marks, strict=True)
    )


def test_looking_again_at_once_asks_one_question_and_writes_nothing(seated, four):
    table = seated(is_rated=True)
    client, path = browser(four[1], DEVICE), reverse("gameplay:looking", args=[table.slug])
    client.post(path)
    with CaptureQueriesContext(connection) as queries:
        client.post(path)
    about_tables = [query["sql"].split()[0] for query in queries if "gameplay_" in query["sql"]]
    assert about_tables == ["UPDATE"], "which finds nothing to update"


def test_a_first_look_costs_two_questions_and_takes_no_lock(seated, four):
    table = seated(is_rated=True)
    with CaptureQueriesContext(connection) as queries:
        assert page_views.note(table.slug, four[1], DEVICE)
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "INSERT"]
    assert not [query for query in queries if "FOR UPDATE" in query["sql"]]


@pytest.mark.parametrize("is_htmx", [True, False])
def test_a_move_from_a_page_without_script_is_a_look_as_well(seated, four, driver, is_htmx):
    table = seated(is_rated=True)
    table.refresh_from_db()
    actor = table.seats.get(number=table.seat_to_act).user
    headers = {"HX-Request": "true"} if is_htmx else {}
    sent = {"moves": "draw", "seen": table.move_count, "key": "1"}
    browser(actor, DEVICE).post(reverse("gameplay:move", args=[table.slug]), sent, headers=headers)
    assert Move.objects.filter(table=table).exists()
    assert Look.objects.exists() != is_htmx


# Storage


def test_a_mark_says_nothing_at_another_table_and_is_not_the_cookie(seated, four):
    tables = [seated(is_rated=True), seated(is_rated=True)]
    for table in tables:
        report_view(browser(four[1], DEVICE), table)
    marks = list(Look.objects.values_list("mark", flat=True))
    assert len(set(marks)) == 2
    assert all(len(mark) == 32 and DEVICE not in mark for mark in marks)


def test_a_mark_cannot_be_made_without_the_secret_of_the_site(seated, settings):
    before = page_views.mark_of(1, DEVICE)
    settings.SECRET_KEY = "another"
    assert page_views.mark_of(1, DEVICE) != before


def test_no_address_and_nothing_about_the_browser_is_stored(seated, four):
    table = seated(is_rated=True)
    Seat.objects.update(looked_at=None)
    client = browser(four[1], DEVICE)
    headers = {"REMOTE_ADDR": "203.0.113.77", "HTTP_USER_AGENT": "Fridge 9", "HTTP_ACCEPT_LANGUAGE": "tlh"}
    client.post(reverse("gameplay:looking", args=[table.slug]), **headers)
    stored = json.dumps(Look.objects.values().get(), cls=DjangoJSONEncoder)
    assert not [word for word in ("203.0.113.77", "Fridge", "tlh", DEVICE) if word in stored]
    assert {field.name for field in Look._meta.concrete_fields} == {"id", "seat", "user", "after_move", "mark", "at"}


def test_looks_go_some_time_after_the_match_and_in_the_end_in_any_case(seated, four):
    now = timezone.now()
    ended, recent, running = (seated(is_rated=True) for _ in range(3))
    for table, ago in ((ended, 61), (recent, 59)):
        own_look(table, four[0], at=now - timedelta(days=90))
        Table.objects.filter(pk=table.pk).update(status="over", ended_at=now - timedelta(days=ago))
    own_look(running, four[0], at=now - timedelta(days=394))
    own_look(running, four[1], at=now - timedelta(days=396))
    for _ in range(2):
        clearing.clear()
        assert set(Look.objects.values_list("seat__table", "user")) == {
            (recent.pk, four[0].pk),
            (running.pk, four[0].pk),
        }


def test_one_can_take_away_when_one_looked_and_on_which_device(seated, four, driver):
    table = seated(is_rated=True)
    own_look(table, four[0])
    driver.act(table)
    own_look(table, four[0], device=OTHER)
    own_look(table, four[1])
    looks = privacy.export(four[0])["tables"]["looks"]
    assert [(page_view["table"], page_view["device"]) for page_view in looks] == [(table.name, 1), (table.name, 2)]
    assert looks[0]["after_move"] == 0
    assert "mark" not in json.dumps(looks, cls=DjangoJSONEncoder)


def test_looks_go_with_the_account(seated, four, gone):
    table = seated(is_rated=True)
    own_look(table, four[0])
    own_look(table, four[1])
    gone(four[0])
    assert list(Look.objects.values_list("user", flat=True)) == [four[1].pk]


def test_the_pages_on_privacy_tell_of_it(four):
    site, account = Client().get(reverse("gameplay:privacy")), browser(four[0]).get(reverse("accounts:privacy"))
    assert "<b>device</b>" in site.content.decode()
    assert "Page views and devices at rated matches: 60 days after the match" in site.content.decode()
    assert f'href="{reverse("gameplay:privacy")}#how-long"' in account.content.decode()


# Findings


def findings(kind=None, tables=None):
    every = patterns.of_looks(Table.objects.all() if tables is None else tables)
    return [finding for finding in every if kind in (None, finding.kind)]


def test_matches_without_a_shared_device_show_nothing_and_cost_one_question(seated, four):
    table = seated(is_rated=True)
    for user, device in zip(four, "ABCD", strict=True):
        own_look(table, user, device=device * 22)
    with CaptureQueriesContext(connection) as queries:
        assert findings() == []
    assert len(queries) == 1


def test_one_device_at_two_seats_is_told_with_figures(seated, four):
    ann, ben, cem, _ = four
    tables = [seated(is_rated=True) for _ in range(3)]
    for table in tables:
        for user, device in ((ann, "A"), (ben, "B"), (cem, "C")):
            own_look(table, user, device=device * 22)
    for table in tables[:2]:
        own_look(table, ben, device="A" * 22, after=5)
    own_look(tables[0], cem, device="A" * 22, after=7)
    by_sentence = {finding.sentence: finding for finding in findings("device")}
    assert set(by_sentence) == {
        "Ann and Ben had their seats open on the same device at 2 of the 3 tables they shared. They were opponents there.",
        "Ann and Cem had their seats open on the same device at 1 of the 3 tables they shared. They were partners there.",
        "Ben and Cem had their seats open on the same device at 1 of the 3 tables they shared. They were opponents there.",
    }
    first = by_sentence[min(by_sentence)]
    assert (first.cases, first.out_of, first.key) == (2, 3, f"device-{ann.pk}-{ben.pk}")
    assert [(table.name, table.url, table.cases) for table in first.tables] == [
        (table.name, table.get_absolute_url(), 1) for table in tables[:2]
    ]


def test_a_device_that_one_player_alone_uses_is_nothing(seated, four):
    table = seated(is_rated=True)
    for after in range(3):
        own_look(table, four[0], after=after)
    assert findings() == []


def test_who_takes_a_seat_over_on_the_same_device_is_not_at_two(seated, four, person):
    table = seated(is_rated=True)
    own_look(table, four[0])
    eve = person("Eve")
    table.seats.filter(user=four[0]).update(user=eve)
    own_look(table, eve, after=1)
    assert findings() == []


def play_turns(table, driver, looked_by, *, gap=timedelta(minutes=2), before_turn=True, most=4):
    """Play `most` turns of the seat to act; each time `looked_by` looked on that player’s device before."""
    table.refresh_from_db()
    number, count = table.seat_to_act, 0
    mover = table.seats.get(number=number).user
    own_look(table, mover)
    while count < most:
        table.refresh_from_db()
        is_own = table.seat_to_act == number
        if is_own and before_turn:
            own_look(table, looked_by, at=timezone.now() - gap)
        turn = table.seat_to_act
        while table.seat_to_act == turn and not table.is_between_deals:
            driver.act(table)
        assert not table.is_between_deals
        count += is_own
    return mover


def beside(table, steps):
    """The player so many places after the seat that is to act."""
    table.refresh_from_db()
    return table.seats.get(number=(table.seat_to_act + steps) % 4).user


def test_moves_soon_after_anothers_look_on_the_same_device_are_counted_by_turns(seated, driver):
    table = seated(is_rated=True)
    partner = beside(table, 2)
    mover = play_turns(table, driver, partner)
    (finding,) = findings("looks")
    assert (finding.one, finding.other, finding.cases, finding.out_of) == (mover.pk, partner.pk, 4, 4)
    assert finding.sentence == (
        f"{mover} played 4 of 4 turns within 5 minutes after {partner}’s seat was opened on a device both use. "
        f"It was {mover}’s turn then."
    )
    assert "share" in finding.reason


def test_looks_long_before_a_move_are_not_counted(seated, driver):
    table = seated(is_rated=True)
    play_turns(table, driver, beside(table, 2), gap=timedelta(minutes=6))
    assert findings("looks") == []
    assert len(findings("device")) == 1


def test_a_look_that_follows_ones_own_move_is_not_counted(seated, driver):
    """On a tablet that is handed on, the page of the player who has just moved is open when the next one starts."""
    table = seated(is_rated=True)
    before = beside(table, 3)
    play_turns(table, driver, before)
    (finding,) = findings()
    assert (finding.kind, before.pk in (finding.one, finding.other)) == ("device", True)


def test_few_cases_are_no_pattern(seated, driver):
    table = seated(is_rated=True)
    play_turns(table, driver, beside(table, 2), most=2)
    assert findings("looks") == []


def test_a_look_on_another_device_is_not_counted(seated, four, driver):
    table = seated(is_rated=True)
    partner = beside(table, 2)
    mover = play_turns(table, driver, partner)
    Look.objects.filter(user=partner).update(mark=page_views.mark_of(table.pk, OTHER))
    own_look(table, mover, device=OTHER, after=999)
    own_look(table, partner, device="C" * 22, after=998)
    assert len(findings("looks")) == 1, "both used the other one"
    Look.objects.filter(user=mover, after_move=999).delete()
    assert findings() == []


def test_turns_that_a_bot_played_are_not_the_players(seated, driver):
    table = seated(is_rated=True)
    mover = play_turns(table, driver, beside(table, 2))
    Move.objects.filter(seat=table.seats.get(user=mover).number).update(by=Move.By.STAND_IN)
    assert findings("looks") == []


def test_the_questions_do_not_grow_with_the_tables(seated, four, driver):
    def count_queries():
        with CaptureQueriesContext(connection) as queries:
            findings()
        return len(queries)

    first = seated(is_rated=True)
    play_turns(first, driver, beside(first, 2))
    before = count_queries()
    for _ in range(2):
        table = seated(is_rated=True)
        play_turns(table, driver, beside(table, 2))
    assert count_queries() == before <= 6


def test_other_tables_than_those_asked_for_are_not_looked_at(seated, driver):
    table, other = seated(is_rated=True), seated(is_rated=True)
    play_turns(table, driver, beside(table, 2))
    assert findings(tables=Table.objects.filter(pk=other.pk)) == []


# Organisers’ view


def remark(finding, verdict, cases=None):
    """A remark as the models of the apps above have it."""
    about = {"kind": finding.kind, "one_id": finding.one, "other_id": finding.other}
    return SimpleNamespace(**about, verdict=verdict, cases=finding.cases if cases is None else cases)


def test_what_is_settled_comes_last_until_there_are_more_cases(seated, four):
    table = seated(is_rated=True)
    for user in four[:3]:
        own_look(table, user)
    rows = findings()
    assert len(rows) == 3
    first, second, _ = rows
    nothing, watch = FairPlayRemark.Verdict.NOTHING, FairPlayRemark.Verdict.WATCH
    marked = patterns.reviewed(rows, [remark(first, nothing), remark(second, watch)], reader=0)
    assert [(item.finding, item.is_settled) for item in marked[1:]] == [(second, False), (first, True)]
    reopened = patterns.reviewed(rows, [remark(first, nothing, cases=0)], reader=0)
    assert not [item for item in reopened if item.is_settled]
    assert [item.since for item in reopened if item.finding is first] == [1]
    last = patterns.reviewed(rows, [remark(first, nothing), remark(first, watch)], reader=0)
    assert not [item for item in last if item.is_settled], "the last word counts"


def test_nobody_judges_their_own_case(seated, four, refuses):
    table = seated(is_rated=True)
    for user in four[:3]:
        own_look(table, user)
    rows = findings()
    ann = four[0].pk
    assert len(patterns.reviewed(rows, [], reader=ann)) == 1
    own_finding = next(finding for finding in rows if ann in (finding.one, finding.other))
    with refuses("no_such_finding"):
        patterns.finding_for(rows, own_finding.key, reader=ann)
    assert patterns.finding_for(rows, own_finding.key, reader=0) is own_finding


@pytest.mark.parametrize(
    ("sent", "code"),
    [({"verdict": "guilty", "note": ""}, "no_verdict"), ({"verdict": "watch", "note": "x" * 501}, "too_long")],
)
def test_what_is_no_remark_is_refused(seated, four, refuses, sent, code):
    table = seated(is_rated=True)
    for user in four[:2]:
        own_look(table, user)
    with refuses(code):
        patterns.read_remark(findings()[0], **sent)


def test_no_finding_tells_a_card_or_a_device(seated, driver):
    table = seated(is_rated=True)
    play_turns(table, driver, beside(table, 2))
    text = repr([(finding.sentence, finding.reason, finding.key, finding.tables) for finding in findings()])
    assert not [mark for mark in Look.objects.values_list("mark", flat=True) if mark in text]
    cards = [
        text.split()[-1] for text in Move.objects.filter(text__startswith="discard").values_list("text", flat=True)
    ]
    assert cards
    assert not [card for card in cards if f" {card}" in text]
