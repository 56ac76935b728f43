"""House rules of a club: their versions, pages, editor and API."""
