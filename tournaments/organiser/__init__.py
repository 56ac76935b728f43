"""The organisers' view of a running event: decisions, waiting matches, recent acts."""
