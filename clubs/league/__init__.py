"""Reading leagues: fixtures, tables, who acts for whom. Nothing here writes."""
