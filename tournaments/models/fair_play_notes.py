"""Organisers’ notes on fair-play findings."""

from django.db import models

from gameplay.fair_play.models import FairPlayRemark
from tournaments.models.events import Tournament


class Remark(FairPlayRemark):
    """Note of an event’s organiser on a finding."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="remarks")
