"""Places outside the site where notifications of a person go."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_blocks")]

    operations = [
        migrations.CreateModel(
            name="NoticePlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel", models.CharField(max_length=20)),
                ("ending", models.CharField(max_length=4)),
                ("sealed", models.TextField()),
                ("topics", models.JSONField(default=list)),
                (
                    "rest",
                    models.CharField(
                        blank=True, choices=[("hand", "paused"), ("failed", "paused because it failed")], max_length=6
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_places",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="NoticeDelivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("notices", models.JSONField(default=list)),
                ("day", models.DateField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("unsure", "no answer"),
                            ("failed", "not sent"),
                        ],
                        default="waiting",
                        max_length=7,
                    ),
                ),
                ("trouble", models.CharField(blank=True, max_length=20)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "place",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="accounts.noticeplace",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "notice deliveries",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at", None), _negated=True),
                        fields=["due_at"],
                        name="notice_delivery_due",
                    )
                ],
            },
        ),
    ]
