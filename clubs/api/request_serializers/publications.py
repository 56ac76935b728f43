"""Publications: news, meetings and newsletters."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import A_PAGE, MOST, ClubActing, number, text
from gameplay.api.base import Input
from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict


class NewNews(ClubActing):
    title = serializers.CharField(max_length=120)
    body = serializers.CharField(max_length=20_000)
    is_pinned = serializers.BooleanField(default=False)


class ChangeNews(ClubActing):
    title = serializers.CharField(max_length=120)
    body = serializers.CharField(max_length=20_000)


class PinNews(ClubActing):
    is_pinned = serializers.BooleanField(default=True)


class NewClubRemark(ClubActing):
    finding = serializers.CharField(max_length=60, help_text="Its `key`.")
    verdict = serializers.ChoiceField(Verdict.choices)
    note = text(LONGEST_NOTE, default="")


class ChangeDate(ClubActing):
    title = serializers.CharField(max_length=120)
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(default=None, allow_null=True)
    words = text(300, default="")
    venue = text(200, default="")


class NewDate(ChangeDate):
    weeks = serializers.IntegerField(default=1, min_value=1, max_value=104, help_text="Number of weekly meetings.")


class CallOff(ClubActing):
    is_off = serializers.BooleanField(default=True)


class WhichDates(Input):
    which = serializers.ChoiceField(["coming", "past"], default="coming")


# Newsletters


class WhichNewsletters(Input):
    before = number(required=False, help_text="The last id you have. Newest first.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class MatchdayGiven(Input):
    season = number(help_text="The id of a season.")
    matchday = number(min_value=0, help_text="0 for the end of a closed season.")


class NewNewsletter(ClubActing):
    about = MatchdayGiven(  # type: ignore[call-arg]
        many=True, default=list, max_length=50, help_text="Matchdays of `newsletter-topics/`. None: empty newsletter."
    )


class NewsletterText(ClubActing):
    subject = text(500)
    body = text(40_000)
    version = serializers.IntegerField(
        min_value=0, max_value=MOST, help_text="Of the newsletter you saw. Refused if someone has saved another text."
    )


class PublishNewsletter(ClubActing):
    version = serializers.IntegerField(
        min_value=0, max_value=MOST, help_text="Of the newsletter you saw. Refused if it has changed."
    )
    to_readers = serializers.BooleanField(default=True, help_text="By email, to all subscribers.")
    on_page = serializers.BooleanField(default=False, help_text="As news on the club’s page.")
    places = serializers.ListField(child=number(), default=list, max_length=50, help_text="Ids of places for news.")


class ReadersWanted(ClubActing):
    wanted = serializers.ListField(
        child=number(), max_length=5000, help_text="Memberships without an account that asked for it. Others get none."
    )
