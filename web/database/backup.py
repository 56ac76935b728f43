"""The whole installation as one file, and back: the database at one moment, and the secrets next to it.

SQLite is copied by its own backup, PostgreSQL by pg_dump and pg_restore; both while the site runs.
"""

import json
import os
import sqlite3
import subprocess
import tarfile
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from web.error_pages import NO_ROOM

FORMAT = "foothold-backup/1"
ABOUT, DATABASE, SECRETS = "about.json", "database", "secrets"
SECRET_NAMES = ("secret_key", "vapid_key")
"""Files of the data folder without which signatures and push subscriptions would no longer hold."""


class CannotBackUp(Exception):
    """A backup that cannot be made or brought back; its text is a sentence for the operator."""


def make(file: Path, database: Mapping[str, Any], data: Path) -> None:
    """Write a backup to `file`, readable by its owner only; it is there whole or not at all.

    `database` is Django's entry of it, `data` the data folder.
    """
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with TemporaryDirectory(dir=file.parent) as folder:
            inside = Path(folder)
            dump(database, inside / DATABASE)
            about = {"format": FORMAT, "database": vendor(database), "made_at": datetime.now(UTC).isoformat()}
            (inside / ABOUT).write_text(json.dumps(about))
            unfinished.touch(mode=0o600)
            with tarfile.open(unfinished, "w:gz", compresslevel=6) as archive:
                for name in (ABOUT, DATABASE):
                    archive.add(inside / name, name)
                for name in SECRET_NAMES:
                    if (data / name).exists():
                        archive.add(data / name, f"{SECRETS}/{name}")
        unfinished.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise CannotBackUp(f"The backup could not be written: {error}.") from None
    finally:
        unfinished.unlink(missing_ok=True)


def restore(file: Path, database: Mapping[str, Any], data: Path, *, replace: bool = False) -> datetime:
    """Restore a backup into an empty database, or with `replace` over the current one; returns its time.

    The site must be stopped.
    """
    data.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=data) as folder:
        inside = Path(folder)
        about = _unpack(file, inside)
        if about["database"] != vendor(database):
            raise CannotBackUp(f"This is a backup of {about['database']}. The site uses {vendor(database)}.")
        if not replace and not is_empty(database):
            raise CannotBackUp("The database is not empty. Add --replace to replace it with the backup.")
        load(database, inside / DATABASE, replace=replace)
        for name in SECRET_NAMES:
            if (inside / SECRETS / name).exists():
                (inside / SECRETS / name).chmod(0o600)
                (inside / SECRETS / name).replace(data / name)
    return datetime.fromisoformat(about["made_at"])


def _unpack(file: Path, folder: Path) -> dict[str, str]:
    """The description in the backup, whose files are unpacked to `folder`."""
    names = {ABOUT, DATABASE, *(f"{SECRETS}/{name}" for name in SECRET_NAMES)}
    try:
        with tarfile.open(file, "r:gz") as archive:
            members = archive.getmembers()
            if any(not member.isfile() or member.name not in names for member in members):
                raise CannotBackUp("This is not a backup of this site. It contains other files.")
            archive.extractall(folder, members, filter="data")
        about: dict[str, str] = json.loads((folder / ABOUT).read_text())
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise CannotBackUp(f"There is no space to unpack the backup: {error}. Nothing was changed.") from None
        raise CannotBackUp(f"The backup cannot be read: {error}.") from None
    if about.get("format") != FORMAT or not (folder / DATABASE).exists():
        raise CannotBackUp("This is not a backup of this site.")
    return about


def vendor(database: Mapping[str, Any]) -> str:
    return "SQLite" if database["ENGINE"].endswith("sqlite3") else "PostgreSQL"


def is_empty(database: Mapping[str, Any]) -> bool:
    """Whether no table is there."""
    if vendor(database) == "SQLite":
        path = Path(database["NAME"])
        if not path.exists():
            return True
        with closing(sqlite3.connect(path)) as connection:
            return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    query = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    return _run(["psql", "-XAtc", query], database).strip() == b"0"


def dump(database: Mapping[str, Any], target: Path) -> None:
    """Dump the database at one moment, while others continue to write."""
    if vendor(database) == "PostgreSQL":
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}"], database)
        return
    if not Path(database["NAME"]).exists():
        raise CannotBackUp("There is no database yet.")
    with closing(sqlite3.connect(database["NAME"], timeout=60)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
        # As one file, without a separate log of writes.
        there.execute("PRAGMA journal_mode=DELETE")


def load(database: Mapping[str, Any], source: Path, *, replace: bool) -> None:
    """Load the dumped database, whole or not at all."""
    if vendor(database) == "PostgreSQL":
        over = ["--clean", "--if-exists"] if replace else []
        command = ["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", *over]
        _run([*command, f"--dbname={database['NAME']}", str(source)], database)
        return
    with closing(sqlite3.connect(source)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise CannotBackUp("The database in the backup is damaged.")
    path = Path(database["NAME"])
    path.parent.mkdir(parents=True, exist_ok=True)
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    source.replace(path)


def _run(command: list[str], database: Mapping[str, Any]) -> bytes:
    """Run a tool of PostgreSQL with its connection in the environment, so that process lists show no password."""
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    where = {name: str(database[key]) for name, key in names.items() if database.get(key)}
    try:
        result = subprocess.run(command, env=os.environ | where, capture_output=True, check=True)
    except FileNotFoundError:
        raise CannotBackUp(f"{command[0]} is not installed. It is part of the PostgreSQL client.") from None
    except subprocess.CalledProcessError as error:
        raise CannotBackUp(f"{command[0]} failed: {error.stderr.decode(errors='replace').strip()}") from None
    return result.stdout
