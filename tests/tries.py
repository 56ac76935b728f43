"""How much is tried by tests that make up what they try.

Every day it is little and the same, so that a failure has to do with the change. At night (`.ci/nightly`, which chooses
the profile `large`) it is much, and made up anew. A plugin of `tests/conftest.py`, which is read before a profile is
chosen.
"""

from hypothesis import settings

EVERY_DAY, AT_NIGHT = 50, 1000
"""How often a test is tried that does not say how often."""

# A shared machine may be slow for reasons no test can see.
settings.register_profile("small", max_examples=EVERY_DAY, derandomize=True, deadline=None)
settings.register_profile("large", max_examples=AT_NIGHT, deadline=None)
settings.load_profile("small")


def tries(every_day):
    """Settings of Hypothesis for so many tries every day, and as many times more at night as others have."""
    return settings(max_examples=every_day * settings.default.max_examples // EVERY_DAY)
