"""News, meetings and newsletters of a club."""
