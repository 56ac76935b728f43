"""Fair play in a club: patterns in its matches, and organisers’ remarks on them."""
