"""Many models by one step of a migration: the same tables as by one step each, and gone again when it is undone."""

import pytest
from django.db import connection, models
from django.db.migrations import CreateModel
from django.db.migrations.state import ProjectState

from web.database.migration_operations import CreateModels

pytestmark = pytest.mark.django_db(transaction=True)


def key():
    return ("id", models.BigAutoField(primary_key=True))


def steps():
    return [
        CreateModel("Shelf", [key(), ("name", models.CharField(max_length=20, unique=True))]),
        CreateModel("Deck", [key(), ("shelf", models.ForeignKey("shop.Shelf", models.CASCADE, related_name="decks"))]),
    ]


def tables():
    return {name for name in connection.introspection.table_names() if name.startswith("shop_")}


def test_the_tables_are_there_and_gone_when_it_is_undone():
    before, after = ProjectState(), ProjectState()
    step = CreateModels(steps())
    assert not after.apps.get_models()
    step.state_forwards("shop", after)
    with connection.schema_editor() as editor:
        step.database_forwards("shop", editor, before, after)
    try:
        assert tables() == {"shop_shelf", "shop_deck"}
        shelf = after.apps.get_model("shop", "Shelf").objects.create(name="Top")
        after.apps.get_model("shop", "Deck").objects.create(shelf=shelf)
        assert shelf.decks.count() == 1
    finally:
        with connection.schema_editor() as editor:
            step.database_backwards("shop", editor, after, before)
    assert tables() == set()


def test_the_state_is_that_of_the_steps_one_by_one():
    together, apart = ProjectState(), ProjectState()
    CreateModels(steps()).state_forwards("shop", together)
    for step in steps():
        step.state_forwards("shop", apart)
    assert together == apart
