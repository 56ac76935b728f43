"""News of people for the apps above."""

from django.dispatch import Signal

guest_adopted = Signal()
"""A guest signed up or signed in. Arguments: `guest`, about to be deleted, and `user`."""

free_time_changed = Signal()
"""A person's absences, time zone, quiet hours or weekend changed, so their deadlines do. Argument: `user`. Sent after
commit."""

account_deleted = Signal()
"""A person deleted their account and is now a former member who cannot sign in. Arguments: `user`, and what is to be
forgotten: the `name` they had, and their e-mail `addresses` in small letters. Sent after commit, and again, from the
first receiver on, where one of them failed."""
