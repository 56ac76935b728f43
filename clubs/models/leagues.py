"""Leagues: seasons of divisions, each division a tournament, and the teams that play season after season."""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from clubs import honours
from clubs.models.people import Club, Membership
from clubs.models.rules import RulesVersion
from engine.play.rules import Rules


class League(models.Model):
    """A competition season after season, by one club for itself or for several."""

    class Kind(models.TextChoices):
        PERSON = "person", gettext_lazy("People")
        PAIR = "pair", gettext_lazy("Pairs")
        TEAM = "team", gettext_lazy("Teams")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="leagues")
    """The club that runs it."""
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=50)
    about = models.TextField(max_length=2000, blank=True)
    kind = models.CharField(max_length=6, choices=Kind, default=Kind.PAIR)
    is_archived = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="league_once_in_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:league", args=[self.club.slug, self.slug])


class LeagueClub(models.Model):
    """A guest club of a league: invited by the club that runs it, and in it once it has agreed."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="league_clubs")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="league_clubs")
    asked_at = models.DateTimeField(auto_now_add=True)
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["league", "club"], name="club_once_in_league")]

    def __str__(self) -> str:
        return f"Club {self.club_id} in league {self.league_id}"


class Team(models.Model):
    """A participant of a league, season after season: a person, a pair or a team."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="teams")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="teams")
    """The club it plays for."""
    name = models.CharField(max_length=80)
    number = models.PositiveIntegerField()
    """Its number in the league, from 1; part of its address."""
    venue = models.CharField(max_length=200, blank=True)
    """Its home venue."""
    created_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    """The time it left the league; its results stay."""
    asks = models.BooleanField(default=False, db_default=False)
    """Whether its players are asked before each match if they come."""

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["league", "number"], name="team_number_once")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:team", args=[self.league.club.slug, self.league.slug, self.number])


class TeamMember(models.Model):
    """A member of a team's roster."""

    class Role(models.TextChoices):
        CAPTAIN = "captain", gettext_lazy("Captain")
        PLAYER = "player", gettext_lazy("Player")
        RESERVE = "reserve", gettext_lazy("Reserve")

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="roster")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="teams")
    role = models.CharField(max_length=7, choices=Role, default=Role.PLAYER)
    position = models.PositiveSmallIntegerField(default=0)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "membership"], condition=models.Q(left_at=None), name="member_once_in_team"
            )
        ]

    def __str__(self) -> str:
        return f"{self.membership_id} in team {self.team_id}"


class Season(models.Model):
    """A season of a league, from its draw to its close."""

    class Status(models.TextChoices):
        DRAFT = "draft", gettext_lazy("Being prepared")
        RUNNING = "running", gettext_lazy("Under way")
        CLOSED = "closed", gettext_lazy("Closed")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    slug = models.SlugField(max_length=60)
    status = models.CharField(max_length=7, choices=Status, default=Status.DRAFT)
    drawn_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="drawn")
    """The season whose final standings decide the divisions."""

    rules_version = models.ForeignKey(
        RulesVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="seasons"
    )
    """The house rules it is played by; empty for a published ruleset as it is."""
    rules_json = models.JSONField()
    """The same rules, pinned: `Rules.write()`; see `rules`."""
    plan_json = models.JSONField(default=dict)
    """Choices for the stage of each division: fields of `tournaments.plan.Plan`, such as points, tie-breaks and legs."""
    settings = models.JSONField(default=dict)
    """Settings of the divisions' tournaments: fields of `tournaments.services.events.event_settings.LABELS`, such as
    `setting`, `terms` and `no_show`."""

    starts_on = models.DateField()
    """The first day of the first matchday, by the club's clock."""
    days = models.PositiveSmallIntegerField(default=7)
    """Days from one matchday to the next."""
    play_days = models.PositiveSmallIntegerField(default=7)
    """Days to play the matches of a matchday."""
    plays_at = models.TimeField(null=True, blank=True)
    """Start time of matches, unless they are arranged freely."""
    swaps_sides = models.BooleanField(default=True)
    """Whether matches have home and away sides."""

    up = models.JSONField(default=list)
    """Numbers promoted over each border between divisions, from the top."""
    down = models.JSONField(default=list)
    """Numbers relegated over each border, from the top."""

    drafted_matchday = models.PositiveSmallIntegerField(default=0, db_default=0)
    """The last matchday of which the site has written a newsletter."""
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="season_number_once"),
            models.UniqueConstraint(fields=["league", "slug"], name="season_slug_once"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:season", args=[self.league.club.slug, self.league.slug, self.slug])

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return Rules.read(self.rules_json)

    @property
    def is_online(self) -> bool:
        """Whether every match is played online."""
        return bool(self.settings.get("setting") == "online")

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock of its club; `None` online."""
        return None if self.is_online else self.league.club.zone


class Division(models.Model):
    """A division of a season. Its rounds, results and standings are those of its tournament."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    level = models.PositiveSmallIntegerField()
    """1 for the top division."""
    name = models.CharField(max_length=60)
    size = models.PositiveSmallIntegerField(default=8)
    """The planned number of entries; the bottom one takes the rest."""
    tournament = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.PROTECT, null=True, blank=True, related_name="division"
    )
    """Created when the season is drawn."""

    class Meta:
        ordering = ["level"]
        constraints = [models.UniqueConstraint(fields=["season", "level"], name="division_once_in_season")]

    def __str__(self) -> str:
        return self.name


