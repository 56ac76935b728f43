"""The docs as a site: it builds without a dead link, every page is in one group, and every picture is good for something."""

import re
import runpy
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SITE = runpy.run_path(str(ROOT / "bin/lib/docs_site.py"))
PAGES = [*sorted(DOCS.glob("*.md")), *sorted((DOCS / "reference").glob("*.md")), ROOT / "README.md"]
USED = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
LARGEST = 120_000
"""Bytes of a picture."""


def build(folder, root=ROOT):
    """Build the docs of a checkout into a folder, as bin/docs does: not with --quiet, which does not count warnings."""
    command = [sys.executable, "-m", "properdocs", "build", "--site-dir", str(folder)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)


class Refused(HTMLParser):
    """What the policy of the site would block on a page, and addresses of other hosts that it would load from."""

    def __init__(self, markup):
        super().__init__()
        self.parts = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.parts += [(tag, name) for name in attributes if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in attributes):
            self.parts.append((tag, "inline"))
        source = attributes.get("src") or (attributes.get("href") if tag == "link" else "") or ""
        if re.match(r"(\w+:)?//", source):
            self.parts.append((tag, source))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of a site that was built."""
    folder = tmp_path_factory.mktemp("docs")
    ran = build(folder)
    assert ran.returncode == 0, ran.stderr
    return folder


def markups(folder):
    return {page.relative_to(folder).as_posix(): page.read_text() for page in sorted(folder.rglob("*.html"))}


# Building


def test_every_page_is_built_and_nothing_else(built):
    names = [SITE["name_of"](path.relative_to(ROOT).as_posix()) for path in PAGES if path.parent != ROOT]
    names += SITE["OUTSIDE"].values()
    expected = {name.removesuffix(".md") + "/index.html" for name in names if name != "README.md"} | {"index.html"}
    assert set(markups(built)) == expected
    assert not list(built.rglob("*.py"))
    assert not list(built.glob("theme"))


def test_pages_obey_the_policy_of_the_site_and_load_from_no_other_host(built):
    assert {name: parts for name, text in markups(built).items() if (parts := Refused(text).parts)} == {}


def test_pictures_have_their_size(built):
    pictures = [tag for text in markups(built).values() for tag in re.findall("<img[^>]+>", text)]
    assert len(pictures) > 10
    for tag in pictures:
        with Image.open(DOCS / "pictures" / Path(re.search('src="([^"]+)"', tag)[1]).name) as picture:
            assert f'width="{picture.width}" height="{picture.height}"' in tag


def test_what_looks_for_it_sees_what_the_policy_would_block():
    bad = (
        '<p style="x"><a onclick="x">a</a><script>x</script><script src="//a/b"></script><link href="https://a/b.css">'
    )
    assert Refused(bad).parts == [
        ("p", "style"), ("a", "onclick"), ("script", "inline"), ("script", "//a/b"), ("link", "https://a/b.css"),
    ]  # fmt: skip


def test_pages_look_as_the_site_does(built):
    for name in ("css/tokens.css", "css/site.css"):
        assert (built / Path(name).name).read_bytes() == (ROOT / "static" / name).read_bytes()


@pytest.fixture
def copied(tmp_path):
    """A copy of all that the docs are made of."""
    for name in ("docs", "bin/lib", "static/css", "static/img"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "tests").mkdir()
    for name in ("properdocs.yml", *SITE["OUTSIDE"]):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("link", ["nowhere.md", "clocks.md#nowhere", "#nowhere", "../nowhere.md", "/docs/clocks/"])
def test_a_dead_link_stops_the_build(copied, link):
    (copied / "docs/bots.md").write_text(f"# Bots\n\nA [link]({link}).\n")
    ran = build(copied / "site", copied)
    assert ran.returncode != 0
    assert link.rpartition("#")[2] in ran.stderr


def test_a_page_that_no_group_has_stops_the_build(copied):
    (copied / "docs/lost.md").write_text("# Lost\n")
    assert "lost.md" in build(copied / "site", copied).stderr


# Groups


def test_every_page_is_in_one_of_the_four_groups_and_no_other():
    groups = dict(SITE["groups"]())
    assert list(groups) == [
        "You want to play",
        "You run a club, a league or an event",
        "You run a site",
        "You write code",
    ]
    names = [name for pages in groups.values() for page in pages for name in page.values()]
    assert sorted(set(names)) == sorted(names)
    expected = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} | set(SITE["OUTSIDE"].values())
    assert set(names) == expected - {"README.md"}


def test_each_group_begins_with_a_page_for_newcomers():
    first = {title: next(iter(pages[0].values())) for title, pages in SITE["groups"]()}
    assert list(first.values()) == ["for-players.md", "for-organisers.md", "running.md", "architecture.md"]


# Pictures and samples


def pictures():
    """Names of the files, with the alternative text of each use."""
    uses = {}
    for page in PAGES:
        for text, target in USED.findall(page.read_text()):
            uses.setdefault((page.parent / target).resolve().relative_to(DOCS / "pictures").name, []).append(text)
    return uses


def test_every_picture_is_declared_and_used():
    declared = set(re.findall(r'Picture\("([\w-]+)"', (ROOT / "tests/journeys/docs_pictures.py").read_text()))
    files = {file.name for file in (DOCS / "pictures").iterdir()}
    assert files == {f"{name}.webp" for name in declared} == set(pictures())


def test_every_picture_is_small_and_has_the_size_of_a_screen():
    for file in (DOCS / "pictures").iterdir():
        with Image.open(file) as image:
            image.load()
            assert (image.format, image.size) in (("WEBP", (1280, 800)), ("WEBP", (390, 844))), file.name
        assert file.stat().st_size < LARGEST, file.name


def test_every_picture_says_what_is_on_it():
    assert {name: texts for name, texts in pictures().items() if any(len(text.split()) < 8 for text in texts)} == {}


def test_every_sample_is_named_by_a_page():
    texts = "".join(page.read_text() for page in PAGES)
    assert [file.name for file in (DOCS / "samples").iterdir() if f"samples/{file.name}" not in texts] == []


def test_the_readme_fits_on_a_screen_and_shows_the_site():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 60
    assert USED.findall(text)
