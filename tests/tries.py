"""Number of examples for property tests.

Every day it is small and fixed, so that a failure has to do with the change. At night (`.ci/nightly`, which chooses
the profile `large`) it is large and random. A plugin of `tests/conftest.py`, read before a profile is chosen.
"""

from hypothesis import settings

EVERY_DAY, AT_NIGHT = 50, 1000
"""Default number of examples."""

# A shared machine may be slow for reasons no test can see.
settings.register_profile("small", max_examples=EVERY_DAY, derandomize=True, deadline=None)
settings.register_profile("large", max_examples=AT_NIGHT, deadline=None)
settings.load_profile("small")


def tries(every_day):
    """Settings of Hypothesis for so many tries every day, and as many times more at night as others have."""
    return settings(max_examples=every_day * settings.default.max_examples // EVERY_DAY)
