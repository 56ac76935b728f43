"""Friends, and the readers of a player's record."""

import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_colours")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="record_for",
            field=models.CharField(
                choices=[("nobody", "Only me"), ("friends", "My friends"), ("anyone", "Anyone")],
                default="nobody",
                db_default="nobody",
                max_length=7,
            ),
        ),
        migrations.CreateModel(
            name="Friendship",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("accepted_at", models.DateTimeField(null=True)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="friendships_asked",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="friendships_received",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.comparison.Least("first", "second"),
                        django.db.models.functions.comparison.Greatest("first", "second"),
                        name="friends_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True), name="friends_are_two"
                    ),
                ]
            },
        ),
    ]
