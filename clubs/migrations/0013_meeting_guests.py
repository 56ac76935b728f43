"""Guests of meetings, who say on the club's public page that they would like to come."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0012_written_newsletters")]

    operations = [
        migrations.AddField(
            model_name="club", name="takes_guests", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.CreateModel(
            name="MeetingGuest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("note", models.CharField(blank=True, db_default="", default="", max_length=140)),
                ("request_key", models.CharField(blank=True, db_default="", default="", max_length=48)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "meeting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="guests", to="clubs.meeting"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["meeting", "request_key"],
                        condition=models.Q(("request_key", ""), _negated=True),
                        name="guest_once_by_form",
                    )
                ],
            },
        ),
    ]
