"""Many phones on one score sheet at the same instant: one change counts, and the others are refused with a message."""

from functools import partial

import pytest

from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import services as score_sheets
from gameplay.score_sheets.models import ScoreSheet
from tests.at_once import at_once
from web.errors import Stale

pytestmark = pytest.mark.django_db(transaction=True)


def begin(**more):
    return score_sheets.make(Rules.preset("standard"), Shape(4, 2), (), **more)


def test_of_many_phones_one_changes_the_sheet():
    sheet = begin()
    saves = [
        partial(score_sheets.save, sheet.pk, [{"points": [5 * number, 0]}], is_stopped=False, seen=0, key=f"k{number}")
        for number in range(1, 7)
    ]
    results = at_once(*saves)
    saved = [result for result in results if isinstance(result, ScoreSheet)]
    assert len(saved) == 1
    assert all(isinstance(result, Stale) for result in results if result not in saved)
    sheet.refresh_from_db()
    assert (sheet.version, sheet.deals) == (1, saved[0].deals)


def test_one_change_that_arrives_many_times_is_made_once():
    sheet = begin()
    save = partial(score_sheets.save, sheet.pk, [{"points": [5, 0]}], is_stopped=False, seen=0, key="k")
    assert [sheet.version for sheet in at_once(*[save] * 6)] == [1] * 6


def test_a_form_that_arrives_many_times_makes_one_sheet():
    sheets = at_once(*[partial(begin, request_key="one")] * 6)
    assert len({sheet.pk for sheet in sheets}) == 1
    assert ScoreSheet.objects.count() == 1
