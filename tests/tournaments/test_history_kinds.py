"""The history of an event can be narrowed to each kind of act that there is."""

from tournaments.services.history import history
from tournaments.views.organise.history import KINDS


def test_every_kind_of_act_is_under_one_heading():
    named = [kind for _, own in KINDS.values() for kind in own]
    assert len(named) == len(set(named))
    assert set(named) == set(history.kinds)
