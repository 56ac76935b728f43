"""Tonight: the page from which a club’s evening or matchday is run."""
