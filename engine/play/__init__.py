"""The rules of play: rulesets, positions, legal moves, scoring, views, fair deals and records."""
