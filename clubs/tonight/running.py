"""The acts of tonight, each by the services of events: who is here, the draw, publishing, putting off."""

from collections.abc import Callable, Collection
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.display_names import folded
from clubs.tonight import publishing
from clubs.tonight.evening import Section
from clubs.tonight.grid import Grid, Row
from clubs.tonight.page import Night
from tournaments.lookups import stages_of
from tournaments.models import Act, Entry, Member, Round, Stage
from tournaments.organiser.next_action import dock
from tournaments.services.entries import bulk_entry, check_ins
from tournaments.services.entries.bulk_entry import Names, People
from tournaments.services.events import lifecycle
from tournaments.services.matches import match_scheduling, typed_scores
from tournaments.services.stages import redraws, stage_decisions
from tournaments.stage_state import load
from web.errors import Refused
from web.form_actions import key_of
from web.text import several


def section_of(night: Night, event_id: int) -> Section:
    """The section of an event. Raises `Refused` if it is not on tonight."""
    section = next((each for each in night.sections if each.event.pk == event_id), None)
    if section is None:
        raise Refused("not_tonight", gettext("This event is not on tonight."))
    return section


def key(request: HttpRequest, part: str) -> str | None:
    """The key of one of several acts that a form does."""
    sent = key_of(request)
    return f"{sent}:{part}" if sent else None


# Results


Keys = Callable[[str], str | None]
"""The keys of the acts that a request does, by their parts; `None` without a key."""


def keys_of(request: HttpRequest) -> Keys:
    """The keys of the acts that a form does."""
    return lambda part: key(request, part)


def publish(night: Night, keys: Keys) -> str:
    """Enter everything that was typed, an act for each event: how many results."""
    entered = 0
    for each in night.grids:
        if any(row.state == "in" for row in each.rows):
            entered += _enter(night, each, keys)
    if not entered:
        raise Refused("nothing", gettext("There is no complete result to publish yet."))
    return gettext("Published: %(results)s.") % {"results": several(entered, "result")}


def _enter(night: Night, each: Grid, keys: Keys) -> int:
    event = each.section.event
    pairings = [row.pk for row in each.rows if row.state == "in"]
    act = typed_scores.enter_typed(event.pk, night.reader, pairings=pairings, request_key=keys(str(event.pk)))
    return sum(change["model"] == "typedscores" for change in act.changes)


def publish_and_go(night: Night, event_id: int, request: HttpRequest) -> Act | str:
    """Enter the results of a round, and start the next one."""
    each = next((each for each in night.grids if each.section.event.pk == event_id), None)
    if each is None:
        raise Refused("not_tonight", gettext("This event is not on tonight."))
    _enter(night, each, keys_of(request))
    return go(night, event_id, request)


def take_back(night: Night) -> str:
    """Undo what was published last: the scores are typed again."""
    if night.published is None:
        raise Refused("nothing_to_undo", gettext("Nothing was published tonight, or something else followed it."))
    publishing.take_back(night.published, night.reader)
    return gettext("The results are no longer published. Nothing typed was lost.")


# Who is here, and the draw


def begin(night: Night, event_id: int, request: HttpRequest) -> str:
    """Start an event with everybody but those marked, and its first round."""
    section = section_of(night, event_id)
    act = lifecycle.start(
        event_id, night.reader, anyway=True, absent=_absent(section, request), request_key=key(request, "start")
    )
    _start_next(night, section, request)
    return act.sentence


def go(night: Night, event_id: int, request: HttpRequest) -> Act | str:
    """Start the next round of an event."""
    act = _start_next(night, section_of(night, event_id), request)
    return act if act is not None else gettext("The next round starts automatically.")


def _start_next(night: Night, section: Section, request: HttpRequest) -> Act | None:
    """Start the round that waits for an organiser, if there is one."""
    section.event.refresh_from_db()
    stages = stages_of(section.event)
    running = [load(stage) for stage in stages if stage.status == Stage.Status.RUNNING]
    waiting = dock(section.event, running, stages)
    if waiting is None or waiting.act != "go" or waiting.stage is None:
        return None
    if waiting.why_not:
        raise Refused("not_ready", waiting.why_not)
    sent = key(request, "go")
    return stage_decisions.start_round(waiting.stage.pk, waiting.number, by=night.reader, request_key=sent)


