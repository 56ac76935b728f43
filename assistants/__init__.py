"""A server of the Model Context Protocol: a person’s assistant reads and organises with a token of the site’s API."""
