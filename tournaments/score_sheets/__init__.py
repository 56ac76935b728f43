"""Score sheets and photos of matches at real tables: services, pages and API."""
