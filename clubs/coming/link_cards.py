"""What other sites show for links that ask who comes: title, sentence and picture."""

from clubs.coming.occasions import Occasion
from clubs.public.league_link_cards import is_public, match_picture
from clubs.public.link_cards import club_picture, meeting_card
from web.link_cards import LinkCard


def occasion_card(occasion: Occasion) -> LinkCard:
    """The card of a link that asks who comes to a meeting or a match; nobody's own name is in it."""
    club, question = occasion.club, occasion.question
    if question.meeting is not None:
        return meeting_card(club, question.meeting)
    picture, pairing, team = club_picture(club), question.pairing, question.team
    if pairing is not None and team is not None and is_public(pairing.round.stage.tournament):
        picture = match_picture(pairing, team.league.club)
    where = (occasion.day, occasion.clock, occasion.venue)
    return LinkCard(occasion.title, ", ".join(each for each in where if each) + ".", picture)
