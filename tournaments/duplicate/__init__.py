"""Duplicate at real tables: dealing sheets, the way of the boards from table to table, and results board by board."""
