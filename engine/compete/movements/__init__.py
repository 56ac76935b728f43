"""Movements: who plays where in every round, known before the first card."""
