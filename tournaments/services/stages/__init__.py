"""Stages: plans, seeds, rounds, pairings, and advancing from one to the next."""
