"""Entries: enrolment, members, waiting list, check-in, byes, withdrawal."""
