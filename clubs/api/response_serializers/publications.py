"""Publications: news, meetings and newsletters."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from clubs.models import Newsletter
from gameplay.api.base import Output


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
    """News, pinned items first."""

    news = NewsShape(many=True)
    more = Yes()


class DateShape(Output):
    """A meeting of a club."""

    id = Whole()
    title = Text()
    words = Text()
    venue = Text()
    starts_at = At()
    ends_at = At(allow_null=True)
    is_called_off = Yes()


class Dates(Output):
    """Upcoming meetings."""

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
    """Newsletters, newest first. Drafts only for their writers."""

    newsletters = NewsletterLine(many=True)
    more = Yes()
    you_want_it = Yes(help_text="Change that by `change-own/`.")
    readers = Whole(allow_null=True, help_text="Number of subscribers, for its writers.")


class WholeNewsletter(NewsletterLine):
    """A newsletter with its text."""

    body = Text()
    version = Whole(help_text="Grows with each change. Send it back with a change, and to send the newsletter.")
    season = Whole(allow_null=True, help_text="The id of the season that it covers first.")
    matchday = Whole(allow_null=True)
    news = Whole(allow_null=True, help_text="The id of the same as news, if it was published on the club’s page.")
    is_self_written = Yes(help_text="Written from the results, which it follows until somebody changes it.")
    readers = Whole(allow_null=True, help_text="Number of recipients, expected or reached, for its writers.")


class NewsletterTopic(Output):
    """A matchday for a newsletter."""

    season = Whole(help_text="The id of the season.")
    matchday = Whole(help_text="0 for the end of a closed season.")
    name = Text()
    league = Text()


class NewsletterTopics(Output):
    """Possible newsletter topics from results."""

    topics = NewsletterTopic(many=True)


class NewsletterReader(Output):
    """A person without an account whose address the club has."""

    membership = Whole()
    name = Text()
    wants_letters = Yes()


class NewsletterReaders(Output):
    """People who cannot subscribe themselves."""

    people = NewsletterReader(many=True)
