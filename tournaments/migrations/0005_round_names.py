"""Rounds of brackets are stored by their titles, such as Semi-finals, as they are shown."""

import re
from typing import Any

from django.db import migrations

from engine.compete.pairing import knockout


def name_rounds(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    rounds = apps.get_model("tournaments", "Round").objects.using(alias)
    for stage in apps.get_model("tournaments", "Stage").objects.using(alias).exclude(status="waiting"):
        plan, entries = stage.plan_json, stage.entries.count()
        if plan.get("format") not in ("single_elimination", "double_elimination") or entries < 2:
            continue
        if plan["format"] == "single_elimination":
            draw = knockout.single(entries, third_place=bool(plan.get("third_place")))
        else:
            draw = knockout.double(entries, reset=bool(plan.get("reset", True)))
        for row in rounds.filter(stage=stage):
            if re.fullmatch(r"(WB|LB|GF|TP)[0-9]+", row.name) and row.name in draw.rounds:
                rounds.filter(pk=row.pk).update(name=knockout.english_round_title(draw, row.name))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_ties")]

    operations = [migrations.RunPython(name_rounds, migrations.RunPython.noop)]
