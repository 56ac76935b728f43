"""Content of the public pages of events: plain records, worked out from the rows of an event."""
