"""The log of a table: moves in words, the rebuilt match, and the language both are stored in."""
