"""Legality: the judge of a move, its verdicts on cards, and every legal move."""
