"""Pages of competitions and ratings."""
