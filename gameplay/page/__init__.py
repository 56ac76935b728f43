"""What the table page shows, worked out from a view: plain data, no database."""
