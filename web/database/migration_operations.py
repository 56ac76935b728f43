"""A migration operation that creates many tables at once, so that the models are rendered once and not once a table.

Django renders every model that is related to a new one again at each `CreateModel`, which for some sixty models
about one user takes longer than all the SQL: the first start of a site takes 0.9 s of a processor to create its
tables so, and 3.6 s with a step for each model. The rendered models are a cached property of the state; without
that, this would take as long, and do the same.
"""

from collections.abc import Sequence
from contextlib import suppress

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Makes these models, in this order; undone in the other one."""

    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # The rendered models are built again, all of them, at the next access.
        with suppress(AttributeError):
            del state.apps
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.models)} models"
