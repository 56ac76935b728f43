"""What a club's organisers say of patterns that may be against fair play."""

from __future__ import annotations

from django.db import models

from clubs.models.people import Club
from gameplay.fair_play.models import FairPlayRemark


class Remark(FairPlayRemark):
    """What an organiser of a club says of a finding at its tables."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="remarks")
