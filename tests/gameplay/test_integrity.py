"""The stored state of a table is compared with its log, and every change by hand is found."""

import pytest

from gameplay.models import Deal, Move, Table
from gameplay.monitoring import integrity


@pytest.fixture
def played(seated, driver):
    """A table in its first deal, after a dozen acts."""
    table = seated("family")
    for _ in range(12):
        driver.act(table)
    return table


def wrong():
    """All findings, of all tables."""
    return [sentence for _, sentences in integrity.tables() for sentence in sentences]


def test_a_table_that_nobody_touched_is_sound(played, seated):
    assert [(name, problems) for name, problems in integrity.tables()] == [(played.get_absolute_url(), [])]


def test_tables_that_wait_for_players_are_not_looked_at(seated):
    seated(begun=False)
    assert list(integrity.tables()) == []


def test_another_snapshot_is_found(played):
    played.snapshot["dealer"] = (played.snapshot["dealer"] + 1) % 4
    played.save()
    assert wrong() == ["its snapshot is not what its log comes to"]


def test_a_move_that_is_missing_is_found(played):
    played.moves.filter(number=3).delete()
    assert wrong() == ["its moves are not numbered from 1 on without a gap"]


def test_a_move_of_another_seat_is_found(played):
    move = played.moves.get(number=2)
    Move.objects.filter(pk=move.pk).update(seat=(move.seat + 1) % 4)
    assert wrong() == ["its log cannot be replayed (not_your_turn)"]


def test_a_last_move_that_was_lost_is_found(played):
    played.moves.last().delete()
    assert wrong() == ["it counts 12 moves and its log has 11", "its snapshot is not what its log comes to"]


def test_another_key_is_found(played):
    Deal.objects.filter(table=played).update(key="00" * 32)
    assert "the key of deal 1 does not fit its commitment" in wrong()


def test_no_finding_names_a_card(played):
    Move.objects.filter(table=played, number=2).update(text="take K♠ K♠")
    problems = wrong()
    assert problems
    assert not any("♠" in sentence for sentence in problems)


def test_another_result_of_a_deal_is_found(seated, driver):
    table = seated("family", options={"length": {"deals": 2}})
    while table.deal_number == 1 and not table.is_between_deals:
        driver.act(table)
    assert wrong() == []
    deal = table.deals.get(number=1)
    deal.result["totals"][0] += 5
    deal.save()
    assert wrong() == ["the result of deal 1 is not what its log comes to"]
    assert Table.objects.count() == 1


def test_a_move_that_is_made_while_a_table_is_read_is_no_problem(played, driver, monkeypatch):
    wrong_at, late = integrity.wrong_at, [played]

    def read_slowly(table):
        if late:
            driver.act(late.pop())
        return wrong_at(table)

    monkeypatch.setattr(integrity, "wrong_at", read_slowly)
    assert wrong() == []
    assert Move.objects.filter(table=played).count() > 12
