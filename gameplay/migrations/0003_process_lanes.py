"""The lanes that a worker serves."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0002_table_made_with")]

    operations = [
        migrations.AddField(
            model_name="process", name="lanes", field=models.CharField(blank=True, db_default="", max_length=100)
        )
    ]
