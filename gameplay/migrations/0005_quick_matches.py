"""People who wait for a quick match, by their wishes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("gameplay", "0004_unread")]

    operations = [
        migrations.CreateModel(
            name="Wish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ruleset", models.CharField(max_length=40)),
                ("pace", models.CharField(max_length=20)),
                ("with_bots", models.BooleanField(default=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("ruleset", "pace", "with_bots"), name="wish_once")]
            },
        ),
        migrations.AddField(model_name="table", name="bots_join_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="table",
            name="wish",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="tables", to="gameplay.wish"
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("bots_join_at__isnull", False)), fields=["bots_join_at"], name="table_bots_join"
            ),
        ),
    ]
