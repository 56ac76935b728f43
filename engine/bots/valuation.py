"""Value of a position in mid-deal for a team: its features by their prices, or the score where the deal is over."""

from __future__ import annotations

from operator import mul

from engine.bots.features import features
from engine.bots.prices import prices_of
from engine.play.scoring import outcome
from engine.play.state import OVER, Position


def margin(state: Position, team: int) -> float:
    """Points by which the team should end ahead of the best other; of a deal that is over, does."""
    if state.phase == OVER and (result := outcome(state)):
        scores = [float(score) for score in result.deal_score]
    else:
        prices = prices_of(state.rules, state.seats, state.team_size)
        *now, tempo = prices.at(prices.early(state))
        scores = [sum(map(mul, features(state, other), now)) for other in range(state.teams)]
        scores[state.team] += tempo
    score = scores.pop(team)
    return score - max(scores)
