"""Clubs and leagues as files, for other programs and for paper."""
