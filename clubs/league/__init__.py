"""Reading leagues: fixtures, standings, and people who act for teams. Nothing here writes."""
