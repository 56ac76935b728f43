"""The shared rules engine of Hand and Foot: play, bots, competition. Runs with Django absent."""
