"""Full disks: an action is saved whole or not at all, the sender gets a calm message, and with room again all
continues.
"""

import builtins
import errno
import io
import json
import os
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from kombu import Connection
from kombu.exceptions import ChannelError

import clubs.views.data
from accounts.services import tokens
from clubs.models import Act
from config import celery
from gameplay.models import ScoreSheet, SheetPhoto
from tests.config.test_backup import command
from tests.faults.test_requests import seat_to_act, stored
from tests.makers import make_club, make_member
from tests.sites import PATIENCE, postgres, serve

AWAY = "The site cannot reach its database right now."
AWAY_JSON = {"code": "away", "sentence": f"{AWAY} Please try again in a moment."}
SHEET = {"rules": "standard", "shape": "4x2", "seat-0": "Ann", "seat-1": "Ben", "seat-2": "Cem", "seat-3": "Dee"}


# The database


@contextmanager
def full_sqlite():
    """Allow no page more than there are, and none that earlier tests left empty; free space within them may be used."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1000000000")


@contextmanager
def full_postgres():
    """PostgreSQL’s words if it cannot make a table larger; its own files are not ours to limit."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute("CREATE TRIGGER no_room BEFORE INSERT ON gameplay_move EXECUTE FUNCTION no_room()")
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION no_room CASCADE")


@pytest.fixture
def full(transactional_db):
    """A time in which the database has no room: `with full():`."""
    return full_postgres if connection.vendor == "postgresql" else full_sqlite


def patient(user=None):
    """A browser that is shown errors as usual."""
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def by_page(user):
    client = patient(user)

    def send(table, moves, version, key):
        return client.post(
            reverse("gameplay:move", args=[table.slug]), {"moves": "\n".join(moves), "seen": version, "key": key}
        )

    return send


def by_program(user):
    text = tokens.create(user, name="t", scopes=["play"], days=None)[1]
    client, headers = patient(), {"Authorization": f"Bearer {text}"}

    def send(table, moves, version, key):
        sent = {"moves": moves, "seen": version, "key": key}
        path = f"/api/v1/tables/{table.slug}/moves/"
        return client.post(path, sent, content_type="application/json", headers=headers)

    return send


@pytest.mark.parametrize("door", [by_page, by_program])
def test_a_move_that_finds_no_room_is_refused_calmly_and_made_once_there_is_some(seated, four, full, door):
    table = seated(options={"draw_count": 1})
    doors = {user.pk: door(user) for user in four}
    with full():
        # Until the pages that there are hold no more.
        for version in range(100):
            send, was = doors[seat_to_act(table).user_id], stored(table)
            move = ["draw"] if version % 2 == 0 else [discarded(table)]
            answer = send(table, move, version, f"k{version}")
            if answer.status_code not in (200, 302):
                break
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert AWAY in answer.content.decode()
        assert stored(table) == was
        assert patient(seat_to_act(table).user).get(table.get_absolute_url()).status_code == 200
    for _ in range(2):
        assert send(table, move, version, f"k{version}").status_code in (200, 302)
        assert list(table.moves.values_list("number", flat=True)) == list(range(1, version + 2))
    call_command("doctor", stdout=io.StringIO())


def discarded(table):
    """A discard that the seat to act may make."""
    from engine.play.moves import write_move
    from gameplay.snapshot import view_of

    moves = map(write_move, view_of(table, table.seat_to_act).legal_moves())
    return next(move for move in moves if move.startswith("discard"))


# Files that are made for one request


@pytest.fixture
def no_room_in_tmp(monkeypatch):
    """Make the disk full for every temporary file."""

    def full_file(*args, **kwargs):
        return builtins.open("/dev/full", "r+b", buffering=0)

    monkeypatch.setattr(uploadedfile.tempfile, "NamedTemporaryFile", full_file)
    monkeypatch.setattr(clubs.views.data, "TemporaryFile", full_file)


@pytest.mark.django_db
def test_a_photo_for_which_there_is_no_room_is_refused_calmly(no_room_in_tmp):
    client = patient()
    client.post("/score/", SHEET)
    sheet = ScoreSheet.objects.get()
    photo = SimpleUploadedFile("sheet.jpg", os.urandom(3_000_000))
    answer = client.post(f"{sheet.edit_url}photo/", {"photo": photo})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert AWAY in answer.content.decode()
    assert not SheetPhoto.objects.exists()


@pytest.mark.django_db
def test_a_club_that_could_not_be_taken_away_was_not(person, no_room_in_tmp):
    club, owner = make_club("Harbour", time_zone="UTC"), person("Olga")
    make_member(club, owner, "owner")
    answer = patient(owner).post(reverse("clubs:take_away", args=["harbour"]))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert not Act.objects.filter(kind="taken").exists()


# The broker in files


