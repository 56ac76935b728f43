"""Messages that organisers pass on themselves: by printed slips, text messages or WhatsApp."""

from django.conf import settings
from django.db import models

from clubs.models.people import Membership


class PersonalMessage(models.Model):
    """A member was told something by an organiser."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="personal_messages")
    topic = models.CharField(max_length=60)
    """The key of a topic (`clubs.personal_messages.topics`)."""
    way = models.CharField(max_length=8, choices=Membership.HearsBy)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["membership", "topic"], name="member_told_once")]

    def __str__(self) -> str:
        return f"{self.topic} to member {self.membership_id}"
