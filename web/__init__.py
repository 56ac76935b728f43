"""Helpers that the apps' web sides share, without models."""
