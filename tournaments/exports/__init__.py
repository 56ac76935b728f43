"""An event to take away: files for spreadsheets and programs, PDF, calendars, a feed, sheets for the wall and a picture."""
