"""Events: life cycle, settings, organisers, transfer and deletion."""
