"""Figures for the operator: running processes, waiting work, and consistency of stored data."""
