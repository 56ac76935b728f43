"""What organisers see of a running event: what there is to decide, what it waits for, what was done."""
