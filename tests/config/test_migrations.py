"""Migrations that the previous release can run with, while the new one is deployed.

Steps unsafe here are right in the second of two releases; they are then listed below, with the reason.
"""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Now

ROOT = Path(__file__).parents[2]

FIRST = {
    "accounts.0001_user",
    "accounts.0002_preferences_absences_notices_tokens",
    "gameplay.0001_tables",
    "tournaments.0001_tournaments",
    "clubs.0001_clubs",
}
"""Before them no code ran."""
BORNE = {"clubs.0003_coming: AddConstraint meeting": "old code leaves the columns empty that together are there once"}
"""Steps that old code can bear, as `app.0002_name: RemoveField table.colour`, with the reason."""

REMOVED = (migrations.RemoveField, migrations.DeleteModel)
RENAMED = (migrations.RenameField, migrations.RenameModel, migrations.AlterModelTable)


def why_not(operation, app, state):
    """Why code from before an operation cannot work after it; empty where it can. `state` is that before it."""
    if isinstance(operation, REMOVED):
        return "old code still reads it"
    if isinstance(operation, RENAMED):
        return "old code knows it by the name that it had"
    if isinstance(operation, migrations.AddConstraint | migrations.AlterUniqueTogether):
        return "old code may write what it forbids"
    if isinstance(operation, migrations.AddField):
        return "" if is_left_out(operation.field) else "old code writes rows without it: give it null or db_default"
    if isinstance(operation, migrations.AlterField):
        return why_not_altered(state.models[app, operation.model_name_lower].fields[operation.name], operation.field)
    if isinstance(operation, migrations.RunSQL):
        return "nobody can tell what it does"
    return ""


def is_left_out(field):
    """Whether rows can be written without a field."""
    return field.many_to_many or field.null or field.has_db_default()


def why_not_altered(old, new):
    if old.null and not new.null:
        return "old code may leave it empty"
    if old.has_db_default() and not is_left_out(new):
        return "old code may leave it out"
    if new.unique and not old.unique:
        return "old code may write it twice"
    if type(old) is not type(new):
        return "old code reads and writes another kind"
    if (new.max_length or 0) < (old.max_length or 0):
        return "old code may write more"
    if isinstance(new, models.CharField) and new.max_length != old.max_length:
        return "PostgreSQL no longer answers what old code prepared: the column is of another type"
    return ""


def parts(operation):
    """Database steps of an operation, one by one."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return [part for inner in operation.database_operations for part in parts(inner)]
    return [operation]


def name_of(operation):
    names = [getattr(operation, name, None) for name in ("model_name", "name", "old_name")]
    return f"{type(operation).__name__} {'.'.join(name for name in names if name)}".strip()


def unsafe_steps(migration, state):
    """Names of the steps of a migration that old code does not bear, with why; `state` is changed to that after it.

    Old code knows nothing of the tables that the migration itself makes.
    """
    steps, own_tables = {}, set()
    for operation in migration.operations:
        for part in parts(operation):
            if isinstance(part, migrations.CreateModel):
                own_tables.add(part.name_lower)
            if getattr(part, "model_name", "").lower() in own_tables:
                continue
            if why := why_not(part, migration.app_label, state):
                steps[f"{migration.app_label}.{migration.name}: {name_of(part)}"] = why
        operation.state_forwards(migration.app_label, state)
    return steps


def ours(app_label):
    return Path(apps.get_app_config(app_label).path).parent == ROOT


def test_code_before_a_migration_works_after_it():
    loader, unsafe = MigrationLoader(None, ignore_no_migrations=True), {}
    state = ProjectState(real_apps=loader.unmigrated_apps)
    applied = set()
    for leaf in loader.graph.leaf_nodes():
        for key in loader.graph.forwards_plan(leaf):
            if key not in applied:
                applied.add(key)
                steps = unsafe_steps(loader.graph.nodes[key], state)
                unsafe |= steps if ours(key[0]) and ".".join(key) not in FIRST else {}
    assert {".".join(key) for key in applied} >= FIRST
    assert {step: why for step, why in unsafe.items() if step not in BORNE} == {}
    assert set(BORNE) <= set(unsafe), "listed, and not there"


def test_new_tables_come_with_what_they_demand():
    """A table that old code does not know may demand anything."""
    assert steps_of(migrations.CreateModel("coin", [("id", models.BigAutoField(primary_key=True))])) == []


TEXT = models.CharField(max_length=10)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("stone", "colour"),
        migrations.DeleteModel("stone"),
        migrations.RenameField("stone", "colour", "tint"),
        migrations.RenameModel("stone", "rock"),
        migrations.AlterModelTable("stone", "rock"),
        migrations.AddField("stone", "size", models.IntegerField()),
        migrations.AddField("stone", "size", models.IntegerField(default=1)),
        migrations.AlterField("stone", "note", TEXT),
        migrations.AlterField("stone", "made_at", models.DateTimeField()),
        migrations.AlterField("stone", "colour", models.CharField(max_length=5)),
        migrations.AlterField("stone", "colour", models.CharField(max_length=20)),
        migrations.AlterField("stone", "colour", models.CharField(max_length=10, unique=True)),
        migrations.AlterField("stone", "colour", models.IntegerField()),
        migrations.AddConstraint("stone", models.UniqueConstraint(fields=["colour"], name="one_of_each")),
        migrations.RunSQL("SELECT 1"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("stone", "colour")]),
    ],
    ids=name_of,
)
def test_what_old_code_does_not_bear_is_found(operation):
    assert len(steps_of(operation)) == 1


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("stone", "size", models.IntegerField(null=True)),
        migrations.AddField("stone", "size", models.IntegerField(db_default=1)),
        migrations.AddField("stone", "others", models.ManyToManyField("pond.stone")),
        migrations.AlterField("stone", "colour", models.CharField(max_length=10, blank=True)),
        migrations.AlterField("stone", "colour", models.CharField(max_length=10, null=True)),
        migrations.AddIndex("stone", models.Index(fields=["colour"], name="by_colour")),
        migrations.RemoveConstraint("stone", "one_of_each"),
        migrations.RunPython(migrations.RunPython.noop),
    ],
    ids=name_of,
)
def test_what_old_code_bears_is_let_through(operation):
    assert steps_of(operation) == []


def steps_of(operation):
    """The unsafe steps of a migration of this one operation, where a model Stone is."""
    fields = {
        "id": models.BigAutoField(primary_key=True),
        "colour": models.CharField(max_length=10),
        "note": models.CharField(max_length=10, null=True),
        "made_at": models.DateTimeField(db_default=Now()),
    }
    constraint = models.CheckConstraint(condition=models.Q(colour="red"), name="one_of_each")
    options = {"constraints": [constraint], "indexes": []}
    state = ProjectState({("pond", "stone"): ModelState("pond", "Stone", list(fields.items()), options)})
    migration = migrations.Migration("0002_stone", "pond")
    migration.operations = [operation]
    return list(unsafe_steps(migration, state))
