"""Files that people bring to a club: tables of members, and of past seasons."""
