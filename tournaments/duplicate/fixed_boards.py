"""Boards that were printed fix the rules and the tables of their stage: other ones would deal other cards."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext

from tournaments import plan_checks, terms
from tournaments.duplicate import preparing
from tournaments.models import Board, Stage, Tournament
from tournaments.plan import Plan
from web.errors import Refused


def printed_stages(tournament_id: int) -> list[Stage]:
    """The stages of an event that have printed boards which are still secret: one query."""
    printed = Board.objects.filter(stage__tournament=tournament_id, printed_at__isnull=False, opened_at=None)
    return list(Stage.objects.filter(pk__in=printed.values("stage")).select_related("tournament"))


def dealt_by(stage: Stage) -> tuple[Any, ...]:
    """Everything that the cards and numbers of the boards of a stage depend on. The stage knows its event."""
    plan, tournament = Plan.read(stage.plan_json), stage.tournament
    rules = terms.resolve(tournament, plan).rules
    people = plan.seats * tournament.side_size, plan_checks.team_size(tournament, plan)
    return rules, people, preparing.plays_boards(stage, tournament), plan.format


@contextmanager
def keep(tournament: Tournament) -> Iterator[None]:
    """Raise `Refused` if what is done meanwhile would make printed boards wrong. Call it under the event’s lock."""
    before = {stage.pk: (stage.name, dealt_by(stage)) for stage in printed_stages(tournament.pk)}
    yield
    if not before:
        return
    after = {stage.pk: dealt_by(stage) for stage in printed_stages(tournament.pk)}
    for pk, (name, dealt) in before.items():
        if after.get(pk) != dealt:
            words = gettext(
                "The boards of %(stage)s have been printed, so its rules, packs and players at a table stay as they are. "
                "To change them, first declare the printed boards void on the page “Boards”."
            )
            raise Refused("boards_printed", words % {"stage": name})
