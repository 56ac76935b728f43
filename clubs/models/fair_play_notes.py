"""Notes by a club's organisers on patterns that may be against fair play."""

from django.db import models

from clubs.models.people import Club
from gameplay.fair_play.models import FairPlayRemark


class Remark(FairPlayRemark):
    """An organiser's note on a finding at the club's tables."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="remarks")
