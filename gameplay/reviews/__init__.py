"""Reviews of finished deals: turning points, costly acts, who had what, and what bots made of the same cards."""
