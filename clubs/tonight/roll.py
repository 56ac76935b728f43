"""Who is here: the entries of an evening, all here but for those marked."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from clubs.coming.attendance import Said, said_about
from clubs.models import Club
from clubs.tonight.evening import Section
from tournaments import plan_checks
from tournaments.models import Entry, Tournament
from tournaments.services.stages import first_draw
from tournaments.services.stages.first_draw import DrawnTable, FirstDraw


@dataclass(frozen=True)
class Roll:
    """The entries of a section."""

    section: Section
    people: tuple[Entry, ...]
    wrong: str = ""
    """Why the event cannot start with those who are here; empty if it can."""
    said: Said = field(default_factory=Said)
    """What people answered before."""
    ticks: Mapping[int, bool] = field(default_factory=dict)
    """Whether entries (ids) are here that a page has other than they are saved."""

    @property
    def here(self) -> int:
        return sum(is_here for _, is_here, _ in self.lines)

    @property
    def lines(self) -> list[tuple[Entry, bool, tuple[str, ...]]]:
        """The entries, each with whether it is ticked, and what its people added to their answers."""
        remarks = self.said.remarks
        return [(entry, self._is_here(entry), remarks.get(entry.pk, ())) for entry in self.people]

    def _is_here(self, entry: Entry) -> bool:
        """Whether an entry is ticked: as the page has it, or else as it was marked, or as it answered."""
        return self.ticks.get(entry.pk, _is_here(entry, self.said))

    def ticks_with(self, absent: Collection[int]) -> dict[int, bool]:
        """The ticks of a page that has these entries (ids) as not here: those other than they are saved."""
        here = {entry.pk: entry.pk not in absent for entry in self.people}
        return {entry.pk: here[entry.pk] for entry in self.people if here[entry.pk] != _is_here(entry, self.said)}

    @property
    def absent(self) -> list[Entry]:
        return [entry for entry in self.people if entry.is_here is False]

    @cached_property
    def draw(self) -> FirstDraw | None:
        """The first round with those who are ticked; `None` if there is none to see."""
        drawn = None if self.wrong else first_draw.draw(self.section.event, self.not_here)
        return None if drawn is None else replace(drawn, tables=tuple(map(self._with_remarks, drawn.tables)))

    def _with_remarks(self, table: DrawnTable) -> DrawnTable:
        remarks = self.said.remarks
        return replace(
            table, remarks=tuple((each, text) for each in table.entries for text in remarks.get(each.pk, ()))
        )

    @property
    def present(self) -> list[Entry]:
        """Entries that are ticked."""
        return [entry for entry, is_here, _ in self.lines if is_here]

    @property
    def not_here(self) -> list[int]:
        """Entries (ids) that are not ticked."""
        return [entry.pk for entry, is_here, _ in self.lines if not is_here]

    @property
    def can_change(self) -> bool:
        """Whether entries can still come or leave."""
        return self.section.event.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED)


def roll_of(club: Club, section: Section, ticks: Mapping[int, bool] | None = None) -> Roll:
    """The entries of a section by name. Everyone is here who was not marked absent and did not say no before, or whom
    the page has as here.
    """
    entries = Entry.objects.filter(tournament=section.event, status=Entry.Status.ENTERED)
    people = tuple(sorted(entries, key=lambda entry: entry.name.casefold()))
    ticks = ticks or {}
    answers, wrong = said_about(club, section.event, section.starts_at, people), ""
    if section.has_begun:
        # Who is here was decided at the start: only what people added still matters.
        answers, ticks = Said(remarks=answers.remarks), {}
    else:
        roll = Roll(section, people, said=answers, ticks=ticks)
        plans = plan_checks.plans_of(section.event)
        wrong = " ".join(plan_checks.plan_problems(section.event, plans, roll.here))
    return Roll(section, people, wrong, answers, ticks)


def _is_here(entry: Entry, answers: Said) -> bool:
    """Whether an entry is ticked: as it was marked, or else as it answered."""
    return entry.pk not in answers.cannot if entry.is_here is None else entry.is_here
