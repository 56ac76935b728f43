"""Members: joining, invitations, imports, claimed names and roles."""
