"""By which way a member hears from the club."""

from clubs.coming.page import is_reached
from clubs.models import Membership

HearsBy = Membership.HearsBy
BY_HAND = (HearsBy.SLIP, HearsBy.TEXT, HearsBy.WHATSAPP)
"""Ways that need an organiser."""


def way_of(member: Membership) -> str:
    """The way that a member likes, as far as it reaches them: a slip if nothing else does."""
    if member.hears_by in (HearsBy.TEXT, HearsBy.WHATSAPP) and not member.phone:
        return HearsBy.SLIP
    if member.hears_by in BY_HAND:
        return member.hears_by
    return HearsBy.EMAIL if is_reached(member) else HearsBy.SLIP
