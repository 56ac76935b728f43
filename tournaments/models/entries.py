"""Entries and their members."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from tournaments.models.events import Tournament


def new_token() -> str:
    """Secret token of an invitation link or a table card."""
    return secrets.token_urlsafe(24)


class Entry(models.Model):
    """A competitor in a tournament: a person, a pair or a team."""

    class Status(models.TextChoices):
        FORMING = "forming", gettext_lazy("Waits for a partner’s answer")
        WAITING = "waiting", gettext_lazy("On the waiting list")
        ENTERED = "entered", gettext_lazy("Entered")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        DISQUALIFIED = "disqualified", gettext_lazy("Disqualified")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    """Its number in the tournament, from 1 in the order of entering; never given twice."""
    name = models.CharField(max_length=80)
    status = models.CharField(max_length=12, choices=Status, default=Status.ENTERED)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its place in the draw, 1 the best; empty until seeds are set."""
    strength = models.FloatField(null=True, blank=True)
    """The rating it was seeded by."""
    is_here = models.BooleanField(null=True)
    """Checked in, marked absent, or (empty) not known yet."""
    byes = models.JSONField(default=dict, blank=True)
    """Byes asked for before the start, as in `StageEntry.byes`; the first stage takes them over."""
    entered_at = models.DateTimeField(auto_now_add=True)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once")]
        indexes = [models.Index(fields=["tournament", "status"], name="entry_by_status")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_in(self) -> bool:
        """Whether it currently takes part."""
        return self.status == self.Status.ENTERED and self.is_here is not False


class Member(models.Model):
    """A person of an entry. A person without an account has a name only."""

    RENEWED = ("token",)
    """Undoing an accepted invitation ends its link, which changes no decision."""

    class Role(models.TextChoices):
        PLAYER = "player", gettext_lazy("Player")
        RESERVE = "reserve", gettext_lazy("Reserve")

    class Answer(models.TextChoices):
        INVITED = "invited", gettext_lazy("Invited")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    """The entry's own, here so that nobody is in one tournament twice."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournament_members"
    )
    name = models.CharField(max_length=60)
    """Name of the person when entering; stays if the account is deleted."""
    email = models.EmailField(blank=True)
    """Email address of an invited partner without an account."""
    token = models.CharField(max_length=43, unique=True, default=new_token)
    role = models.CharField(max_length=7, choices=Role, default=Role.PLAYER)
    is_captain = models.BooleanField(default=False)
    answer = models.CharField(max_length=8, choices=Answer, default=Answer.ACCEPTED)
    position = models.PositiveSmallIntegerField(default=0)
    """In which order the members are fielded."""
    left_at = models.DateTimeField(null=True, blank=True)
    """Time of leaving; the row stays for matches already played."""

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user"],
                condition=models.Q(user__isnull=False, left_at=None, answer="accepted"),
                name="person_once_in_tournament",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Letter(models.Model):
    """An invitation email to a member entered by email address. The row stays, because emails are counted."""

    member = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="letters")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time of sending or retrying; empty once it was sent."""

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="letter_due"),
            models.Index(fields=["by", "-created_at"], name="letter_by_person"),
        ]

    def __str__(self) -> str:
        return f"Letter {self.pk} to member {self.member_id}"


class KeptApart(models.Model):
    """Two entries that are not to meet while that can be helped, or not at all in a Swiss."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="kept_apart")
    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="kept_apart_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="kept_apart_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"
