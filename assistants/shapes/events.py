"""Events, standings and matches."""

from assistants.site_api import Shape


class EventLine(Shape):
    """An event in a list."""

    slug: str
    name: str
    url: str
    status: str
    setting: str
    venue: str
    time_zone: str
    starts_at: str | None
    ended_at: str | None
    entered: int
    formats: str


class EventPage(Shape):
    """Events, newest first."""

    events: list[EventLine]
    more: bool


class Stage(Shape):
    """A stage of an event."""

    number: int
    name: str
    status: str
    format: str
    sentences: list[str]


class Event(EventLine):
    """An event with its stages, and your role in it."""

    about: str
    stages: list[Stage]
    your_role: str
    your_entry: int | None
    champions: list[str]
    outcome: str


class StandingLine(Shape):
    """An entry in the standings."""

    rank: int | None
    entry: int
    name: str
    points: str | None
    played: int
    won: int
    drawn: int
    lost: int
    best: int | None
    worst: int | None
    by: str


class Standings(Shape):
    """The standings of a stage or a group of it."""

    group: int
    lines: list[StandingLine]


class StageStandings(Shape):
    """Standings with a line for each entry, as many as were requested."""

    tables: list[Standings]
    question: str
    more: bool = False


class Place(Shape):
    """A seat of a match for an entry."""

    entry: int | None
    name: str
    side: int
    score: int | None
    points: str | None
    rank: int | None


class Match(Shape):
    """A match of an event or a league."""

    id: int
    event: str
    stage: int
    name: str
    round_name: str
    status: str
    starts_at: str | None
    deadline_at: str | None
    is_online: bool
    url: str
    places: list[Place]


class MatchPage(Shape):
    """Matches. Read on with `after` as the last id, if there are more."""

    matches: list[Match]
    more: bool = False


class ResultLine(Shape):
    """The score of one entry in a result."""

    entry: int | None
    score: int | None
    forfeit: bool


class Result(Shape):
    """An entered result. The one with `counts` counts."""

    id: int
    kind: str
    status: str
    counts: bool
    lines: list[ResultLine]
    winner: int | None
    for_entry: int | None
    reason: str
    at: str


class WholeMatch(Match):
    """A match with its entered results, newest first."""

    results: list[Result]
    newest: int
    version: int
