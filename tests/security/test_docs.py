"""The pages about security name tests that are there, every test of this folder that makes a promise, and each number
of the lists that they answer once."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / f"docs/{name}.md").read_text() for name in ("security", "reference/checks", "reference/asvs")}
SECTIONS = (line.split(": ") for line in (Path(__file__).parent / "asvs.txt").read_text().splitlines())
REQUIREMENTS = [f"{section}.{number}" for section, numbers in SECTIONS for number in numbers.split()]


def answers():
    """(requirement, answer) of the standard. One line can answer several requirements in a row."""
    lines = re.findall(r"^\* \*\*([\d.]+)(?: to ([\d.]+))?\*\* .+?: (.+)$", PAGES["reference/asvs"], re.MULTILINE)
    for first, last, answer in lines:
        for number in REQUIREMENTS[REQUIREMENTS.index(first) : REQUIREMENTS.index(last or first) + 1]:
            yield number, answer


def cited_tests(page):
    """(file, test) of every test that a page names."""
    return set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGES[page]))


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_the_page_names_is_there(page):
    for file, name in sorted(cited_tests(page)):
        assert f"def {name}(" in (ROOT / file).read_text(), f"{file}::{name}"
    assert len(cited_tests(page)) == len(set(re.findall(r"tests/[\w/]+\.py::\w+", PAGES[page])))


def test_the_page_names_every_file_of_this_folder():
    files = {f"tests/security/{path.name}" for path in Path(__file__).parent.glob("test_*.py")} - {
        "tests/security/test_docs.py"
    }
    assert files <= {file for file, _ in cited_tests("security")}


def test_every_check_is_answered_once_by_a_test():
    checks = re.findall(r"^(\d+)\. (.+)$", PAGES["reference/checks"], re.MULTILINE)
    assert [number for number, _ in checks] == [str(number) for number in range(1, 81)]
    assert all("::" in answer for _, answer in checks)


def test_every_requirement_of_the_standard_is_answered_once():
    assert len(REQUIREMENTS) == 253
    assert [number for number, _ in answers()] == REQUIREMENTS


def test_the_page_counts_what_is_met_and_what_is_not():
    verdicts = [re.match(r"\*\*(In part|Not met|Absent)\*\*: ", answer) for _, answer in answers()]
    counts = Counter(verdict[1] if verdict else "Met" for verdict in verdicts)
    sentence = re.search(r"Of (\d+) requirements (.+?)\n\n", PAGES["reference/asvs"], re.DOTALL)
    numbers = [int(count) for count in re.findall(r"\d+", sentence[0])]
    assert numbers == [len(verdicts), *(counts[verdict] for verdict in ("Met", "In part", "Not met", "Absent"))]
