"""The length of a match is a term of the event: rules that differ from a published ruleset in it alone are that one."""

from typing import Any

from django.db import migrations, models

from engine.errors import BadInput
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS


def take_out_lengths(apps: Any, schema_editor: Any) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    for pk, written, terms in tournaments.values_list("pk", "rules_json", "terms"):
        try:
            rules = Rules.read(written)
        except BadInput:
            continue
        if rules.name not in PRESETS or (terms or {}).get("rules_ref"):
            continue
        published = Rules.preset(rules.name)
        if rules.differences(published) == ["length"]:
            length = {rules.length.by: rules.length.number}
            tournaments.filter(pk=pk).update(rules_json=published.write(), length_json=length)


def put_lengths_back(apps: Any, schema_editor: Any) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    for pk, written, length in tournaments.exclude(length_json={}).values_list("pk", "rules_json", "length_json"):
        rules = Rules.make(Rules.read(written), {"length": length})
        tournaments.filter(pk=pk).update(rules_json=rules.write())


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_boards_on_paper")]

    operations = [
        migrations.AddField(
            model_name="tournament", name="length_json", field=models.JSONField(blank=True, db_default={}, default=dict)
        ),
        migrations.RunPython(take_out_lengths, put_lengths_back),
    ]
