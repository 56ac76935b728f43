"""Exports of an event: files for spreadsheets and programs, PDF, calendars, a feed, printouts and a picture."""
