"""Who comes: repeating meetings, the question to members and teams, their answers, partners and reserves."""
