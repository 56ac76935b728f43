"""The hall of an event: a screen that turns its pages by itself, and the caller's timer."""
