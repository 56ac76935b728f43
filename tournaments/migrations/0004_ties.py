"""Lots between tied entries have a secret of each event, and stages store the answers of organisers to ties."""

from typing import Any

from django.db import migrations, models

import engine.compete.lots


def give_secrets(apps: Any, schema_editor: Any) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    for pk in tournaments.filter(lot_seed="").values_list("pk", flat=True):
        tournaments.filter(pk=pk).update(lot_seed=engine.compete.lots.new_secret())


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_typed_scores")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="lot_seed",
            field=models.CharField(db_default="", default=engine.compete.lots.new_secret, max_length=64),
        ),
        migrations.AddField(
            model_name="stage", name="ties_json", field=models.JSONField(blank=True, db_default=[], default=list)
        ),
        migrations.RunPython(give_secrets, migrations.RunPython.noop),
    ]
