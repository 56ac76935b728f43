"""Rounds of divisions are stored as matchdays, as they are called."""

import re
from typing import Any

from django.db import migrations

NUMBERED = re.compile(r"(?:Round|Matchday|Spieltag) ([0-9]+)")
"""As rounds of divisions were stored, those of imported seasons in the language of their importer."""


def name_matchdays(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    divisions = apps.get_model("clubs", "Division").objects.using(alias).filter(tournament__isnull=False)
    ids = list(divisions.values_list("tournament_id", flat=True))
    apps.get_model("tournaments", "Tournament").objects.using(alias).filter(pk__in=ids).update(has_matchdays=True)
    rename(apps.get_model("tournaments", "Round").objects.using(alias).filter(stage__tournament__in=ids), "Matchday")


def name_rounds(apps: Any, schema_editor: Any) -> None:
    rounds = apps.get_model("tournaments", "Round").objects.using(schema_editor.connection.alias)
    rename(rounds.filter(stage__tournament__has_matchdays=True), "Round")


def rename(rounds: Any, word: str) -> None:
    """Give numbered rounds this name."""
    every = rounds.model.objects.using(rounds.db)
    for row in rounds.iterator():
        if numbered := NUMBERED.fullmatch(row.name):
            every.filter(pk=row.pk).update(name=f"{word} {numbered[1]}")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_contact_details"), ("tournaments", "0009_matchdays")]

    operations = [migrations.RunPython(name_matchdays, name_rounds)]
