"""What those see who run a club."""
