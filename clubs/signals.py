"""Signals for work that is due in clubs. Each is sent after commit."""

from django.dispatch import Signal

invitation_due = Signal()
"""An invitation email is due. Argument: `letter_id`."""

newsletter_due = Signal()
"""Copies of a newsletter are due. Argument: `newsletter_id`."""

reply_letters_due = Signal()
"""Letters about who comes are due. Argument: `question_id`."""

news_due = Signal()
"""News for a place outside the site is due. Argument: `place_id`."""

news_change_due = Signal()
"""The news of an event that has changed is to be written. Argument: `event_id`."""
