"""Tools that read events, standings and matches."""

from typing import Annotated, Literal

from pydantic import Field

from assistants.club_tools import Limit, Slug
from assistants.shapes.acts import ActPage
from assistants.shapes.events import Event, EventPage, MatchPage, StageStandings, WholeMatch
from assistants.site_api import Site, path

Number = Annotated[int, Field(ge=1, le=2**31)]
MatchName = Annotated[str, Field(max_length=20, description="Its name in the stage, such as `R1.3`.")]
Status = Literal["waits", "ready", "playing", "reported", "disputed", "done", "idle"]


class EventTools:
    """Each public method is a tool, described by its docstring."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def list_events(
        self, words: str = "", mine: bool = True, before: Slug | None = None, limit: Limit = 50
    ) -> EventPage:
        """List events you play in or organise, or with `mine` false all public ones. `words` looks in the name.

        For the next page, `before` is the last slug.
        """
        which = "mine" if mine else "all"
        return await self._site.get(EventPage, "events/", which=which, name=words or None, before=before, limit=limit)

    async def read_event(self, event: Slug) -> Event:
        """Read an event: time, place, stages, your role and entry, winners."""
        return await self._site.get(Event, path("events", event))

    async def read_event_standings(
        self, event: Slug, stage: Number = 1, limit: Annotated[int, Field(ge=1, le=500)] = 100
    ) -> StageStandings:
        """Read the standings of a stage, the best `limit` entries of each group."""
        standings = await self._site.get(StageStandings, path("events", event, "stages", stage, "standings"))
        standings.more = any(len(table.lines) > limit for table in standings.tables)
        for table in standings.tables:
            table.lines = table.lines[:limit]
        return standings

    async def list_matches(
        self, event: Slug, stage: Number | None = None, status: Status | None = None, after: int = 0, limit: Limit = 50
    ) -> MatchPage:
        """List matches of an event, by stage and status (`ready` can be played now, `done` has a result).

        For the next page, `after` is the last id.
        """
        query = {"stage": stage, "status": status, "since": after, "limit": limit}
        return await self._site.get(MatchPage, path("events", event, "matches"), **query)

    async def list_my_matches(self) -> MatchPage:
        """List your open matches in events and leagues, least time left first."""
        return await self._site.get(MatchPage, "competing/matches/")

    async def read_match(self, event: Slug, stage: Number, match: MatchName) -> WholeMatch:
        """Read a match with its entries and every entered result."""
        return await self._site.get(WholeMatch, path("events", event, "stages", stage, "matches", match))

    async def list_actions(
        self, event: Slug, before: Number | None = None, limit: Annotated[int, Field(ge=1, le=50)] = 20
    ) -> ActPage:
        """List the history of an event, newest first, and whether you can undo each action."""
        return await self._site.get(ActPage, path("events", event, "history"), before=before, limit=limit)
