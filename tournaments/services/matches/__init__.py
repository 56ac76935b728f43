"""Matches: tables, dates, results, scores and deadlines."""
