"""Events under /api/v1/: the same services as their pages, for programs."""
