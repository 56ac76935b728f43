from django.contrib.auth.models import AbstractUser
from django.db import models

from accounts.validators import validate_time_zone


class User(AbstractUser):
    """A person who can sign in."""

    display_name = models.CharField(
        max_length=50, blank=True, help_text="What others at the table see; the username when empty."
    )
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])

    def __str__(self) -> str:
        return self.display_name or self.username
