"""The operator's page: stuck work on this site, and the buttons that repair it."""
