"""The web server, its supervisor, and what lies between it and Django."""