def test_a_message_for_which_there_is_no_room_is_refused_whole(tmp_path, monkeypatch):
    assert celery.app  # makes fsx:// known
    queue = Connection("fsx://", transport_options={"folder": str(tmp_path)}).SimpleQueue("celery")
    queue.put({"n": 1})

    def half(path, text):
        with path.open("w") as file:
            file.write(text[: len(text) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("config.broker.Path.write_text", half)
        with pytest.raises(ChannelError):
            queue.put({"n": 2})
    queue.put({"n": 3})
    assert [len(list((tmp_path / "waiting").glob(which))) for which in ("[!.]*", ".*")] == [2, 0]
    got = [queue.get(timeout=1) for _ in range(2)]
    assert [message.payload for message in got] == [{"n": 1}, {"n": 3}]
    for message in got:
        message.ack()
    queue.close()


# The whole site


PRACTICE = """
from accounts.services import tokens
from engine.play.rules import Rules
from gameplay.services import tables
from tests.makers import make_person
user = make_person("Ann")
table = tables.make_practice(user, Rules.make("standard"), level="random")
text = tokens.create(user, name="t", scopes=["read", "play"], days=None)[1]
print(json.dumps([table.slug, text]))
"""
TO_ACT = "SELECT seat_to_act FROM gameplay_table"
NUMBERS = "SELECT number FROM gameplay_move ORDER BY number"


class Player:
    """A person at a practice table, over the API."""

    def __init__(self, address, slug, token):
        self.table, self.token = f"{address}/api/v1/tables/{slug}/", token

    def ask(self, path, body=None):
        """The status and the answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.table + path, body and json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def move(self):
        """Draw or discard; returns the request, status and answer, or None if a bot acts."""
        status, choice = self.ask("legal-moves/")
        if status != 200:
            return None, status, choice
        plain = [move for move in choice["moves"] if move.split()[0] in ("draw", "discard")]
        if not plain:
            return None, 200, choice
        body = {"moves": plain[:1], "seen": choice["move_count"], "key": f"k{choice['move_count']}"}
        return body, *self.ask("moves/", body)


def test_a_site_whose_disk_is_full_says_so_calmly_and_goes_on_when_there_is_room(
    make_site, small_disk, collected, wait_for
):
    """SQLite finds no room for moves; with PostgreSQL the queue in files has none, and moves are saved."""
    site = make_site("fsx://")
    disk = small_disk(site.folder)
    player = Player(serve(site, collected).address, *site.run(PRACTICE))
    moved = lambda: site.rows(TO_ACT) == [(0,)]  # noqa: E731
    play_turn(player)
    wait_for(moved, "the bots to play", site)
    disk.fill()
    body, refused = None, None
    if postgres():
        play_turn(player)
    else:
        for _ in range(20):
            body, status, refused = player.move()
            if status != 200:
                break
        assert (status, refused) == (503, AWAY_JSON)
    # Pages that only read still work.
    with urllib.request.urlopen(f"{site.address}/score/", timeout=PATIENCE) as page:
        assert page.status == 200
    was = site.rows(NUMBERS)
    assert was == [(number,) for number in range(1, len(was) + 1)]
    disk.make_room()
    if body is not None:
        wait_for(lambda: player.ask("moves/", body)[0] == 200, "the move to be made", site)
    wait_for(lambda: readable(site), "everything to be at work again", site)
    wait_for(lambda: play_turn(player), "another turn", site)
    wait_for(moved, "the bots to play", site)
    numbers = site.rows(NUMBERS)
    assert numbers == [(number,) for number in range(1, len(numbers) + 1)]
    assert not list((site.folder / "queue").glob("*/.*.msg"))
    assert "Everything fits." in command(site, "doctor").stdout


def readable(site):
    try:
        with urllib.request.urlopen(f"{site.address}/readyz", timeout=PATIENCE):
            return True
    except urllib.error.HTTPError:
        return False


def play_turn(player):
    """Move until the turn is over; whether there was one."""
    for moved in range(10):
        body, status, answer = player.move()
        assert status == 200, answer
        if body is None:
            return moved > 0
    return False


def test_a_backup_for_which_there_is_no_room_leaves_the_one_before_as_it_was(make_site, small_disk, tmp_path):
    site, shelf = make_site("memory://"), tmp_path / "backups"
    shelf.mkdir()
    disk = small_disk(shelf)
    assert command(site, "backup", shelf / "foothold.tar.gz").returncode == 0
    before = (shelf / "foothold.tar.gz").read_bytes()
    disk.fill()
    process = command(site, "backup", shelf / "foothold.tar.gz")
    assert process.returncode == 1
    assert process.stderr.startswith("CommandError: ")
    assert "Traceback" not in process.stderr
    assert (shelf / "foothold.tar.gz").read_bytes() == before
    assert sorted(os.listdir(shelf)) == ["ballast", "foothold.tar.gz"]
    # Nor does one that cannot be unpacked change what is there.
    users = site.number("SELECT count(*) FROM django_migrations")
    full = {
        "DATA_DIR": str(shelf),
        "DATABASE_URL": site.environment.get("DATABASE_URL") or f"sqlite:///{site.folder}/db.sqlite3",
    }
    site.environment |= full | {"SECRET_KEY": "s" * 50, "VAPID_KEY": "q" * 43}
    refused = command(site, "restore", shelf / "foothold.tar.gz", "--replace")
    assert (refused.returncode, "no space to unpack" in refused.stderr) == (1, True), refused.stderr
    assert site.number("SELECT count(*) FROM django_migrations") == users
