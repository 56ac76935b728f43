from hypothesis import settings

# A shared machine may be slow for reasons no test can see.
settings.register_profile("no_deadline", parent=settings(), deadline=None)
settings.load_profile("no_deadline")
