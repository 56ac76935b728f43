"""Whether players of a table can ask for hints."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0008_evening_clock")]

    operations = [
        migrations.AddField(
            model_name="table", name="allows_hints", field=models.BooleanField(db_default=False, default=False)
        )
    ]
