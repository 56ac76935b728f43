import os
import runpy
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.celery import app

ROOT = Path(__file__).parents[2]
NAMES = ("SECRET_KEY", "DEBUG", "DATABASE_URL", "CELERY_BROKER_URL", "SITE_URL", "LOG_LEVEL")


@pytest.fixture
def read_settings(monkeypatch, tmp_path):
    """Runs settings.py anew with this environment and an empty DATA_DIR."""

    def read(**environment):
        for name in NAMES:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "config/settings.py"))

    return read


def test_defaults_are_safe(read_settings):
    settings = read_settings()
    assert settings["DEBUG"] is False
    assert settings["ALLOWED_HOSTS"] == ["localhost", "localhost", "127.0.0.1", "[::1]"]
    assert settings["TIME_ZONE"] == "UTC"
    assert settings["USE_TZ"] is True
    assert settings["CELERY_BROKER_URL"] == "memory://"


def test_secret_key_is_made_once_and_readable_by_its_owner_only(read_settings, tmp_path):
    first = read_settings()["SECRET_KEY"]
    assert len(first) >= 50
    assert read_settings()["SECRET_KEY"] == first
    files = [path.name for path in (tmp_path / "data").iterdir()]
    assert files == ["secret_key"]
    assert stat.S_IMODE((tmp_path / "data/secret_key").stat().st_mode) == 0o600


def test_secret_key_of_the_environment_is_taken_as_it_stands(read_settings, tmp_path):
    assert read_settings(SECRET_KEY="$given")["SECRET_KEY"] == "$given"
    assert not (tmp_path / "data/secret_key").exists()


def test_sqlite_by_default(read_settings, tmp_path):
    database = read_settings()["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["NAME"] == str(tmp_path / "data/db.sqlite3")
    assert database["CONN_MAX_AGE"] is None
    assert database["ATOMIC_REQUESTS"] is False
    assert database["OPTIONS"]["timeout"] == 20
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;" in database["OPTIONS"]["init_command"]


def test_data_dir_may_hold_any_character(read_settings, tmp_path):
    odd = tmp_path / "a b+c#d?e%20f"
    database = read_settings(DATA_DIR=str(odd))["DATABASES"]["default"]
    assert database["NAME"] == str(odd / "db.sqlite3")


def test_postgresql_from_its_url(read_settings):
    database = read_settings(DATABASE_URL="postgres://ann:p%40ss@db:5433/club")["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    expected = {"USER": "ann", "PASSWORD": "p@ss", "HOST": "db", "PORT": 5433, "NAME": "club"}
    assert {name: database[name] for name in expected} == expected
    assert database["CONN_MAX_AGE"] == 0
    assert database["CONN_HEALTH_CHECKS"] is True
    assert database["ATOMIC_REQUESTS"] is False
    assert database["OPTIONS"] == {"pool": {"min_size": 2, "max_size": 8}}


@pytest.mark.parametrize("url", ["mysql://localhost/club", "oops://localhost/club"])
def test_other_databases_are_refused(read_settings, url):
    with pytest.raises(ImproperlyConfigured, match="must name a PostgreSQL or an SQLite database"):
        read_settings(DATABASE_URL=url)


def test_empty_variables_count_as_absent(read_settings):
    settings = read_settings(SECRET_KEY="", DATABASE_URL="", CELERY_BROKER_URL="")
    assert len(settings["SECRET_KEY"]) >= 50
    assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"
    assert settings["CELERY_BROKER_URL"] == "memory://"


@pytest.mark.parametrize(("site_url", "is_https"), [("http://club.lan:8000", False), ("https://a.example/", True)])
def test_cookies_and_redirects_follow_the_site_url(read_settings, site_url, is_https):
    settings = read_settings(SITE_URL=site_url)
    assert settings["CSRF_TRUSTED_ORIGINS"] == [site_url.rstrip("/")]
    assert settings["SESSION_COOKIE_SECURE"] is is_https
    assert settings["CSRF_COOKIE_SECURE"] is is_https
    assert settings["SECURE_SSL_REDIRECT"] is is_https
    assert (settings["SECURE_HSTS_SECONDS"] > 0) is is_https


def test_deployment_check_has_nothing_to_say(tmp_path):
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "SITE_URL": "https://club.example"}
    run = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.django_db
def test_the_database_in_use_answers():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_the_broker_in_use_answers():
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1)
        assert broker.connected
