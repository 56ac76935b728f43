"""Everything that the page of tonight shows, by the club’s clock."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext

from accounts.models import User
from clubs.models import Club
from clubs.tonight import evening, grid, publishing, roll, standings
from clubs.tonight.evening import Section
from clubs.tonight.grid import Grid, Row
from clubs.tonight.publishing import Published, Target
from clubs.tonight.roll import Roll
from clubs.tonight.standings import Board
from tournaments.lookups import stages_of
from tournaments.models import Stage
from tournaments.organiser.next_action import Dock, dock
from tournaments.round_names import round_words
from tournaments.stage_state import load
from web.text import join_words, on_calendar, several


@dataclass
class Slip:
    """The form of the next slip, as it was typed: its table, the scores, and what is said of them."""

    table: str = ""
    scores: list[str] = field(default_factory=list)
    row: Row | None = None
    error: str = ""
    kept: str = ""
    """`Table 6 is in.`"""

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


@dataclass
class Night:
    """Tonight at a club, for someone who enters its results."""

    club: Club
    reader: User
    now: datetime
    slip: Slip = field(default_factory=Slip)

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
        return [board for each in self.grids if each.rows and (board := standings.board(each)) is not None]

    @cached_property
    def rolls(self) -> list[Roll]:
        return [roll.roll_of(self.club, section) for section in self.sections if not section.is_matchday]

    @cached_property
    def published(self) -> Published | None:
        return publishing.published(self.sections, self.reader, self.club.zone)

    @property
    def targets(self) -> list[Target]:
        """Where published results appear."""
        return publishing.targets(self.sections)

    @cached_property
    def share_text(self) -> str:
        return publishing.share_text(self.grids)

    @property
    def share_url(self) -> str:
        """The address that opens WhatsApp with the text; it sends nothing by itself."""
        return f"https://wa.me/?{urlencode({'text': self.share_text})}"

    @property
    def can_type(self) -> bool:
        """Whether a table is still to be typed."""
        return any(row.can_type for row in self.rows)

    @property
    def matchdays(self) -> list[tuple[int, int]]:
        """The matchdays of tonight, as ids of seasons and numbers."""
        days = [(each.season.pk, each.rounds[0].number) for each in self.sections if each.season is not None]
        return list(dict.fromkeys(days))

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
        timed = [each for each in self.grids if each.section.is_matchday and "play" in each.section.may]
        of_matchdays = [row for each in timed for row in each.rows]
        return [row for row in of_matchdays if row.can_type]

    @property
    def score_fields(self) -> list[tuple[int, str, str]]:
        """The score fields of the slip: number, label, and what was typed."""
        sides = self.slip.row.sides if self.slip.row else []
        most = len(sides) or max((each.most_sides for each in self.grids), default=2)
        typed = self.slip.scores + [""] * most
        labels = [side.names for side in sides] or [
            gettext("Score of side %(number)s") % {"number": at} for at in range(1, most + 1)
        ]
        return [(at, labels[at], typed[at]) for at in range(most)]

    def refresh(self) -> None:
        """Read again what typing or an act may have changed."""
        for name in ("sections", "grids", "boards", "rolls", "published", "share_text", "docks", "button"):
            self.__dict__.pop(name, None)

    # The head

    @property
    def when(self) -> str:
        """`Tuesday 24 November, 19:00, Harbour Hall`."""
        if not self.sections:
            return ""
        first = self.sections[0]
        day = on_calendar(first.first_day, pgettext("date format", "l j F"))
        at = first.starts_at
        has_time = at is not None and (not first.is_matchday or (first.season and first.season.plays_at))
        parts = [day, grid.clock(at, self.club.zone) if has_time and at else "", self.club.venue]
        return ", ".join(part for part in parts if part)

    @property
    def is_ahead(self) -> bool:
        """Whether nothing is on today and the page shows what comes next."""
        return bool(self.sections) and self.sections[0].first_day > timezone.localtime(self.now, self.club.zone).date()

    @property
    def here(self) -> int:
        return sum(each.here for each in self.rolls)

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
    def lowest_open(self) -> Row | None:
        return next((row for row in sorted(self.rows, key=lambda row: row.number) if row.state == "none"), None)

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
        for pk, waiting in self.docks.items():
            if waiting is not None and waiting.act == "go" and not waiting.why_not:
                label = gettext("Start round %(number)s") % {"number": waiting.number}
                return Button(waiting.head, waiting.rest, label, f"go:{pk}")
        return self._publish()

    def _begin(self, each: Roll) -> Button:
        head = gettext("%(entries)s are ready.") % {"entries": several(each.here, "entry", "entries")}
        rest = each.wrong or gettext("The draw goes to the event’s page.")
        begin = pgettext("an event", "Start")
        if "play" not in each.section.may:
            return Button(head, gettext("An owner or director of the event starts it."), "", "")
        return Button(head, rest, begin, f"begin:{each.section.event.pk}", f"roll-{each.section.event.pk}")

    def _publish(self) -> Button | None:
        ready = [row for row in self.rows if row.state == "in"]
        waiting = [row for row in self.rows if row.state in ("none", "half")]
        if not ready and not waiting and not self.bad:
            return None
        words = gettext("%(ready)s of %(count)s results will be published.")
        head = words % {"ready": len(ready), "count": len(self.rows) - sum(row.state == "final" for row in self.rows)}
        parts = []
        if self.bad:
            parts.append(gettext("Check table %(tables)s.") % {"tables": grid.table_names(self.bad)})
        if waiting and ready:
            parts.append(gettext("Table %(tables)s can follow later.") % {"tables": grid.table_names(waiting)})
        following = self._next_round if not waiting and not self.bad else None
        if following is not None:
            pk, number = following
            label = gettext("Draw round %(number)s") % {"number": number}
            return Button(head, " ".join(parts), label, f"next:{pk}", is_ready=bool(ready))
        label = gettext("Publish tonight (%(ready)s of %(count)s)")
        values = {"ready": len(ready), "count": len(self.rows)}
        return Button(head, " ".join(parts), label % values, "publish", is_ready=bool(ready))

    @property
    def _next_round(self) -> tuple[int, int] | None:
        """The event (id) and the number of the round that waits for these results, if there is one."""
        for pk, waiting in self.docks.items():
            if waiting is not None and waiting.act == "go":
                return pk, waiting.number
        return None

    @property
    def titles(self) -> str:
        """`Club evening. Harbour League, matchday 6 of 14.`"""
        return join_words(section.title for section in self.sections)

    @property
    def round_words(self) -> str:
        """The rounds that are played: `round 2`."""
        names = dict.fromkeys(round_.name for each in self.rolls for round_ in each.section.rounds)
        return join_words(map(round_words, names))
