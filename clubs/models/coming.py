"""Repeating meetings, and who comes: to a meeting of the club, or to a match of a team."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from clubs.models.leagues import Team
from clubs.models.people import Club, Membership, new_token


class RepeatingMeeting(models.Model):
    """A meeting that repeats by the club's clock: the site adds the next ones."""

    class Every(models.TextChoices):
        WEEK = "week", gettext_lazy("Every week")
        MONTH = "month", gettext_lazy("Every month")

    class Nth(models.IntegerChoices):
        FIRST = 1, gettext_lazy("first")
        SECOND = 2, gettext_lazy("second")
        THIRD = 3, gettext_lazy("third")
        FOURTH = 4, gettext_lazy("fourth")
        LAST = 5, gettext_lazy("last")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="repeating_meetings")
    title = models.CharField(max_length=120)
    words = models.CharField(max_length=300, blank=True, default="", db_default="")
    venue = models.CharField(max_length=200, blank=True, default="", db_default="")
    every = models.CharField(max_length=5, choices=Every, default=Every.WEEK, db_default=Every.WEEK)
    weekday = models.PositiveSmallIntegerField(default=0, db_default=0)
    """0 for Monday to 6 for Sunday."""
    nth = models.PositiveSmallIntegerField(choices=Nth, default=Nth.FIRST, db_default=Nth.FIRST)
    """Which of these weekdays of a month."""
    starts_at = models.TimeField()
    """By the club's clock."""
    minutes = models.PositiveSmallIntegerField(default=180, db_default=180)
    """How long it lasts."""
    first_day = models.DateField()
    last_day = models.DateField(null=True, blank=True)
    skipped = models.JSONField(default=list, db_default=[])
    """Days without a meeting, such as `2026-12-24`."""
    made_until = models.DateField(null=True, blank=True)
    """The last day for which meetings were added: a deleted one is not added again."""
    starter = models.CharField(max_length=30, blank=True, default="", db_default="")
    """The template of the event that belongs to each meeting (`tournaments.event_templates`); empty for none."""
    asks = models.BooleanField(default=True, db_default=True)
    """Whether members are asked if they come."""
    ask_days = models.PositiveSmallIntegerField(default=4, db_default=4)
    """Days before the meeting on which they are asked."""
    least = models.PositiveSmallIntegerField(default=0, db_default=0)
    """Reserves are asked if fewer people can come; 0: only in place of people who cannot."""
    reserve_hours = models.PositiveSmallIntegerField(default=12, db_default=12)
    """Hours that a reserve has to answer."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The organiser of its events."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title


class MeetingReserve(models.Model):
    """A reserve of a repeating meeting, asked in this order when somebody cannot come."""

    repeating = models.ForeignKey(RepeatingMeeting, on_delete=models.CASCADE, related_name="reserves")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["repeating", "membership"], name="reserve_once_of_meeting")]

    def __str__(self) -> str:
        return f"{self.membership_id} in reserve of {self.repeating_id}"


class Question(models.Model):
    """The question who comes: to a meeting, or for a team to one of its matches."""

    RENEWED = frozenset({"token"})

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="questions")
    meeting = models.OneToOneField(
        "clubs.Meeting", on_delete=models.CASCADE, null=True, blank=True, related_name="question"
    )
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="questions")
    pairing = models.ForeignKey(
        "tournaments.Pairing", on_delete=models.CASCADE, null=True, blank=True, related_name="questions"
    )
    token = models.CharField(max_length=43, unique=True, default=new_token)
    """The token of the group's link. People's own links are signed with it, so a new one ends them all."""
    asked_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["team", "pairing"], name="team_asked_once_for_match"),
            models.CheckConstraint(
                condition=models.Q(meeting__isnull=False, team=None, pairing=None)
                | models.Q(meeting=None, team__isnull=False, pairing__isnull=False),
                name="question_about_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"Question {self.pk} of club {self.club_id}"


class Reply(models.Model):
    """A person's answer to a question. Somebody the club does not know has only a name, until an organiser confirms it."""

    class Answer(models.TextChoices):
        NONE = "", gettext_lazy("no answer")
        YES = "yes", gettext_lazy("yes")
        PARTNER = "partner", gettext_lazy("needs a partner")
        NO = "no", gettext_lazy("no")

    class Way(models.TextChoices):
        OWN = "own", gettext_lazy("by their link")
        GROUP = "group", gettext_lazy("by the group’s link")
        ACCOUNT = "account", gettext_lazy("signed in")
        ORGANISER = "organiser", gettext_lazy("entered by an organiser")

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="replies")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, null=True, blank=True, related_name="replies")
    name = models.CharField(max_length=60, blank=True, default="", db_default="")
    """The typed name of somebody the club does not know yet."""
    answer = models.CharField(max_length=7, choices=Answer, blank=True, default="", db_default="")
    way = models.CharField(max_length=9, choices=Way, default=Way.OWN, db_default=Way.OWN)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The organiser who entered it."""
    partner = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The partner found for this evening; both replies name each other."""
    wish = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="wishes")
    """The person they asked to be their partner."""
    note = models.CharField(max_length=140, blank=True, default="", db_default="")
    """What they tell the organisers: `I bring my sister`."""
    comes_at = models.TimeField(null=True, blank=True)
    """When somebody arrives who comes later, by the club's clock."""
    leaves_at = models.TimeField(null=True, blank=True)
    is_reserve = models.BooleanField(default=False, db_default=False)
    answer_by = models.DateTimeField(null=True, blank=True)
    """The time until which a reserve can answer before the next one is asked."""
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "replies"
        constraints = [
            models.UniqueConstraint(fields=["question", "membership"], name="member_answers_once"),
            models.UniqueConstraint(
                fields=["question", "name"], condition=models.Q(membership=None), name="name_answers_once"
            ),
        ]
        indexes = [models.Index(fields=["question", "answer"], name="reply_by_question")]

    def __str__(self) -> str:
        return f"Reply {self.pk} to question {self.question_id}"

    @property
    def comes(self) -> bool:
        return self.answer in (self.Answer.YES, self.Answer.PARTNER)


