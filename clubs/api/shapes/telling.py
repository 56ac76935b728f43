"""What a club tells: news, dates and newsletters."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.shapes.acts import At, Text, Whole, Yes
from clubs.models import Newsletter
from gameplay.api.plumbing import Output


class NewsShape(Output):
    """A piece of news."""

    id = Whole()
    title = Text()
    body = Text()
    is_pinned = Yes()
    by = Text()
    published_at = At()
    url = Text()


class NewsList(Output):
    """News, what is kept on top first."""

    news = NewsShape(many=True)
    more = Yes()


class DateShape(Output):
    """A date of a club."""

    id = Whole()
    title = Text()
    words = Text()
    venue = Text()
    starts_at = At()
    ends_at = At(allow_null=True)
    is_called_off = Yes()


class Dates(Output):
    """Dates to come."""

    dates = DateShape(many=True)


# Newsletters


class NewsletterLine(Output):
    """A newsletter."""

    id = Whole()
    subject = Text()
    status = serializers.ChoiceField(Newsletter.Status.choices)
    created_at = At()
    sent_at = At(allow_null=True)
    url = Text()


class Newsletters(Output):
    """Newsletters, the newest first; drafts for who writes them."""

    newsletters = NewsletterLine(many=True)
    more = Yes()
    you_want_it = Yes(help_text="Change that by `change-own/`.")
    readers = Whole(allow_null=True, help_text="How many want it; for who writes it.")


class WholeNewsletter(NewsletterLine):
    """A newsletter with its text."""

    body = Text()
    version = Whole(help_text="Grows with each change: send it along with one, and when it is sent.")
    season = Whole(allow_null=True, help_text="The id of the season that it tells of first.")
    matchday = Whole(allow_null=True)
    readers = Whole(allow_null=True, help_text="To how many it would go, and to how many it went; for who writes it.")


class NewsletterTopic(Output):
    """A matchday that can be told."""

    season = Whole(help_text="The id of the season.")
    matchday = Whole()
    name = Text()
    league = Text()


class NewsletterTopics(Output):
    """What a newsletter could be about, from results."""

    topics = NewsletterTopic(many=True)


class NewsletterReader(Output):
    """Somebody without an account of whom the club keeps an address."""

    membership = Whole()
    name = Text()
    wants_letters = Yes()


class NewsletterReaders(Output):
    """Who cannot say themselves whether they want the newsletter."""

    people = NewsletterReader(many=True)
