"""Score sheets of tables played face to face without any event, and photographs of paper sheets."""

from __future__ import annotations

import json
import secrets
from functools import lru_cache

from django.conf import settings
from django.db import models, transaction
from django.urls import reverse

from engine.play.rules import Rules

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"


def new_address() -> str:
    """Sixteen random characters for the view link."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))


def new_key() -> str:
    """Twenty-four random characters for the edit link."""
    return "".join(secrets.choice(_LETTERS) for _ in range(24))


class ScoreSheetQuerySet(models.QuerySet["ScoreSheet"]):
    def locked(self, pk: int) -> ScoreSheet:
        """The sheet, locked until the transaction ends. Raises `ScoreSheet.DoesNotExist`."""
        if not transaction.get_connection().in_atomic_block:
            raise transaction.TransactionManagementError("A sheet is locked inside a transaction.")
        return self.select_for_update().get(pk=pk)


class ScoreSheet(models.Model):
    """The score of one match at a real table, written by anyone with the edit link."""

    slug = models.CharField(max_length=16, unique=True, default=new_address, editable=False)
    """Part of the view link."""
    key = models.CharField(max_length=24, unique=True, default=new_key, editable=False)
    """Part of the edit link."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="score_sheets"
    )
    """The account that it is saved in, if any."""
    made_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField()
    made_with = models.CharField(max_length=64, blank=True)
    """The key of the form that made it, so that one sent twice makes one sheet."""

    rules_json = models.JSONField()
    """`Rules.write()`; see `rules`."""
    rules_ref = models.CharField(max_length=40, blank=True)
    """The ref of the version in `gameplay.house_rules.rule_sources` that these were taken from, or nothing."""
    rules_name = models.CharField(max_length=120, blank=True)
    """Their title, with the version."""
    seat_count = models.PositiveSmallIntegerField()
    team_size = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=60, blank=True)
    names = models.JSONField(default=list)
    """Names by seat, empty if none was given; partners sit opposite, so that sides take turns."""
    dealer = models.PositiveSmallIntegerField(default=0)
    """The seat that deals first."""
    deals = models.JSONField(default=list)
    """Deals as `gameplay.score_sheets.paper_scoring` has them."""
    is_stopped = models.BooleanField(default=False)
    """Whether the players stopped before the rules end the match."""
    version = models.PositiveIntegerField(default=0)
    """Grows with every change; a page that saw another has not seen them all."""
    changed_with = models.CharField(max_length=64, blank=True)
    """The key of the change that came last."""

    objects = ScoreSheetQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["touched_at"], condition=models.Q(owner=None), name="sheet_of_nobody")]
        constraints = [
            models.UniqueConstraint(fields=["made_with"], condition=~models.Q(made_with=""), name="sheet_made_once")
        ]

    def __str__(self) -> str:
        return self.title or f"Score sheet {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("gameplay:sheet", args=[self.slug])

    @property
    def edit_url(self) -> str:
        """The path of the edit link."""
        return reverse("gameplay:sheet_edit", args=[self.key])

    @property
    def rules(self) -> Rules:
        """The ruleset that it is scored by."""
        return _rules(json.dumps(self.rules_json))

    @property
    def rules_title(self) -> str:
        """The title of its rules."""
        return self.rules_name or self.rules.title

    @property
    def side_count(self) -> int:
        """The number of sides."""
        return self.seat_count // self.team_size


@lru_cache(maxsize=256)
def _rules(text: str) -> Rules:
    return Rules.read(json.loads(text))


class SheetPhoto(models.Model):
    """A photograph of a paper sheet: of a score sheet here, or of something that an app above names, such as a match."""

    slug = models.CharField(max_length=24, unique=True, default=new_key, editable=False)
    sheet = models.ForeignKey(ScoreSheet, on_delete=models.CASCADE, null=True, related_name="photos")
    ref = models.CharField(max_length=40, blank=True)
    """Its subject in an app above: `match:12`."""
    image = models.BinaryField()
    """JPEG, made again from the uploaded file and without its metadata."""
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    """SHA-256 of the uploaded file: a repeat is stored once."""
    added_at = models.DateTimeField(auto_now_add=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sheet=None) ^ models.Q(ref=""), name="photo_of_a_sheet_or_of_something_else"
            ),
            models.UniqueConstraint(
                fields=["sheet", "digest"], condition=models.Q(sheet__isnull=False), name="photo_once_on_a_sheet"
            ),
            models.UniqueConstraint(fields=["ref", "digest"], condition=~models.Q(ref=""), name="photo_once_elsewhere"),
        ]

    def __str__(self) -> str:
        return f"Photo {self.slug}"
