"""Clearing away what nobody needs any more."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from gameplay.fair_play import services as page_views
from gameplay.models import Seat, Table
from gameplay.monitoring import heartbeats
from gameplay.score_sheets import services as score_sheets

GUEST_DAYS = timedelta(days=30)
"""Time without looking after which a guest will not return: the session is gone."""


def clear() -> None:
    """Delete old guests, practice tables and score sheets without an owner, and page views. Safe to repeat."""
    recent = Seat.objects.filter(user=OuterRef("pk"), looked_at__gt=Now() - GUEST_DAYS)
    User.objects.filter(~Exists(recent), is_guest=True, date_joined__lt=Now() - GUEST_DAYS).delete()
    people = Seat.objects.filter(Q(user__isnull=False), table=OuterRef("pk"))
    Table.objects.filter(~Exists(people), is_practice=True, created_at__lt=Now() - GUEST_DAYS).delete()
    page_views.clear_old(timezone.now())
    score_sheets.clear_old()
    heartbeats.forget_gone()
