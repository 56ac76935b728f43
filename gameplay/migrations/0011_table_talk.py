"""The conversation that the creator of a table chooses."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0010_deal_review")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="talk",
            field=models.CharField(
                choices=[
                    ("free", "Free chat at any time"),
                    ("phrases", "Set phrases during the match, free chat before and after"),
                    ("none", "No chat"),
                ],
                default="phrases",
                db_default="phrases",
                max_length=7,
            ),
        )
    ]
