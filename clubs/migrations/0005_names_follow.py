"""Names of people without an account that were corrected before events and pairs followed."""

import re
from typing import Any

from django.db import migrations
from django.db.models import F

FORMER = "former member"


def follow(apps: Any, schema_editor: Any) -> None:
    """Give events, entries and teams the names of their people, as their memberships have them."""
    Appearance = apps.get_model("clubs", "Appearance")
    Team = apps.get_model("clubs", "Team")
    Club = apps.get_model("clubs", "Club")
    Tournament = apps.get_model("tournaments", "Tournament")
    without_account = Appearance.objects.filter(membership__user=None, member__user=None)
    stale = without_account.exclude(member__name=F("membership__name"))
    events, clubs = set(), set()
    for appearance in stale.select_related("membership", "member__entry").order_by("pk"):
        member = appearance.member
        was, name = member.name, appearance.membership.name.replace("@", "(at)")[:50]
        if FORMER in (was, name) or was == name:
            continue
        pattern, new = re.compile(rf"(?<!\w){re.escape(was)}(?!\w)"), name.replace("\\", "\\\\")
        member.name = name
        member.save(update_fields=["name"])
        entry = member.entry
        entry.name = pattern.sub(new, entry.name)[:80]
        entry.save(update_fields=["name"])
        for team in Team.objects.filter(roster__membership=appearance.membership).select_related("league").distinct():
            team.name = pattern.sub(new, team.name)[:80]
            team.save(update_fields=["name"])
            clubs.add(team.league.club_id)
        events.add(member.tournament_id)
        clubs.add(appearance.membership.club_id)
    Tournament.objects.filter(pk__in=events).update(version=F("version") + 1)
    Club.objects.filter(pk__in=clubs).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0004_details_of_answers"), ("tournaments", "0008_match_length")]

    operations = [migrations.RunPython(follow, migrations.RunPython.noop)]
