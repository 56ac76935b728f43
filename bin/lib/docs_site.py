"""Makes a site of the docs, as hooks of ProperDocs: groups, links and anchors are those that a code host shows."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from properdocs.config.defaults import ProperDocsConfig
from properdocs.structure.files import File, Files
from properdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
INDEX = "README.md"
OUTSIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "report-a-hole.md",
    "tests/README.md": "tests.md",
}
"""Pages that lie outside docs/, with their names in the site."""

STYLES = ("css/tokens.css", "css/site.css", "img/favicon.svg")
"""Files of static/ that the pages look by."""

LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
PICTURE = re.compile(r'<img(?=[^>]* src="(?P<source>[^":]+)")')
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: ProperDocsConfig) -> ProperDocsConfig:
    """Take the groups from the index, and name anchors as a code host does."""
    config.nav = [{"All pages": INDEX}, *({title: pages} for title, pages in groups())]
    config.mdx_configs["toc"] = {"slugify": anchor_of}
    return config


def groups() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Each group of the index: its title, and its pages as {title: name in the site}."""
    parts = re.split(r"^## (.+)$", (ROOT / "docs" / INDEX).read_text(), flags=re.MULTILINE)
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        links = re.findall(r"\[([^\]]+)\]\(([^)#\s]+\.md)\)", text)
        yield title, [{words: name_of(f"docs/{target}")} for words, target in links]


def name_of(path: str) -> str:
    """The name in the site of a file in the repository; empty if it is not in the site."""
    path = posixpath.normpath(path)
    return OUTSIDE.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else "")


def anchor_of(heading: str, separator: str) -> str:
    """The anchor that a code host gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_files(files: Files, config: ProperDocsConfig) -> Files:
    """Add pages that lie outside docs/, and what they look by."""
    for path, name in OUTSIDE.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / path)))
    for path in STYLES:
        files.append(File.generated(config, posixpath.basename(path), abs_src_path=str(ROOT / "static" / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: ProperDocsConfig, files: Files) -> str:
    """The page with links to where their files are in the site."""
    name = page.file.src_uri
    path = next((path for path, other in OUTSIDE.items() if other == name), f"docs/{name}")
    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(lambda match: link_in_site(match[0], path, name), part) for part in parts[::2]]
    return "".join(parts)


def link_in_site(target: str, path: str, name: str) -> str:
    """A link on the page of this path in the repository and this name in the site."""
    goal, mark, anchor = target.partition("#")
    there = name_of(posixpath.join(posixpath.dirname(path), goal))
    if re.match(r"[a-z]+:", target) or not goal or not there:
        return target
    return posixpath.relpath(there, posixpath.dirname(name) or ".") + mark + anchor


def on_page_content(html: str, page: Page, config: ProperDocsConfig, files: Files) -> str:
    """Let the keyboard scroll code that is wider than the page, and give pictures their size, so that nothing moves when
    they arrive."""

    def with_size(match: re.Match[str]) -> str:
        width, height = picture_size(ROOT / "docs" / posixpath.normpath(posixpath.join(page.url, match["source"])))
        return f'{match[0]} width="{width}" height="{height}"'

    return PICTURE.sub(with_size, html).replace("<pre>", '<pre tabindex="0">')


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height in pixels of a lossy WebP picture (RFC 6386, 9.1)."""
    head = path.read_bytes()[:30]
    if head[12:16] != b"VP8 ":
        raise ValueError(f"{path.name} is no lossy WebP picture.")
    return int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF


def on_post_build(config: ProperDocsConfig) -> None:
    """Leave out the sitemap, which would need to know the site's address; the site has one of its own."""
    for path in Path(config.site_dir).glob("sitemap.xml*"):
        path.unlink()
