"""Names of a person's places."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_notice_places")]

    operations = [
        migrations.AddField(
            model_name="noticeplace",
            name="name",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        )
    ]
