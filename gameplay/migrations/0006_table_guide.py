"""The guide of a first deal."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0005_quick_matches")]

    operations = [migrations.AddField(model_name="table", name="guide", field=models.JSONField(null=True))]
