"""The database of the tests: migrated once, kept while the migrations stay the same, copied for each process.

A plugin of `tests/conftest.py`. Django and drivers are imported late, because the engine’s tests run without.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ALWAYS_FULL = {"django_migrations", "django_content_type", "auth_permission"}
"""Tables that migrating fills, and no test changes."""


@pytest.fixture(scope="session")
def template(request, django_test_environment, django_db_blocker, tmp_path_factory):
    """A migrated database to copy: the path of a file, or the name of a database on the server."""
    from django.db import connection

    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir("foothold-database") if cache else tmp_path_factory.getbasetemp()
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            return file_template(folder)
        return server_template(folder)


@pytest.fixture(scope="session")
def django_db_setup(template, django_db_modify_db_settings_parallel_suffix, django_db_blocker, tmp_path_factory):
    """Gives this process a copy of its own, in place of pytest-django's, which migrates in each process."""
    from django.db import connection
    from django.test import TransactionTestCase

    TransactionTestCase._fixture_teardown = empty
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            # In a file, as the site has it: in memory, threads would share one connection's locks.
            name = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
            shutil.copy(template, name)
            # Nobody needs what a test stored after a power cut, and waiting for the disk takes time.
            options = connection.settings_dict["OPTIONS"]
            options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
            use(name)
            yield
            return
        name = connection.creation._get_test_db_name()
        make_from(template, name)
        former = use(name)
        yield
        use(former)
        administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def module_db(django_db_setup, django_db_blocker):
    """The database of a module: each test finds the rows that a fixture stored in it.

    Tests of the module that do without run first, and find it empty; none of them may end transactions itself.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Within each file, put the tests that use `module_db` after those that do not."""
    runs = (run for _, run in groupby(items, key=lambda item: item.path))
    items[:] = [item for run in runs for item in sorted(run, key=lambda item: "module_db" in item.fixturenames)]


def empty(case):
    """Delete the rows that a test stored, in place of Django’s flush, which goes through all tables."""
    from django.db import connection, transaction

    with connection.cursor() as cursor:
        tables = [name for name in connection.introspection.table_names(cursor) if name not in ALWAYS_FULL]
        filled = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in tables)
        cursor.execute(filled)
        # One transaction: foreign keys are checked at its end.
        with transaction.atomic():
            for (name,) in cursor.fetchall():
                cursor.execute(f'DELETE FROM "{name}"')


def use(name):
    """Switch Django to this database; returns the name of the former."""
    from django.conf import settings
    from django.db import connection

    former = connection.settings_dict["NAME"]
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name
    return former


def migrate(name):
    """Make all tables in this empty database."""
    from django.core.management import call_command

    former = use(name)
    call_command("migrate", verbosity=0, interactive=False)
    use(former)


def stamp() -> str:
    """Tells one set of migrations, and of libraries, from another."""
    import django
    from django.apps import apps

    hashed = hashlib.sha256(django.__version__.encode())
    for config in sorted(apps.get_app_configs(), key=lambda config: config.label):
        for path in sorted(Path(config.path).glob("migrations/*.py")):
            hashed.update(f"{config.label}/{path.name}\0".encode() + path.read_bytes())
    return hashed.hexdigest()[:16]


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Several processes make the same template at once: one does, the others wait for it."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def file_template(folder: Path) -> Path:
    path = folder / f"{stamp()}.sqlite3"
    with one_at_a_time(folder / "lock"):
        if not path.exists():
            for former in folder.glob("*.sqlite3*"):
                former.unlink()
            fresh = path.with_suffix(".sqlite3.fresh")
            migrate(str(fresh))
            fresh.rename(path)
    return path


def server_template(folder: Path) -> str:
    from django.db import connection

    name, comment = f"test_{connection.settings_dict['NAME']}_template", stamp()
    with one_at_a_time(folder / "lock"):
        query = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s"
        if administer(query, [name]) != [(comment,)]:
            administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            administer(f'CREATE DATABASE "{name}"')
            migrate(name)
            # Said last: a template without it was left half made.
            administer(f"COMMENT ON DATABASE \"{name}\" IS '{comment}'")
    return name


def make_from(template: str, name: str) -> None:
    administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    administer(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


def administer(statement: str, values=None) -> list[tuple]:
    """Carry out a statement on the server of DATABASE_URL, in none of the databases that tests use."""
    import psycopg

    url = urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres").geturl()
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, values)
        return cursor.fetchall() if cursor.description else []
