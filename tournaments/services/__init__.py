"""One function for each act."""
