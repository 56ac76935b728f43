"""Tools that read clubs, their leagues and their meetings."""

from typing import Annotated

from pydantic import Field

from assistants.shapes.clubs import (
    Answers,
    Club,
    ClubPage,
    ClubWithLeagues,
    ComingList,
    FixturePage,
    League,
    Leagues,
    Meetings,
    MeetingsAndComing,
    SeasonFixtures,
    SeasonTables,
)
from assistants.site_api import Site, SiteError, path

Slug = Annotated[str, Field(max_length=80, description="Its `slug` from an earlier answer.")]
Limit = Annotated[int, Field(ge=1, le=100)]
Skip = Annotated[int, Field(ge=0, le=100_000, description="How many you already have.")]


class ClubTools:
    """Each public method is a tool, described by its docstring."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def list_clubs(self, words: str = "", mine: bool = True, skip: Skip = 0, limit: Limit = 50) -> ClubPage:
        """List your clubs, or with `mine` false all public ones. `words` looks in name, venue and address."""
        which = "mine" if mine else "listed"
        return await self._site.get(ClubPage, "clubs/", which=which, words=words or None, after=skip, limit=limit)

    async def read_club(self, club: Slug) -> ClubWithLeagues:
        """Read a club: description, time zone, your role, leagues."""
        about = await self._site.get(Club, path("clubs", club))
        leagues = await self._site.get(Leagues, path("clubs", club, "leagues"))
        return ClubWithLeagues(**about.model_dump(), **leagues.model_dump())

    async def read_league(self, club: Slug, league: Slug) -> League:
        """Read a league and its seasons."""
        return await self._site.get(League, path("clubs", club, "leagues", league))

    async def read_season_standings(self, club: Slug, league: Slug, season: Slug) -> SeasonTables:
        """Read the standings of every division of a season, with the places that a team can still reach."""
        return await self._site.get(SeasonTables, path("clubs", club, "leagues", league, "seasons", season, "tables"))

    async def list_fixtures(
        self, club: Slug, league: Slug, season: Slug, only_open: bool = True, skip: Skip = 0, limit: Limit = 50
    ) -> FixturePage:
        """List the matches of a season by matchday: those without a final result, or all."""
        address = path("clubs", club, "leagues", league, "seasons", season, "fixtures")
        season_fixtures = await self._site.get(SeasonFixtures, address)
        matches = [match for matchday in season_fixtures.matchdays for match in matchday.matches]
        chosen = [match for match in matches if not only_open or match.status not in ("done", "idle")]
        return FixturePage(matches=chosen[skip : skip + limit], more=len(chosen) > skip + limit)

    async def list_results(self, club: Slug, limit: Limit = 20) -> FixturePage:
        """List the latest results of a club’s leagues, newest first."""
        return await self._site.get(FixturePage, path("clubs", club, "results"), limit=limit)

    async def list_meetings(self, club: Slug, past: bool = False) -> MeetingsAndComing:
        """List the meetings of a club, from today on or past ones. Members also see how many come."""
        which = "past" if past else "coming"
        meetings = await self._site.get(Meetings, path("clubs", club, "dates"), which=which)
        try:
            coming = await self._site.get(ComingList, path("clubs", club, "coming"))
        except SiteError as error:
            if error.code != "not_of_club":
                raise
            coming = ComingList(coming=[])
        return MeetingsAndComing(dates=meetings.dates, coming=coming.coming)

    async def list_answers(self, club: Slug, question: Annotated[int, Field(ge=1)]) -> Answers:
        """List the people who come to a meeting or match, for people who run it. `question` is the `id` in `coming`."""
        return await self._site.get(Answers, path("clubs", club, "coming", question, "answers"))
