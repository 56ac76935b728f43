"""The table page, worked out from a view: plain data, no database."""
