"""Who is here: the entries of an evening, all here but for those marked."""

from dataclasses import dataclass

from clubs.tonight.evening import Section
from tournaments import plan_checks
from tournaments.models import Entry, Tournament


@dataclass(frozen=True)
class Roll:
    """The entries of a section."""

    section: Section
    people: tuple[Entry, ...]
    wrong: str = ""
    """Why the event cannot start with those who are here; empty if it can."""

    @property
    def here(self) -> int:
        return sum(entry.is_here is not False for entry in self.people)

    @property
    def absent(self) -> list[Entry]:
        return [entry for entry in self.people if entry.is_here is False]

    @property
    def can_change(self) -> bool:
        """Whether entries can still come or leave."""
        return self.section.event.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED)


def roll_of(section: Section) -> Roll:
    """The entries of a section by name. Everyone is here who was not marked absent."""
    entries = Entry.objects.filter(tournament=section.event, status=Entry.Status.ENTERED)
    people = tuple(sorted(entries, key=lambda entry: entry.name.casefold()))
    wrong = ""
    if not section.has_begun:
        count = sum(entry.is_here is not False for entry in people)
        wrong = " ".join(plan_checks.plan_problems(section.event, plan_checks.plans_of(section.event), count))
    return Roll(section, people, wrong)
