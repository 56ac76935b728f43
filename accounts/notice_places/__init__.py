"""Where a person’s notifications go outside the site, next to email and push: places, and their outbox."""
