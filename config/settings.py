"""All settings, from the environment, with defaults that are safe and need no server to be installed.

The table of docs/deploy.md explains each variable.
"""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config import __version__
from config.providers import providers

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default="") or BASE_DIR / "data").absolute()


def kept_secret(path: Path, size: int = 50) -> str:
    """The secret of `size` random bytes in this file, in URL-safe base64; made on first use."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(size))
        # Several processes may start at once: whichever links first, all of them then read the same key.
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text()


def served_at(host: str, port: str) -> str:
    """The address a browser on this machine asks for what bin/serve listens to."""
    if host in ("", "0.0.0.0", "::"):  # noqa: S104  every address of the machine
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port or 8000}"


def database(config: dict[str, Any]) -> dict[str, Any]:
    """Django's database entry for a parsed DATABASE_URL, whose options go before ours."""
    engine = config.get("ENGINE")
    if engine == "django.db.backends.sqlite3":
        Path(config["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        ours: dict[str, Any] = {"CONN_MAX_AGE": None}
        options: dict[str, Any] = {
            # Writers queue for up to 20 s; a deferred transaction would fail at once when it turns to writing.
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            # Each commit reaches the disk before it is acknowledged, so that a power cut takes no move back.
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA temp_store=MEMORY;"
            "PRAGMA mmap_size=134217728;PRAGMA journal_size_limit=27103364;PRAGMA cache_size=2000;",
        }
    elif engine == "django.db.backends.postgresql":
        ours = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
        # While the database is away, requests wait so long for it and no longer; it is tried again every few seconds.
        # What is asked in every turn is prepared when a connection is asked for it again; see web/database/compiled_queries.py.
        options = {
            "pool": {"min_size": 2, "max_size": 8, "timeout": 10, "reconnect_timeout": 5},
            "prepare_threshold": 1,
            # A machine that dies says nothing: after five seconds the server gives back what its sessions had locked.
            "options": "-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2"
            " -c tcp_user_timeout=5000",
        }
    else:
        raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL or an SQLite database.")
    return {**ours, **config, "OPTIONS": {**options, **config.get("OPTIONS", {})}}


def cache(config: dict[str, Any]) -> dict[str, Any]:
    """Django's cache entry for a parsed CACHE_URL, whose options go before ours."""
    if not config["BACKEND"].endswith("RedisCache"):
        return config
    # With the default time-outs a Redis that accepts but never answers would hold a request for ever.
    patience = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}
    return {**config, "BACKEND": "config.cache.Cache", "OPTIONS": {**patience, **config.get("OPTIONS", {})}}


# Not by `env`, which would look up the rest of a value that begins with a dollar sign.
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key]
DEBUG = env.bool("DEBUG", default=False)
VERSION = __version__

SEVERAL_MACHINES = env.bool("SEVERAL_MACHINES", default=False)
SEVERAL_PROCESSES = SEVERAL_MACHINES or int(os.environ.get("WEB_CONCURRENCY") or 1) > 1
"""Whether several processes answer for pages."""

SITE_URL = (env.str("SITE_URL", default="") or served_at(env.str("HOST", ""), env.str("PORT", ""))).rstrip("/")
IS_HTTPS = SITE_URL.startswith("https://")
IS_DEMO = (os.environ.get("DEMO") or ("no" if IS_HTTPS else "yes")) == "yes"
ALLOWED_HOSTS = [urlsplit(SITE_URL).hostname or "localhost", "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
PROXY_COUNT = int(os.environ.get("PROXY_COUNT") or IS_HTTPS)

SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
# A browser takes a cookie with this prefix from this host alone, and over TLS alone.
COOKIE_PREFIX = "__Host-" if IS_HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
# Scripts send the token in the page.
CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = IS_HTTPS
# `web.middleware.Pages` refuses programs without TLS, because they would not notice a redirect.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$", r"^api/(?!v1/docs/)"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS and PROXY_COUNT else None
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
# An address of e-mail is written as it is; security.txt wants it with its scheme.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="").strip()
if "@" in SECURITY_CONTACT and ":" not in SECURITY_CONTACT:
    SECURITY_CONTACT = f"mailto:{SECURITY_CONTACT}"
# Other names under the same domain are not ours to promise for.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# A provider of accounts is only loaded if it is offered; the tables are always there.
SOCIALACCOUNT_PROVIDERS = providers(os.environ)
INSTALLED_APPS = [
    "config",
    "clubs",
    "tournaments",
    "gameplay",
    "accounts",
    "web",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    *[f"allauth.socialaccount.providers.{kind}" for kind in SOCIALACCOUNT_PROVIDERS],
    "csp",
    "django_htmx",
    "knox",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "web.monitoring.request_logging.watched",
    "accounts.middleware.address",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "web.middleware.Bodies",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.player",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.Heavy",
    "web.middleware.Pages",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Nearly every template needs these, so none loads them.
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "web.templatetags.parts",
                "web.templatetags.site",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "web.context.site",
            ],
        },
    }
]
# Messages wait in the session, where they cost no table of their own and survive a redirect.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

