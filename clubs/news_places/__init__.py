"""Where a club’s news goes outside the site: places, what goes there, and the outbox."""
