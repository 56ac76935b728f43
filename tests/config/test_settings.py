import runpy
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.celery import app
from tests.config import deployed

ROOT = Path(__file__).parents[2]
NAMES = deployed.explained()


@pytest.fixture
def read_settings(monkeypatch, tmp_path):
    """Runs settings.py again with this environment and an empty DATA_DIR."""

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
    assert settings["CELERY_BROKER_URL"] == "fsx://"


def test_secret_key_is_made_once_and_readable_by_its_owner_only(read_settings, tmp_path):
    first = read_settings()["SECRET_KEY"]
    assert len(first) >= 50
    assert read_settings()["SECRET_KEY"] == first
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"secret_key", "vapid_key"}
    assert stat.S_IMODE((tmp_path / "data/secret_key").stat().st_mode) == 0o600


def test_secret_key_of_the_environment_is_taken_as_it_stands(read_settings, tmp_path):
    assert read_settings(SECRET_KEY="$given")["SECRET_KEY"] == "$given"
    assert not (tmp_path / "data/secret_key").exists()


def test_former_secret_keys_of_the_environment_are_known(read_settings):
    assert read_settings()["SECRET_KEY_FALLBACKS"] == []
    assert read_settings(SECRET_KEY_FALLBACKS="one,$two")["SECRET_KEY_FALLBACKS"] == ["one", "$two"]


def test_sqlite_by_default(read_settings, tmp_path):
    database = read_settings()["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert database["NAME"] == str(tmp_path / "data/db.sqlite3")
    assert database["CONN_MAX_AGE"] is None
    assert database["ATOMIC_REQUESTS"] is False
    assert database["OPTIONS"]["timeout"] == 20
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;" in database["OPTIONS"]["init_command"]


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
    pool = {"min_size": 2, "max_size": 8, "timeout": 10, "reconnect_timeout": 5}
    options = database["OPTIONS"].pop("options")
    assert database["OPTIONS"] == {"pool": pool, "prepare_threshold": 1}
    # A machine that died is noticed within five seconds, whether it was silent or did not take an answer.
    noticed = dict(each.split("=") for each in options.split(" ") if each != "-c")
    assert noticed == {
        "tcp_keepalives_idle": "3",
        "tcp_keepalives_interval": "1",
        "tcp_keepalives_count": "2",
        "tcp_user_timeout": "5000",
    }


@pytest.mark.parametrize("url", ["mysql://localhost/club", "oops://localhost/club"])
def test_other_databases_are_refused(read_settings, url):
    with pytest.raises(ImproperlyConfigured, match="must name a PostgreSQL or an SQLite database"):
        read_settings(DATABASE_URL=url)


def test_empty_variables_count_as_absent(read_settings):
    settings = read_settings(**dict.fromkeys(set(NAMES) - {"DATA_DIR"}, ""))
    assert len(settings["SECRET_KEY"]) >= 50
    assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"
    assert settings["CELERY_BROKER_URL"] == "fsx://"
    assert settings["CACHES"]["default"]["BACKEND"].endswith("LocMemCache")
    assert settings["EMAIL_BACKEND"].endswith("console.EmailBackend")
    assert settings["LOGGING"]["root"]["level"] == "INFO"
    assert settings["DEFAULT_FROM_EMAIL"] == "Foothold <no-reply@localhost>"


@pytest.mark.parametrize(("site_url", "is_https"), [("http://club.lan:8000", False), ("https://a.example/", True)])
def test_cookies_and_redirects_follow_the_site_url(read_settings, site_url, is_https):
    settings = read_settings(SITE_URL=site_url)
    assert settings["CSRF_TRUSTED_ORIGINS"] == [site_url.rstrip("/")]
    assert settings["SESSION_COOKIE_SECURE"] is is_https
    assert settings["CSRF_COOKIE_SECURE"] is is_https
    assert settings["SESSION_COOKIE_NAME"] == ("__Host-sessionid" if is_https else "sessionid")
    assert settings["CSRF_COOKIE_NAME"] == ("__Host-csrftoken" if is_https else "csrftoken")
    assert settings["SECURE_SSL_REDIRECT"] is is_https
    assert (settings["SECURE_HSTS_SECONDS"] > 0) is is_https


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("", "", "http://localhost:8000"),
        ("127.0.0.1", "8001", "http://127.0.0.1:8001"),
        ("0.0.0.0", "80", "http://localhost:80"),
        ("::1", "", "http://[::1]:8000"),
        ("club.lan", "9000", "http://club.lan:9000"),
    ],
)
def test_the_site_is_where_it_is_served_unless_told_otherwise(read_settings, host, port, address):
    settings = read_settings(HOST=host, PORT=port)
    assert settings["SITE_URL"] == address
    assert settings["CSRF_TRUSTED_ORIGINS"] == [address]
    assert read_settings(HOST=host, PORT=port, SITE_URL="https://a.example")["SITE_URL"] == "https://a.example"


@pytest.mark.parametrize(
    ("value", "contact"),
    [
        ("", ""),
        (" safe@club.example ", "mailto:safe@club.example"),
        ("mailto:safe@club.example", "mailto:safe@club.example"),
        ("https://club.example/security", "https://club.example/security"),
    ],
)
def test_the_contact_for_reports_is_an_address_with_its_scheme(read_settings, value, contact):
    assert read_settings(SECURITY_CONTACT=value)["SECURITY_CONTACT"] == contact


