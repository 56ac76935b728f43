"""Every sentence has its translation; that pages are German whole, tests/security/test_in_german.py shows."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "bin/lib/translate.py"


@pytest.fixture(scope="module")
def tool():
    """bin/lib/translate.py, which is no module of the site."""
    spec = importlib.util.spec_from_file_location("translate", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["translate"] = module  # where its dataclasses and annotations look
    spec.loader.exec_module(module)
    yield module
    del sys.modules["translate"]


@pytest.fixture(scope="module")
def catalogues(tool):
    """(language, domain) -> the messages in the code, with the stored translations."""
    return {
        (language, domain): tool.brought_up(language, domain)
        for language in tool.LANGUAGES
        for domain in ("django", "djangojs")
    }


def test_every_module_that_says_something_is_gathered(tool):
    """All but the command line of the engine, which is English."""
    says = re.compile(r"\b(gettext|ngettext|pgettext|say|say_several|say_as|later)(_lazy|_noop)?\(")
    top = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} - {"tests", "benchmarks"}
    modules = {path for name in top for path in (ROOT / name).rglob("*.py") if "cli" not in path.parts}
    silent = modules - set(tool.files(tool.PYTHON, ".py"))
    assert {path for path in silent if says.search(path.read_text())} == set()


def test_the_catalogues_hold_what_the_code_says(tool, catalogues):
    for (language, domain), catalog in catalogues.items():
        path = tool.folder(language) / f"{domain}.po"
        assert path.read_bytes() == tool.written(catalog), f"bin/translate brings {path.name} up"


def test_what_the_site_loads_is_what_is_written(tool, catalogues):
    for (language, domain), catalog in catalogues.items():
        path = tool.folder(language) / f"{domain}.mo"
        assert path.read_bytes() == tool.compiled(catalog), f"bin/translate compiles {path.name}"


def test_nothing_is_without_a_translation(tool, catalogues):
    assert {name: [message.id for message in tool.untranslated(catalog)] for name, catalog in catalogues.items()} == {
        name: [] for name in catalogues
    }


def test_translations_name_the_values_of_their_sentences(tool, catalogues):
    assert [line for catalog in catalogues.values() for line in tool.wrong(catalog)] == []


def test_marks_are_alike_in_both(catalogues):
    """Elements of a sentence, such as links, are in its translation too."""

    def elements(text):
        return sorted(re.findall(r"</?(?:a|b|i|em|strong|span|code|kbd|br|abbr|small|time)\b", text))

    wrong = [
        message.id
        for catalog in catalogues.values()
        for message in catalog
        if message.id
        and isinstance(message.id, str)
        and isinstance(message.string, str)
        and elements(message.id) != elements(message.string)
    ]
    assert wrong == []


def test_no_text_of_a_template_is_outside_of_a_mark(tool):
    assert list(tool.unmarked(["templates"])) == []


def test_nor_of_a_script(tool):
    assert list(tool.unmarked(["static/js"])) == []


def test_words_that_styles_write_are_said_in_each_language(tool):
    for path in sorted((ROOT / "static/css").glob("*.css")):
        for selector, side, words in re.findall(r'([\w. -]+)::(before|after) \{ content: "([^"]*)"', path.read_text()):
            if re.search(r"[A-Za-z]{2,}", words) and ":lang(" not in selector:
                for language in tool.LANGUAGES:
                    assert f"{selector}:lang({language})::{side}" in path.read_text(), (path.name, words)


def test_text_outside_of_a_mark_would_be_seen(tool):
    text = '{% load i18n %}<p title="A title">Some words</p>{% translate "Marked" %}{{ name|default:"No name" }}'
    assert [words for _, words in tool.unmarked_of_template(text)] == ["A title", "No name", "Some words"]
    assert tool.unmarked_of_python('tell(gettext("Marked here."), f"{who} is not marked")') == [(1, "§ is not marked")]
    assert tool.unmarked_of_script('say("Not marked at all"); say(gettext("Marked here"));') == [
        (1, "Not marked at all")
    ]


@pytest.mark.slow
def test_the_command_lists_what_is_missing():
    bash = shutil.which("bash")
    process = subprocess.run([bash, "bin/translate", "missing"], cwd=ROOT, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (0, "")


def test_no_translation_waits_for_a_reader(catalogues):
    """Messages marked `fuzzy` are left out when the catalogue is compiled, and show in English."""
    assert [message.id for catalog in catalogues.values() for message in catalog if message.fuzzy] == []


def test_refusals_are_quoted_in_the_readers_language():
    """What a page puts in front of a refusal has no quotation marks of its own, but those of `web.text.quoted`."""
    by_hand = re.compile(r"""\bf["'][^"\n]*[“”][^"\n]*sentence\b""")
    top = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} - {"tests"}
    modules = [path for name in sorted(top) for path in (ROOT / name).rglob("*.py")]
    assert {str(path.relative_to(ROOT)) for path in modules if by_hand.search(path.read_text())} == set()
