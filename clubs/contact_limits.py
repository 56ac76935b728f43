"""How long the contact details of a member can be, typed or in a list."""

LONGEST_PHONE = 60
LONGEST_ADDRESS = 300
MOST_LINES = 6
"""Of a postal address."""
