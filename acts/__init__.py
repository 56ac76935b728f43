"""Actions of people on a club or an event: each declared once, done under a lock, recorded, and undone."""
