"""What the templates of clubs need."""
