"""Standing orders: set by a player, carried out when it is their turn."""
