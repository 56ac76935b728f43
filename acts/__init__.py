"""What people decide about a club or an event: each act declared once, done under a lock, kept, and undone."""
