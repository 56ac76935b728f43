"""Taking an event away altogether, as long as nothing was played in it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from tournaments.models import Pairing, Tournament
from tournaments.round_names import round_name
from tournaments.services.matches import online_tables
from tournaments.stage_state import has_begun
from web.errors import Refused


def discard(tournament_id: int, sentence: str, now: datetime) -> None:
    """Remove an event with everything of it; `sentence` tells who sits at its tables why. Twice does no harm.

    Raises `Refused` where something was played or reported. For those who made the event by rule, as a league does its
    divisions; an organiser cancels one instead.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            return
        pairings = Pairing.objects.filter(round__stage__tournament=tournament).select_related("table", "round")
        begun = [one for one in pairings.order_by("pk") if has_begun(one)]
        if begun:
            raise Refused(
                "has_begun",
                gettext("%(round)s of %(event)s has already started.")
                % {"round": round_name(begun[0].round.name), "event": tournament},
            )
        online_tables.call_off_all(tournament, now, sentence)
        tournament.delete()
