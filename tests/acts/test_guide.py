"""The guide names the steps to add an act; this does them, on a copy of the site."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "acts.md").read_text()
STEPS = re.findall(
    r"^In `([\w/.]+)`, (after|in place of) `([^\n]+)`:\n\n```\w+\n(.*?)```", GUIDE, re.MULTILINE | re.DOTALL
)
LEFT_OUT = {"__pycache__", "htmlcov"}
"""Parts that no copy of the site needs, among them hidden ones, such as environments, and at its top its data."""
MOTTO = """
import pytest

from clubs.models import Act, Membership
from tests.tournaments.programs import program  # noqa: F401

pytestmark = pytest.mark.django_db


def test_by_the_page_and_undone(club, staff, client):
    client.force_login(staff["organiser"])
    sent = client.post("/clubs/harbour/settings/", {"do": "motto", "text": "Ahoy there"})
    assert sent.status_code == 302
    act = Act.objects.get(kind="motto")
    assert "Ahoy there" in client.get("/clubs/harbour/").text
    long = client.post("/clubs/harbour/settings/", {"do": "motto", "text": "x" * 81})
    assert (long.status_code, "at most 80 characters" in long.text) == (422, True)
    assert "Ahoy there" in client.get("/clubs/harbour/history/").text
    Membership.objects.filter(user=staff["organiser"]).update(role="member")
    assert client.post(f"/clubs/harbour/history/{act.pk}/undo/").status_code == 403
    client.force_login(staff["owner"])
    assert client.post(f"/clubs/harbour/history/{act.pk}/undo/").status_code == 302
    club.refresh_from_db()
    assert club.motto == ""


def test_by_the_api_with_a_preview(club, staff, program):
    member, owner = program(staff["member"]), program(staff["owner"])
    member.post("clubs/harbour/set-motto/", 403, text="Ahoy")
    assert owner.post("clubs/harbour/set-motto/", text="Ahoy", preview=True)["sentence"] == "Changed: Ahoy."
    assert not Act.objects.exists()
    owner.post("clubs/harbour/set-motto/", text="Ahoy", key="once")
    owner.post("clubs/harbour/set-motto/", text="Ahoy", key="once")
    assert Act.objects.get().kind == "motto"
    assert owner.post("clubs/harbour/set-motto/", 400, text="x" * 81)
"""


def site_with_the_act(folder: Path) -> Path:
    def left_out(parent: str, names: list[str]) -> set[str]:
        hidden = {name for name in names if name.startswith(".")}
        return hidden | LEFT_OUT | ({"data"} if Path(parent) == ROOT else set())

    shutil.copytree(ROOT, folder, ignore=left_out)
    for name, where, line, block in STEPS:
        path = folder / name
        lines = path.read_text().splitlines(keepends=True)
        (index,) = [at for at, text in enumerate(lines) if text.strip() == line][:1]
        path.write_text("".join([*lines[: index + (where == "after")], block, *lines[index + 1 :]]))
    return folder


def run(folder: Path, *arguments: str) -> str:
    environment = os.environ | {"DATA_DIR": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    for name in ("DATABASE_URL", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout


def test_the_guide_takes_twenty_lines_in_ten_places():
    assert len({name for name, *_ in STEPS}) == 10
    assert sum(bool(line.strip()) for *_, block in STEPS for line in block.splitlines()) <= 20


@pytest.mark.slow
def test_the_act_of_the_guide_works_once_its_steps_are_taken(tmp_path):
    folder = site_with_the_act(tmp_path / "site")
    run(folder, "manage.py", "makemigrations", "clubs", "--name", "club_motto")
    (folder / "tests/clubs/test_motto.py").write_text(MOTTO)
    run(folder, "-m", "pytest", "-q", "-p", "no:randomly", "tests/clubs/test_motto.py", "tests/clubs/test_api_pages.py")
    assert "| `motto` | `settings` | `settings` |" in run(folder, "manage.py", "acts_table")
