import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import gameplay.models
import gameplay.score_sheets.models
from web.database.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Heartbeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=30, unique=True)),
                        ("at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Process",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=32, unique=True)),
                        (
                            "role",
                            models.CharField(
                                choices=[("web", "Web server"), ("worker", "Worker"), ("clock", "Clock")], max_length=10
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("streams", models.PositiveIntegerField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name="Tally",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("measure", models.CharField(max_length=40)),
                        ("labels", models.CharField(max_length=300)),
                        ("part", models.CharField(blank=True, max_length=10)),
                        ("value", models.FloatField()),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("measure", "labels", "part"), name="tally_once")
                        ]
                    },
                ),
                migrations.CreateModel(
                    name="Table",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "slug",
                            models.CharField(
                                default=gameplay.models.new_slug, editable=False, max_length=12, unique=True
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("started_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("gathering", "Waiting for players"),
                                    ("playing", "Being played"),
                                    ("over", "Finished"),
                                    ("abandoned", "Abandoned"),
                                ],
                                default="gathering",
                                max_length=10,
                            ),
                        ),
                        ("rules_json", models.JSONField()),
                        ("seat_count", models.PositiveSmallIntegerField()),
                        ("team_size", models.PositiveSmallIntegerField()),
                        ("is_practice", models.BooleanField(default=False)),
                        ("is_rated", models.BooleanField(default=False)),
                        ("assist", models.BooleanField(default=True)),
                        (
                            "joining",
                            models.CharField(
                                choices=[
                                    ("open", "Anyone"),
                                    ("link", "Anyone with the link"),
                                    ("invited", "Invited players only"),
                                    ("club", "Members of a club"),
                                ],
                                default="link",
                                max_length=8,
                            ),
                        ),
                        (
                            "watching",
                            models.CharField(
                                choices=[
                                    ("anybody", "Anyone"),
                                    ("link", "Anyone with the link"),
                                    ("club", "Members of a club"),
                                    ("nobody", "Players only"),
                                ],
                                default="link",
                                max_length=8,
                            ),
                        ),
                        ("audience", models.CharField(blank=True, max_length=40)),
                        (
                            "clock",
                            models.CharField(
                                choices=[
                                    ("move", "Fixed time per turn"),
                                    ("bank", "Time bank, plus time for each turn"),
                                    ("none", "No clock"),
                                ],
                                default="move",
                                max_length=4,
                            ),
                        ),
                        ("clock_hours", models.PositiveSmallIntegerField(default=48)),
                        ("increment_hours", models.PositiveSmallIntegerField(default=0)),
                        ("cap_hours", models.PositiveSmallIntegerField(default=0)),
                        ("free_weekends", models.BooleanField(default=False)),
                        ("free_nights", models.BooleanField(default=False)),
                        ("allows_absences", models.BooleanField(default=True)),
                        (
                            "missed",
                            models.CharField(
                                choices=[
                                    ("bot", "A bot plays that one turn"),
                                    ("substitute", "A reserve is asked to take the seat"),
                                    ("forfeit", "The match is lost"),
                                ],
                                default="bot",
                                max_length=10,
                            ),
                        ),
                        ("move_count", models.PositiveIntegerField(default=0)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("deal_number", models.PositiveSmallIntegerField(default=0)),
                        ("is_between_deals", models.BooleanField(default=False)),
                        ("snapshot", models.JSONField(null=True)),
                        ("seat_to_act", models.PositiveSmallIntegerField(null=True)),
                        ("clock_started_at", models.DateTimeField(null=True)),
                        ("wait_left", models.DurationField(null=True)),
                        ("deadline_at", models.DateTimeField(null=True)),
                        ("remind_at", models.DateTimeField(null=True)),
                        ("bot_due_at", models.DateTimeField(null=True)),
                        ("failed_at", models.DateTimeField(null=True)),
                        ("paused_at", models.DateTimeField(null=True)),
                        ("proposal", models.JSONField(blank=True, null=True)),
                        ("result", models.JSONField(null=True)),
                        (
                            "creator",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="tables_created",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "rematch",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="rematch_of",
                                to="gameplay.table",
                            ),
                        ),
                        ("event_name", models.CharField(blank=True, max_length=80)),
                        ("event_path", models.CharField(blank=True, max_length=300)),
                        ("is_arranged", models.BooleanField(default=False)),
                        ("is_sealed", models.BooleanField(default=False)),
                        ("shares_deals", models.BooleanField(default=False)),
                        ("rules_ref", models.CharField(blank=True, max_length=40)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("deadline_at__isnull", False)),
                                fields=["deadline_at"],
                                name="table_deadline",
                            ),
                            models.Index(
                                condition=models.Q(("remind_at__isnull", False)),
                                fields=["remind_at"],
                                name="table_reminder",
                            ),
                            models.Index(
                                condition=models.Q(("bot_due_at__isnull", False)),
                                fields=["bot_due_at"],
                                name="table_bot_due",
                            ),
                            models.Index(
                                condition=models.Q(("failed_at__isnull", False)),
                                fields=["failed_at"],
                                name="table_failed",
                            ),
                            models.Index(fields=["status", "-created_at"], name="table_by_status"),
                            models.Index(
                                condition=models.Q(("is_sealed", True)), fields=["is_sealed"], name="table_sealed"
                            ),
                        ]
                    },
                ),
                migrations.CreateModel(
                    name="ScoreSheet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "slug",
                            models.CharField(
                                default=gameplay.score_sheets.models.new_address,
                                editable=False,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        (
                            "key",
                            models.CharField(
                                default=gameplay.score_sheets.models.new_key, editable=False, max_length=24, unique=True
                            ),
                        ),
                        ("made_at", models.DateTimeField(auto_now_add=True)),
                        ("touched_at", models.DateTimeField()),
                        ("made_with", models.CharField(blank=True, max_length=64)),
                        ("rules_json", models.JSONField()),
                        ("rules_ref", models.CharField(blank=True, max_length=40)),
                        ("rules_name", models.CharField(blank=True, max_length=120)),
                        ("seat_count", models.PositiveSmallIntegerField()),
                        ("team_size", models.PositiveSmallIntegerField()),
                        ("title", models.CharField(blank=True, max_length=60)),
                        ("names", models.JSONField(default=list)),
                        ("dealer", models.PositiveSmallIntegerField(default=0)),
                        ("deals", models.JSONField(default=list)),
                        ("is_stopped", models.BooleanField(default=False)),
                        ("version", models.PositiveIntegerField(default=0)),
                        ("changed_with", models.CharField(blank=True, max_length=64)),
                        (
                            "owner",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="score_sheets",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("owner", None)), fields=["touched_at"], name="sheet_of_nobody"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("made_with", ""), _negated=True),
                                fields=("made_with",),
                                name="sheet_made_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ChatMessage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        ("name", models.CharField(max_length=60)),
                        ("text", models.CharField(max_length=300)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("hidden_at", models.DateTimeField(null=True)),
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
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="chat", to="gameplay.table"
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="Seat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("bot", models.CharField(blank=True, max_length=10)),
                        ("name", models.CharField(blank=True, max_length=60)),
                        ("joined_at", models.DateTimeField(null=True)),
                        ("agreed_at", models.DateTimeField(null=True)),
                        ("is_ready", models.BooleanField(default=False)),
                        ("time_left", models.DurationField(null=True)),
                        ("missed_in_a_row", models.PositiveSmallIntegerField(default=0)),
                        ("turns_missed", models.PositiveSmallIntegerField(default=0)),
                        ("standing", models.JSONField(blank=True, default=dict)),
                        ("reminded", models.PositiveSmallIntegerField(default=0)),
                        ("looked_at", models.DateTimeField(null=True)),
                        ("seen_number", models.PositiveIntegerField(default=0)),
                        ("hand_order", models.CharField(blank=True, max_length=600)),
                        ("note", models.TextField(blank=True)),
                        ("mutes_chat", models.BooleanField(default=False)),
                        (
                            "former_user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="seats",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="gameplay.table"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("table", "number"), name="seat_once_at_table"),
                            models.UniqueConstraint(fields=("table", "user"), name="user_once_at_table"),
                            models.CheckConstraint(
                                condition=models.Q(("user", None), ("bot", ""), _connector="OR"),
                                name="seat_person_or_bot",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Reserve",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("offered_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reserves",
                                to="gameplay.table",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [models.UniqueConstraint(fields=("table", "user"), name="reserve_once_at_table")]
                    },
                ),
                migrations.CreateModel(
                    name="Move",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("deal", models.PositiveSmallIntegerField()),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("text", models.CharField(max_length=4000)),
                        (
                            "by",
                            models.CharField(
                                choices=[
                                    ("player", "Player"),
                                    ("bot", "Bot in the seat"),
                                    ("stand_in", "Bot for a turn that was missed"),
                                    ("standing", "Standing order"),
                                ],
                                default="player",
                                max_length=8,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("events", models.JSONField(default=list)),
                        ("request_key", models.CharField(max_length=64, null=True)),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="gameplay.table"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("table", "number"), name="move_once_at_table"),
                            models.UniqueConstraint(
                                condition=models.Q(("request_key__isnull", False)),
                                fields=("table", "seat", "request_key"),
                                name="request_once_at_seat",
                            ),
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
                        ("email", models.EmailField(blank=True, max_length=254)),
                        ("token", models.CharField(max_length=43, unique=True)),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("answered_at", models.DateTimeField(null=True)),
                        ("is_accepted", models.BooleanField(default=False)),
                        ("revoked_at", models.DateTimeField(null=True)),
                        ("letter_due_at", models.DateTimeField(null=True)),
                        (
                            "invited_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="table_invitations",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="gameplay.table",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("letter_due_at__isnull", False)),
                                fields=["letter_due_at"],
                                name="invitation_letter_due",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("revoked_at", None)),
                                fields=("table", "user"),
                                name="invited_once_to_table",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Happening",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("after_move", models.PositiveIntegerField(default=0)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("created", "Table made"),
                                    ("joined", "Joined"),
                                    ("left", "Left"),
                                    ("seated", "Seats changed"),
                                    ("started", "Match begun"),
                                    ("dealt", "Deal begun"),
                                    ("deal_over", "Deal over"),
                                    ("missed", "Deadline missed"),
                                    ("away", "Away"),
                                    ("paused", "Paused"),
                                    ("resumed", "Resumed"),
                                    ("extended", "Deadline moved"),
                                    ("replaced", "Player replaced"),
                                    ("forfeited", "Forfeited"),
                                    ("abandoned", "Abandoned"),
                                    ("over", "Match over"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        ("sentence", models.CharField(max_length=300)),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="happenings",
                                to="gameplay.table",
                            ),
                        ),
                    ],
                    options={"ordering": ["pk"]},
                ),
                migrations.CreateModel(
                    name="Deal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("key", models.CharField(max_length=64)),
                        ("commitment", models.CharField(max_length=64)),
                        ("phrases", models.JSONField(default=list)),
                        ("dealer", models.PositiveSmallIntegerField(null=True)),
                        ("dealt_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        ("result", models.JSONField(null=True)),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="deals", to="gameplay.table"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [models.UniqueConstraint(fields=("table", "number"), name="deal_once_at_table")],
                    },
                ),
                migrations.CreateModel(
                    name="SheetPhoto",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "slug",
                            models.CharField(
                                default=gameplay.score_sheets.models.new_key, editable=False, max_length=24, unique=True
                            ),
                        ),
                        ("ref", models.CharField(blank=True, max_length=40)),
                        ("image", models.BinaryField()),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                        ("digest", models.CharField(max_length=64)),
                        ("added_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "added_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "sheet",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="photos",
                                to="gameplay.scoresheet",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("sheet", None), ("ref", ""), _connector="XOR"),
                                name="photo_of_a_sheet_or_of_something_else",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("sheet__isnull", False)),
                                fields=("sheet", "digest"),
                                name="photo_once_on_a_sheet",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("ref", ""), _negated=True),
                                fields=("ref", "digest"),
                                name="photo_once_elsewhere",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Report",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.CharField(max_length=500)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        ("settled_at", models.DateTimeField(null=True)),
                        (
                            "message",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="gameplay.chatmessage",
                            ),
                        ),
                        (
                            "reporter",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="gameplay.table"
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Look",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("after_move", models.PositiveIntegerField()),
                        ("mark", models.CharField(max_length=32)),
                        ("at", models.DateTimeField()),
                        (
                            "seat",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="gameplay.seat"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["at"], name="look_by_time")],
                        "constraints": [
                            models.UniqueConstraint(fields=("seat", "after_move", "mark"), name="look_once_at_position")
                        ],
                    },
                ),
            ]
        )
    ]
