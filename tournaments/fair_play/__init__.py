"""Fair play in events: patterns, and what organisers note about them."""