DOCS_DIR = BASE_DIR / "build" / "docs"
"""Where bin/docs puts the docs, served at /docs/."""

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
collected = Path(env.str("STATIC_DIR", default="") or DATA_DIR / "static").absolute()
# Before `collectstatic`, as in tests, files are served from where they lie, without a fingerprint in their names.
# `serve` collects them while the web server starts, and says so here.
is_collected = (
    (collected / "staticfiles.json").exists()
    or not {"collectstatic", "serve"}.isdisjoint(sys.argv)
    or "STATIC_COLLECTED" in os.environ
)
STATIC_ROOT = collected if is_collected else None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if is_collected
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not is_collected

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
CACHES = {"default": cache(env.cache_url_config(env.str("CACHE_URL", default="") or "locmemcache://"))}
COUNTS_FILE = str(DATA_DIR / "counts.sqlite3")
"""Where the processes of one machine count budgets together if the cache is not a Redis; it may be lost."""
PICTURES_DIR = DATA_DIR / "pictures"
"""Where pictures of links are stored; it may be lost."""

# In lower case, since it may hold a password and Django's error pages show settings.
database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{quote(str(DATA_DIR / 'db.sqlite3'))}"
DATABASES = {"default": database(env.db_url_config(database_url))}
# On SQLite an atomic request that only reads would still hold the one write lock.
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
# Length and rarity count, not kinds of characters: digits alone are allowed.
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("display_name", "email", "first_name", "last_name")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.validators.NotOfThisSite"},
]
# The link to choose a new password, in seconds.
PASSWORD_RESET_TIMEOUT = 3600

AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
SESSION_ENGINE = "accounts.sessions"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "gameplay:turns"
ACCOUNT_LOGOUT_REDIRECT_URL = "gameplay:home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
# As long as the same code is sent again, so that one lasts ten minutes at most; see accounts/sign_in_limits.py.
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 300
# A letter more than usual, because browsers that ask within minutes try the same code.
ACCOUNT_LOGIN_BY_CODE_FORMAT = {"length": 9}
# One address a person: changing it keeps the old one until the new one is confirmed.
ACCOUNT_CHANGE_EMAIL = True
# Whoever finds a browser signed in cannot take the account away by another address.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
ACCOUNT_USER_DISPLAY = "accounts.queries.display_name"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignUpForm",
    "change_password": "accounts.forms.NewPasswordForm",
    "confirm_login_code": "accounts.forms.MailedCodeForm",
    "request_login_code": "accounts.forms.CodeRequestForm",
    "reset_password": "accounts.forms.ForgottenPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetFromKeyForm",
}
ACCOUNT_RATE_LIMITS: dict[str, str | None] = {
    # These count by account, and would lock out its owner; accounts/sign_in_limits.py counts by device and network.
    **dict.fromkeys(["login", "login_failed", "reauthenticate", "change_password", "request_login_code"]),
    "reset_password": "20/m/ip",
    "passkey": "60/m/ip",
    # Sign-up says when an address is taken. Hiding it would take two accounts with one address, and a mailed code would
    # open the wrong one; so few addresses can be tried from one place, and yet a whole club can sign up in it.
    "signup": "20/m/ip,100/h/ip",
}
MFA_ADAPTER = "accounts.second_step.adapter.Adapter"
MFA_FORMS = {
    "activate_totp": "accounts.second_step.forms.ActivateForm",
    "authenticate": "accounts.second_step.forms.CodeForm",
    "reauthenticate": "accounts.second_step.forms.CodeAgainForm",
    "add_webauthn": "accounts.second_step.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.second_step.forms.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.second_step.forms.PasskeyForm",
    "login_webauthn": "accounts.second_step.forms.PasskeyAloneForm",
    "reauthenticate_webauthn": "accounts.second_step.forms.PasskeyAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# A passkey signs in alone, so it always asks for a finger, a face or a PIN.
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_RECOVERY_CODES_SHOW_ONCE = True
# Two requests a sign-in, and a whole club may sit behind one address.
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}
USERSESSIONS_TRACK_ACTIVITY = False
SOCIALACCOUNT_ADAPTER = "accounts.providers.adapter.Adapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.providers.forms.ProviderSignUpForm"}
# A form asks for the name, as for everybody who signs up.
SOCIALACCOUNT_AUTO_SIGNUP = False
# An account is only joined by who is signed in to it; see accounts/providers/adapter.py.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_LOGIN_ON_GET = False
# Limits count by address: behind the proxy it is the last one in X-Forwarded-For, which nobody outside can forge.
ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT

