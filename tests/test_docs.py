"""Docs are true: names exist, links lead somewhere, commands and versions agree."""

import importlib
import re
import tomllib
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
TOUR = ROOT / "docs/architecture.md"
NAMING = [TOUR, ROOT / "docs/internals.md", ROOT / "CONTRIBUTING.md"]
"""Pages whose paths and names are all to be found in the code."""

TOP = ("accounts", "acts", "assistants", "clubs", "config", "engine", "gameplay", "operating", "tournaments", "web")
OF_EVERY_APP = {"migrations", "management", "commands", "templatetags"}
"""Folders that the tour names once for all apps."""

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page):
    """The text of a page without its fenced code."""
    return FENCED.sub("", page.read_text())


def code_in(page):
    """Code within the sentences of a page, line breaks in it closed."""
    return {" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(page))}


def headings(page):
    """The anchors of a page's headings."""
    words = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in words}


def packages():
    """Every package of the program, by its path."""
    names = {file.parent.relative_to(ROOT).as_posix() for top in TOP for file in (ROOT / top).rglob("__init__.py")}
    return {path for path in names if not OF_EVERY_APP & set(path.split("/"))}


def commands():
    """The commands of `manage.py` that are ours."""
    return {path.stem for path in ROOT.glob("*/management/commands/*.py") if path.stem != "__init__"}


def is_name_in(file, name):
    """Whether a module defines this name at its top."""
    return bool(re.search(rf"^(?:(?:async )?def |class )?{re.escape(name)}\b *[(:=\[]", file.read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.name)
def test_every_path_is_there(page):
    paths = {code for code in code_in(page) if re.fullmatch(r"[\w.\-]+(/[\w.\-]+)*/?", code) and "/" in code}
    assert len(paths) > 20
    assert {path for path in paths if not (ROOT / path).exists()} == set()


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.name)
def test_every_name_in_a_module_is_there(page):
    names = [re.fullmatch(r"([\w/.\-]+\.py): (\w+)", code) for code in code_in(page)]
    references = [match.groups() for match in names if match]
    assert len(references) > 1
    assert [(file, name) for file, name in references if not is_name_in(ROOT / file, name)] == []


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.name)
def test_every_dotted_name_is_there(page):
    dotted = {code for code in code_in(page) if re.fullmatch(rf"({'|'.join(TOP)})(\.\w+)+", code)}
    for name in dotted:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name


def test_the_tour_passes_through_every_package():
    passed = {code.rstrip("/") for code in code_in(TOUR) if code.endswith("/")}
    drawn = set(re.findall(r"\w+", "".join(FENCED.findall(TOUR.read_text()))))
    assert packages() - passed - drawn == set()


def test_what_looks_for_names_would_miss_one_that_is_not_there():
    service = ROOT / "gameplay/services/sitting.py"
    assert is_name_in(service, "sit_down")
    assert not is_name_in(service, "stand_up")


def test_every_link_leads_somewhere():
    links = [(page, target) for page in PAGES for target in re.findall(r"\]\(([^)\s]+)\)", prose(page))]
    assert len(links) > 100
    wrong = []
    for page, target in links:
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not re.match(r"[a-z]+:", target) and not (file.exists() and (not anchor or anchor in headings(file))):
            wrong.append((page.name, target))
    assert wrong == []


def test_the_index_leads_to_every_page():
    index = ROOT / "docs/README.md"
    linked = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", prose(index))}
    pages = {page.relative_to(index.parent).as_posix() for page in index.parent.rglob("*.md")}
    assert pages - {index.name} - linked == set()


def test_every_command_is_written_down_and_every_one_written_down_is_there():
    texts = [page.read_text() for page in PAGES]
    documented = {name for text in texts for name in re.findall(r"manage\.py ([a-z_]+)", text)}
    of_libraries = {"check", "collectstatic", "createsuperuser", "makemigrations", "migrate"}
    assert commands() - documented == set()
    assert documented - commands() - of_libraries == set()


def test_the_table_of_acts_is_what_the_code_declares():
    out = StringIO()
    call_command("acts_table", stdout=out)
    assert (ROOT / "docs/reference/acts-table.md").read_text() == out.getvalue(), (
        "Write it: manage.py acts_table > docs/reference/acts-table.md"
    )


def test_the_version_is_the_same_everywhere():
    from config import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    newest = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert (project["version"], newest) == (__version__, __version__)


@pytest.mark.django_db
def test_the_site_says_which_version_runs(client):
    from config import __version__

    assert f"runs version {__version__}" in client.get("/about/").text
