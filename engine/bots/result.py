"""Results of a simulation, with the uncertainty of each."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from engine.play.options import Shape
from engine.play.rules import Rules

_Z = 1.959964
"""Standard errors on either side that hold 95 % of a normal distribution."""


class DealResult(NamedTuple):
    """A deal that was played. Tuples are by team."""

    scores: tuple[int, ...]
    went_out: int | None
    moves: int
    turns: tuple[int, ...]
    seconds: tuple[float, ...]


class Interval(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class Result(NamedTuple):
    """A simulation. Tuples go by bot, in the order named; `wins` and `difference` are those of the first bot."""

    rules: str
    seats: int
    team_size: int
    bots: tuple[str, ...]
    games: int
    duplicate: bool
    seed: int | None
    deals: int
    wins: Interval
    """Share of deals won by the first bot, ties shared."""
    method: str
    """Method for the interval of `wins`."""
    difference: Interval
    """Mean score of the first bot's teams less that of the others, a deal."""
    mean_scores: tuple[float, ...]
    went_out: tuple[int, ...]
    """Deals in which each bot went out."""
    moves: int
    turns: tuple[int, ...]
    elapsed: float
    """Seconds on the clock, all processes together taken as one."""
    turn_seconds: tuple[float, ...]
    """Seconds of thought for a turn."""

    @property
    def moves_per_second(self) -> float:
        """Moves played for a second on the clock, by all processes together."""
        return self.moves / self.elapsed if self.elapsed else 0.0

    def to_json(self) -> dict[str, Any]:
        """The result as JSON. All that depends on the clock is under `time`."""
        data = {name: getattr(self, name) for name in self._fields if name not in ("elapsed", "turn_seconds")}
        data |= {name: getattr(self, name)._asdict() for name in ("wins", "difference")}
        data["time"] = {
            "elapsed": self.elapsed,
            "moves_per_second": self.moves_per_second,
            "turn_seconds": list(self.turn_seconds),
        }
        return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}

    def lines(self) -> list[str]:
        """The result as lines of text."""
        first, opponents = self.bots[0], ", ".join(self.bots[1:])
        sample = f"{self.games} duplicate pairs" if self.duplicate else f"{self.games} deals"
        wins, gap = self.wins, self.difference
        outs = ", ".join(f"{name} {count}" for name, count in zip(self.bots, self.went_out, strict=True))
        means = ", ".join(f"{name} {score:.0f}" for name, score in zip(self.bots, self.mean_scores, strict=True))
        times = ", ".join(f"{name} {s * 1000:.2f} ms" for name, s in zip(self.bots, self.turn_seconds, strict=True))
        return [
            f"{self.rules}, {self.seats} seats in teams of {self.team_size}: {first} against {opponents}, {sample}"
            + (f", seed {self.seed}" if self.seed is not None else ""),
            f"{first} won {wins.mean:.1%} (95 % interval {wins.low:.1%} to {wins.high:.1%}; {self.method})",
            f"score difference {gap.mean:+.0f} a deal (95 % interval {gap.low:+.0f} to {gap.high:+.0f})",
            f"mean scores: {means}",
            f"went out: {outs}, of {self.deals} deals",
            f"{self.moves} moves in {self.elapsed:.1f} s, {self.moves_per_second:.0f} a second",
            f"thought for a turn: {times}",
        ]


def wilson(wins: float, count: float) -> Interval:
    """Wilson's interval for a share of independent games."""
    share, z2 = wins / count, _Z * _Z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z / (1 + z2 / count) * sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def by_pairs(shares: list[float]) -> Interval:
    """Wilson's interval for the mean share of pairs of games, for as many independent games as their scatter is worth.

    That number lies between one and two games a pair, so that the interval never shrinks to nothing.
    """
    count, mean = len(shares), sum(shares) / len(shares)
    scatter = sum((share - mean) ** 2 for share in shares) / max(count - 1, 1)
    games = min(max(count * mean * (1 - mean) / scatter, count), 2 * count) if scatter else 2 * count
    return wilson(mean * games, games)


def normal(values: list[float]) -> Interval:
    """The mean of independent values, with a normal interval; that of a single value is unbounded, so the value."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return Interval(mean, mean, mean)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = _Z * deviation / sqrt(len(values))
    return Interval(mean, mean - half, mean + half)


def summarise(
    rules: Rules,
    shape: Shape,
    bots: tuple[str, ...],
    played: list[list[DealResult]],
    *,
    duplicate: bool,
    seed: int | None,
    elapsed: float,
) -> Result:
    """The figures of a simulation; `played` are the deals of each game."""
    count = len(bots)
    wins, gaps = [], []
    outs, turns = [0] * count, [0] * count
    seconds, points = [0.0] * count, [0.0] * count
    for deals in played:
        game_wins, game_gaps = [], []
        for shift, deal in enumerate(deals):
            players = [(team + shift) % count for team in range(shape.teams)]
            game_wins.append(_share_won(deal, players))
            means = [_mean_score(deal, players, bot) for bot in range(count)]
            game_gaps.append(means[0] - sum(means[1:]) / (count - 1))
            for team, bot in enumerate(players):
                outs[bot] += deal.went_out == team
                turns[bot] += deal.turns[team]
                seconds[bot] += deal.seconds[team]
            points = [old + new for old, new in zip(points, means, strict=True)]
        wins.append(sum(game_wins) / len(game_wins))
        gaps.append(sum(game_gaps) / len(game_gaps))
    deals_played = sum(map(len, played))
    interval = by_pairs(wins) if duplicate else wilson(sum(wins), len(wins))
    return Result(
        rules=rules.title,
        seats=shape.seats,
        team_size=shape.team_size,
        bots=bots,
        games=len(played),
        duplicate=duplicate,
        seed=seed,
        deals=deals_played,
        wins=interval,
        method="Wilson, by pairs" if duplicate else "Wilson, by deals",
        difference=normal(gaps),
        mean_scores=tuple(total / deals_played for total in points),
        went_out=tuple(outs),
        moves=sum(deal.moves for deals in played for deal in deals),
        turns=tuple(turns),
        elapsed=elapsed,
        turn_seconds=tuple(time / turn if turn else 0.0 for time, turn in zip(seconds, turns, strict=True)),
    )


def _share_won(deal: DealResult, players: list[int]) -> float:
    """The first bot's share of the deal: all, none, or its part of a tie."""
    best = max(deal.scores)
    winners = [bot for bot, score in zip(players, deal.scores, strict=True) if score == best]
    return winners.count(0) / len(winners)


def _mean_score(deal: DealResult, players: list[int], bot: int) -> float:
    scores = [score for player, score in zip(players, deal.scores, strict=True) if player == bot]
    return sum(scores) / len(scores)