def test_static_files_are_served_from_where_they_lie_until_they_are_collected(read_settings, tmp_path):
    assert read_settings()["STATIC_ROOT"] is None
    (tmp_path / "data/static").mkdir()
    (tmp_path / "data/static/staticfiles.json").touch()
    settings = read_settings()
    assert settings["STATIC_ROOT"] == tmp_path / "data/static"
    assert "Manifest" in settings["STORAGES"]["staticfiles"]["BACKEND"]
    assert settings["WHITENOISE_USE_FINDERS"] is False


def test_static_files_may_be_collected_elsewhere(read_settings, tmp_path):
    (tmp_path / "staticfiles.json").touch()
    assert read_settings(STATIC_DIR=str(tmp_path))["STATIC_ROOT"] == tmp_path


@pytest.mark.parametrize(
    ("environment", "count", "believed"),
    [
        ({}, 0, None),
        ({"SITE_URL": "https://a.example"}, 1, ("HTTP_X_FORWARDED_PROTO", "https")),
        ({"SITE_URL": "https://a.example", "PROXY_COUNT": "2"}, 2, ("HTTP_X_FORWARDED_PROTO", "https")),
        ({"SITE_URL": "https://a.example", "PROXY_COUNT": "0"}, 0, None),
        ({"SITE_URL": "http://club.lan", "PROXY_COUNT": "1"}, 1, None),
    ],
)
def test_so_many_proxies_are_believed_as_there_are(read_settings, environment, count, believed):
    settings = read_settings(**environment)
    assert settings["ALLAUTH_TRUSTED_PROXY_COUNT"] == count
    assert settings["SECURE_PROXY_SSL_HEADER"] == believed


@pytest.mark.parametrize(
    ("environment", "machines", "processes"),
    [
        ({}, False, False),
        ({"WEB_CONCURRENCY": "1"}, False, False),
        ({"WEB_CONCURRENCY": "5"}, False, True),
        ({"SEVERAL_MACHINES": "yes"}, True, True),
        ({"SEVERAL_MACHINES": "no"}, False, False),
    ],
)
def test_whether_processes_must_share(read_settings, environment, machines, processes):
    settings = read_settings(**environment)
    assert (settings["SEVERAL_MACHINES"], settings["SEVERAL_PROCESSES"]) == (machines, processes)


def test_a_cache_that_never_answers_holds_nobody_for_ever(read_settings):
    cache = read_settings(CACHE_URL="redis://cache:6379/1")["CACHES"]["default"]
    assert cache["LOCATION"] == "redis://cache:6379/1"
    assert cache["BACKEND"] == "config.cache.Cache"
    assert cache["OPTIONS"] == {"socket_timeout": 0.5, "socket_connect_timeout": 0.5}


def test_nothing_is_kept_where_everything_is_given(read_settings, tmp_path):
    settings = read_settings(**deployed.by_units() | {"DATA_DIR": str(tmp_path / "data")})
    assert settings["UNSAID"] == set()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("demo", ["yes", "no"])
def test_the_demo_is_made_as_told_and_else_where_nobody_is_by(read_settings, demo):
    assert read_settings(DEMO=demo)["IS_DEMO"] is (demo == "yes")
    assert read_settings(DEMO="")["IS_DEMO"] is True
    assert read_settings(DEMO="", SITE_URL="https://a.example")["IS_DEMO"] is False


@pytest.mark.django_db
def test_the_database_in_use_answers():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_the_broker_in_use_answers():
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1)
        assert broker.connected


def test_a_provider_of_accounts_is_offered_if_all_of_its_variables_are_set(read_settings):
    assert read_settings()["SOCIALACCOUNT_PROVIDERS"] == {}
    settings = read_settings(GOOGLE_CLIENT_ID="us", GOOGLE_CLIENT_SECRET="$hush")
    assert settings["SOCIALACCOUNT_PROVIDERS"]["google"]["APPS"] == [
        {"name": "Google", "client_id": "us", "secret": "$hush"}
    ]
    assert "allauth.socialaccount.providers.google" in settings["INSTALLED_APPS"]
    with pytest.raises(ImproperlyConfigured, match=r"^OIDC_URL, OIDC_NAME must be set as well"):
        read_settings(OIDC_CLIENT_ID="us", OIDC_CLIENT_SECRET="hush")
    with pytest.raises(ImproperlyConfigured, match="https"):
        read_settings(OIDC_CLIENT_ID="us", OIDC_CLIENT_SECRET="hush", OIDC_NAME="Club ID", OIDC_URL="http://id.example")


def test_several_providers_of_openid_connect_are_offered_side_by_side(read_settings):
    second = {
        "OIDC_2_URL": "https://id.example", "OIDC_2_NAME": "Two", "OIDC_2_CLIENT_ID": "us", "OIDC_2_CLIENT_SECRET": "hush"
    }  # fmt: skip
    third = {name.replace("_2_", "_3_"): value for name, value in second.items()} | {"OIDC_3_NAME": "Three"}
    apps = read_settings(**second, **third)["SOCIALACCOUNT_PROVIDERS"]["openid_connect"]["APPS"]
    assert [(app["provider_id"], app["name"]) for app in apps] == [("openid-2", "Two"), ("openid-3", "Three")]
    with pytest.raises(ImproperlyConfigured, match=r"^OIDC_2_URL must begin with https"):
        read_settings(**second | {"OIDC_2_URL": "http://id.example"})
