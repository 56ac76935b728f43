"""Many entries at once by names alone."""

import pytest

from tournaments.services import history
from tournaments.services.entries import bulk_entry
from tournaments.services.entries.bulk_entry import Names

pytestmark = pytest.mark.django_db


def test_a_list_is_one_act_that_is_undone_as_one(new_event, olga):
    event = new_event("swiss", 0)
    act = bulk_entry.enter_names(event.pk, olga, lines=[Names(["Ann"]), Names(["Ben"], "The Second")])
    assert act.sentence == "2 entries were entered from a list."
    assert bulk_entry.entered_numbers(act) == [1, 2]
    assert [str(entry) for entry in event.entries.all()] == ["Ann", "The Second"]
    history.undo(act.pk, by=olga)
    assert not event.entries.exists()
    repeated = bulk_entry.enter_names(event.pk, olga, lines=[Names(["Ann"])])
    assert bulk_entry.entered_numbers(repeated) == [3]


def test_a_list_sent_twice_enters_once(new_event, olga):
    event = new_event("swiss", 0)
    for _ in range(2):
        bulk_entry.enter_names(event.pk, olga, lines=[Names(["Ann"])], request_key="k")
    assert event.entries.count() == 1


@pytest.mark.parametrize("names", [[], ["Ann", "Ben"], [" "], ["Ann\0"], ["a" * 51], ["ann@example.org"]])
def test_names_that_cannot_be_are_refused_with_their_line(new_event, olga, names):
    from web.errors import Refused

    event = new_event("swiss", 0)
    with pytest.raises(Refused) as caught:
        bulk_entry.enter_names(event.pk, olga, lines=[Names(["Zoe"]), Names(names)])
    assert caught.value.details["line"] == 1
    assert caught.value.sentence.startswith("Entry 2 of the list")
    assert not event.entries.exists()


def test_equal_names_have_their_numbers_behind_them(new_event, olga):
    event = new_event("swiss", 1)
    bulk_entry.enter_names(event.pk, olga, lines=[Names(["Ann"]), Names(["ann"]), Names(["Player 1"])])
    assert [str(entry) for entry in event.entries.all()] == ["Player 1", "Ann", "ann (3)", "Player 1 (4)"]


def test_after_the_start_there_is_no_list(new_event, olga, refuses):
    event = new_event("swiss", 4, started=True)
    with refuses("has_begun"):
        bulk_entry.enter_names(event.pk, olga, lines=[Names(["Ann"])])
    with refuses("nobody"):
        bulk_entry.enter_names(new_event("swiss", 0).pk, olga, lines=[])
