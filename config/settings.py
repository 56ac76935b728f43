"""All settings, from the environment, with defaults that are safe and need no server to be installed.

SECRET_KEY         default: made on first use and kept in DATA_DIR
DEBUG              default: off
DATA_DIR           default: data/ beside this checkout; holds what an installation must keep
DATABASE_URL       default: SQLite in DATA_DIR; else postgres://user:password@host:port/name
CELERY_BROKER_URL  default: memory://; else redis://host:port/number
SITE_URL           default: http://localhost:8000; with https:// a proxy in front ends TLS and sets X-Forwarded-Proto
LOG_LEVEL          default: INFO
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "data"))).absolute()


def kept_secret(path: Path) -> str:
    """The secret kept in this file, made on first use."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        # Several processes may start at once: whichever links first, all of them then read the same key.
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text()


def database(config: dict[str, Any]) -> dict[str, Any]:
    """Django's database entry for a parsed DATABASE_URL; what the address says goes before our options."""
    engine = config.get("ENGINE")
    if engine == "django.db.backends.sqlite3":
        Path(config["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        ours: dict[str, Any] = {"CONN_MAX_AGE": None}
        options: dict[str, Any] = {
            # Writers queue for up to 20 s; a deferred transaction would fail at once when it turns to writing.
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA temp_store=MEMORY;"
            "PRAGMA mmap_size=134217728;PRAGMA journal_size_limit=27103364;PRAGMA cache_size=2000;",
        }
    elif engine == "django.db.backends.postgresql":
        ours = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
        options = {"pool": {"min_size": 2, "max_size": 8}}
    else:
        raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL or an SQLite database.")
    return {**ours, **config, "OPTIONS": {**options, **config.get("OPTIONS", {})}}


# Not by `env`, which would look up the rest of a value that begins with a dollar sign.
SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
DEBUG = env.bool("DEBUG", default=False)

SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
IS_HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS = [urlsplit(SITE_URL).hostname or "localhost", "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [SITE_URL]

SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
# Other names under the same domain are not ours to promise for.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

INSTALLED_APPS = [
    "clubs",
    "tournaments",
    "gameplay",
    "accounts",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ],
        },
    },
]

# In lower case, since it may hold a password and Django's error pages show settings.
database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{quote(str(DATA_DIR / 'db.sqlite3'))}"
DATABASES = {"default": database(env.db_url_config(database_url))}
# On SQLite an atomic request that only reads would still hold the one write lock.
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or "memory://"
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
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.05,
    "interval_max": 0.05,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"

# Django alone would print no error unless DEBUG is on.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
