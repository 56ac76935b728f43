"""Facts about rules for event forms."""

from engine.play.rules import Rules

LENGTH = "length"
"""The option that says how many deals a match has, which event forms show first."""


def deals_of(rules: Rules) -> int:
    """Number of deals of a match; 0 if it is played to a target."""
    return rules.length.number if rules.length.by == "deals" else 0