def call_roll(night: Night, event_id: int, request: HttpRequest) -> Act:
    """Mark everybody here but those chosen: one act."""
    return mark(night, event_id, _absent(section_of(night, event_id), request), key_of(request))


def mark(night: Night, event_id: int, absent: Collection[int], request_key: str | None) -> Act:
    """Mark everybody here but these entries (ids): one act."""
    section_of(night, event_id)
    return check_ins.mark_all(event_id, night.reader, absent=list(absent), request_key=request_key)


def _absent(section: Section, request: HttpRequest) -> list[int]:
    """The entries (ids) that the form has as not here."""
    entered = Entry.objects.filter(tournament=section.event, status=Entry.Status.ENTERED)
    return [pk for pk in entered.values_list("pk", flat=True) if request.POST.get(f"here-{pk}") == "no"]


def add(night: Night, event_id: int, request: HttpRequest) -> Act:
    """Enter someone who just walked in: they play from the next round that is drawn."""
    section = section_of(night, event_id)
    names = [part.strip() for part in request.POST.get("who", "")[:200].split("/") if part.strip()]
    if not names:
        raise Refused("nobody", gettext("Enter a name or an email address."), field="add")
    here = Member.objects.filter(tournament=section.event, left_at=None, entry__status=Entry.Status.ENTERED)
    names_here = {folded(name): name for name in here.values_list("name", flat=True)}
    if twice := next((names_here[folded(name)] for name in names if folded(name) in names_here), None):
        sentence = gettext("%(name)s already plays tonight. Nobody can be at two tables.")
        raise Refused("entered_already", sentence % {"name": twice}, field="add")
    try:
        return bulk_entry.enter_list(event_id, night.reader, lines=[Names(names)], request_key=key_of(request))
    except Refused as refused:
        raise Refused(refused.code, refused.sentence, field="add") from None


def add_coming(night: Night, event_id: int, request: HttpRequest) -> Act:
    """Enter everyone who said yes and is not in the event yet: one act. Raises `Refused` if there is nobody."""
    section = section_of(night, event_id)
    sides = next((roll.said.sides for roll in night.rolls if roll.section is section), ())
    if not sides or section.has_begun:
        raise Refused("nobody", gettext("Everyone who said yes is already on the list."))
    lines = [People(side.people) for side in sides]
    return bulk_entry.enter_list(event_id, night.reader, lines=lines, request_key=key_of(request))


def redraw(night: Night, round_id: int, request: HttpRequest) -> Act:
    """Redraw a round of which nothing was typed or entered. Raises `Refused`."""
    drawn = [round_ for section in night.sections if not section.is_matchday for round_ in section.rounds]
    round_ = next((each for each in drawn if each.pk == round_id), None)
    if round_ is None or round_.status == Round.Status.CLOSED:
        raise Refused("no_round", gettext("This round no longer exists."))
    if any(row.version for row in night.rows if row.pairing.round_id == round_id):
        raise Refused("has_scores", gettext("Some tables of this round already have scores. Remove them first."))
    return redraws.redraw(round_.stage_id, round_.number, by=night.reader, request_key=key_of(request))


# Putting off


def put_off(night: Night, row: Row, until: datetime) -> Act:
    """Take a match out of the matchday: it is played later, until the end of a day."""
    usual = row.pairing.round.deadline_at
    if row not in night.can_put_off:
        raise Refused("no_match", gettext("Only open matches of a matchday can be played later."), field="off")
    if usual is not None and until <= usual:
        raise Refused("too_early", gettext("Choose a day after this matchday."), field="off")
    return match_scheduling.set_match_times(row.pk, night.reader, starts_at=None, deadline_at=until)


def put_on(night: Night, pairing_id: int) -> Act:
    """Take a match back into its matchday."""
    if pairing_id not in {row.pk for row in night.off}:
        raise Refused("no_match", gettext("This match was not moved to another day."))
    return match_scheduling.set_match_times(pairing_id, night.reader, starts_at=None, deadline_at=None)
