"""An evening in plain sentences: its champion, its standings and its page, for messages and the draft of a newsletter.

Only what is published counts.
"""

from dataclasses import dataclass

from django.utils.translation import gettext

from clubs.statistics.matchday_words import LONGEST_SUBJECT, MatchdayText
from engine.compete.standings import Row
from tournaments import outcome, stage_standings, ties
from tournaments.lookups import stages_of
from tournaments.models import Stage, Tournament
from tournaments.plan import WITHOUT_POINTS
from tournaments.public.tiebreak_text import total_words
from tournaments.stage_state import StageState, load

MOST = 10
"""Entries of a standings that a newsletter lists."""


@dataclass(frozen=True)
class Evening:
    """An event as it is now."""

    event: Tournament
    stages: tuple[StageState, ...]
    """The stages under way or over, the last first."""

    @property
    def lead(self) -> str:
        """`Ann won.`, `Ann and Ben share first place.`, or who is ahead; empty where nobody is yet."""
        last = self.stages[0] if self.stages else None
        if last is None:
            return ""
        if last.stage.status == Stage.Status.OVER and last.stage.number == max(
            stage.number for stage in stages_of(self.event)
        ):
            won = outcome.of_state(last)
            return won.sentence or (gettext("%(names)s won.") % {"names": won.names} if won.champions else "")
        rows = [] if last.plan.format in WITHOUT_POINTS else stage_standings.table(last)
        first = [last.entries[row.entry].entry.name for row in rows if row.rank == 1]
        is_played = any(table.is_decided for round_ in last.rounds for table in round_.tables)
        return gettext("%(name)s is ahead.") % {"name": first[0]} if len(first) == 1 and is_played else ""

    def standings(self, most: int = MOST) -> list[tuple[str, list[str]]]:
        """The first lines of the standings of each stage with its name, the last stage first: `1. Ann, 12,310`."""
        groups = []
        for state in self.stages:
            if state.plan.format not in WITHOUT_POINTS:
                rows = stage_standings.table(state)[:most]
                groups.append((state.stage.name, [_line(state, row) for row in rows]))
        return groups


def read(event: Tournament) -> Evening:
    """An event as it is now."""
    stages = sorted(stages_of(event), key=lambda stage: -stage.number)
    return Evening(event, tuple(load(stage, event) for stage in stages if stage.status != Stage.Status.WAITING))


def _line(state: StageState, row: Row) -> str:
    name = state.entries[row.entry].entry.name
    parts = [f"{row.rank}. {name}", total_words(row.points), ties.by_words(row.by)]
    return ", ".join(filter(None, parts))


def describe_evening(event: Tournament, *, site: str) -> MatchdayText:
    """Describe an evening. `site` is put in front of addresses."""
    evening = read(event)
    groups = evening.standings()
    parts = [event.name, evening.lead]
    for title, lines in groups:
        parts.append("\n".join([title, *lines] if len(groups) > 1 else lines))
    parts.append(gettext("All results: %(address)s") % {"address": f"{site}{event.get_absolute_url()}"})
    subject = f"{event.name}: {evening.lead.rstrip('.')}" if evening.lead else event.name
    plain = subject if len(subject) <= LONGEST_SUBJECT else event.name[:LONGEST_SUBJECT]
    return MatchdayText(plain, "\n\n".join(part for part in parts if part))
