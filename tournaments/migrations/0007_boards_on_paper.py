from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_round_kept")]

    operations = [
        migrations.AddField(model_name="board", name="printed_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            model_name="pairing", name="issue", field=models.PositiveSmallIntegerField(db_default=1, default=1)
        ),
        migrations.AddField(
            model_name="typedscores", name="deals", field=models.JSONField(blank=True, db_default=[], default=list)
        ),
        migrations.AlterField(
            model_name="organiser",
            name="role",
            field=models.CharField(
                choices=[("owner", "Owner"), ("director", "Director"), ("scorer", "Scorer"), ("dealer", "Dealer")],
                default="director",
                max_length=8,
            ),
        ),
    ]
