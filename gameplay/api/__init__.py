"""The API under /api/v1/: the same services as the pages, for programs."""
