"""Pages and forms of a club’s organisers."""
