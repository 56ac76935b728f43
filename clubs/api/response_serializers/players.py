"""A player as a reader may know them."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from gameplay.api.base import Output


class RatedMoment(Output):
    """The rating after a match."""

    at = At()
    rating = Whole()


class PlayerRating(Output):
    """A rating, and its curve."""

    ruleset = Text()
    rating = Whole()
    matches = Whole()
    change = Whole(help_text="By the last match.")
    curve = RatedMoment(many=True)


class CompanionShape(Output):
    """A person; without an account now the `username` is empty."""

    name = Text()
    username = Text()


class CompanyShape(Output):
    """People on one side, and the matches with or against them."""

    people = CompanionShape(many=True)
    matches = Whole()
    won = Whole(help_text="By the player.")


class BestDealShape(Output):
    """A deal with many points."""

    table = Text()
    deal = Whole()
    points = Whole()


class SmallBoardShape(Output):
    """Melds at the end of a match: `open`, or for a book `clean`, `dirty` or `wild`."""

    ours = serializers.ListField(child=Text())
    theirs = serializers.ListField(child=Text())


class GameShape(Output):
    """A recent match."""

    table = Text()
    rules = Text()
    partners = serializers.ListField(child=Text())
    opponents = serializers.ListField(child=serializers.ListField(child=Text()), help_text="By side.")
    is_won = Yes()
    is_shared = Yes(help_text="Whether several sides won.")
    points = serializers.ListField(child=Whole(), help_text="The player’s side, and the most of another.")
    deals = Whole()
    at = At(allow_null=True)
    board = SmallBoardShape(allow_null=True)


class PlayerRecordShape(Output):
    """Finished matches that you can watch or played in, the latest 300."""

    matches = Whole()
    won = Whole()
    in_a_row = Whole(help_text="The longest run of matches won.")
    best_deals = BestDealShape(many=True)
    partners = CompanyShape(many=True)
    opponents = CompanyShape(many=True)
    games = GameShape(many=True)


class ClubName(Output):
    """A club of a player."""

    slug = Text()
    name = Text()


class TitleShape(Output):
    """A title that a team of the player won."""

    title = Text()
    team = Text()
    club = Text()
    season = Text()


class PlayerShape(Output):
    """A player, as far as they show it to you."""

    username = Text()
    name = Text()
    plays_since = At()
    is_friend = Yes()
    is_here = Yes(help_text="Whether your friend is on the site now.")
    ratings = PlayerRating(many=True)
    record = PlayerRecordShape(allow_null=True, help_text="`null` if not shown to you, then without clubs and titles.")
    clubs = ClubName(many=True)
    titles = TitleShape(many=True)
