"""Chat, reports, notes and agreements at a table, and friends."""
