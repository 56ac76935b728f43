"""The rule sheet: a ruleset in plain sentences."""
