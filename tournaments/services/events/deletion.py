"""Delete an event while nothing was played in it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from tournaments.models import Pairing, Tournament
from tournaments.round_names import round_name
from tournaments.services.matches import online_tables
from tournaments.stage_state import has_begun
from web.errors import Refused


def delete_event(tournament_id: int, sentence: str, now: datetime) -> None:
    """Delete an event with all its rows; players at its tables see `sentence`. Running it twice is harmless.

    Raises `Refused` if something was played or reported. For apps that create events by rule, as a league does for
    its divisions. An organiser cancels an event instead.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            return
        pairings = Pairing.objects.filter(round__stage__tournament=tournament).select_related("table", "round")
        begun = [pairing for pairing in pairings.order_by("pk") if has_begun(pairing)]
        if begun:
            raise Refused(
                "has_begun",
                gettext("%(round)s of %(event)s has already started.")
                % {"round": round_name(begun[0].round.name), "event": tournament},
            )
        online_tables.stop_all_tables(tournament, now, sentence)
        tournament.delete()
