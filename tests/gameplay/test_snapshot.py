"""Snapshots: the whole position but for its rules, which the table has."""

from engine.play.position import write_position
from gameplay.models import Table
from gameplay.snapshot import keep, state_of


def test_a_snapshot_goes_without_the_rules_and_reads_back_with_them(seated, driver):
    table = driver.act(seated("bga", options={"out_bonus": 250}))
    table = Table.objects.get(pk=table.pk)
    assert "rules" not in table.snapshot
    state = state_of(table)
    assert state.rules == table.rules
    assert (state.rules.name, state.rules.out_bonus) == ("bga", 250)


def test_one_that_was_written_with_its_rules_reads_as_well(seated):
    table = seated()
    state = state_of(table)
    table.snapshot = write_position(state)
    assert state_of(table) == state
    keep(table, state)
    assert state_of(table) == state


def test_tables_of_one_ruleset_share_what_was_read_of_it(seated):
    first, second, other = seated(), seated(), seated("family")
    assert first.rules is second.rules
    assert first.rules is not other.rules
