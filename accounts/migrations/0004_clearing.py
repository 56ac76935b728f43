"""The record of the daily clearing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_token_last_used_from")]

    operations = [
        migrations.CreateModel(
            name="Clearing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("started_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("counts", models.JSONField(default=dict)),
            ],
        )
    ]
