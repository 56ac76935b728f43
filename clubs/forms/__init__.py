"""Forms of clubs and leagues, and how they are answered."""
