"""Matches at online tables: made, seated and clocked by the event's terms, stopped, played on, and read."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Notice
from engine.play import deal
from engine.play.rules import Rules
from gameplay.models import Happening, Seat, Table
from gameplay.services import clocks, event_tables, leaving
from tests.tournaments.reading import ONE_DEAL, TWO_DEALS, fresh, pairings
from tournaments import board_numbers, seating
from tournaments.models import Board, Entry, Member, Pairing, Place, Result, Stage
from tournaments.services import history
from tournaments.services.matches import boards, online_tables, results
from tournaments.services.stages import progress

pytest_plugins = ["tests.tournaments.online"]
Kind = Result.Kind


def seated_at(pairing):
    return [seat.name for seat in pairing.table.seats.all()]


def over(table):
    return table.status == Table.Status.OVER


# Making a table


def test_a_table_is_made_by_the_terms_of_the_event(online):
    terms = {"clock": "bank", "clock_hours": 72, "increment_hours": 6, "free_weekends": True, "missed": "forfeit"}
    event = online(terms=terms, visibility="link", is_rated=True)
    first = pairings(event)[0]
    table = first.table
    assert (table.status, table.is_arranged, table.is_rated, table.watching) == ("playing", True, True, "link")
    assert {name: getattr(table, name) for name in terms} == terms
    assert table.rules == event.rules
    assert (table.name, table.event_name) == ("Harbour Cup · Round 1, table 1", "Harbour Cup")
    assert table.event_path == event.get_absolute_url()
    assert (table.seat_count, table.team_size, table.shares_deals, table.is_sealed) == (4, 2, False, False)
    assert {pairing.table_id for pairing in pairings(event)} == set(Table.objects.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("visibility", "terms", "watching"),
    [
        ("public", {}, "anybody"),
        ("link", {}, "link"),
        ("circle", {}, "club"),
        ("public", {"watching": "nobody"}, "nobody"),
    ],
)
def test_who_sees_the_event_may_watch_its_tables_unless_it_says_otherwise(online, visibility, terms, watching):
    event = online(visibility=visibility, circle="club:7", terms=terms)
    table = pairings(event)[0].table
    assert (table.watching, table.audience) == (watching, "club:7")


def test_only_terms_of_tables_are_taken_from_the_event(online):
    event = online(terms={"clock_hours": 36, "is_practice": True, "name": "Mine", "status": "over"})
    table = pairings(event)[0].table
    assert (table.clock_hours, table.is_practice, table.name, table.status) == (
        36,
        False,
        "Harbour Cup · Round 1, table 1",
        "playing",
    )


def test_a_long_name_leaves_room_for_that_of_the_match(online):
    event = online(name="The annual championship of the united harbours and their many islands")
    assert pairings(event)[0].table.name == "The annual championship of the united har · Round 1, table 1"


def test_partners_sit_opposite_each_other(online):
    first = pairings(online())[0]
    assert [place.entry.name for place in first.places.all()] == ["Pair 1", "Pair 4"]
    assert seated_at(first) == ["Player 1", "Player 7", "Player 2", "Player 8"]


def test_people_who_play_alone_sit_in_the_order_of_the_places(online):
    rules = Rules.make("solo").write()
    first = pairings(online("swiss_pods", rules=rules))[0]
    assert first.table.team_size == 1
    assert seated_at(first) == [place.entry.name for place in first.places.all()]


def test_where_partners_rotate_each_place_is_a_seat(online):
    first = pairings(online("rotating_partners"))[0]
    assert [place.side for place in first.places.all()] == [0, 1, 0, 1]
    assert (first.table.seat_count, first.table.team_size) == (4, 2)
    assert seated_at(first) == [place.entry.name for place in first.places.all()]


def test_who_was_named_for_a_match_plays_it(online, players):
    event = online(kind="team", side_size=2)
    first = pairings(event)[0]
    entry = first.places.first().entry
    eve, fay = players(10)[8:]
    members = [
        Member.objects.create(entry=entry, tournament=event, user=user, name=str(user), position=5, role="reserve")
        for user in (eve, fay)
    ]
    online_tables.stop_table(first, timezone.now(), "Others are to play.")
    Place.objects.filter(pairing=first, number=0).update(players=[members[1].pk, members[0].pk])
    online_tables.open_online(fresh(first), timezone.now())
    assert seated_at(fresh(first))[::2] == ["Player 10", "Player 9"]


def test_the_first_who_agreed_play_and_reserves_after_players(online, players):
    event = online(kind="team", side_size=2)
    first = pairings(event)[0]
    entry = first.places.first().entry
    captain = entry.members.order_by("position").first()
    captain.role = "reserve"
    captain.save()
    eve, fay = players(10)[8:]
    for user, answer in ((eve, "invited"), (fay, "accepted")):
        Member.objects.create(entry=entry, tournament=event, user=user, name=str(user), position=9, answer=answer)
    assert [str(member) for member in seating.accepted(entry)] == ["Player 2", "Player 10", "Player 1"]
    assert [str(member) for member in seating.fielded(first.places.first(), 2)] == ["Player 2", "Player 10"]


def test_opening_twice_makes_one_table(online):
    first = pairings(online())[0]
    before = Table.objects.count()
    online_tables.open_online(fresh(first), timezone.now())
    assert Table.objects.count() == before
    assert fresh(first).table_id == first.table_id


def opened(event):
    for pairing in pairings(event):
        online_tables.open_online(pairing, timezone.now())
    return pairings(event)


def test_who_has_no_account_plays_face_to_face_and_the_organisers_are_told(drawn, olga):
    event = drawn(setting="mixed")
    Member.objects.filter(tournament=event, name="Player 7").update(user=None, name="Walter")
    first, second = opened(event)
    assert (first.is_online, first.table, second.is_online) == (False, None, True)
    notice = Notice.objects.get(user=olga, kind="event_face")
    assert notice.title == "Harbour Cup: Round 1, table 1 must be played face to face"
    assert notice.body == "Pair 1 – Pair 4. No account here: Walter."


def test_an_account_that_was_closed_is_none(drawn, players):
    event = drawn()
    gone = players(8)[6]
    gone.is_active = False
    gone.save()
    assert [pairing.is_online for pairing in opened(event)] == [False, True]


@pytest.mark.parametrize("trouble", ["short", "shape", "terms"])
def test_a_table_that_cannot_be_made_leaves_nothing_behind(trouble, online, olga):
    cup = online()
    first = pairings(cup)[0]
    online_tables.stop_table(first, timezone.now(), "It is tried again.")
    event = cup
    if trouble == "short":
        Member.objects.filter(tournament=cup, name="Player 8").update(answer="invited")
    elif trouble == "shape":
        event.rules_json = Rules.make("solo").write()
        event.side_size = 2
    else:
        event.terms = {"clock_hours": 1}
    before = Table.objects.count()
    match = fresh(first)
    match.round.stage.tournament = event
    online_tables.open_online(match, timezone.now())
    assert Table.objects.count() == before
    assert (fresh(first).table, fresh(first).is_online) == (None, False)
    words = {"short": "Pair 4 has too few players for this match.", "shape": "solo", "terms": "at least 12 hours"}
    assert words[trouble].lower() in Notice.objects.get(user=olga, kind="event_face").body.lower()


# Stopping a table


def test_calling_off_stops_the_table_and_lets_the_match_be_opened_again(online):
    first = pairings(online())[0]
    table = first.table
    online_tables.stop_table(first, timezone.now(), "The match was redrawn.")
    table.refresh_from_db()
    assert (table.status, table.happenings.last().sentence) == ("abandoned", "The match was redrawn.")
    match = fresh(first)
    assert (match.table, match.opened_at) == (None, None)
    online_tables.open_online(match, timezone.now())
    assert fresh(first).table not in (None, table)


@pytest.mark.slow
def test_a_table_that_is_over_stays_with_its_match(online, driver):
    first = pairings(online())[0]
    driver.until(first.table, over)
    online_tables.stop_table(fresh(first), timezone.now(), "Too late.")
    assert fresh(first).table == first.table
    online_tables.exclude_table(fresh(first))
    assert fresh(first).table is None


def test_calling_off_a_match_without_a_table_does_nothing(drawn):
    first = pairings(drawn())[0]
    online_tables.stop_table(first, timezone.now(), "The match was redrawn.")
    assert fresh(first).opened_at == first.opened_at is not None


def test_all_tables_of_an_event_are_called_off_and_their_deals_opened(online):
    event = online(shares_deals=True)
    event.status = "cancelled"
    event.save()
    online_tables.stop_all_tables(event, timezone.now(), "The event was cancelled.")
    assert set(Table.objects.values_list("status", "is_sealed")) == {("abandoned", False)}
    assert not Board.objects.filter(opened_at=None).exists()


# Replacements


def replaced(member, user):
    """Changes of a replacement to the rows of an entry."""
    Member.objects.filter(pk=member.pk).update(left_at=timezone.now())
    return Member.objects.create(
        entry=member.entry, tournament=member.tournament, user=user, name=str(user), position=member.position
    )


def reseat(event):
    stage = event.stages.get()
    stage.tournament = event
    return online_tables.reseat(stage, timezone.now())


def test_a_replacement_plays_on_at_running_tables(online, players):
    event = online()
    first = pairings(event)[0]
    member = first.places.first().entry.members.last()
    replaced(member, players(9)[8])
    assert reseat(event) is True
    assert seated_at(fresh(first)) == ["Player 1", "Player 7", "Player 9", "Player 8"]
    assert first.table.happenings.last().sentence == "Player 9 took Player 2’s place."
    version = Table.objects.get(pk=first.table_id).version
    assert reseat(event) is False
    assert Table.objects.get(pk=first.table_id).version == version


def test_who_left_the_table_by_themselves_is_not_seated_again(online, players):
    event = online()
    first = pairings(event)[0]
    leaving.resign(first.table_id, players(8)[0])
    assert reseat(event) is False
    assert Seat.objects.get(table=first.table, number=0).bot
    member = Member.objects.get(tournament=event, name="Player 1")
    replaced(member, players(9)[8])
    assert reseat(event) is True
    assert seated_at(fresh(first))[0] == "Player 9"


def test_a_replacement_that_is_undone_gives_the_seat_back(online, players):
    event = online()
    first = pairings(event)[0]
    member = Member.objects.get(tournament=event, name="Player 1")
    newcomer = replaced(member, players(9)[8])
    reseat(event)
    newcomer.delete()
    Member.objects.filter(pk=member.pk).update(left_at=None)
    assert reseat(event) is True
    assert seated_at(fresh(first))[0] == "Player 1"


def test_who_cannot_take_the_seat_is_told_of_and_the_seat_stays(online, players, olga):
    event = online()
    first = pairings(event)[0]
    member = Member.objects.get(tournament=event, name="Player 1")
    newcomer = replaced(member, players(9)[8])
    Member.objects.filter(pk=newcomer.pk).update(user=None, name="Walter")
    for _ in range(2):
        assert reseat(event) is False
    assert seated_at(fresh(first))[0] == "Player 1"
    (notice,) = Notice.objects.filter(user=olga, kind="event_seat")
    assert notice.body == "Walter has no account here and cannot continue at the table."


def test_where_nobody_came_for_who_left_the_seats_stay(online):
    event = online()
    Member.objects.filter(tournament=event, name="Player 1").update(left_at=timezone.now())
    assert reseat(event) is False
    assert seated_at(pairings(event)[0])[0] == "Player 1"


# Shared deals


def keys(pairing):
    return list(pairing.table.deals.values_list("key", flat=True))


def unseal(event):
    stage = event.stages.get()
    stage.tournament = event
    return boards.unseal_finished(stage, timezone.now())


def sealed(event):
    return [pairing.table.is_sealed for pairing in pairings(event) if pairing.table]


def test_the_tables_of_a_round_play_the_same_deals(online):
    event = online(shares_deals=True, rules=TWO_DEALS)
    first, second = pairings(event)
    assert keys(first) == keys(second)
    assert len(set(keys(first))) == 2
    assert [(board.number, board.deal, board.issue, board.opened_at) for board in Board.objects.all()] == [
        (1, 1, 1, None),
        (1, 2, 1, None),
    ]
    assert sealed(event) == [True, True]


def test_without_shared_deals_no_boards_are_made(online):
    event = online()
    assert not Board.objects.exists()
    assert sealed(event) == [False, False]
    assert unseal(event) is False


def test_a_match_to_a_score_shares_its_first_deals(online):
    event = online(shares_deals=True, rules=Rules.make("standard", {"length": {"target": 9000}}).write())
    first, second = pairings(event)
    assert keys(first) == keys(second)
    assert len(keys(first)) == board_numbers.MOST_DEALS


@pytest.mark.parametrize(
    ("numbers", "deals", "expected"),
    [
        ([], 3, [(2, 1), (2, 2), (2, 3)]),
        ([5, 6], 2, [(5, 1), (6, 1)]),
        ([7], 3, [(7, 1), (7, 2), (7, 3)]),
        ([5, 6], 4, [(5, 1), (5, 2), (6, 1), (6, 2)]),
        ([5, 6], 3, [(5, 1), (5, 2), (6, 1)]),
        ([5, 6, 7], 2, [(5, 1), (6, 1)]),
    ],
)
def test_which_boards_a_match_plays(numbers, deals, expected):
    class Round:
        number = 2

    pairing = Pairing(boards=numbers)
    pairing._state.fields_cache["round"] = Round()
    assert board_numbers.boards_of(pairing, Rules.make("standard", {"length": {"deals": deals}})) == expected


@pytest.mark.slow
def test_deals_stay_sealed_until_the_last_table_has_played_them(online, driver):
    event = online(shares_deals=True)
    first, second = pairings(event)
    driver.until(first.table, over)
    assert unseal(event) is False
    assert sealed(event) == [True, True]
    driver.until(second.table, over)
    assert unseal(event) is True
    assert sealed(event) == [False, False]
    assert not Board.objects.filter(opened_at=None).exists()
    assert unseal(event) is False


@pytest.mark.slow
def test_a_match_that_is_still_to_get_its_table_keeps_the_deals_sealed(online, driver):
    event = online(shares_deals=True)
    first, second = pairings(event)
    driver.until(first.table, over)
    online_tables.stop_table(second, timezone.now(), "It is put off.")
    assert unseal(event) is False
    Pairing.objects.filter(pk=second.pk).update(status="done")
    assert unseal(event) is True
    assert set(Table.objects.values_list("is_sealed", flat=True)) == {False}


@pytest.mark.slow
def test_deals_of_a_movement_are_opened_board_by_board(online, driver):
    event = online(shares_deals=True)
    first, second = pairings(event)
    for pairing, numbers in ((first, [11]), (second, [12])):
        online_tables.stop_table(pairing, timezone.now(), "Boards were handed out.")
        Pairing.objects.filter(pk=pairing.pk).update(boards=numbers)
        online_tables.open_online(fresh(pairing), timezone.now())
    first, second = fresh(first), fresh(second)
    assert set(keys(first)).isdisjoint(keys(second))
    driver.until(first.table, over)
    assert unseal(event) is True
    assert [fresh(pairing).table.is_sealed for pairing in (first, second)] == [False, True]
    assert list(Board.objects.filter(number__in=(11, 12)).values_list("opened_at", flat=True))[1] is None


def test_who_has_seen_the_cards_gets_others_and_those_beside_them_the_same(online):
    event = online(shares_deals=True)
    both = pairings(event)
    all_keys = {key for pairing in both for key in keys(pairing)}
    for pairing in both:
        online_tables.stop_table(pairing, timezone.now(), "The match was redrawn.")
    for pairing in both:
        online_tables.open_online(fresh(pairing), timezone.now())
    first, second = pairings(event)
    assert keys(first) == keys(second)
    assert all_keys.isdisjoint(keys(first))
    assert set(Board.objects.values_list("issue", flat=True)) == {1, 2}


@pytest.mark.slow
def test_open_deals_are_not_played_again(online, driver):
    event = online(shares_deals=True)
    first, second = pairings(event)
    online_tables.stop_table(second, timezone.now(), "It is put off.")
    Pairing.objects.filter(pk=second.pk).update(status="done")
    driver.until(first.table, over)
    assert unseal(event) is True
    open_keys = keys(first)
    Pairing.objects.filter(pk=second.pk).update(status="ready")
    Table.objects.filter(pk__in=Table.objects.exclude(pk=first.table_id)).delete()
    online_tables.open_online(fresh(second), timezone.now())
    assert set(open_keys).isdisjoint(keys(fresh(second)))
    assert fresh(second).table.is_sealed


@pytest.mark.slow
def test_deals_are_opened_when_the_stage_is_over_whatever_was_not_played(online, driver):
    event = online(shares_deals=True)
    first, second = pairings(event)
    driver.until(first.table, over)
    online_tables.stop_table(second, timezone.now(), "It is not played.")
    Stage.objects.filter(tournament=event).update(status="over")
    assert unseal(event) is True
    assert fresh(first).table.is_sealed is False


def test_keys_are_made_by_the_operating_system(drawn, monkeypatch):
    monkeypatch.setattr(boards, "new_key", deal.new_key)
    sizes = []
    first = pairings(drawn(shares_deals=True))[0]
    monkeypatch.setattr(deal.secrets, "token_bytes", lambda size: sizes.append(size) or bytes(size))
    assert boards.keys_for(first, []) == [bytes(32)]
    assert sizes == [32]


# Results


def lines(pairing):
    kind, result_lines = online_tables.lines_of(Table.objects.get(pk=pairing.table_id))
    return kind, [tuple(line.values()) for line in result_lines]


@pytest.mark.slow
def test_the_result_of_a_table_has_a_line_for_each_place(online, driver):
    first = pairings(online(rules=TWO_DEALS))[0]
    table = driver.until(first.table, over)
    kind, result_lines = lines(first)
    entry, opponent = (place.entry_id for place in first.places.all())
    counts = []
    for team in (0, 1):
        items = [item for deal in table.deals.all() for item in deal.result["sheets"][team]]
        books = sum(item["number"] for item in items if item["what"] in ("clean", "dirty", "wild", "sevens"))
        counts.append((books, sum(item["what"] == "out" for item in items)))
    totals = table.result["totals"]
    assert kind == Kind.PLAYED
    assert result_lines == [(entry, totals[0], False, *counts[0]), (opponent, totals[1], False, *counts[1])]


@pytest.mark.slow
def test_partners_of_one_match_share_its_score(online, driver):
    first = pairings(online("rotating_partners"))[0]
    table = driver.until(first.table, over)
    _, result_lines = lines(first)
    assert [line[0] for line in result_lines] == [place.entry_id for place in first.places.all()]
    assert [line[1] for line in result_lines] == table.result["totals"] * 2
    assert result_lines[0][1:] == result_lines[2][1:]


def test_a_forfeit_has_no_scores_at_a_table_of_two(online):
    event = online(terms={"missed": "forfeit", "allows_absences": False})
    first = pairings(event)[0]
    table = first.table
    absent = table.seat_to_act % 2
    clocks.Heartbeat.objects.create(name=clocks.HEARTBEAT, at=table.deadline_at)
    clocks.sweep(table.deadline_at + timedelta(minutes=1))
    kind, result_lines = lines(first)
    assert kind == Kind.FORFEIT
    assert [(score, forfeit) for _, score, forfeit, _, _ in result_lines] == [(None, team == absent) for team in (0, 1)]


def test_those_left_at_a_bigger_table_keep_their_scores(online):
    first = pairings(online("swiss_pods", rules=Rules.make("solo").write()))[0]
    table = first.table
    Happening.objects.create(table=table, at=table.started_at, kind="forfeited", seat=2, sentence="Out of time.")
    result = {"totals": [300, 100, 900, -50], "winners": [0], "reason": "forfeit"}
    Table.objects.filter(pk=table.pk).update(status="over", result=result)
    kind, result_lines = lines(first)
    assert kind == Kind.FORFEIT
    assert [line[1:3] for line in result_lines] == [(300, False), (100, False), (None, True), (-50, False)]


def test_a_match_that_everybody_left_is_lost_by_all(online, players):
    first = pairings(online())[0]
    for seat in first.table.seats.select_related("user"):
        leaving.resign(first.table_id, seat.user)
    kind, result_lines = lines(first)
    assert kind == Kind.DOUBLE_FORFEIT
    assert [line[1:3] for line in result_lines] == [(None, True), (None, True)]


def test_a_table_that_was_called_off_is_nobodys_result(online):
    first = pairings(online())[0]
    online_tables.stop_table(first, timezone.now(), "The match was redrawn.")
    assert not Pairing.objects.filter(table__status="abandoned").exists()


def test_knowing_a_deal_is_asked_of_the_seats(online, players):
    event = online(shares_deals=True)
    pairing = pairings(event)[0]
    assert event_tables.know_deals([players(8)[0]], keys(pairing))
    assert not event_tables.know_deals([players(9)[8]], keys(pairing))
    assert Entry.objects.filter(tournament=event).count() == 4


# All of it together


@pytest.mark.slow
def test_an_online_event_goes_from_table_to_table_by_itself(new_event, olga, players, driver):
    event = new_event(
        "swiss", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, rounds=2, shares_deals=True, started=True
    )
    for number in (1, 2):
        tables = [pairing.table for pairing in pairings(event) if pairing.round.number == number]
        assert [table.is_sealed for table in tables] == [True, True]
        assert len({table.deals.get(number=1).key for table in tables}) == 1
        for table in tables:
            driver.until(table, over)
            assert results.record_table_result(table.pk)
            progress.advance(event.pk)
    assert set(Table.objects.values_list("status", "is_sealed")) == {("over", False)}
    assert len({*Board.objects.values_list("key", flat=True)}) == 2
    event.refresh_from_db()
    assert event.status == "over"
    assert list(Place.objects.order_by("pairing__table", "number").values_list("score", flat=True)) == [
        total for table in Table.objects.order_by("pk") for total in table.result["totals"]
    ]
    assert Notice.objects.filter(user=players(1)[0], kind="event_over").count() == 1


def test_a_match_that_was_decided_and_is_open_again_gets_a_new_table(new_event, olga, players):
    event = new_event("swiss", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, rounds=1, started=True)
    first = pairings(event)[0]
    lines = [{"entry": place.entry_id, "score": 100 * place.number} for place in first.places.all()]
    act = results.decide(first.pk, lines, by=olga)
    first.table.refresh_from_db()
    assert (first.table.status, fresh(first).table, fresh(first).status) == ("abandoned", None, "done")
    history.undo(act.pk, by=olga)
    match = fresh(first)
    assert match.status == "ready"
    assert match.table.status == "playing"
    assert match.table != first.table
