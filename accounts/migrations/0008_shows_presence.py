"""Presence, which a person may hide."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_hand_orders")]

    operations = [
        migrations.AddField(
            model_name="user", name="shows_presence", field=models.BooleanField(default=True, db_default=True)
        )
    ]
