"""Forgetting people without an account, for good."""

from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext

from accounts.display_names import FORMER
from accounts.models import User
from clubs.models import Act, Membership
from clubs.services import erasure, lookups
from clubs.services.history import ActionRequest, Never, Record, declare, perform, row_of
from clubs.services.members.membership import check_gives
from web.errors import Refused
from web.link_pictures import store

FORGET = declare("forget", needs="members", undo=Never("Nothing of the person is left."), archived=True)


def forget(membership_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Replace the name of a person without an account everywhere, and delete their details. Their results stay.

    The history keeps no reason, because it could name them. Raises `NotAllowed` or `Refused`.
    """
    how.pop("reason", None)

    def do(record: Record) -> str:
        member = row_of(record, Membership, membership_id)
        check_gives(record, by, member.role)
        if member.name == FORMER:
            raise Refused("forgotten", gettext("This person has already been forgotten."))
        if member.user_id is not None:
            raise Refused(
                "has_account",
                gettext("%(one)s has an account. Only they can delete it, in their settings.") % {"one": member},
            )
        erasure.forget_name(record.club, member)
        transaction.on_commit(store.delete_all, robust=True)
        return gettext("A person was forgotten. Their results stay.")

    return perform(lookups.club_of(Membership, membership_id), do, FORGET, by=by, **how)
