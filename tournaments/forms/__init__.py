"""Forms of the organisers' pages."""
