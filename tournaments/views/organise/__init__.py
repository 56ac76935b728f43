"""The organisers' pages: made for a phone at the venue as much as for a desk."""
