"""Marks of events whose news is still to be written."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0010_news_corrections"), ("tournaments", "0009_matchdays")]

    operations = [
        migrations.CreateModel(
            name="NewsChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("changed_at", models.DateTimeField()),
                ("is_pressed", models.BooleanField(db_default=False, default=False)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.tournament"
                    ),
                ),
            ],
            options={"ordering": ["changed_at"]},
        )
    ]
