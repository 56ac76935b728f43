"""Lifts of the stock that are made at the same time."""

from typing import Any

from django.db import migrations, models


def let_all_lift(apps: Any, schema_editor: Any) -> None:
    """At a table whose cards are being lifted, everyone who has not lifted yet can do so now."""
    for table in apps.get_model("gameplay", "Table").objects.filter(status="playing", snapshot__phase="lift"):
        lifted = table.snapshot.get("grabs") or []
        for seat in table.seats.filter(user__isnull=False):
            if seat.number >= len(lifted) or lifted[seat.number] is None:
                seat.is_lifting = True
                seat.save(update_fields=["is_lifting"])


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0006_table_guide")]

    operations = [
        migrations.AddField(
            model_name="seat", name="is_lifting", field=models.BooleanField(default=False, db_default=False)
        ),
        migrations.AddField(model_name="seat", name="lift", field=models.JSONField(null=True)),
        migrations.RunPython(let_all_lift, migrations.RunPython.noop),
    ]
