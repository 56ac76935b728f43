"""Who is here: the entries of an evening, all here but for those marked."""

from dataclasses import dataclass, field

from clubs.coming.attendance import Said, said_about
from clubs.models import Club
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
    said: Said = field(default_factory=Said)
    """What people answered before."""

    @property
    def here(self) -> int:
        return sum(is_here for _, is_here in self.lines)

    @property
    def lines(self) -> list[tuple[Entry, bool]]:
        """The entries, each with whether it is ticked."""
        return [(entry, _is_here(entry, self.said)) for entry in self.people]

    @property
    def absent(self) -> list[Entry]:
        return [entry for entry in self.people if entry.is_here is False]

    @property
    def can_change(self) -> bool:
        """Whether entries can still come or leave."""
        return self.section.event.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED)


def roll_of(club: Club, section: Section) -> Roll:
    """The entries of a section by name. Everyone is here who was not marked absent and did not say no before."""
    entries = Entry.objects.filter(tournament=section.event, status=Entry.Status.ENTERED)
    people = tuple(sorted(entries, key=lambda entry: entry.name.casefold()))
    wrong, answers = "", Said()
    if not section.has_begun:
        answers = said_about(club, section.event, section.starts_at, people)
        count = sum(_is_here(entry, answers) for entry in people)
        wrong = " ".join(plan_checks.plan_problems(section.event, plan_checks.plans_of(section.event), count))
    return Roll(section, people, wrong, answers)


def _is_here(entry: Entry, answers: Said) -> bool:
    """Whether an entry is ticked: as it was marked, or else as it answered."""
    return entry.pk not in answers.cannot if entry.is_here is None else entry.is_here
