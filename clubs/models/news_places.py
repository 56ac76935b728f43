"""Places outside the site where news of a club goes: channels of chats, and programs."""

from django.db import models
from django.utils.translation import gettext_lazy

from clubs.models.leagues import League
from clubs.models.pages import Meeting
from clubs.models.people import Club
from tournaments.models import Tournament


class NewsPlaces(models.QuerySet["NewsPlace"]):
    def in_use(self) -> "NewsPlaces":
        """The places that news goes to."""
        return self.filter(removed_at=None, rest="", club__archived_at=None)


class NewsPlace(models.Model):
    """A place of a club, such as a channel of its chat. What its history shows of it; its address is apart."""

    class Rest(models.TextChoices):
        HAND = "hand", gettext_lazy("paused")
        FAILED = "failed", gettext_lazy("paused because it failed")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="news_places")
    channel = models.CharField(max_length=20)
    """The name of a channel (`web.channels`)."""
    name = models.CharField(max_length=60, blank=True)
    """What the club calls it."""
    ending = models.CharField(max_length=4)
    """The last signs of its address."""
    language = models.CharField(max_length=10)
    """The language of its messages: that of the person who added it."""
    since = models.JSONField(default=dict)
    """Which kinds of news go there (`clubs.news_places.kinds`), each with the time from which on."""
    league = models.ForeignKey(League, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The only league whose news goes there; empty for all."""
    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    """The only event whose news goes there; empty for all."""
    rest = models.CharField(max_length=6, choices=Rest, blank=True)
    """Why nothing goes there at the moment."""
    removed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = NewsPlaces.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name or f"{self.channel} …{self.ending}"


class NewsAddress(models.Model):
    """The secret address of a place. It is apart from it, so that no history and no file has it."""

    place = models.OneToOneField(NewsPlace, on_delete=models.CASCADE, related_name="address")
    sealed = models.TextField()
    """Its parts as JSON, encrypted."""

    def __str__(self) -> str:
        return f"Address of place {self.place_id}"


class NewsChange(models.Model):
    """An event of a club with places that has changed; it is deleted once its deliveries are written."""

    event = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="+")
    changed_at = models.DateTimeField()
    """The first change since then."""
    is_pressed = models.BooleanField(default=False, db_default=False)
    """Whether somebody pressed a button to publish it, so that it goes at night too."""

    class Meta:
        ordering = ["changed_at"]

    def __str__(self) -> str:
        return f"Change of event {self.event_id}"


class NewsDelivery(models.Model):
    """A message for one place, sent once. Its words are made when it is sent, from what is public then."""

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        SENDING = "sending", gettext_lazy("being sent")
        SENT = "sent", gettext_lazy("sent")
        UNSURE = "unsure", gettext_lazy("no answer")
        FAILED = "failed", gettext_lazy("not sent")
        DROPPED = "dropped", gettext_lazy("no longer needed")

    place = models.ForeignKey(NewsPlace, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=12)
    """A kind of news (`clubs.news_places.kinds`)."""
    key = models.CharField(max_length=60)
    """What it is about: each is sent to a place once."""
    event = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    about = models.JSONField(default=list)
    """Ids of matches or a number of a round, by its kind."""
    facts = models.JSONField(default=dict, db_default={})
    """What its message said, by which a later change is noticed (`clubs.news_places.corrections`)."""
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    trouble = models.CharField(max_length=20, blank=True)
    """Why the last attempt failed (`web.channels.troubles`)."""
    attempts = models.PositiveSmallIntegerField(default=0)
    edition = models.PositiveSmallIntegerField(default=1)
    """Grows when a person sends it again."""
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time, also of the next attempt; empty once nothing is to be done."""
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "news deliveries"
        constraints = [models.UniqueConstraint(fields=["place", "kind", "key"], name="news_once_to_place")]
        indexes = [models.Index(fields=["due_at"], condition=~models.Q(due_at=None), name="news_delivery_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} to place {self.place_id}"

    @property
    def message_key(self) -> str:
        """The key by which the other side knows it again."""
        return f"foothold-{self.pk}-{self.edition}"
