"""What the public pages of events show: plain records, worked out from the rows of an event."""
