"""Results to enter, previews, and the history of an event."""

from typing import Annotated

from pydantic import Field

from assistants.site_api import Shape


class Score(Shape):
    """The score of one entry: card points, or that it was absent."""

    entry: Annotated[int, Field(ge=1, description="The number of the entry, from `places` of the match.")]
    score: Annotated[int | None, Field(description="Card points. None only if absent.")] = None
    absent: bool = False


class Effect(Shape):
    """An effect of an action: `moves` (standings), `redrawn`, `kept` (started matches) or `falls` (lost results)."""

    sign: str
    sentence: str


class Effects(Shape):
    """The effects of an action."""

    lines: list[Effect]


class Done(Shape):
    """The API’s answer to an action, or to its preview."""

    act: int | None
    sentence: str
    version: int
    preview: Effects | None = None


class Preview(Shape):
    """What an action would do, and the key for doing it. Nothing has changed yet."""

    sentence: str
    effects: list[Effect]
    key: str


class Entered(Shape):
    """A done action. `act` is its id for `preview_undo`."""

    sentence: str
    act: int | None


class Act(Shape):
    """A line of an event’s history."""

    id: int
    at: str
    kind: str
    sentence: str
    by: str
    is_undone: bool
    can_undo: bool


class ActPage(Shape):
    """Actions, newest first."""

    acts: list[Act]
    more: bool
