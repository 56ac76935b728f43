"""Everything that the page of tonight shows, by the club’s clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from accounts.models import User
from clubs.coming import guests
from clubs.models import Club, Meeting, MeetingGuest, Newsletter
from clubs.services.publications import newsletters
from clubs.tonight import evening, grid, publishing, roll, standings
from clubs.tonight.evening import Section
from clubs.tonight.grid import Grid, Row
from clubs.tonight.publishing import Published, Target
from clubs.tonight.roll import Roll
from clubs.tonight.standings import Board
from clubs.tonight.ticks import Ticks
from tournaments.duplicate.movement import Moves, moves
from tournaments.lookups import stages_of
from tournaments.models import Stage
from tournaments.organiser.next_action import Dock, dock
from tournaments.rules_text import round_sentence
from tournaments.stage_state import load
from web import share_links
from web.text import number, on_calendar

MOST_NAMED = 3
"""Tables of several events that are named in one sentence."""


@dataclass
class Slip:
    """The form of the next slip, as it was typed: its table, the scores, and what is said of them."""

    table: str = ""
    scores: list[str] = field(default_factory=list)
    row: Row | None = None
    error: str = ""
    event: int = 0
    """The event (id) that was chosen, where several are on."""
    kept: str = ""
    """`Table 6 is in.`"""
    needs_check: bool = False
    """Whether what was saved cannot be right, as `kept` says."""

    @property
    def cursor(self) -> int:
        """The field to type in next: 0 is the table, then the scores in order."""
        if self.row is None:
            return 0
        return next((at for at, text in enumerate(self.scores, 1) if not text), 1)


@dataclass(frozen=True)
class Button:
    """The next big act: its text, what it sends, and the form whose fields go with it. Without a label there is only
    text.
    """

    head: str
    rest: str
    label: str
    do: str
    form: str = ""
    is_ready: bool = True
    url: str = ""
    """The page that it opens, instead of something that it sends."""


@dataclass
class Night:
    """Tonight at a club, for someone who enters its results."""

    club: Club
    reader: User
    now: datetime
    slip: Slip = field(default_factory=Slip)
    ticks: Ticks = field(default_factory=dict)
    """Ticks of people here that the reader’s browser has not saved yet."""

    @property
    def url(self) -> str:
        """The address of the page."""
        return reverse("clubs:tonight", args=[self.club.slug])

    @cached_property
    def sections(self) -> list[Section]:
        return evening.sections(self.club, self.reader, self.now)

    @cached_property
    def grids(self) -> list[Grid]:
        return grid.grids(self.sections, self.reader, self.club.zone)

    @cached_property
    def boards(self) -> list[Board]:
        boards = [(each, standings.board(each)) for each in self.grids if each.rows]
        return [
            replace(board, title=each.section.event.name) if self.is_several else board
            for each, board in boards
            if board is not None
        ]

    @cached_property
    def moves(self) -> list[Moves]:
        """Where the boards of each section go after the round that ended, until the next one has a result."""
        stages = {stage.pk: stage for each in self.sections if each.has_begun for stage in _stages(each)}
        return [after for stage in stages.values() if (after := moves(stage)) is not None]

    @cached_property
    def rolls(self) -> list[Roll]:
        evenings = [section for section in self.sections if not section.is_matchday]
        return [roll.roll_of(self.club, each, self.ticks.get(each.event.pk)) for each in evenings]

    @cached_property
    def published(self) -> Published | None:
        return publishing.published(self.sections, self.reader, self.club.zone)

    @property
    def targets(self) -> list[Target]:
        """Where published results appear."""
        return publishing.targets([each.section for each in self._public_grids])

    @property
    def _public_grids(self) -> list[Grid]:
        """The grids of which something is published."""
        just_now = {act.tournament_id for act in self.published.acts} if self.published else set()
        return [each for each in self.grids if each.section.event.pk in just_now or each.count("final") or each.off]

    @cached_property
    def share_text(self) -> str:
        return publishing.share_text(self._public_grids)

    @property
    def share_url(self) -> str:
        """The address that opens WhatsApp with the text; it sends nothing by itself."""
        return share_links.whatsapp(self.share_text)

    @property
    def can_type(self) -> bool:
        """Whether a table is still to be typed."""
        return any(row.can_type for row in self.rows)

    @property
    def matchdays(self) -> list[tuple[int, int]]:
        """The matchdays of tonight, as ids of seasons and numbers."""
        divisions = [each for each in self.sections if each.event.has_matchdays]
        days = [(each.season.pk, each.rounds[0].number) for each in divisions if each.season is not None]
        return list(dict.fromkeys(days))

    @property
    def evenings(self) -> list[int]:
        """The events of tonight (ids) that have begun, with cups and without divisions."""
        return [each.event.pk for each in self.sections if each.has_begun and not each.event.has_matchdays]

    @property
    def newsletter(self) -> Newsletter | None:
        """The newsletter about tonight, if there is one already."""
        return newsletters.about_evening(self.club.pk, self.matchdays, self.evenings)

    @property
    def is_complete(self) -> bool:
        """Whether every table has its result, and no round is to come, nor anything to decide before it."""
        waits = any(waiting is not None and waiting.act in ("go", "tie", "admit") for waiting in self.docks.values())
        return not waits and all(row.state == "final" for row in self.rows)

    @property
    def rows(self) -> list[Row]:
        return [row for each in self.grids for row in each.rows]

    @property
    def off(self) -> list[Row]:
        return [row for each in self.grids for row in each.off]

    @property
    def round_ids(self) -> str:
        """The rounds that are typed (ids): a browser keeps unsent scores by them."""
        return "-".join(str(round_.pk) for section in self.sections for round_ in section.rounds)

    @property
    def has_grid(self) -> bool:
        return bool(self.rows)

    @property
    def can_put_off(self) -> list[Row]:
        """Open matches of matchdays, for people who set their times."""
        timed = [each for each in self.grids if each.section.has_put_off and "play" in each.section.may]
        of_matchdays = [row for each in timed for row in each.rows]
        return [row for row in of_matchdays if row.can_type]

    @property
    def score_fields(self) -> list[tuple[int, str, str, bool]]:
        """The score fields of the slip: number, label, what was typed, and whether the chosen event has no need of it."""
        sides = self.slip.row.sides if self.slip.row else []
        most = len(sides) or max((each.most_sides for each in self.grids), default=2)
        typed = self.slip.scores + [""] * most
        labels = [side.names for side in sides] or [
            gettext("Score of side %(number)s") % {"number": at} for at in range(1, most + 1)
        ]
        chosen = [each for each in self.grids if each.rows and self.slip_event in (0, each.section.event.pk)]
        needed = len(sides) or (chosen[0].most_sides if chosen else most)
        return [(at, labels[at], typed[at], at >= needed) for at in range(most)]

    def refresh(self) -> None:
        """Read again what typing or an act may have changed."""
        for name in ("sections", "grids", "boards", "moves", "rolls", "published", "share_text", "docks", "button"):
            self.__dict__.pop(name, None)

    # The head

    @property
    def is_several(self) -> bool:
        """Whether several events or matchdays are on, so that what is for one of them says its name."""
        return len(self.sections) > 1

    @property
    def when(self) -> str:
        """`Tuesday 24 November, 19:00, Harbour Hall`."""
        if not self.sections:
            return ""
        first = self._first_section
        day = on_calendar(first.first_day, pgettext("date format", "l j F"))
        at = first.starts_at
        has_time = at is not None and (not first.is_matchday or (first.season and first.season.plays_at))
        parts = [day, grid.clock(at, self.club.zone) if has_time and at else "", self.club.venue]
        return ", ".join(part for part in parts if part)

    @property
    def _first_section(self) -> Section:
        """The first section of today. What began yesterday comes first and may still be played."""
        today = timezone.localtime(self.now, self.club.zone).date()
        days = [each for each in self.sections if each.first_day >= today]
        return min(days or self.sections, key=lambda each: each.first_day)

    @cached_property
    def guests(self) -> list[tuple[Meeting, list[MeetingGuest]]]:
        """Meetings of the day that have guests from the public page, with these."""
        today = timezone.localtime(self.now, self.club.zone).date()
        return guests.guests_on(self.club, self._first_section.first_day if self.sections else today)

    @property
    def is_ahead(self) -> bool:
        """Whether nothing is on today and the page shows what comes next."""
        return bool(self.sections) and self.sections[0].first_day > timezone.localtime(self.now, self.club.zone).date()

    @property
    def here(self) -> int:
        return sum(each.here for each in self.rolls)

    @property
    def answers(self) -> Mapping[str, int]:
        """What people answered to the question whether they come, as long as nothing has begun."""
        return {} if self.rows else next((each.said.answers for each in self.rolls if each.said.answers), {})

    @property
    def entered(self) -> int:
        return sum(len(each.people) for each in self.rolls)

    @property
    def done(self) -> int:
        return sum(each.done for each in self.grids)

    @property
    def bad(self) -> list[Row]:
        return [row for row in self.rows if row.state in ("bad", "other") or row.conflict is not None]

    @property
    def events(self) -> list[tuple[int, str]]:
        """The events whose tables are typed, as ids and titles, where there are several."""
        titles = [(each.section.event.pk, each.section.title) for each in self.grids if each.rows]
        return titles if len(titles) > 1 else []

    @property
    def slip_event(self) -> int:
        """The event (id) that the slip is of, where there are several: the chosen one, or the first with open tables."""
        if self.slip.event or not self.events:
            return self.slip.event
        return next((each.section.event.pk for each in self.grids if any(row.can_type for row in each.rows)), 0)

    def lowest_open(self, event: int = 0) -> Row | None:
        """The first table without scores, of this event (id) if one is named."""
        rows = sorted(self.rows, key=lambda row: row.number)
        return next((row for row in rows if row.state == "none" and event in (0, row.event)), None)

    # The next big act

    @cached_property
    def docks(self) -> dict[int, Dock | None]:
        """The next big act of each event under way, by its id."""
        acts = {}
        for section in self.sections:
            if section.has_begun and not section.is_matchday and section.may.get("play"):
                stages = stages_of(section.event)
                running = [load(stage) for stage in stages if stage.status == Stage.Status.RUNNING]
                acts[section.event.pk] = dock(section.event, running, stages)
        return acts

    @cached_property
    def button(self) -> Button | None:
        """The one button at the foot of the page; `None` if there is nothing to do."""
        for each in self.rolls:
            if not each.section.has_begun:
                return self._begin(each)
        is_typed = any(row.state == "in" for row in self.rows)
        for pk, waiting in self.docks.items():
            if waiting is None:
                continue
            if waiting.act == "tie" and waiting.stage is not None and not is_typed:
                address = [waiting.stage.tournament.slug, waiting.stage.number]
                url = reverse("tournaments:organise_tie", args=address, query={"from": "tonight"})
                return Button(self._about(pk, waiting.head), waiting.rest, waiting.label, "", url=url)
            if waiting.act == "go" and not waiting.why_not:
                label = gettext("Start %(round)s") % {"round": waiting.round_words}
                return Button(self._about(pk, waiting.head), waiting.rest, label, f"go:{pk}")
        return self._publish()

    def _about(self, event_id: int, sentence: str) -> str:
        """A sentence about an event, with its name where several are on."""
        title = next(each.title for each in self.sections if each.event.pk == event_id)
        return f"{title}: {sentence}" if self.is_several else sentence

    def _begin(self, each: Roll) -> Button:
        words = ngettext("%(count)s entry is ready.", "%(count)s entries are ready.", each.here)
        ready = words % {"count": number(each.here)}
        head = self._about(each.section.event.pk, ready)
        rest = each.wrong or gettext("The draw goes to the event’s page.")
        begin = pgettext("an event", "Start")
        if "play" not in each.section.may:
            return Button(head, gettext("An owner or director of the event starts it."), "", "")
        pk = each.section.event.pk
        return Button(head, rest, begin, f"begin:{pk}", f"roll-{pk}", is_ready=not each.wrong)

    def _publish(self) -> Button | None:
        ready = [row for row in self.rows if row.state == "in"]
        waiting = [row for row in self.rows if row.state in ("none", "half")]
        if not ready and not waiting and not self.bad:
            return None
        count = sum(row.state != "final" for row in self.rows)
        head = gettext("%(ready)s of %(count)s results will be published.") % {"ready": len(ready), "count": count}
        parts = []
        if self.bad:
            words = ngettext("Check table %(tables)s.", "Check tables %(tables)s.", len(self.bad))
            parts.append(words % {"tables": grid.table_names(self.bad)})
        if waiting and ready:
            words = ngettext("Table %(tables)s can follow later.", "Tables %(tables)s can follow later.", len(waiting))
            # With the names of several events it would hide the page of a phone: the rows say it too.
            if self.is_several and len(waiting) > MOST_NAMED:
                words = ngettext(
                    "%(count)s table can follow later.", "%(count)s tables can follow later.", len(waiting)
                )
            parts.append(words % {"tables": grid.table_names(waiting), "count": len(waiting)})
        if (following := self._next_round) is not None:
            return self._draw_next(*following)
        return Button(head, " ".join(parts), gettext("Publish tonight"), "publish", is_ready=bool(ready))

    @property
    def _next_round(self) -> tuple[int, str] | None:
        """The event (id) whose results are all in, with the name of the round that waits for them, if there is one."""
        bad = [row.pk for row in self.bad]
        for pk, waiting in self.docks.items():
            rows = [row for row in self.rows if row.event == pk]
            is_in = any(row.state == "in" for row in rows) and all(row.state in ("in", "final") for row in rows)
            if waiting is not None and waiting.act == "go" and is_in and not any(row.pk in bad for row in rows):
                return pk, waiting.round_words
        return None

    def _draw_next(self, pk: int, round_: str) -> Button:
        ready = sum(row.state == "in" and row.event == pk for row in self.rows)
        head = gettext("%(ready)s of %(count)s results will be published.") % {"ready": ready, "count": ready}
        return Button(self._about(pk, head), "", gettext("Draw %(round)s") % {"round": round_}, f"next:{pk}")

    @property
    def titles(self) -> str:
        """`Club evening, round 2. Harbour League, matchday 6 of 14.`"""
        return ". ".join(section.title_now for section in self.sections)

    @property
    def terms_words(self) -> str:
        """What the rounds that are played have differently from their events: `The final is eight deals.`"""
        rounds = [round_ for each in self.sections if not each.is_matchday for round_ in each.rounds]
        return " ".join(dict.fromkeys(filter(None, map(round_sentence, rounds))))


def _stages(section: Section) -> list[Stage]:
    return [round_.stage for round_ in section.rounds]
