"""Places outside the site where notifications of a person go: channels of chats, and programs."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from web.channels.known import CHANNELS


class NoticePlace(models.Model):
    """A place of a person, such as a channel of their chat."""

    class Rest(models.TextChoices):
        HAND = "hand", gettext_lazy("paused")
        FAILED = "failed", gettext_lazy("paused because it failed")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_places")
    channel = models.CharField(max_length=20)
    """The name of a channel (`web.channels`)."""
    name = models.CharField(max_length=60, blank=True, default="", db_default="")
    """What its person calls it."""
    ending = models.CharField(max_length=4)
    """The last signs of its address."""
    sealed = models.TextField()
    """The parts of its secret address, encrypted (`web.channels.sealing`)."""
    topics = models.JSONField(default=list)
    """Names of the topics that go there (`accounts.notice_places.topics`)."""
    rest = models.CharField(max_length=6, choices=Rest, blank=True)
    """Why nothing goes there at the moment."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name or f"{self.title} …{self.ending}"

    @property
    def title(self) -> str:
        """What people call its channel."""
        return CHANNELS[self.channel].title if self.channel in CHANNELS else self.channel


class NoticeDelivery(models.Model):
    """A message for one place about some notifications, sent once. Its words are made when it is sent."""

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        SENDING = "sending", gettext_lazy("being sent")
        SENT = "sent", gettext_lazy("sent")
        UNSURE = "unsure", gettext_lazy("no answer")
        FAILED = "failed", gettext_lazy("not sent")

    place = models.ForeignKey(NoticePlace, on_delete=models.CASCADE, related_name="deliveries")
    notices = models.JSONField(default=list)
    """Ids of the notifications, in order."""
    day = models.DateField(null=True, blank=True)
    """The day of a daily message, by the person’s own clock."""
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    trouble = models.CharField(max_length=20, blank=True)
    """Why the last attempt failed (`web.channels.troubles`)."""
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time, also of the next attempt; empty once nothing is to be done."""
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "notice deliveries"
        indexes = [models.Index(fields=["due_at"], condition=~models.Q(due_at=None), name="notice_delivery_due")]

    def __str__(self) -> str:
        return f"message {self.pk} to place {self.place_id}"

    @property
    def message_key(self) -> str:
        """The key by which the other side knows it again."""
        return f"foothold-notice-{self.pk}"
