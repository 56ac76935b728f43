"""Events whose numbered rounds are the matchdays of a league."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_match_length")]

    operations = [
        migrations.AddField(
            model_name="tournament", name="has_matchdays", field=models.BooleanField(db_default=False, default=False)
        )
    ]