email_url = env.email_url_config(env.str("EMAIL_URL", default="") or "consolemail://")
vars().update(email_url)
default_from = f"Foothold <no-reply@{urlsplit(SITE_URL).hostname or 'localhost'}>"
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="") or default_from
# A mail server that hangs must not hold a worker for ever.
EMAIL_TIMEOUT = 10
BOUNCE_TOKEN = os.environ.get("BOUNCE_TOKEN", "")

# The private key of web push: 32 bytes in URL-safe base64. Whoever changes it loses every subscription.
VAPID_KEY = os.environ.get("VAPID_KEY") or kept_secret(DATA_DIR / "vapid_key", 32)
UNSAID = {name for name in ("SECRET_KEY", "VAPID_KEY", "EMAIL_FROM", "PROXY_COUNT") if not os.environ.get(name)}
"""Variables without a value, whose defaults apply; read by config/checks.py."""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["gameplay.api.limits.Json"],
    "DEFAULT_THROTTLE_CLASSES": ["gameplay.api.limits.Throttle"],
    "DEFAULT_SCHEMA_CLASS": "gameplay.api.schema.EndpointSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "gameplay.api.errors.api_error",
}
REST_KNOX = {"TOKEN_MODEL": "accounts.ApiToken", "TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Bearer"}
KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105  a model
# Knox's own migrations make its own table all the same, which then refers to ours and keeps tests from emptying them.
MIGRATION_MODULES: dict[str, str | None] = {"knox": None}
API_TOKEN_MOST_DAYS = int(os.environ.get("API_TOKEN_MOST_DAYS") or 365)
"""The longest lifetime of a token. 0 allows tokens that never expire."""
SPECTACULAR_SETTINGS = {
    "TITLE": "Foothold",
    "DESCRIPTION": "Play Hand and Foot by program (tables, views, legal moves, moves, records), run and enter events"
    " (entries, draws, results, standings), and run clubs (members, news, house rules, leagues). A request"
    " carries `Authorization: Bearer …` with a token that you create in your account under API tokens. Changes at"
    " tables are sent live by `GET /live/?tables=<slug>,<slug>`, a stream of server-sent events"
    " `event: table`, `data: <slug> <version>`.",
    "VERSION": "1",
    # The first with webhooks.
    "OAS_VERSION": "3.1.0",
    "WEBHOOKS": ["gameplay.api.webhooks.NOTIFICATIONS", "clubs.api.webhooks.NEWS"],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "gameplay.api.schema.tell_kinds_of_files",
        "gameplay.api.schema.allow_anything_once",
    ],
    "ENUM_NAME_OVERRIDES": {
        "TableStatus": "gameplay.models.Table.Status",
        "TableClock": "gameplay.models.Table.Clock",
        "MovedBy": "gameplay.models.Move.By",
        "EventStatus": "tournaments.models.Tournament.Status",
        "EntryStatus": "tournaments.models.Entry.Status",
        "StageStatus": "tournaments.models.Stage.Status",
        "RoundStatus": "tournaments.models.Round.Status",
        "MatchStatus": "tournaments.models.Pairing.Status",
        "ResultStatus": "tournaments.models.Result.Status",
        "OrganiserRoles": "tournaments.models.Organiser.Role",
        "MemberRoles": "tournaments.models.Member.Role",
        "MissedRounds": "tournaments.api.request_serializers.MISSED",
        "ClubJoining": "clubs.models.Club.Joining",
        "ClubRoles": "clubs.models.Membership.Role",
        "RequestStatus": "clubs.models.JoinRequest.Status",
        "LinkKind": "clubs.api.request_serializers.people.LINKS",
        "NewsletterStatus": "clubs.models.Newsletter.Status",
        "NewsKinds": "clubs.news_places.kinds.NAMES",
        "DeliveryStatus": "clubs.models.NewsDelivery.Status",
        "LeagueKind": "clubs.models.League.Kind",
        "TeamRoles": "clubs.models.TeamMember.Role",
        "SeasonStatus": "clubs.models.Season.Status",
        "SeasonEventKind": "clubs.models.SeasonEvent.Kind",
        "RepeatingEvery": "clubs.models.RepeatingMeeting.Every",
        "AnswerWays": "clubs.models.Reply.Way",
        "SeriesWays": "engine.compete.series.WAYS",
        "ComingAnswerChoices": "clubs.api.request_serializers.coming.ANSWERS",
        "ProposalStatus": "clubs.models.Proposal.Status",
    },
}

