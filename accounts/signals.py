"""News of people for the apps above."""

from django.dispatch import Signal

guest_adopted = Signal()
"""A guest signed up or signed in. Arguments: `guest`, about to be deleted, and `user`."""

free_time_changed = Signal()
"""Changed absences, time zone, quiet hours or weekend, which move deadlines. Argument: `user`. Sent after commit."""

account_renamed = Signal()
"""Another name that a person chose for themselves. Arguments: `user`, and the name that it `was`. Sent after commit."""

notice_delivery_due = Signal()
"""Messages for a place of a person’s are due. Argument: `place_id`. Sent after commit."""

account_deleted = Signal()
"""A deleted account, whose user is now a former member without sign-in. Arguments: `user`, and the data to be
erased: the former `name`, and the email `addresses` in lower case. Sent after commit, and again, from the first
receiver on, if one failed.
"""
