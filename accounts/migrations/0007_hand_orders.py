"""Hands by suit, and towards books."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_budget_limits")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="hand_order",
            field=models.CharField(
                choices=[
                    ("rank", "By rank, aces first"),
                    ("low", "By rank, threes first"),
                    ("suit", "By suit"),
                    ("book", "Towards books: cards of your melds first, then the most of a rank"),
                    ("own", "My own order"),
                ],
                default="rank",
                max_length=4,
            ),
        )
    ]
