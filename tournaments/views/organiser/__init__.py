"""The organisers' pages: for a phone at the venue as much as for a desktop."""
