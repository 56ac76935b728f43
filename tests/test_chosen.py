"""Tests that a change reaches."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.chosen import (
    BROWSER,
    OF_THE_SITE,
    QUICK_TO_ASK,
    ROOT,
    WITHOUT_CODE,
    above,
    layers,
    pytest_collection_modifyitems,
    pytest_runtest_setup,
    reached_by,
    reached_by_one,
)

APPS = {app for layer in layers() for app in layer}


@pytest.mark.parametrize(
    ("path", "reached", "spared"),
    [
        ("engine/compete/standings.py", {"engine", "tournaments", "clubs"}, {"gameplay", "accounts", "web"}),
        ("engine/play/scoring.py", {"engine", "gameplay", "tournaments", "clubs"}, {"accounts", "web"}),
        (
            "clubs/models/people.py",
            {"clubs", "operating", "config"},
            {"tournaments", "gameplay", "accounts", "web", "engine"},
        ),
        ("tournaments/migrations/0001_initial.py", {"tournaments", "clubs"}, {"gameplay", "engine"}),
        ("templates/gameplay/table.html", {"gameplay", "tournaments", "clubs"}, {"accounts", "engine"}),
        ("templates/base.html", {"web", "accounts", "gameplay", "tournaments", "clubs"}, {"engine"}),
        ("locale/de/LC_MESSAGES/django.po", {"web", "accounts", "clubs"}, {"engine"}),
    ],
)
def test_a_change_of_the_site_reaches_what_is_built_on_it(path, reached, spared):
    reached_tests = reached_by_one(path)
    assert {f"tests/{app}" for app in reached} | OF_THE_SITE <= reached_tests
    assert reached_tests & {f"tests/{app}" for app in spared} == set()


def test_a_module_that_is_gone_reaches_every_app_that_may_have_used_it():
    assert reached_by_one("clubs/gone.py") == {"tests/clubs", "tests/operating"} | OF_THE_SITE


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("tests/web/test_files.py", {"tests/web/test_files.py"}),
        ("tests/journeys/conftest.py", {"tests/journeys"}),
        ("tests/conftest.py", {"tests"}),
        ("tests/databases.py", {"tests"}),
        ("tests/makers.py", {"tests"}),
        ("tests/vectors/house_rules.json", {"tests/engine"}),
        ("pyproject.toml", {"tests"}),
        ("requirements-dev.txt", {"tests"}),
        ("bin/serve", {"tests/config"}),
        (".ci/run", {"tests/config"}),
        ("docs/api.md", set()),
        ("README.md", {"tests/config"}),
    ],
)
def test_other_changes(path, reached):
    assert reached_by({path}) == (reached if reached == {"tests"} else reached | QUICK_TO_ASK)


def test_a_helper_reaches_the_tests_that_it_helps_and_no_others():
    reached = reached_by_one("tests/clubs/towns.py")
    assert reached
    users = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").glob("**/*.py") if "towns" in path.read_text()}
    assert {path for path in users if path.startswith("tests/clubs/test_")} <= reached
    assert "tests/clubs" not in reached


def test_without_a_change_nothing_is_run():
    assert reached_by(set()) == set()


def test_with_any_change_the_tree_is_read():
    assert reached_by({"docs/api.md"}) == QUICK_TO_ASK


def test_every_folder_of_tests_is_reached_by_some_change():
    reached = {f"tests/{app}" for app in APPS} | OF_THE_SITE | {"tests/golden", "tests/sheets", "tests/vectors"}
    folders = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert {folder for folder in folders if "__pycache__" not in folder} == reached


def test_every_folder_without_code_is_there():
    assert [name for name in WITHOUT_CODE if not (ROOT / name).is_dir()] == []


def test_whatever_lies_lower_reaches_more():
    order = ["operating", "clubs", "tournaments", "gameplay", "accounts", "web"]
    for higher, lower in pairwise(order):
        assert above(higher) < above(lower)


def test_what_is_not_even_read_has_the_mark():
    assert "pytest.mark.slow" in (ROOT / BROWSER / "conftest.py").read_text()


class Item:
    """A test as far as its turn is concerned."""

    fixturenames = ()

    def __init__(self, *marks, **options):
        self.marks, self.config = marks, SimpleNamespace(option=SimpleNamespace(**options))

    def get_closest_marker(self, name):
        return name if name in self.marks else None


def test_the_slow_ones_come_last():
    quick, slow, other = items = [Item(), Item("slow"), Item()]
    pytest_collection_modifyitems(Item(whole=True).config, items)
    assert items == [quick, other, slow]


@pytest.mark.parametrize(("minutes", "runs"), [(None, True), (1e6, True), (0, False)])
def test_what_would_start_too_late_is_left_out(minutes, runs):
    if runs:
        pytest_runtest_setup(Item(minutes=minutes))
    else:
        with pytest.raises(pytest.skip.Exception):
            pytest_runtest_setup(Item(minutes=minutes))
