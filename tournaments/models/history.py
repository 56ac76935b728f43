"""The history of a tournament: every action with its author, time and changes."""

from django.db import models

from acts.recording import RecordedAct
from tournaments.models.events import Tournament


class Act(RecordedAct):
    """An action in a tournament by an organiser, a player or the site itself."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="acts")
    undoes = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undone_by")

    class Meta(RecordedAct.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "request_key"],
                condition=models.Q(request_key__isnull=False),
                name="act_request_once",
            )
        ]
        indexes = [models.Index(fields=["tournament", "-id"], name="act_by_tournament")]