ABSENCE_DAYS_A_YEAR = 30
"""Days a year for which a person's clocks can be paused."""

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
"""Languages to choose from, each under its own name; see docs/translating.md."""
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = IS_HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or "fsx://"
if CELERY_BROKER_URL.startswith("fsx://"):
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"folder": str(DATA_DIR / "queue"), "polling_interval": 0.1}
if CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
    # With the default time-outs a Redis that accepts but never answers would hold a request for ever.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 120,
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.5,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.05,
    }
# Nor may a RabbitMQ that never answers, for the four seconds that are the default.
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.05, "interval_max": 0.05}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# The worker logs as the rest does, and an e-mail to the console is printed as it is.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
LANES = {
    "clocks": [
        "gameplay.tasks.sweep_deadlines",
        "gameplay.tasks.sweep_quick_matches",
        "tournaments.tasks.advance",
        "tournaments.tasks.take_result",
        "tournaments.tasks.sweep",
    ],
    "bots": [
        "gameplay.tasks.play_bots",
        "gameplay.tasks.sweep_bots",
        "gameplay.tasks.work_on_reviews",
        "gameplay.tasks.sweep_reviews",
    ],
    "letters": [
        "accounts.tasks.sweep_notices",
        "accounts.tasks.send_to_place",
        "accounts.tasks.sweep_places",
        "accounts.tasks.sweep_digests",
        "accounts.tasks.sweep_erasures",
        "accounts.tasks.clear_old",
        "gameplay.tasks.send_invitation",
        "gameplay.tasks.sweep_letters",
        "tournaments.tasks.draw_pictures",
        "tournaments.tasks.send_letter",
        "tournaments.tasks.sweep_letters",
        "tournaments.tasks.rate",
        "tournaments.tasks.rate_tournament",
        "tournaments.tasks.sweep_ratings",
        "clubs.tasks.send_invitation",
        "clubs.tasks.sweep_invitations",
        "clubs.tasks.send_newsletter",
        "clubs.tasks.sweep_newsletters",
        "clubs.tasks.sweep_matchday_drafts",
        "clubs.tasks.send_reply_letters",
        "clubs.tasks.sweep_reply_letters",
        "clubs.tasks.sweep_meetings",
        "clubs.tasks.follow_event",
        "clubs.tasks.send_news",
        "clubs.tasks.sweep_news",
    ],
}
"""Every task by its queue. Each queue has workers of its own, so that none waits behind another (docs/queues.md)."""
CELERY_TASK_ROUTES = {task: {"queue": lane} for lane, tasks in LANES.items() for task in tasks}
# Without -Q a worker takes all of them. The last is where earlier releases queued.
CELERY_TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in [*LANES, "celery"]}
CELERY_TASK_DEFAULT_QUEUE = "letters"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_BEAT_SCHEDULE = {
    "bots": {"task": "gameplay.tasks.sweep_bots", "schedule": 5.0, "options": {"expires": 5.0}},
    "reviews": {"task": "gameplay.tasks.sweep_reviews", "schedule": 10.0, "options": {"expires": 10.0}},
    "deadlines": {"task": "gameplay.tasks.sweep_deadlines", "schedule": 15.0, "options": {"expires": 15.0}},
    "quick_matches": {"task": "gameplay.tasks.sweep_quick_matches", "schedule": 5.0, "options": {"expires": 5.0}},
    "letters": {"task": "gameplay.tasks.sweep_letters", "schedule": 60.0, "options": {"expires": 60.0}},
    "notices": {"task": "accounts.tasks.sweep_notices", "schedule": 20.0, "options": {"expires": 20.0}},
    "own_places": {"task": "accounts.tasks.sweep_places", "schedule": 60.0, "options": {"expires": 60.0}},
    "digests": {"task": "accounts.tasks.sweep_digests", "schedule": 600.0, "options": {"expires": 600.0}},
    "erasures": {"task": "accounts.tasks.sweep_erasures", "schedule": 300.0, "options": {"expires": 300.0}},
    "tournaments": {"task": "tournaments.tasks.sweep", "schedule": 10.0, "options": {"expires": 10.0}},
    "entry_letters": {"task": "tournaments.tasks.sweep_letters", "schedule": 60.0, "options": {"expires": 60.0}},
    "invitations": {"task": "clubs.tasks.sweep_invitations", "schedule": 60.0, "options": {"expires": 60.0}},
    "newsletters": {"task": "clubs.tasks.sweep_newsletters", "schedule": 60.0, "options": {"expires": 60.0}},
    "matchday_drafts": {"task": "clubs.tasks.sweep_matchday_drafts", "schedule": 60.0, "options": {"expires": 60.0}},
    "reply_letters": {"task": "clubs.tasks.sweep_reply_letters", "schedule": 60.0, "options": {"expires": 60.0}},
    "meetings": {"task": "clubs.tasks.sweep_meetings", "schedule": 60.0, "options": {"expires": 60.0}},
    "news": {"task": "clubs.tasks.sweep_news", "schedule": 60.0, "options": {"expires": 60.0}},
    "ratings": {"task": "tournaments.tasks.sweep_ratings", "schedule": 300.0, "options": {"expires": 300.0}},
    # Once a day by its own record, which outlasts restarts; looked at every hour, so that a run that broke off goes on.
    "old": {"task": "accounts.tasks.clear_old", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

TEST_RECEIVERS: tuple[str, ...] = ()
"""Hosts with ports, on this machine, that requests may go to without TLS. Tests alone name some."""
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
ERROR_HOOK = env.str("ERROR_HOOK", default="")
TRUST_REQUEST_ID = env.bool("TRUST_REQUEST_ID", default=False)

LOG_FORMAT = env.str("LOG_FORMAT", default="") or "text"
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured("LOG_FORMAT must be text or json.")
# Django alone would print no error unless DEBUG is on.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "web.monitoring.logs.Text", "format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "web.monitoring.logs.Json"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="") or "INFO"},
    "loggers": {
        # A line for each request and each task, several a second: for programs to read.
        "web.monitoring.request_logging": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        "config.tasks_watched": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        # Celery tells of every task that begins and ends, and of failures with the words of the error.
        "celery": {"level": "WARNING"},
        "celery.app.trace": {"level": "CRITICAL"},
        # It tells of every passkey that signs in.
        "fido2": {"level": "WARNING"},
        # The lines of these servers go the same way as ours, and their lists of requests, with addresses, nowhere.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "level": "CRITICAL"},
        "gunicorn.error": {"handlers": [], "propagate": True},
        "gunicorn.access": {"handlers": [], "level": "CRITICAL"},
    },
}
