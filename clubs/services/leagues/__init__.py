"""Leagues: their teams, the dates of their matches, and the entries behind them."""
