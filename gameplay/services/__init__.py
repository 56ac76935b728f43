"""One function for each act at a table. Each is one transaction that locks the table first."""
