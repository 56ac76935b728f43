"""The pages about security name tests that are there, every test of this folder that makes a promise, and each number
of the lists that they answer once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / f"docs/{name}.md").read_text() for name in ("security", "checks", "asvs")}
ROWS = {
    name: re.findall(r"^\| ([\d.]+) \| (.+?) \| (.+) \|$", PAGES[name], re.MULTILINE) for name in ("checks", "asvs")
}
"""(number, what, how) of each line of a list."""


def named(page):
    """(file, test) of every test that a page names."""
    return set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGES[page]))


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_the_page_names_is_there(page):
    for file, name in sorted(named(page)):
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file}::{name}"
    assert len(named(page)) == len(set(re.findall(r"tests/[\w/]+\.py::\w+", PAGES[page])))


def test_the_page_names_every_file_of_this_folder():
    files = {f"tests/security/{path.name}" for path in Path(__file__).parent.glob("test_*.py")} - {
        "tests/security/test_docs.py"
    }
    assert files <= {file for file, _ in named("security")}


def test_every_check_is_answered_once_by_a_test_or_a_reason():
    assert [number for number, _, _ in ROWS["checks"]] == [str(number) for number in range(1, 81)]
    for number, _, how in ROWS["checks"]:
        assert "::" in how or how.startswith("No test here: "), number


def test_every_requirement_of_the_standard_is_answered_once():
    sections = (line.split(": ") for line in (Path(__file__).parent / "asvs.txt").read_text().splitlines())
    asked = [f"{section}.{number}" for section, numbers in sections for number in numbers.split()]
    assert len(asked) == 253
    assert [number for number, _, _ in ROWS["asvs"]] == asked
    assert all(len(how) > 10 for _, _, how in ROWS["asvs"])


def test_the_page_counts_what_is_met_and_what_is_not():
    answers = [how for _, _, how in ROWS["asvs"]]
    absent = sum(how.startswith("No such thing: ") for how in answers)
    partly = sum(how.startswith("**In part**: ") for how in answers)
    unmet = sum(how.startswith("**Not met**: ") for how in answers)
    met = len(answers) - absent - partly - unmet
    said = re.search(r"Of (\d+) requirements (.+?)\n\n", PAGES["asvs"], re.DOTALL)
    assert [int(count) for count in re.findall(r"\d+", said[0])] == [len(answers), met, partly, unmet, absent]
