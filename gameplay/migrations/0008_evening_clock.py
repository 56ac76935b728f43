"""Clocks of an evening: seconds for a turn, and a bank of seconds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0007_seat_lift")]

    operations = [
        migrations.AddField(
            model_name="table", name="turn_seconds", field=models.PositiveSmallIntegerField(default=0, db_default=0)
        ),
        migrations.AddField(
            model_name="table", name="bank_seconds", field=models.PositiveSmallIntegerField(default=0, db_default=0)
        ),
        migrations.AddField(model_name="table", name="gathered_at", field=models.DateTimeField(null=True)),
        migrations.AlterField(
            model_name="table",
            name="clock",
            field=models.CharField(
                choices=[
                    ("move", "Fixed time per turn"),
                    ("bank", "Time bank, plus time for each turn"),
                    ("live", "An evening: seconds per turn"),
                    ("none", "No clock"),
                ],
                default="move",
                max_length=4,
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="missed",
            field=models.CharField(
                choices=[
                    ("bot", "A bot plays that one turn"),
                    ("skip", "That turn only draws and discards (an evening only)"),
                    ("substitute", "A reserve is asked to take the seat"),
                    ("forfeit", "The match is lost"),
                ],
                default="bot",
                max_length=10,
            ),
        ),
    ]
