"""Corrections of news that was sent, and places for one league or event."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0009_news_places"), ("tournaments", "0009_matchdays")]

    operations = [
        migrations.AddField(
            model_name="newsdelivery", name="facts", field=models.JSONField(db_default={}, default=dict)
        ),
        migrations.AddField(
            model_name="newsplace",
            name="event",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.tournament",
            ),
        ),
        migrations.AddField(
            model_name="newsplace",
            name="league",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.league"
            ),
        ),
    ]
