"""Series: standings of a club over its evenings."""
