"""Unread messages of a chat, by seat."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0003_process_lanes")]

    operations = [
        migrations.AddField(
            model_name="seat", name="unread", field=models.PositiveIntegerField(default=0, db_default=0)
        )
    ]
