"""Actions in clubs and leagues, and the questions they share."""
