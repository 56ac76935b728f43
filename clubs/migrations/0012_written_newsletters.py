"""Newsletters that the site writes after a matchday, and that are published on the club's page too."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0011_news_changes")]

    operations = [
        migrations.AddField(
            model_name="newsletter",
            name="news",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="newsletters",
                to="clubs.news",
            ),
        ),
        migrations.AddField(
            model_name="newsletter", name="self_written_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="season",
            name="drafted_matchday",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(model_name="news", name="body", field=models.TextField(max_length=20_000)),
    ]
