"""Leagues: their teams, the times of their matches, and the entries behind them."""
