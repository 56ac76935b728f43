"""The progress of a stage."""

from django.utils.translation import gettext

from tournaments import expected_rounds
from tournaments.models import Pairing, Round
from tournaments.plan import ENDLESS
from tournaments.round_names import round_name, round_words
from tournaments.stage_state import StageState
from web.text import several


def words(state: StageState) -> str:
    """The progress of a stage: `after round 3 of 7`, `round 4 of 7: 3 of 9 tables finished`."""
    total = expected_rounds.round_count(state)
    closed = [round_ for round_ in state.rounds if round_.row.status == Round.Status.CLOSED]
    current = next((round_ for round_ in state.rounds if round_.row.status == Round.Status.OPEN), None)
    if state.plan.format in ENDLESS:
        finished = sum(table.is_decided for round_ in state.rounds for table in round_.tables)
        return gettext("%(matches)s played") % {"matches": several(finished, "match", "matches")}
    if current is not None:
        playing = [table for table in current.tables if table.row.status != Pairing.Status.IDLE]
        finished = sum(not table.row.is_open for table in playing)
        values = {"round": round_name(current.row.name), "done": finished, "tables": several(len(playing), "table")}
        if total:
            return gettext("%(round)s of %(total)s: %(done)s of %(tables)s finished") % {**values, "total": total}
        return gettext("%(round)s: %(done)s of %(tables)s finished") % values
    if not closed:
        return gettext("before the first result")
    last = round_words(closed[-1].row.name)
    if total:
        return gettext("after %(round)s of %(total)s") % {"round": last, "total": total}
    return gettext("after %(round)s") % {"round": last}
