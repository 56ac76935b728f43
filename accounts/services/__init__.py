"""One function for each act of a person, and for telling people things."""
