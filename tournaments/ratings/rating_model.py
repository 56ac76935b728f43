"""Rating changes by the Plackett-Luce model of the openskill library. Plain records; no database.

People are rated in the teams they play in. A pair is rated as if it were one player, against the pairs of the other
sides.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from tournaments.models.ratings import START_MU, START_SIGMA

Key = tuple[int, ...]
"""Owner of a rating: the id of one person, or of two partners in ascending order."""
Team = list[Key]

_model = PlackettLuce()


class Standing(NamedTuple):
    """A rating at some moment."""

    mu: float = START_MU
    sigma: float = START_SIGMA
    matches: int = 0


def line_ups(sides: Sequence[Sequence[int]], side_size: int) -> Iterator[list[Team]]:
    """The teams that a game compares: once its people, and once its partnerships where each side is of two people."""
    yield [[(user,) for user in side] for side in sides]
    if side_size == 2 and all(len(side) == 2 for side in sides):
        yield [[tuple(sorted(side))] for side in sides]


def rate(
    sides: Sequence[Sequence[int]], side_size: int, ranks: Sequence[int], before: dict[Key, Standing]
) -> dict[Key, Standing]:
    """New ratings of the players of a game. Players without one in `before` are newcomers.

    `sides` are ids of people, `ranks` the place of each side, 1 the best. The same floats for the same input.
    """
    after: dict[Key, Standing] = {}
    for teams in line_ups(sides, side_size):
        was = [[before.get(key, Standing()) for key in team] for team in teams]
        rated = _model.rate(
            [[_model.create_rating([standing.mu, standing.sigma]) for standing in team] for team in was],
            ranks=[float(rank) for rank in ranks],
        )
        for team, old, new in zip(teams, was, rated, strict=True):
            for key, standing, rated_now in zip(team, old, new, strict=True):
                after[key] = Standing(rated_now.mu, rated_now.sigma, standing.matches + 1)
    return after


def chances(sides: Sequence[Sequence[int]], before: Mapping[int, Standing]) -> list[float]:
    """The chance of each side to win a game, by the ratings of its people. People without one are newcomers."""
    standings = [[before.get(user, Standing()) for user in side] for side in sides]
    teams = [[_model.create_rating([each.mu, each.sigma]) for each in side] for side in standings]
    return [float(chance) for chance in _model.predict_win(teams)]