class MeetingGuest(models.Model):
    """A stranger who said on the club's public page that they would like to come to a meeting.

    Only a name, of no person that the club or the site knows: not a reply, which can become a member's.
    """

    meeting = models.ForeignKey("clubs.Meeting", on_delete=models.CASCADE, related_name="guests")
    name = models.CharField(max_length=60)
    note = models.CharField(max_length=140, blank=True, default="", db_default="")
    """What they tell the organisers."""
    request_key = models.CharField(max_length=48, blank=True, default="", db_default="")
    """The key of the form, by which a name that is sent twice is stored once."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["meeting", "request_key"], condition=~models.Q(request_key=""), name="guest_once_by_form"
            )
        ]

    def __str__(self) -> str:
        return f"Guest {self.pk} of meeting {self.meeting_id}"


class ReplyLetter(models.Model):
    """A notification or an email about a question to one person, sent only once."""

    class Kind(models.TextChoices):
        ASK = "ask", "question"
        AGAIN = "again", "question again, the day before"
        REMINDER = "reminder", "reminder, the day before"
        RESERVE = "reserve", "question to a reserve"
        PARTNER = "partner", "partner found"
        ALONE = "alone", "the partner cannot come"
        MOVED = "moved", "the meeting was moved"
        OFF = "off", "the meeting was cancelled"
        ON = "on", "the meeting was restored"

    reply = models.ForeignKey(Reply, on_delete=models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=8, choices=Kind)
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time, also of a retry if the sending broke off; empty once sent."""
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["reply", "kind"], name="letter_once_to_reply")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="reply_letter_due")]

    def __str__(self) -> str:
        return f"{self.kind} to reply {self.reply_id}"
