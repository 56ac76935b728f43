"""Actions of a person, one function each, and notifications."""
