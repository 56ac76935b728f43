"""Fair play in a club: patterns in its matches, and what its organisers note about them."""
