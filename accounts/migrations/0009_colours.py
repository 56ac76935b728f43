"""Colours of cards and table that a person chose."""

from django.db import migrations, models

_CHOICES = {
    "deck": (4, "four", [("four", "Four colours: each suit its own"), ("two", "Two colours: black and red")]),
    "card_back": (5, "blue", [("blue", "Blue"), ("green", "Green"), ("red", "Red")]),
    "table_colour": (5, "paper", [("paper", "Paper"), ("green", "Green"), ("blue", "Blue")]),
}


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_shows_presence")]

    operations = [
        migrations.AddField(
            model_name="user",
            name=name,
            field=models.CharField(max_length=length, default=default, db_default=default, choices=choices),
        )
        for name, (length, default, choices) in _CHOICES.items()
    ]
