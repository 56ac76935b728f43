import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.validators
import tournaments.fields
import tournaments.models.entries
import tournaments.models.events
from web.database.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("gameplay", "0001_tables")]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Rating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("pool", models.CharField(max_length=30)),
                        ("mu", models.FloatField(default=25.0)),
                        ("sigma", models.FloatField(default=8.333333333333334)),
                        ("matches", models.PositiveIntegerField(default=0)),
                        ("is_stale", models.BooleanField(default=False)),
                        (
                            "partner",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["pool", "-mu"], name="rating_by_pool")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("partner", None)),
                                fields=("user", "pool"),
                                name="rating_once_in_pool",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("partner__isnull", False)),
                                fields=("user", "partner", "pool"),
                                name="partnership_once_in_pool",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("partner", None), ("user__lt", models.F("partner")), _connector="OR"
                                ),
                                name="partnership_in_order",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingPool",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=30, unique=True)),
                        ("dirty_since", models.DateTimeField(blank=True, null=True)),
                        ("marked_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("dirty_since__isnull", False)),
                                fields=["dirty_since"],
                                name="rating_pool_dirty",
                            )
                        ]
                    },
                ),
                migrations.CreateModel(
                    name="Tournament",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=70, unique=True)),
                        ("name", models.CharField(max_length=80)),
                        ("about", models.TextField(blank=True, max_length=4000)),
                        ("venue", models.CharField(blank=True, max_length=200)),
                        (
                            "time_zone",
                            models.CharField(
                                default="UTC", max_length=64, validators=[accounts.validators.validate_time_zone]
                            ),
                        ),
                        ("circle", models.CharField(blank=True, max_length=40)),
                        (
                            "visibility",
                            models.CharField(
                                choices=[
                                    ("public", "Anyone"),
                                    ("link", "Anyone with the link"),
                                    ("circle", "Members of the club"),
                                ],
                                default="public",
                                max_length=6,
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("draft", "Being prepared"),
                                    ("open", "Entries open"),
                                    ("closed", "Entries closed"),
                                    ("running", "Under way"),
                                    ("over", "Finished"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="draft",
                                max_length=9,
                            ),
                        ),
                        (
                            "setting",
                            models.CharField(
                                choices=[("online", "Online"), ("face", "Face to face"), ("mixed", "Both")],
                                default="face",
                                max_length=6,
                            ),
                        ),
                        (
                            "entry_kind",
                            models.CharField(
                                choices=[("person", "People"), ("partnership", "Pairs"), ("team", "Teams")],
                                default="person",
                                max_length=11,
                            ),
                        ),
                        ("side_size", models.PositiveSmallIntegerField(default=1)),
                        ("entry_limit", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("entries_close_at", models.DateTimeField(blank=True, null=True)),
                        ("has_check_in", models.BooleanField(default=False)),
                        ("check_in_from", models.DateTimeField(blank=True, null=True)),
                        ("check_in_until", models.DateTimeField(blank=True, null=True)),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("rules_json", models.JSONField()),
                        ("terms", models.JSONField(blank=True, default=dict)),
                        ("is_rated", models.BooleanField(default=True)),
                        ("confirm_hours", models.PositiveSmallIntegerField(default=24)),
                        (
                            "no_show",
                            models.CharField(
                                choices=[
                                    ("walkover", "Absent side loses by walkover"),
                                    ("organiser", "The organisers decide"),
                                ],
                                default="organiser",
                                max_length=9,
                            ),
                        ),
                        ("lots", models.CharField(default=tournaments.models.events.new_lots, max_length=32)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("look_at", models.DateTimeField(blank=True, null=True)),
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
                    options={
                        "ordering": ["-starts_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["status", "starts_at"], name="tournament_by_status"),
                            models.Index(fields=["circle", "-starts_at"], name="tournament_by_circle"),
                            models.Index(
                                condition=models.Q(("look_at__isnull", False)),
                                fields=["look_at"],
                                name="tournament_look",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatedGame",
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
                                choices=[("table", "A table"), ("match", "A match of an event")], max_length=5
                            ),
                        ),
                        ("source", models.PositiveBigIntegerField()),
                        ("pool", models.CharField(blank=True, max_length=30)),
                        ("ended_at", models.DateTimeField()),
                        ("sides", models.JSONField(default=list)),
                        ("side_size", models.PositiveSmallIntegerField(default=1)),
                        ("ranks", models.JSONField(default=list)),
                        (
                            "tournament",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="rated_games",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["ended_at", "kind", "source"],
                        "indexes": [
                            models.Index(fields=["pool", "ended_at", "kind", "source"], name="rated_game_in_order")
                        ],
                        "constraints": [models.UniqueConstraint(fields=("kind", "source"), name="game_rated_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Stage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=60)),
                        ("plan_json", models.JSONField()),
                        (
                            "status",
                            models.CharField(
                                choices=[("waiting", "To come"), ("running", "Under way"), ("over", "Finished")],
                                default="waiting",
                                max_length=7,
                            ),
                        ),
                        ("go_round", models.PositiveSmallIntegerField(default=0)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("trouble", models.CharField(blank=True, max_length=300)),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="stages",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("name", models.CharField(max_length=80)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("forming", "Waits for a partner’s answer"),
                                    ("waiting", "On the waiting list"),
                                    ("entered", "Entered"),
                                    ("withdrawn", "Withdrawn"),
                                    ("disqualified", "Disqualified"),
                                ],
                                default="entered",
                                max_length=12,
                            ),
                        ),
                        ("seed", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("strength", models.FloatField(blank=True, null=True)),
                        ("is_here", models.BooleanField(null=True)),
                        ("byes", models.JSONField(blank=True, default=dict)),
                        ("entered_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "entered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "indexes": [models.Index(fields=["tournament", "status"], name="entry_by_status")],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "number"), name="entry_number_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatedTournament",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=0)),
                        (
                            "tournament",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rated",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Organiser",
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
                                choices=[("owner", "Owner"), ("director", "Director"), ("scorer", "Scorer")],
                                default="director",
                                max_length=8,
                            ),
                        ),
                        ("added_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="organises",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="organisers",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [models.UniqueConstraint(fields=("tournament", "user"), name="organiser_once")],
                    },
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
                                to="tournaments.act",
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="acts",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [models.Index(fields=["tournament", "-id"], name="act_by_tournament")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("request_key__isnull", False)),
                                fields=("tournament", "request_key"),
                                name="act_request_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Round",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=60)),
                        (
                            "status",
                            models.CharField(
                                choices=[("drawn", "Drawn"), ("open", "Being played"), ("closed", "Finished")],
                                default="drawn",
                                max_length=6,
                            ),
                        ),
                        ("is_fixed", models.BooleanField(default=False)),
                        ("drawn_from", models.CharField(blank=True, max_length=64)),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("deadline_at", models.DateTimeField(blank=True, null=True)),
                        ("drawn_at", models.DateTimeField(auto_now_add=True)),
                        ("opened_at", models.DateTimeField(blank=True, null=True)),
                        ("closed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rounds",
                                to="tournaments.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [models.UniqueConstraint(fields=("stage", "number"), name="round_number_once")],
                    },
                ),
                migrations.CreateModel(
                    name="RatingStep",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("mu_before", models.FloatField()),
                        ("sigma_before", models.FloatField()),
                        ("mu", models.FloatField()),
                        ("sigma", models.FloatField()),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="steps",
                                to="tournaments.ratedgame",
                            ),
                        ),
                        (
                            "rating",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="steps",
                                to="tournaments.rating",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["rating_id", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("rating", "game"), name="rated_once_for_game"),
                            models.UniqueConstraint(fields=("rating", "number"), name="rating_step_numbered"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Board",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("deal", models.PositiveSmallIntegerField()),
                        ("issue", models.PositiveSmallIntegerField(default=1)),
                        ("key", models.CharField(max_length=64)),
                        ("opened_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="boards",
                                to="tournaments.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number", "deal", "issue"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("stage", "number", "deal", "issue"), name="board_once_in_stage"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Adjustment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("points", tournaments.fields.FractionField(max_length=40)),
                        ("reason", models.CharField(max_length=200)),
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
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="adjustments",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="adjustments",
                                to="tournaments.stage",
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="StageEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("group", models.PositiveSmallIntegerField(default=0)),
                        ("first_round", models.PositiveSmallIntegerField(default=1)),
                        ("start_points", tournaments.fields.FractionField(default=0, max_length=40)),
                        ("last_round", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("byes", models.JSONField(blank=True, default=dict)),
                        ("waits_since", models.DateTimeField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="in_stages",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="tournaments.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("stage", "entry"), name="entry_once_in_stage"),
                            models.UniqueConstraint(fields=("stage", "position"), name="position_once_in_stage"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Member",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        ("email", models.EmailField(blank=True, max_length=254)),
                        (
                            "token",
                            models.CharField(default=tournaments.models.entries.new_token, max_length=43, unique=True),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[("player", "Player"), ("reserve", "Reserve")], default="player", max_length=7
                            ),
                        ),
                        ("is_captain", models.BooleanField(default=False)),
                        (
                            "answer",
                            models.CharField(
                                choices=[("invited", "Invited"), ("accepted", "Accepted"), ("declined", "Declined")],
                                default="accepted",
                                max_length=8,
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        ("left_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="members",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="tournament_members",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("answer", "accepted"), ("left_at", None), ("user__isnull", False)),
                                fields=("tournament", "user"),
                                name="person_once_in_tournament",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="KeptApart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "one",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="kept_apart",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("one", "other"), name="kept_apart_once"),
                            models.CheckConstraint(
                                condition=models.Q(("one__lt", models.F("other"))), name="kept_apart_in_order"
                            ),
                        ]
                    },
                ),
                migrations.CreateModel(
                    name="SitOut",
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
                                    ("bye", "bye"),
                                    ("half_bye", "half bye"),
                                    ("zero_bye", "zero bye"),
                                    ("forfeit_win", "forfeit win"),
                                    ("forfeit_loss", "forfeit loss"),
                                    ("withdrawn", "withdrawn"),
                                    ("sit_out", "sit out"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("points", tournaments.fields.FractionField(default=0, max_length=40)),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sit_outs",
                                to="tournaments.round",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [models.UniqueConstraint(fields=("round", "entry"), name="sit_out_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Letter",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("due_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "member",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="letters",
                                to="tournaments.member",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="letter_due"
                            ),
                            models.Index(fields=["by", "-created_at"], name="letter_by_person"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Pairing",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=12)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("group", models.PositiveSmallIntegerField(default=0)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waits", "Waits for an earlier match"),
                                    ("ready", "To be played"),
                                    ("playing", "Being played"),
                                    ("reported", "Waits for confirmation"),
                                    ("disputed", "Disputed"),
                                    ("done", "Finished"),
                                    ("idle", "Not played"),
                                ],
                                default="ready",
                                max_length=8,
                            ),
                        ),
                        ("is_online", models.BooleanField(default=False)),
                        ("is_fixed", models.BooleanField(default=False)),
                        ("is_walkover", models.BooleanField(default=False)),
                        ("boards", models.JSONField(blank=True, default=list)),
                        ("starts_at", models.DateTimeField(blank=True, null=True)),
                        ("opened_at", models.DateTimeField(blank=True, null=True)),
                        ("deadline_at", models.DateTimeField(blank=True, null=True)),
                        ("begun_at", models.DateTimeField(blank=True, null=True)),
                        ("done_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "token",
                            models.CharField(default=tournaments.models.entries.new_token, max_length=43, unique=True),
                        ),
                        ("reminded", models.PositiveSmallIntegerField(default=0)),
                        (
                            "table",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="pairing",
                                to="gameplay.table",
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pairings",
                                to="tournaments.round",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["round_id", "number"],
                        "indexes": [models.Index(fields=["status", "deadline_at"], name="pairing_by_status")],
                        "constraints": [models.UniqueConstraint(fields=("round", "name"), name="pairing_name_once")],
                    },
                ),
                migrations.CreateModel(
                    name="Result",
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
                                    ("played", "Played"),
                                    ("forfeit", "Walkover"),
                                    ("double_forfeit", "Nobody came"),
                                    ("decided", "Decided by the organisers"),
                                ],
                                default="played",
                                max_length=14,
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("reported", "Waits for confirmation"),
                                    ("disputed", "Disputed"),
                                    ("confirmed", "Confirmed"),
                                    ("replaced", "Replaced"),
                                ],
                                default="reported",
                                max_length=9,
                            ),
                        ),
                        (
                            "origin",
                            models.CharField(
                                choices=[
                                    ("table", "The table itself"),
                                    ("player", "A player"),
                                    ("card", "A table card"),
                                    ("organiser", "An organiser"),
                                    ("clock", "The deadline"),
                                ],
                                max_length=9,
                            ),
                        ),
                        ("lines", models.JSONField(default=list)),
                        ("sheet", models.JSONField(blank=True, null=True)),
                        ("reason", models.CharField(blank=True, max_length=200)),
                        ("at", models.DateTimeField()),
                        ("confirms_at", models.DateTimeField(blank=True, null=True)),
                        ("confirmed_at", models.DateTimeField(blank=True, null=True)),
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
                            "by_entry",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "confirmed_by",
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
                                related_name="results",
                                to="tournaments.pairing",
                            ),
                        ),
                        (
                            "winner",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="tournaments.entry",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("confirms_at__isnull", False)),
                                fields=["confirms_at"],
                                name="result_confirms",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("request_key__isnull", False)),
                                fields=("pairing", "request_key"),
                                name="result_request_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Place",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("source", models.CharField(blank=True, max_length=20)),
                        ("players", models.JSONField(blank=True, default=list)),
                        ("side", models.PositiveSmallIntegerField(default=0)),
                        ("points", tournaments.fields.FractionField(blank=True, max_length=40, null=True)),
                        ("score", models.IntegerField(blank=True, null=True)),
                        ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("sheet", models.JSONField(blank=True, null=True)),
                        (
                            "entry",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="places",
                                to="tournaments.entry",
                            ),
                        ),
                        (
                            "pairing",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="places",
                                to="tournaments.pairing",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("pairing", "number"), name="place_number_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Answer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("agrees", models.BooleanField()),
                        ("words", models.CharField(blank=True, max_length=300)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "entry",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entry"
                            ),
                        ),
                        (
                            "result",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="answers",
                                to="tournaments.result",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [models.UniqueConstraint(fields=("result", "entry"), name="answer_once")],
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
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="remarks",
                                to="tournaments.tournament",
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"], "abstract": False},
                ),
            ]
        ),
        migrations.AddField(
            model_name="Pairing",
            name="result",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tournaments.result",
            ),
        ),
    ]
