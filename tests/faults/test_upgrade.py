"""A filled database is brought up to date while the release before serves from it: nobody notices, nothing is lost."""

import threading
import urllib.request

from tests.config.test_backup import manage
from tests.faults.test_database import AWAY, wait_for_moves
from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import PATIENCE, ROOT

TABLES, PLAYED = 20, 2
SETTINGS = """
from config.settings import *
MIGRATION_MODULES = {**MIGRATION_MODULES, "gameplay": "of_the_next_release"}
"""

NEXT = """
from django.db import migrations, models

def fill(apps, schema_editor):
    Table = apps.get_model("gameplay", "Table")
    Coin = apps.get_model("gameplay", "Coin")
    for table in Table.objects.order_by("pk"):
        Table.objects.filter(pk=table.pk).update(motto=table.name.upper())
        Coin.objects.create(table=table, name=table.name)

class Migration(migrations.Migration):
    dependencies = [("gameplay", "LAST")]
    operations = [
        migrations.CreateModel("Coin", [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=60)),
            ("table", models.ForeignKey("gameplay.table", models.CASCADE)),
        ]),
        migrations.AddField("table", "motto", models.CharField(max_length=60, null=True)),
        migrations.AddField("move", "weight", models.IntegerField(db_default=1)),
        migrations.AlterField("table", "name", models.CharField(max_length=60, null=True)),
        migrations.AddIndex("move", models.Index(fields=["weight"], name="by_weight")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
"""
"""All that `tests/config/test_migrations.py` allows: a table, unused columns, nullable ones, an index, data."""


class Watched(Poster):
    """Notes unexpected answers."""

    def __init__(self, address, slug, tokens):
        super().__init__(address, slug, tokens)
        self.address, self.faults, self.read = address, [], 0

    def play_until(self, is_over):
        try:
            while not is_over.is_set():
                self.move()
                with urllib.request.urlopen(f"{self.address}/score/", timeout=PATIENCE) as page:
                    self.read += page.status == 200
        except Exception as error:
            self.faults.append(repr(error))


def next_release(folder):
    """The settings of a release that has one migration more, as a module in this folder."""
    package = folder / "of_the_next_release"
    package.mkdir()
    here = sorted((ROOT / "gameplay/migrations").glob("*.py"))
    for file in here:
        (package / file.name).write_text(file.read_text())
    last = [file.stem for file in here if file.stem[0].isdigit()][-1]
    (package / "9999_next.py").write_text(NEXT.replace("LAST", last))
    (folder / "next_settings.py").write_text(SETTINGS)
    return {"PYTHONPATH": str(folder), "DJANGO_SETTINGS_MODULE": "next_settings"}


def test_the_release_before_serves_while_the_database_is_brought_up_to_date(make_site, tmp_path, wait_for):
    site = make_site("memory://")
    prepared = site.run(FOUR, TABLES)
    address = site.web()
    posters, is_over = [Watched(address, **each) for each in prepared[:PLAYED]], threading.Event()
    threads = [threading.Thread(target=poster.play_until, args=(is_over,)) for poster in posters]
    for thread in threads:
        thread.start()
    try:
        wait_for_moves(posters, 2, wait_for, site)
        site.environment |= next_release(tmp_path)
        manage(site, "migrate", "--no-input")
        wait_for_moves(posters, 4, wait_for, site)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert [fault for poster in posters for fault in poster.faults] == []
    assert [answer for poster in posters for answer in poster.away if answer != ("5", AWAY)] == []
    assert all(poster.read for poster in posters)
    for poster in posters:
        assert poster.acknowledged == list(range(1, len(poster.acknowledged) + 1))
        # Rows of the old release have the value that the database gives them.
        slug = poster.table.split("/")[-2]
        log = (
            f"SELECT number, weight FROM gameplay_move m JOIN gameplay_table t ON t.id = table_id WHERE slug = '{slug}'"
        )
        assert sorted(site.rows(log)) == [(number, 1) for number in poster.acknowledged]
    assert site.rows(OUT_OF_STEP) == []
    assert site.rows("SELECT name, motto FROM gameplay_table ORDER BY id") == [
        (f"T{n}", f"T{n}") for n in range(TABLES)
    ]
    assert site.number("SELECT count(*) FROM gameplay_coin") == TABLES
    assert "Everything fits." in manage(site, "doctor")
