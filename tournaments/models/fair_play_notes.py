"""What organisers say of patterns that may be against fair play."""

from __future__ import annotations

from django.db import models

from gameplay.fair_play.models import FairPlayRemark
from tournaments.models.events import Tournament


class Remark(FairPlayRemark):
    """What an organiser of an event says of a finding in it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="remarks")
