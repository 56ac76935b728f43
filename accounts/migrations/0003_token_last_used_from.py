"""The address from which a token was last used.

Tokens without an end stay as they are: a program that a club relies on must not stop on a day that nobody was told of.
Their page marks them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_preferences_absences_notices_tokens")]

    operations = [migrations.AddField("apitoken", "last_used_from", models.GenericIPAddressField(null=True))]
