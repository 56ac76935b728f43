"""Seasons from preparation and draw to cups, close and the next one."""
