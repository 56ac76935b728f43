"""Actions at a table, one function each. Each is one transaction that locks the table first."""
