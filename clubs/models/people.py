"""Clubs and their members."""

from __future__ import annotations

import secrets
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.validators import validate_time_zone
from acts.recording import RecordedAct
from clubs.contact_limits import LONGEST_ADDRESS, LONGEST_PHONE


def new_token() -> str:
    """A secret token for a link."""
    return secrets.token_urlsafe(24)


class ClubQuerySet(models.QuerySet["Club"]):
    def locked(self, pk: int) -> Club:
        """The club, locked until the transaction ends, as every act starts. Raises `Club.DoesNotExist`."""
        if not transaction.get_connection().in_atomic_block:
            raise transaction.TransactionManagementError("A club is locked inside a transaction.")
        return self.select_for_update().get(pk=pk)

    def alive(self) -> ClubQuerySet:
        """Clubs that are not archived."""
        return self.filter(archived_at=None)


class Club(models.Model):
    """People who play together: at tables, at events and in leagues of their own."""

    class Joining(models.TextChoices):
        OPEN = "open", gettext_lazy("Anyone, at once")
        REQUEST = "request", gettext_lazy("Anyone, after an organiser accepts")
        LINK = "link", gettext_lazy("Only with the link or an invitation")

    class Colour(models.TextChoices):
        BLUE = "blue", gettext_lazy("Blue")
        GREEN = "green", gettext_lazy("Green")
        RED = "red", gettext_lazy("Red")
        PLUM = "plum", gettext_lazy("Plum")
        AMBER = "amber", gettext_lazy("Amber")
        TEAL = "teal", gettext_lazy("Teal")
        SLATE = "slate", gettext_lazy("Slate")
        ROSE = "rose", gettext_lazy("Rose")

    class Crest(models.TextChoices):
        SPADE = "spade", pgettext_lazy("crest", "Spade")
        HEART = "heart", pgettext_lazy("crest", "Heart")
        DIAMOND = "diamond", pgettext_lazy("crest", "Diamond")
        CLUB = "club", pgettext_lazy("crest", "Club")
        FOOT = "foot", pgettext_lazy("crest", "Foot")
        HAND = "hand", pgettext_lazy("crest", "Hand")
        STAR = "star", pgettext_lazy("crest", "Star")
        WAVE = "wave", pgettext_lazy("crest", "Wave")

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=50, unique=True)
    """Its address on the site; never changes."""
    line = models.CharField(max_length=160, blank=True)
    """A line below its name: place, and days of meetings."""
    about = models.TextField(max_length=4000, blank=True)
    venue = models.CharField(max_length=200, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    """The club's own zone, in which its times are entered."""
    colour = models.CharField(max_length=8, choices=Colour, default=Colour.BLUE)
    crest = models.CharField(max_length=8, choices=Crest, default=Crest.SPADE)
    joining = models.CharField(max_length=8, choices=Joining, default=Joining.REQUEST)
    join_token = models.CharField(max_length=43, unique=True, default=new_token)
    """The token of the link to join; a new one replaces it."""
    is_listed = models.BooleanField(default=True)
    """Whether visitors find it in the list of clubs; its pages are public all the same."""
    has_directory = models.BooleanField(default=True)
    """Whether members see a list of the members who agreed to it."""
    takes_guests = models.BooleanField(default=False, db_default=False)
    """Whether strangers can say on its public page that they would like to come to a meeting."""
    archived_at = models.DateTimeField(null=True, blank=True)
    """The time since when it is archived: readable, but unchangeable."""
    list_titles = models.JSONField(default=dict, db_default={})
    """What columns of its lists hold, by their titles, for each kind of list (`clubs.bring_in`)."""
    version = models.PositiveIntegerField(default=0)
    """Grows with every change that its pages would show; caches and stale pages depend on it."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:club", args=[self.slug])

    @property
    def circle(self) -> str:
        """Its circle as stored by tables and events, see `gameplay.visibility_groups`."""
        return f"club:{self.pk}"

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone."""
        return ZoneInfo(self.time_zone)


class Membership(models.Model):
    """A member of a club: a person with an account, or a name without one."""

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        ORGANISER = "organiser", gettext_lazy("Organiser")
        SCORER = "scorer", gettext_lazy("Scorer")
        MEMBER = "member", gettext_lazy("Member")
        GUEST = "guest", gettext_lazy("Guest")

    class HearsBy(models.TextChoices):
        EMAIL = "email", gettext_lazy("Email or account")
        SLIP = "slip", gettext_lazy("Printed slip")
        TEXT = "text", gettext_lazy("Text message")
        WHATSAPP = "whatsapp", gettext_lazy("WhatsApp")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships"
    )
    """The person's account; empty for an unclaimed name, or a deleted account."""
    name = models.CharField(max_length=60)
    """The name in the club. Stays when they leave, so that their results stay readable."""
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    email = models.EmailField(blank=True)
    """The address of a name without an account; only owners and organisers see it."""
    claim_token = models.CharField(max_length=43, unique=True, default=new_token)
    """The token of the link to claim this name."""
    is_listed = models.BooleanField(default=False)
    """Whether they agreed to be in the directory."""
    contact = models.CharField(max_length=120, blank=True)
    """Contact details for other members, such as a telephone number; shown in the directory only."""
    phone = models.CharField(max_length=LONGEST_PHONE, blank=True, default="", db_default="")
    """The telephone number that the club has; only owners and organisers see it, others with `shows_phone`."""
    address = models.TextField(max_length=LONGEST_ADDRESS, blank=True, default="", db_default="")
    """The postal address, in a few lines; only owners and organisers see it, others with `shows_address`."""
    hears_by = models.CharField(max_length=8, choices=HearsBy, blank=True, default="", db_default="")
    """How they like to hear from the club; empty if nobody knows yet."""
    shows_email = models.BooleanField(default=False, db_default=False)
    """Whether they agreed that the members' handbook has their email address: the account's, if they have one."""
    shows_phone = models.BooleanField(default=False, db_default=False)
    shows_address = models.BooleanField(default=False, db_default=False)
    note = models.CharField(max_length=500, blank=True, default="", db_default="")
    """What the club's own list says of them, such as “Treasurer”; only owners and organisers see it."""
    wants_letters = models.BooleanField(default=False)
    """Whether they want the club's newsletter by email."""
    letters_token = models.CharField(max_length=43, unique=True, default=new_token)
    """The token of the link to unsubscribe."""
    wants_questions = models.BooleanField(default=True, db_default=True)
    """Whether they want emails that ask if they come."""
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    """The time they left; the row stays, and with it their results."""

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=models.Q(user__isnull=False, left_at=None),
                name="member_once_of_club",
            )
        ]
        indexes = [models.Index(fields=["club", "left_at", "name"], name="membership_by_club")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_here(self) -> bool:
        return self.left_at is None


class KeptAside(models.Model):
    """Rows of a list that were not imported, for the organisers to download; deleted after a month."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kept_aside")
    name = models.CharField(max_length=120, blank=True)
    """The name of the file; empty for a paste."""
    what = models.CharField(max_length=10)
    """The kind of list, one of `clubs.bring_in.reading.KINDS`."""
    rows = models.JSONField(default=list)
    """Number, cells and reason of each row."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name or self.what


class JoinRequest(models.Model):
    """A request to join, or for a name of the club, by a person with an account."""

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Waiting for an answer")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_requests")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, null=True, blank=True, related_name="claims")
    """The name they ask for; empty for a request to join."""
    words = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=models.Q(status="open"), name="one_open_request_of_club"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} asks club {self.club_id}"


class Invitation(models.Model):
    """An invitation by email to join a club, or to claim a name in it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    """The name to claim; empty for a new member."""
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Membership.Role, default=Membership.Role.MEMBER)
    token = models.CharField(max_length=43, unique=True, default=new_token)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time, also of a retry if the sending broke off; empty once sent."""
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="club_letter_due")]

    def __str__(self) -> str:
        return f"Invitation {self.pk} to club {self.club_id}"


class Act(RecordedAct):
    """An action in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="acts")
    undoes = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undone_by")

    class Meta(RecordedAct.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["club", "request_key"],
                condition=models.Q(request_key__isnull=False),
                name="club_act_request_once",
            )
        ]
        indexes = [models.Index(fields=["club", "-id"], name="act_by_club")]
