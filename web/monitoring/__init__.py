"""Logs, metrics, error reports and health of a process."""
