"""Tables where people play: seats, the log of moves, clocks, absent players, score sheets, live events."""
