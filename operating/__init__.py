"""The operator's page: what stands still on this site, and the buttons that mend it."""
