"""The acts of tonight, each by the services of events: who is here, the draw, publishing, putting off."""

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.display_names import folded
from clubs import access
from clubs.coming import desk
from clubs.forms import form_actions
from clubs.models import Act as ClubAct
from clubs.models import Newsletter
from clubs.news_places import quiet_hours
from clubs.services.publications import newsletters
from clubs.tonight import publishing, ticks
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
from tournaments.services.stages import first_draw, redraws, stage_decisions
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
    """Enter everything that was typed, an act for each event: how many results.

    Once everything is in, this also drafts the newsletter about it, if the reader writes newsletters.
    """
    entered = 0
    with quiet_hours.pressed():
        for each in night.grids:
            if any(row.state == "in" for row in each.rows):
                entered += _enter(night, each, keys)
    if not entered:
        raise Refused("nothing", gettext("There is no complete result to publish yet."))
    night.refresh()
    _draft_newsletter(night)
    return gettext("Published: %(results)s.") % {"results": several(entered, "result")}


def may_write(night: Night) -> bool:
    """Whether the reader can draft a newsletter about tonight."""
    return bool(night.matchdays or night.evenings) and access.may(night.reader, night.club, "letters")


def _draft_newsletter(night: Night) -> None:
    if night.is_complete and may_write(night) and night.newsletter is None:
        with suppress(Refused):  # too many drafts, or nothing to tell: the results are published all the same
            about, events = night.matchdays, night.evenings
            newsletters.draft(night.club.pk, night.reader, about=about, events=events, is_self_written=True)


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
    """Undo what was published last: the scores are typed again, and the draft about it that nobody changed is deleted."""
    if night.published is None:
        raise Refused("nothing_to_undo", gettext("Nothing was published tonight, or something else followed it."))
    publishing.take_back(night.published, night.reader)
    newsletter = night.newsletter
    is_draft = newsletter is not None and newsletter.status == Newsletter.Status.DRAFT
    if newsletter is not None and is_draft and not newsletter.is_edited and may_write(night):
        with suppress(Refused):  # somebody has just sent or deleted it: the results are taken back all the same
            newsletters.delete_draft(newsletter.pk, night.reader)
    return gettext("The results are no longer published. Nothing typed was lost.")


# Who is here, and the draw


def begin(night: Night, event_id: int, request: HttpRequest) -> str:
    """Start an event with everybody but those marked, and its first round: as the page showed it, or else it says so."""
    section = section_of(night, event_id)
    act = lifecycle.start(
        event_id, night.reader, anyway=True, absent=_absent(section, request), request_key=key(request, "start")
    )
    _start_next(night, section, request)
    ticks.forget(request, event_id)
    shown = request.POST.get("drawn", "")
    if not shown or shown == first_draw.started_key(section.event):
        return act.sentence
    others = gettext("The tables differ from the draw you saw, because the people here or the draw changed.")
    return f"{act.sentence} {others}"


def draw_again(night: Night, event_id: int, request: HttpRequest) -> Act:
    """Draw the first round again with everybody but those marked, who are saved with it: one act."""
    absent = _absent(section_of(night, event_id), request)
    act = first_draw.draw_again(event_id, night.reader, absent=absent, request_key=key_of(request))
    ticks.forget(request, event_id)
    return act


def keep_ticks(night: Night, event_id: int, request: HttpRequest) -> None:
    """Keep who is here as the form has it, until it is saved: only this browser sees it."""
    absent = _absent(section_of(night, event_id), request)
    roll = next((roll for roll in night.rolls if roll.section.event.pk == event_id), None)
    if roll is None:
        raise Refused("no_check_in", gettext("This event has no check-in."))
    ticks.keep(request, event_id, roll.ticks_with(absent))
    night.ticks = ticks.of(request)
    night.refresh()


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
    act = mark(night, event_id, _absent(section_of(night, event_id), request), key_of(request))
    ticks.forget(request, event_id)
    return act


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


def pair(night: Night, question_id: int, request: HttpRequest) -> ClubAct:
    """Create the pair of two people who look for a partner: they are an entry, too."""
    first, second = form_actions.number(request, "first"), form_actions.number(request, "second")
    seekers = {each.pk for roll in night.rolls for each in roll.said.seekers if each.question_id == question_id}
    if first not in seekers or second not in seekers or first is None or second is None:
        raise Refused("no_partner", gettext("Choose a person from the list of partners."))
    how = form_actions.how(request)
    return desk.pair(question_id, night.reader, first=first, second=second, **how)


def change_partner(night: Night, reply_id: int, request: HttpRequest) -> ClubAct:
    """Give somebody another partner, or none."""
    pairs = [pair for roll in night.rolls for pair in roll.said.pairs]
    chosen = next((pair for pair in pairs if pair.reply.pk == reply_id), None)
    if chosen is None:
        raise Refused("no_pair", gettext("This pair no longer exists. Look at the list again."))
    partner = form_actions.number(request, "partner")
    how = form_actions.how(request)
    return desk.change_partner(chosen.question_id, night.reader, reply=reply_id, partner=partner, **how)


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
