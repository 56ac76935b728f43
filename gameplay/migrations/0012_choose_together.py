"""Choices of a stack that are made at the same time."""

from typing import Any

from django.db import migrations


def let_all_choose(apps: Any, schema_editor: Any) -> None:
    """At a table whose players choose their stacks, everyone who has not chosen yet can do so now."""
    for table in apps.get_model("gameplay", "Table").objects.filter(status="playing", snapshot__phase="choose"):
        stacks = table.snapshot.get("stacks") or []
        for seat in table.seats.filter(user__isnull=False):
            if seat.number < len(stacks) and stacks[seat.number] is not None:
                seat.is_lifting = True
                seat.save(update_fields=["is_lifting"])


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0011_table_talk")]

    operations = [migrations.RunPython(let_all_choose, migrations.RunPython.noop)]
