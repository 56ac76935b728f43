"""House rules: named, with versions that never change."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext

from clubs.models.people import Club, new_token
from engine.play.rules import Rules


class HouseRules(models.Model):
    """A club's own rules under a name; each change is a new version."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    name = models.CharField(max_length=60)
    slug = models.SlugField(max_length=60)
    about = models.CharField(max_length=300, blank=True)
    is_archived = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "house rules"
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="house_rules_once_in_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:house_rules", args=[self.club.slug, self.slug])


class RulesVersion(models.Model):
    """A version of house rules. Never changed: seasons, events and tables pin it."""

    house_rules = models.ForeignKey(HouseRules, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    preset = models.CharField(max_length=30)
    """The published ruleset that it is based on."""
    rules_json = models.JSONField()
    """`Rules.write()`; see `rules`."""
    note = models.CharField(max_length=200, blank=True)
    """The reason for the change."""
    token = models.CharField(max_length=43, unique=True, default=new_token)
    """The token of the link to share it."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["house_rules", "number"], name="rules_version_once")]

    def __str__(self) -> str:
        return gettext("%(rules)s, version %(number)s") % {"rules": self.house_rules, "number": self.number}

    @property
    def rules(self) -> Rules:
        """The rules themselves."""
        return Rules.read(self.rules_json)
