"""Number of examples for tests with generated requests, the same each time."""

import os
from contextlib import contextmanager

from django.db import transaction
from hypothesis import HealthCheck, Phase, settings

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""Requests to each operation and each form, where more are wanted than are tried every day."""


LARGE = 10
"""Times as many are tried in the profile `large` of Hypothesis."""


def tried(usual):
    """Settings of Hypothesis for so many requests, or as many as `FUZZ_EXAMPLES` says. What fails is not made smaller:
    each request is undone, but making smaller asks for hundreds of them."""
    times = LARGE if settings.get_current_profile_name() == "large" else 1
    return settings(
        max_examples=EXAMPLES or usual * times,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def undone():
    """Undo everything at the end, so that each request meets the same site."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
