"""The history of an event can be narrowed to each kind of act that there is."""

from tournaments.services.history import history
from tournaments.views.organiser.history import KINDS


def test_every_kind_of_act_is_under_one_heading():
    all_kinds = [kind for _, kinds in KINDS.values() for kind in kinds]
    assert len(all_kinds) == len(set(all_kinds))
    assert set(all_kinds) == set(history.kinds)
