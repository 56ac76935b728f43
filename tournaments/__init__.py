"""Tournaments: entries, stages, rounds, pairings, results, brackets, standings and ratings."""
