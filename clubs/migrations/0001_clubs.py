import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.validators
import clubs.models.people
from web.database.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("tournaments", "0001_tournaments")]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Club",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("slug", models.SlugField(unique=True)),
                        ("line", models.CharField(blank=True, max_length=160)),
                        ("about", models.TextField(blank=True, max_length=4000)),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        (
                            "time_zone",
                            models.CharField(
                                default="UTC", max_length=64, validators=[accounts.validators.validate_time_zone]
                            ),
                        ),
                        (
                            "colour",
                            models.CharField(
                                choices=[
                                    ("blue", "Blue"),
                                    ("green", "Green"),
                                    ("red", "Red"),
                                    ("plum", "Plum"),
                                    ("amber", "Amber"),
                                    ("teal", "Teal"),
                                    ("slate", "Slate"),
                                    ("rose", "Rose"),
                                ],
                                default="blue",
                                max_length=8,
                            ),
                        ),
                        (
                            "crest",
                            models.CharField(
                                choices=[
                                    ("spade", "Spade"),
                                    ("heart", "Heart"),
                                    ("diamond", "Diamond"),
                                    ("club", "Club"),
                                    ("foot", "Foot"),
                                    ("hand", "Hand"),
                                    ("star", "Star"),
                                    ("wave", "Wave"),
                                ],
                                default="spade",
                                max_length=8,
                            ),
                        ),
                        (
                            "joining",
                            models.CharField(
                                choices=[
                                    ("open", "Anyone, at once"),
                                    ("request", "Anyone, after an organiser accepts"),
                                    ("link", "Only with the link or an invitation"),
                                ],
                                default="request",
                                max_length=8,
                            ),
                        ),
                        (
                            "join_token",
                            models.CharField(default=clubs.models.people.new_token, max_length=43, unique=True),
                        ),
                        ("is_listed", models.BooleanField(default=True)),
                        ("has_directory", models.BooleanField(default=True)),
                        ("archived_at", models.DateTimeField(blank=True, null=True)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"ordering": ["name"]},
                ),
                migrations.CreateModel(
                    name="Fixture",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        (
                            "pairing",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixture",
                                to="tournaments.pairing",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="HouseRules",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        ("slug", models.SlugField(max_length=60)),
                        ("about", models.CharField(blank=True, max_length=300)),
                        ("is_archived", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="house_rules", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "house rules",
                        "ordering": ["name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "slug"), name="house_rules_once_in_club")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Meeting",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("title", models.CharField(max_length=120)),
                        ("words", models.CharField(blank=True, max_length=300)),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        ("starts_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField(blank=True, null=True)),
                        ("is_called_off", models.BooleanField(default=False)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="meetings", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["starts_at", "pk"],
                        "indexes": [models.Index(fields=["club", "starts_at"], name="meeting_by_club")],
                    },
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "Owner"),
                                    ("organiser", "Organiser"),
                                    ("scorer", "Scorer"),
                                    ("member", "Member"),
                                    ("guest", "Guest"),
                                ],
                                default="member",
                                max_length=10,
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254)),
                        (
                            "claim_token",
                            models.CharField(default=clubs.models.people.new_token, max_length=43, unique=True),
                        ),
                        ("is_listed", models.BooleanField(default=False)),
                        ("contact", models.CharField(blank=True, max_length=120)),
                        ("wants_letters", models.BooleanField(default=False)),
                        (
                            "letters_token",
                            models.CharField(default=clubs.models.people.new_token, max_length=43, unique=True),
                        ),
                        ("joined_at", models.DateTimeField(auto_now_add=True)),
                        ("left_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="clubs.club"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                        "indexes": [models.Index(fields=["club", "left_at", "name"], name="membership_by_club")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("left_at", None), ("user__isnull", False)),
                                fields=("club", "user"),
                                name="member_once_of_club",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="News",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("title", models.CharField(max_length=120)),
                        ("body", models.TextField(max_length=4000)),
                        ("is_pinned", models.BooleanField(default=False)),
                        ("name", models.CharField(blank=True, max_length=60)),
                        ("published_at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="news", to="clubs.club"
                            ),
                        ),
                    ],
                    options={"verbose_name_plural": "news", "ordering": ["-is_pinned", "-published_at", "-pk"]},
                ),
                migrations.CreateModel(
                    name="Act",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("name", models.CharField(blank=True, max_length=60)),
                        ("kind", models.CharField(max_length=30)),
                        ("sentence", models.CharField(max_length=300)),
                        ("reason", models.CharField(blank=True, max_length=200)),
                        ("changes", models.JSONField(default=list)),
                        ("request_key", models.CharField(blank=True, max_length=64, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "undoes",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="undone_by",
                                to="clubs.act",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="acts", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [models.Index(fields=["club", "-id"], name="act_by_club")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("request_key__isnull", False)),
                                fields=("club", "request_key"),
                                name="club_act_request_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JoinRequest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("words", models.CharField(blank=True, max_length=300)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Waiting for an answer"),
                                    ("accepted", "Accepted"),
                                    ("declined", "Declined"),
                                    ("withdrawn", "Withdrawn"),
                                ],
                                default="open",
                                max_length=9,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("answered_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "answered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="requests", to="clubs.club"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="club_requests",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "membership",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="claims",
                                to="clubs.membership",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("club", "user"),
                                name="one_open_request_of_club",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("email", models.EmailField(max_length=254)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "Owner"),
                                    ("organiser", "Organiser"),
                                    ("scorer", "Scorer"),
                                    ("member", "Member"),
                                    ("guest", "Guest"),
                                ],
                                default="member",
                                max_length=10,
                            ),
                        ),
                        ("token", models.CharField(default=clubs.models.people.new_token, max_length=43, unique=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                        ("accepted_at", models.DateTimeField(blank=True, null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="clubs.club"
                            ),
                        ),
                        (
                            "membership",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="clubs.membership",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="club_letter_due"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Appearance",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "member",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="appearance",
                                to="tournaments.member",
                            ),
                        ),
                        (
                            "membership",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="appearances",
                                to="clubs.membership",
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="RulesVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("preset", models.CharField(max_length=30)),
                        ("rules_json", models.JSONField()),
                        ("note", models.CharField(blank=True, max_length=200)),
                        ("token", models.CharField(default=clubs.models.people.new_token, max_length=43, unique=True)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "house_rules",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="versions",
                                to="clubs.houserules",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("house_rules", "number"), name="rules_version_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="League",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("slug", models.SlugField()),
                        ("about", models.TextField(blank=True, max_length=2000)),
                        (
                            "kind",
                            models.CharField(
                                choices=[("person", "People"), ("pair", "Pairs"), ("team", "Teams")],
                                default="pair",
                                max_length=6,
                            ),
                        ),
                        ("is_archived", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="leagues", to="clubs.club"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                        "constraints": [models.UniqueConstraint(fields=("club", "slug"), name="league_once_in_club")],
                    },
                ),
                migrations.CreateModel(
                    name="LeagueClub",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("asked_at", models.DateTimeField(auto_now_add=True)),
                        ("agreed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="league_clubs",
                                to="clubs.club",
                            ),
                        ),
                        (
                            "league",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="league_clubs",
                                to="clubs.league",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [models.UniqueConstraint(fields=("league", "club"), name="club_once_in_league")],
                    },
                ),
                migrations.CreateModel(
                    name="Season",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=60)),
                        ("slug", models.SlugField(max_length=60)),
                        (
                            "status",
                            models.CharField(
                                choices=[("draft", "Being prepared"), ("running", "Under way"), ("closed", "Closed")],
                                default="draft",
                                max_length=7,
                            ),
                        ),
                        ("rules_json", models.JSONField()),
                        ("plan_json", models.JSONField(default=dict)),
                        ("settings", models.JSONField(default=dict)),
                        ("starts_on", models.DateField()),
                        ("days", models.PositiveSmallIntegerField(default=7)),
                        ("play_days", models.PositiveSmallIntegerField(default=7)),
                        ("plays_at", models.TimeField(blank=True, null=True)),
                        ("swaps_sides", models.BooleanField(default=True)),
                        ("up", models.JSONField(default=list)),
                        ("down", models.JSONField(default=list)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "drawn_from",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="drawn",
                                to="clubs.season",
                            ),
                        ),
                        (
                            "league",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="seasons", to="clubs.league"
                            ),
                        ),
                        (
                            "rules_version",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seasons",
                                to="clubs.rulesversion",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("league", "number"), name="season_number_once"),
                            models.UniqueConstraint(fields=("league", "slug"), name="season_slug_once"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Team",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("number", models.PositiveIntegerField()),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("left_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="teams", to="clubs.club"
                            ),
                        ),
                        (
                            "league",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="teams", to="clubs.league"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name", "pk"],
                        "constraints": [models.UniqueConstraint(fields=("league", "number"), name="team_number_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Newsletter",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("matchday", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("subject", models.CharField(max_length=120)),
                        ("body", models.TextField(max_length=20000)),
                        (
                            "status",
                            models.CharField(
                                choices=[("draft", "Draft"), ("sending", "Being sent"), ("sent", "Sent")],
                                default="draft",
                                max_length=7,
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="newsletters", to="clubs.club"
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="clubs.season",
                            ),
                        ),
                    ],
                    options={"ordering": ["-pk"]},
                ),
                migrations.CreateModel(
                    name="Division",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("level", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=60)),
                        ("size", models.PositiveSmallIntegerField(default=8)),
                        (
                            "tournament",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="division",
                                to="tournaments.tournament",
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="divisions", to="clubs.season"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["level"],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "level"), name="division_once_in_season")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeasonEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(choices=[("cup", "Cup"), ("playoff", "Play-off")], max_length=7)),
                        ("name", models.CharField(max_length=60)),
                        ("border", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="events", to="clubs.season"
                            ),
                        ),
                        (
                            "tournament",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="season_event",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="Proposal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("starts_at", models.DateTimeField()),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        ("is_online", models.BooleanField(default=False)),
                        ("words", models.CharField(blank=True, max_length=300)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Waiting for an answer"),
                                    ("accepted", "Agreed"),
                                    ("declined", "Declined"),
                                    ("withdrawn", "Withdrawn"),
                                    ("overtaken", "Superseded"),
                                ],
                                default="open",
                                max_length=9,
                            ),
                        ),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("answered_at", models.DateTimeField(blank=True, null=True)),
                        ("answer", models.CharField(blank=True, max_length=300)),
                        (
                            "answered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pairing",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="proposals",
                                to="tournaments.pairing",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="proposals", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("pairing",),
                                name="one_open_proposal_of_match",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Blackout",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("first_day", models.DateField()),
                        ("last_day", models.DateField()),
                        ("reason", models.CharField(blank=True, max_length=100)),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="blackouts", to="clubs.season"
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="blackouts",
                                to="clubs.team",
                            ),
                        ),
                    ],
                    options={"ordering": ["first_day", "pk"]},
                ),
                migrations.CreateModel(
                    name="TeamMember",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[("captain", "Captain"), ("player", "Player"), ("reserve", "Reserve")],
                                default="player",
                                max_length=7,
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        ("joined_at", models.DateTimeField(auto_now_add=True)),
                        ("left_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "membership",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="teams", to="clubs.membership"
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="roster", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("left_at", None)),
                                fields=("team", "membership"),
                                name="member_once_in_team",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Copy",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                        ("sent_at", models.DateTimeField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "membership",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.membership"
                            ),
                        ),
                        (
                            "newsletter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="copies",
                                to="clubs.newsletter",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "copies",
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="copy_due"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("newsletter", "membership"), name="newsletter_once_to_member"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeasonEventEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="season_event_entry",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "event",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="clubs.seasonevent",
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="events", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["event", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("event", "team"), name="team_once_in_season_event")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeasonEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("final_rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "division",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="clubs.division"
                            ),
                        ),
                        (
                            "entry",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="season_entry",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="clubs.season"
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="seasons", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["division", "position"],
                        "constraints": [models.UniqueConstraint(fields=("season", "team"), name="team_once_in_season")],
                    },
                ),
                migrations.CreateModel(
                    name="Honour",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("title", models.CharField(max_length=80)),
                        ("place", models.PositiveSmallIntegerField(default=1)),
                        (
                            "division",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="honours",
                                to="clubs.division",
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="honours", to="clubs.season"
                            ),
                        ),
                        (
                            "team",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="honours", to="clubs.team"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["season", "division__level", "place", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "title", "team"), name="honour_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Remark",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("device", "One device at two seats"),
                                    ("looks", "Move soon after another seat opens"),
                                    ("partners", "Partners who never play apart"),
                                ],
                                max_length=8,
                            ),
                        ),
                        (
                            "verdict",
                            models.CharField(
                                choices=[("nothing", "Checked: no concern"), ("watch", "Keep watching")], max_length=7
                            ),
                        ),
                        ("note", models.CharField(blank=True, max_length=500)),
                        ("cases", models.PositiveIntegerField()),
                        ("at", models.DateTimeField()),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "one",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="remarks", to="clubs.club"
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"], "abstract": False},
                ),
            ]
        )
    ]
