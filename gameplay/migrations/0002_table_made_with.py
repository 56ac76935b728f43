"""The mark of the request that created a table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0001_tables")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="made_with",
            field=models.CharField(editable=False, max_length=64, null=True, unique=True),
        )
    ]
