"""The installation as one file, made while the site is written to, and brought back elsewhere with nothing lost."""

import io
import json
import os
import stat
import subprocess
import sys
import tarfile

import pytest

from tests.sites import PATIENCE, ROOT


def manage(site, *arguments):
    """The output of a command of the site; fails with the command."""
    process = command(site, *arguments)
    assert process.returncode == 0, process.stderr
    return process.stdout


def command(site, *arguments):
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def rows(site):
    """The whole database, by model."""
    return json.loads(manage(site, "dumpdata", "--natural-foreign", "--exclude", "contenttypes"))


def test_a_backup_under_load_is_a_sound_site_elsewhere(make_site, broker, wait_for):
    here, there = make_site(broker), make_site(broker)
    writing = here.start("manage.py", "demo")
    wait_for(lambda: here.number("SELECT count(*) FROM gameplay_move") > 20, "the first moves", here)
    during = here.folder / "during.tar.gz"
    manage(here, "backup", during)
    assert writing.wait(PATIENCE) == 0, here.output()
    after = here.folder / "after.tar.gz"
    manage(here, "backup", after)
    assert stat.S_IMODE(after.stat().st_mode) == 0o600
    assert not [name for name in os.listdir(here.folder) if name.startswith(".")]

    there.empty()
    assert "Everything is as on 20" in manage(there, "restore", during)
    assert manage(there, "doctor").endswith("Everything fits.\n")
    assert there.number("SELECT count(*) FROM gameplay_move") > 20

    refused = command(there, "restore", after)
    assert refused.returncode == 1
    assert "The database is not empty. Add --replace" in refused.stderr
    manage(there, "restore", after, "--replace")
    assert manage(there, "doctor").endswith("Everything fits.\n")
    assert rows(there) == rows(here)
    for name in ("secret_key", "vapid_key"):
        assert (there.folder / name).read_text() == (here.folder / name).read_text()
        assert stat.S_IMODE((there.folder / name).stat().st_mode) == 0o600


def archive(path, **files):
    with tarfile.open(path, "w:gz") as archive_file:
        for name, text in files.items():
            member = tarfile.TarInfo(name.replace("__", "/"))
            member.size = len(text)
            archive_file.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"other": "x"}, "This is not a backup of this site. It contains other files."),
        ({"about.json": "{}"}, "This is not a backup of this site."),
        ({"about.json": "{"}, "The backup cannot be read: "),
        ({"..__about.json": "{}"}, "This is not a backup of this site. It contains other files."),
        (
            {"about.json": '{"format": "foothold-backup/1", "database": "dBase"}', "database": ""},
            "This is a backup of dBase. The site uses ",
        ),
    ],
)
def test_what_is_no_backup_is_refused_and_nothing_changes(site, files, sentence):
    before = site.number("SELECT count(*) FROM django_migrations")
    refused = command(site, "restore", archive(site.folder / "other.tar.gz", **files), "--replace")
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
    assert site.number("SELECT count(*) FROM django_migrations") == before


def test_a_place_that_cannot_be_written_to_is_told_plainly(site):
    refused = command(site, "backup", site.folder / "nowhere" / "backup.tar.gz")
    assert refused.returncode == 1
    assert "The backup could not be written: " in refused.stderr
    assert "Traceback" not in refused.stderr
