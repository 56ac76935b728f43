"""Tools around the ORM: bulk writes, compiled queries, transfer of rows, backup."""
