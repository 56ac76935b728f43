"""Unsafe settings are told, each with its mend; safe ones are not."""

import re
from types import SimpleNamespace

import pytest
from django.core.checks import ERROR, WARNING

from config import checks
from tests.config import deployed

LOCMEM = "django.core.cache.backends.locmem.LocMemCache"
REDIS = "config.cache.Cache"
ALL = {danger.id: danger for danger in (*checks.ALWAYS, *checks.DEPLOYED)}


@pytest.fixture
def safe(monkeypatch):
    """Settings of a site on several machines that are as they should be."""
    safe_values = SimpleNamespace(
        SITE_URL="https://club.example",
        IS_HTTPS=True,
        DEBUG=False,
        IS_DEMO=False,
        SEVERAL_MACHINES=True,
        SEVERAL_PROCESSES=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.postgresql"}},
        CELERY_BROKER_URL="amqp://host",
        CACHES={"default": {"BACKEND": REDIS}},
        SECRET_KEY=deployed.FILLED_IN["SECRET_KEY"],
        VAPID_KEY=deployed.FILLED_IN["VAPID_KEY"],
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="mail.example",
        EMAIL_HOST_PASSWORD="password",
        EMAIL_USE_TLS=True,
        EMAIL_USE_SSL=False,
        PROXY_COUNT=1,
        UNSAID=set(),
        LOGGING={"root": {"level": "INFO"}},
    )
    monkeypatch.setattr(checks, "settings", safe_values)
    return safe_values


def ids():
    return [message.id.removeprefix("foothold.") for message in checks.messages(ALL.values())]


def test_safe_settings_are_not_spoken_of(safe):
    assert ids() == []


UNSAFE = [
    ("E001", {"DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3"}}}),
    ("E002", {"CELERY_BROKER_URL": "fsx://"}),
    ("E002", {"CELERY_BROKER_URL": "memory://"}),
    ("E003", {"CACHES": {"default": {"BACKEND": LOCMEM}}}),
    ("E003", {"CACHES": {"default": {"BACKEND": LOCMEM}}, "SEVERAL_MACHINES": False}),
    ("E004", {"UNSAID": {"SECRET_KEY"}}),
    ("E005", {"UNSAID": {"VAPID_KEY"}}),
    ("E006", {"VAPID_KEY": ""}),
    ("E006", {"VAPID_KEY": "q" * 40}),
    ("E006", {"VAPID_KEY": "_" * 43}),
    ("E006", {"VAPID_KEY": "A" * 43}),
    ("E006", {"VAPID_KEY": "ü" * 43}),
    ("E007", {"SITE_URL": "club.example"}),
    ("E007", {"SITE_URL": "https://club.example/site"}),
    ("E007", {"SITE_URL": "https://*.example"}),
    ("E007", {"SITE_URL": "https://.club.example"}),
    ("E007", {"SITE_URL": "https://club.example:port"}),
    ("E007", {"SITE_URL": "https://ann@club.example"}),
    ("E008", {"DEBUG": True}),
    ("E009", {"IS_DEMO": True}),
    ("E010", {"SECRET_KEY": "short and known"}),
    ("E010", {"SECRET_KEY": "abc" * 30}),
    ("W001", {"SITE_URL": "http://club.lan:8000", "IS_HTTPS": False}),
    ("W002", {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}),
    ("W003", {"UNSAID": {"EMAIL_FROM"}}),
    ("W004", {"EMAIL_USE_TLS": False}),
    ("W005", {"UNSAID": {"PROXY_COUNT"}}),
    ("W006", {"LOGGING": {"root": {"level": "DEBUG"}}}),
]


@pytest.mark.parametrize(("name", "changes"), UNSAFE)
def test_what_is_unsafe_is_told(safe, name, changes):
    for setting, value in changes.items():
        setattr(safe, setting, value)
    assert ids() == [name]


def test_every_danger_is_tried():
    assert {name for name, _ in UNSAFE} == set(ALL)


@pytest.mark.parametrize(
    "changes",
    [
        {"SITE_URL": "http://localhost:8000", "IS_HTTPS": False, "DEBUG": True, "IS_DEMO": True},
        {"SITE_URL": "http://[::1]:8000", "IS_HTTPS": False, "DEBUG": True, "IS_DEMO": True},
        {"EMAIL_HOST": "localhost", "EMAIL_USE_TLS": False},
        {"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": True},
        {"EMAIL_USE_TLS": False, "EMAIL_HOST_PASSWORD": None},
        {"PROXY_COUNT": 0, "UNSAID": {"PROXY_COUNT"}},
    ],
)
def test_what_only_looks_unsafe_is_not_told(safe, changes):
    for setting, value in changes.items():
        setattr(safe, setting, value)
    assert ids() == []


@pytest.mark.parametrize("danger", ALL.values(), ids=lambda danger: danger.id)
def test_each_says_what_and_how_it_is_mended(danger):
    message = danger.message()
    assert message.id == f"foothold.{danger.id}"
    assert message.level == (ERROR if danger.id.startswith("E") else WARNING)
    assert message.msg.endswith(".")
    assert message.hint.endswith(".")


@pytest.mark.slow
def test_the_example_filled_in_is_clean_in_containers(tmp_path):
    run = deployed.check(
        "--deploy", "--fail-level", "WARNING", **deployed.in_containers() | {"DATA_DIR": str(tmp_path / "data")}
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_the_example_filled_in_is_clean_for_the_units(tmp_path):
    folders = {"DATA_DIR": str(tmp_path / "data"), "STATIC_DIR": str(tmp_path / "static")}
    run = deployed.check("--deploy", "--fail-level", "WARNING", **deployed.by_units() | folders)
    assert (run.returncode, run.stderr) == (0, "")
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_who_serves_for_themselves_is_not_nagged(tmp_path):
    run = deployed.check("--fail-level", "WARNING", DATA_DIR=str(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.slow
def test_settings_that_cannot_work_stop_every_check(tmp_path):
    run = deployed.check(DATA_DIR=str(tmp_path), SEVERAL_MACHINES="yes")
    assert run.returncode == 1
    assert set(re.findall(r"foothold\.(\w+)", run.stderr)) == {"E001", "E002", "E003", "E004", "E005"}


@pytest.mark.slow
def test_a_club_that_serves_itself_behind_a_proxy_is_told_what_is_missing(tmp_path):
    run = deployed.check("--deploy", DATA_DIR=str(tmp_path), SITE_URL="https://club.example")
    assert run.returncode == 0
    assert set(re.findall(r"\((\w+\.[EW]\d+)\)", run.stderr)) == {"foothold.W002", "foothold.W005"}
