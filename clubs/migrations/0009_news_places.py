"""Places outside the site where news of a club goes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0008_matchdays"), ("tournaments", "0009_matchdays")]

    operations = [
        migrations.CreateModel(
            name="NewsPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel", models.CharField(max_length=20)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("ending", models.CharField(max_length=4)),
                ("language", models.CharField(max_length=10)),
                ("since", models.JSONField(default=dict)),
                (
                    "rest",
                    models.CharField(
                        blank=True, choices=[("hand", "paused"), ("failed", "paused because it failed")], max_length=6
                    ),
                ),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="news_places", to="clubs.club"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="NewsAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sealed", models.TextField()),
                (
                    "place",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="address", to="clubs.newsplace"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NewsDelivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=12)),
                ("key", models.CharField(max_length=60)),
                ("about", models.JSONField(default=list)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("unsure", "no answer"),
                            ("failed", "not sent"),
                            ("dropped", "no longer needed"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("trouble", models.CharField(blank=True, max_length=20)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("edition", models.PositiveSmallIntegerField(default=1)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "meeting",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.meeting",
                    ),
                ),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="clubs.newsplace"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "news deliveries",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at", None), _negated=True), fields=["due_at"], name="news_delivery_due"
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("place", "kind", "key"), name="news_once_to_place")],
            },
        ),
    ]