class SeasonEvent(models.Model):
    """A cup or a play-off alongside a season's divisions."""

    class Kind(models.TextChoices):
        CUP = "cup", gettext_lazy("Cup")
        PLAYOFF = "playoff", gettext_lazy("Play-off")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=7, choices=Kind)
    name = models.CharField(max_length=60)
    tournament = models.OneToOneField("tournaments.Tournament", on_delete=models.PROTECT, related_name="season_event")
    border = models.PositiveSmallIntegerField(null=True, blank=True)
    """A play-off's border, 1 between the top two divisions: its winner plays above it next season, the others below. 0:
    it is for the championship."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class SeasonEventEntry(models.Model):
    """A team in a cup or a play-off."""

    event = models.ForeignKey(SeasonEvent, on_delete=models.CASCADE, related_name="entries")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="events")
    entry = models.OneToOneField("tournaments.Entry", on_delete=models.PROTECT, related_name="season_event_entry")
    """Its entry in the event's tournament."""

    class Meta:
        ordering = ["event", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "team"], name="team_once_in_season_event")]

    def __str__(self) -> str:
        return f"{self.team_id} in event {self.event_id}"


class SeasonEntry(models.Model):
    """A team in a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entries")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="seasons")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="entries")
    entry = models.OneToOneField(
        "tournaments.Entry", on_delete=models.PROTECT, null=True, blank=True, related_name="season_entry"
    )
    """Its entry in the division's tournament; created when the season is drawn."""
    position = models.PositiveSmallIntegerField()
    """Its place in the draw of the division, from 1."""
    final_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its place in the division's final standings, once the season is closed; play-offs counted."""
    final_row = models.JSONField(null=True, blank=True)
    """Its line in a final table that was imported without matches: `played`, `won`, `points` and others, as far as the
    table had them; `None` if the division was played here."""

    class Meta:
        ordering = ["division", "position"]
        constraints = [models.UniqueConstraint(fields=["season", "team"], name="team_once_in_season")]

    def __str__(self) -> str:
        return f"{self.team_id} in season {self.season_id}"


class Appearance(models.Model):
    """A link from a member of an entry to a member of a club, so that a claimed name comes with its results."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="appearances")
    member = models.OneToOneField("tournaments.Member", on_delete=models.CASCADE, related_name="appearance")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.membership_id} as {self.member_id}"


class Blackout(models.Model):
    """Days on which nobody, or one team, plays."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="blackouts")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="blackouts")
    """Empty: for everyone, and matchdays skip it."""
    first_day = models.DateField()
    last_day = models.DateField()
    reason = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["first_day", "pk"]

    def __str__(self) -> str:
        return f"{self.first_day} to {self.last_day}"


class Fixture(models.Model):
    """A league's data on a match beyond that of its tournament: its venue."""

    pairing = models.OneToOneField("tournaments.Pairing", on_delete=models.CASCADE, related_name="fixture")
    venue = models.CharField(max_length=200, blank=True)
    """The venue, if not the home side's."""

    def __str__(self) -> str:
        return f"Fixture {self.pairing_id}"


class Proposal(models.Model):
    """A proposal by one side of a match for another time or place; it takes effect once the other side agrees."""

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("Waiting for an answer")
        ACCEPTED = "accepted", gettext_lazy("Agreed")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        OVERTAKEN = "overtaken", gettext_lazy("Superseded")

    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="proposals")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="proposals")
    """The side that proposes."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    starts_at = models.DateTimeField()
    venue = models.CharField(max_length=200, blank=True)
    is_online = models.BooleanField(default=False)
    words = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    answer = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing"], condition=models.Q(status="open"), name="one_open_proposal_of_match"
            )
        ]

    def __str__(self) -> str:
        return f"Proposal {self.pk} for match {self.pairing_id}"

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock of the league's club; `None` if it is to be online."""
        return None if self.is_online else self.team.league.club.zone


class Honour(models.Model):
    """An honour of a team in a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="honours")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, null=True, blank=True, related_name="honours")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="honours")
    title = models.CharField(max_length=80)
    """Such as `Champion of the Premier Division`."""
    place = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["season", "division__level", "place", "pk"]
        constraints = [models.UniqueConstraint(fields=["season", "title", "team"], name="honour_once")]

    def __str__(self) -> str:
        return self.title

    @property
    def words(self) -> str:
        """The title in the reader's language."""
        return honours.title_text(self.title)
