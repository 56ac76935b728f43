"""Files that people import into a club: tables of members, past seasons, and archives."""
