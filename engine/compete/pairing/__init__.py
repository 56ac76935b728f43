"""Who meets whom next, where that depends on what was played."""
