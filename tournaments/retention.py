"""What is kept of events, and how long (`accounts.retention`)."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import BigIntegerField, Case, Exists, OuterRef, QuerySet, When
from django.db.models.functions import Cast, Substr
from django.utils.translation import gettext_lazy as _

from accounts.retention import HISTORIES, Reason, Rule, keep, register
from gameplay.models import SheetPhoto
from tournaments.models import (
    Act,
    Adjustment,
    Answer,
    Board,
    Entry,
    Hall,
    KeptApart,
    Letter,
    Member,
    Organiser,
    Pairing,
    Place,
    RatedGame,
    RatedTournament,
    Rating,
    RatingPool,
    RatingStep,
    Remark,
    Result,
    Round,
    SitOut,
    Stage,
    StageEntry,
    Tournament,
    TypedScores,
)
from tournaments.score_sheets.photos import PREFIX

EVENTS = Reason(_("Events, leagues, results and ratings"), _("until their organisers delete them"))


def connect() -> None:
    """Declare them. Called once, when the app is ready."""
    register(
        Rule(
            "photos",
            _("Photos of matches that were deleted or redrawn"),
            _("for a day after they were added"),
            _("because the match no longer exists"),
            _photos,
            "added_at",
            timedelta(days=1),
            batch=50,
        ),
        Rule(
            "event_emails",
            _("Record of emails with invitations to events"),
            _("%(days)s days"),
            _("so that nobody sends too many in a day"),
            Letter.objects.all,
            "created_at",
            timedelta(days=30),
        ),
    )
    keep(HISTORIES, Act)
    keep(EVENTS, Tournament, Hall, Organiser, Entry, Member, KeptApart, Remark)
    keep(EVENTS, Stage, StageEntry, Round, SitOut, Adjustment, Board, Pairing, Place, Result, Answer)
    keep(EVENTS, TypedScores)
    keep(EVENTS, RatingPool, RatedGame, Rating, RatingStep, RatedTournament)


def _photos() -> QuerySet[SheetPhoto]:
    number = Case(
        When(ref__startswith=PREFIX, then=Cast(Substr("ref", len(PREFIX) + 1), BigIntegerField())),
        output_field=BigIntegerField(),
    )
    photos = SheetPhoto.objects.filter(ref__startswith=PREFIX).annotate(match=number)
    return photos.filter(~Exists(Pairing.objects.filter(pk=OuterRef("match")))).defer("image")
