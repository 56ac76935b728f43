"""Movements: the tables of every round, known before the first card."""
