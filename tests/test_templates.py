"""Templates can be read and reviewed line by line; djade, which CI runs, formats the tags."""

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).parent.parent
TEMPLATES = [path for path in sorted((ROOT / "templates").rglob("*")) if path.suffix in (".html", ".txt")]
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}")
ELEMENT = re.compile(r"<([a-z][\w-]*)((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>")
LOAD = re.compile(r"\{% load ([^%]+)%\}")
ATTRIBUTE = re.compile(r"\s[\w:@-]+=")


def lines():
    """(place, line) of every template."""
    for path in TEMPLATES:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def crowded(line):
    """Names of the elements on this line if it has several and one of them has more than two attributes."""
    elements = ELEMENT.findall(TAG.sub("", line))
    return (
        [name for name, _ in elements]
        if len(elements) > 1 and any(len(ATTRIBUTE.findall(attributes)) > 2 for _, attributes in elements)
        else []
    )


def test_no_line_is_longer_than_120_characters():
    assert [place for place, line in lines() if len(line) > 120] == []


def test_an_element_with_more_than_two_attributes_has_its_own_line():
    assert [(place, names) for place, line in lines() if (names := crowded(line))] == []


def test_no_template_loads_tags_that_all_templates_have():
    known = {path.rsplit(".", 1)[1] for path in settings.TEMPLATES[0]["OPTIONS"]["builtins"]}
    loads = [(place, name) for place, line in lines() for words in LOAD.findall(line) for name in words.split()]
    assert [(place, name) for place, name in loads if name in known] == []
