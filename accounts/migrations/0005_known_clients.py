"""Devices and networks that an account knows. Nothing is known at first: each sign-in makes its own known."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_clearing")]

    operations = [
        migrations.CreateModel(
            name="KnownClient",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("device", "Device"), ("network", "Network")], max_length=7)),
                ("digest", models.CharField(max_length=64)),
                ("first_at", models.DateTimeField(auto_now_add=True)),
                ("last_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="known_clients",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["last_at"], name="known_client_last")],
                "constraints": [models.UniqueConstraint(fields=("user", "digest"), name="known_client_once")],
            },
        )
    ]
