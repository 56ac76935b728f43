"""Clubs, leagues, seasons and meetings."""

from assistants.site_api import Shape


class ClubLine(Shape):
    """A club in a list."""

    slug: str
    name: str
    line: str
    venue: str
    url: str
    is_archived: bool


class ClubPage(Shape):
    """Clubs, by name."""

    clubs: list[ClubLine]
    more: bool


class LeagueLine(Shape):
    """A league. `club` is the club that runs it, empty for the club that was read."""

    slug: str
    name: str
    kind: str
    is_archived: bool
    url: str
    club: str = ""


class Leagues(Shape):
    """Leagues of a club, and those of other clubs in which it takes part."""

    leagues: list[LeagueLine]
    elsewhere: list[LeagueLine]


class Club(ClubLine):
    """A club. Times of its answers are in UTC."""

    about: str
    time_zone: str
    members: int
    your_role: str


class ClubWithLeagues(Club, Leagues):
    """A club with its leagues."""


class SeasonLine(Shape):
    """A season of a league."""

    slug: str
    name: str
    status: str
    starts_on: str | None
    url: str


class League(LeagueLine):
    """A league with its seasons."""

    about: str
    seasons: list[SeasonLine]


class TableRow(Shape):
    """A team in the standings of a division."""

    place: str
    team: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    scored: int
    conceded: int
    points: str
    best: int | None
    worst: int | None
    note: str


class DivisionTable(Shape):
    """The standings of a division."""

    division: str
    level: int
    rows: list[TableRow]
    played: int
    matches: int
    is_over: bool


class SeasonTables(Shape):
    """The standings of a season, top division first."""

    tables: list[DivisionTable]


class Side(Shape):
    """A side of a league match."""

    team: int | None
    name: str
    score: int | None
    points: str
    is_winner: bool


class Fixture(Shape):
    """A league match. `event`, `stage` and `match` name it for `read_match` and `preview_result`."""

    event: str
    stage: int
    match: str
    status: str
    division: str | None
    matchday: int
    home: Side
    away: Side
    starts_at: str | None
    deadline_at: str | None
    venue: str
    is_online: bool


class FixturePage(Shape):
    """League matches, and whether more follow."""

    matches: list[Fixture]
    more: bool = False


class Matchday(Shape):
    """A matchday of a division."""

    matches: list[Fixture]


class SeasonFixtures(Shape):
    """The fixtures of a season."""

    matchdays: list[Matchday]


# Meetings


class Meeting(Shape):
    """A meeting of a club."""

    id: int
    title: str
    words: str
    venue: str
    starts_at: str
    ends_at: str | None
    is_called_off: bool


class Meetings(Shape):
    """Meetings of a club."""

    dates: list[Meeting]


class Coming(Shape):
    """How many come to a meeting or league match, and your own answer. `id` is the question of `list_answers`."""

    id: int
    meeting: int | None
    title: str
    starts_at: str | None
    yes: int
    need_a_partner: int
    no: int
    your_answer: str
    your_partner: str


class ComingList(Shape):
    """Meetings and matches about which members are asked."""

    coming: list[Coming]


class MeetingsAndComing(Meetings, ComingList):
    """Meetings, and for members how many come."""


class Reply(Shape):
    """Somebody’s answer."""

    name: str
    answer: str
    partner: int | None
    comes_at: str
    leaves_at: str
    is_reserve: bool


class Silent(Shape):
    """Somebody who has not answered."""

    name: str


class Answers(Shape):
    """Answers to the question who comes. Notes to organisers are left out."""

    replies: list[Reply]
    silent: list[Silent]
