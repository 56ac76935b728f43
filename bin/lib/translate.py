"""Work of bin/translate: gather sentences, look for unmarked text, write and compile catalogues.

Gathering is Babel's, with Django's own reading of templates; no program outside Python is needed. Two catalogues for
each language: `django` for templates and Python, `djangojs` for scripts.
"""

import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ["de"]
PYTHON = [
    "engine/play",
    "engine/bots",
    "engine/compete",
    "engine/errors.py",
    "engine/words.py",
    "web",
    "accounts",
    "acts",
    "gameplay",
    "tournaments",
    "clubs",
    "operating",
    "config",
]
TEMPLATES, SCRIPTS, RULESETS = "templates", "static/js", "engine/play/rulesets"

KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
    # engine/words.py and engine/play/melds.py
    "say": None,
    "later": None,
    "say_several": (1, 2),
    "say_as": ((1, "c"), 2),
    "number_words": (2, 3),
}
"""Functions whose arguments are sentences; which of them, where it is not the first alone."""
SCRIPT_KEYWORDS = {name: KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext", "npgettext")}

# Gathering


def files(paths: list[str], *endings: str) -> Iterator[Path]:
    """The files of these endings under the paths, in order of their names."""
    for path in paths:
        at = ROOT / path
        candidates = [at] if at.is_file() else sorted(file for file in at.rglob("*") if file.is_file())
        yield from (file for file in candidates if file.suffix in endings and "migrations" not in file.parts)


def gather(domain: str) -> Catalog:
    """Every sentence of the code, with its file."""
    catalog = Catalog(project="Foothold", charset="utf-8")
    if domain == "djangojs":
        for path in files([SCRIPTS], ".js"):
            _gather(catalog, "javascript", path, path.read_text(), SCRIPT_KEYWORDS)
        return catalog
    for path in files(PYTHON, ".py"):
        text = path.read_text()
        tree = ast.parse(text)
        _gather(catalog, "python", path, text)
        _add_counted(catalog, path, _counted_in_python(tree))
        _gather(catalog, "python", path, "\n".join(_within_texts(tree)))
    for path in files([RULESETS], ".json"):
        for sentence in _sentences_of_ruleset(json.loads(path.read_text())):
            catalog.add(sentence, locations=[(str(path.relative_to(ROOT)), 1)])
    for path in files([TEMPLATES], ".html", ".txt"):
        # Django blanks out the rest, which would be read as indentation.
        text = "\n".join(line.strip() for line in templatize(path.read_text(), origin=str(path)).splitlines())
        _gather(catalog, "python", path, text)
        _add_counted(catalog, path, _counted_in_template(path.read_text()))
    return catalog


def _gather(catalog: Catalog, method: str, path: Path, text: str, keywords: dict[str, Any] = KEYWORDS) -> None:
    messages = extract(method, io.BytesIO(text.encode()), keywords, options={"encoding": "utf-8"})
    for _, message, _, context in messages:
        catalog.add(message, locations=[(str(path.relative_to(ROOT)), 1)], context=context)


def _sentences_of_ruleset(data: dict[str, Any]) -> list[str]:
    """What readers see of the file of a published ruleset."""
    return [data["title"], data["about"], data["source"], *data["unsaid"]]


def _add_counted(catalog: Catalog, path: Path, nouns: Iterable[tuple[str, str]]) -> None:
    for singular, plural in nouns:
        catalog.add((singular, plural), locations=[(str(path.relative_to(ROOT)), 1)])


def _within_texts(tree: ast.Module) -> Iterator[str]:
    """Calls within f-strings, which Babel takes as one piece."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            calls = (call for call in ast.walk(node) if isinstance(call, ast.Call))
            yield from (ast.unparse(call) for call in calls if getattr(call.func, "id", "") in KEYWORDS)


def _counted_in_python(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The nouns of `several(count, "match", "matches")`, of which the second may be left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "several":
            nouns = [argument.value for argument in node.args[1:] if isinstance(argument, ast.Constant)]
            if nouns and len(nouns) == len(node.args) - 1:
                yield nouns[0], nouns[1] if len(nouns) > 1 else nouns[0] + "s"


def _counted_in_template(text: str) -> Iterator[tuple[str, str]]:
    """The nouns of `{{ count|several:"match,matches" }}`, in the two forms that are looked up."""
    for nouns in re.findall(r"""\|several:["']([^"']+)["']""", text):
        singular, _, plural = nouns.partition(",")
        yield singular, plural or singular + "s"


# Catalogues


def folder(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES"


def stored(language: str, domain: str) -> Catalog:
    """Translations so far."""
    path = folder(language) / f"{domain}.po"
    if not path.exists():
        return Catalog(locale=language, project="Foothold", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def brought_up(language: str, domain: str) -> Catalog:
    """Translations so far, with every sentence of the code and none that is gone."""
    catalog, template = stored(language, domain), gather(domain)
    # The day would make a difference where there is none.
    catalog.creation_date = catalog.revision_date = template.creation_date = None
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    catalog.header_comment = (
        "# What Foothold says, in another language; see docs/translating.md. Under the licence of Foothold."
    )
    return catalog


def written(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_po(out, catalog, width=110, sort_output=True, include_lineno=False, omit_header=False)
    # Neither a day nor the version of a tool, which would change with no translation; nor blanks for names and addresses.
    return re.sub(rb'"(%s): [^"]*"\n' % _EMPTY, b"", out.getvalue())


def compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return re.sub(rb"(%s): [^\n]*\n" % _EMPTY, _blank, out.getvalue())


_EMPTY = b"POT-Creation-Date|PO-Revision-Date|Generated-By|Project-Id-Version|Report-Msgid-Bugs-To|Last-Translator|Language-Team"


def _blank(match: re.Match[bytes]) -> bytes:
    # As long as before, because a compiled catalogue counts its bytes.
    return b"X-Nothing: ".ljust(len(match[0]) - 1, b".") + b"\n"


def untranslated(catalog: Catalog) -> list[Message]:
    """Sentences without a translation, or without that of one of their forms."""
    return [
        entry
        for entry in catalog
        if entry.id and (not entry.string or "" in entry.string if entry.pluralizable else not entry.string)
    ]


def wrong(catalog: Catalog) -> list[str]:
    """Translations that name other values than their sentence does; a form of several may leave the count out."""
    return [f"{entry.id!r}: {entry.string!r}" for entry in catalog if entry.id and entry.string and not _fits(entry)]


def _fits(message: Message) -> bool:
    sources = [_values(text) for text in _texts(message.id)]
    targets = [_values(text) for text in _texts(message.string) if text]
    return all(target <= set().union(*sources) for target in targets) and (message.pluralizable or targets == sources)


def _texts(of: str | tuple[str, ...]) -> tuple[str, ...]:
    return (of,) if isinstance(of, str) else tuple(of)


def _values(text: str) -> set[str]:
    return set(re.findall(r"%(?:\(\w+\))?[sdrf%]|\{\w*\}", text))


# Text that is not marked

SHOWN = [
    "title",
    "aria-label",
    "placeholder",
    "alt",
    "aria-description",
    "aria-roledescription",
    "data-confirm",
    "hx-confirm",
    "label",
]
"""Attributes whose text people read or hear."""
NAMES = re.compile(
    r"\b(Foothold|WhatsApp|Hand and Foot|API|CSV|JSON|PDF|ICS|iCalendar|URL|QR|RSS|Atom|HTML|OpenAPI|YAML|GET|POST|PUT|DELETE|PATCH"
    r"|e\.g\.|Bain|Denexa|Saskatchewan|Board Game Arena|Elo|Glicko|OpenSkill|SHA-256|HMAC|UTC|Bearer|Authorization)\b"
)
"""Names that are the same in every language."""
ENGLISH = {"templates/gameplay/api_docs.html"}
"""Pages for programmers, in English only."""
_QUIET_TAGS = {"url", "static", "include", "load", "extends", "block", "endblock", "now", "comment", "cycle", "regroup"}


class _Text(HTMLParser):
    """Collects the text of a page that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.unmarked: list[tuple[int, str]] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quiet += tag in ("script", "style", "code", "pre")
        for name, value in attrs:
            if name in SHOWN or (name == "content" and ("name", "description") in attrs):
                self._keep(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("script", "style", "code", "pre")

    def handle_data(self, data: str) -> None:
        if self._quiet <= 0:
            self._keep(data)

    def _keep(self, text: str) -> None:
        if re.search(r"[A-Za-z]{2,}", NAMES.sub("", text)):
            self.unmarked.append((self.getpos()[0], " ".join(text.split())))


def unmarked_of_template(text: str) -> list[tuple[int, str]]:
    """Lines and text of a template outside of any mark."""
    outside, inside, unmarked = [], "", []
    for token in Lexer(text).tokenize():
        lines = "\n" * token.contents.count("\n")
        if token.token_type == TokenType.BLOCK:
            # The names of classes are for nobody to read.
            name = token.contents.split()[0] if token.contents.split() else ""
            if name in ("blocktranslate", "blocktrans", "comment", "verbatim"):
                inside = "end" + name
            elif name == inside:
                inside = ""
            elif name == "block" and token.contents.endswith(("class", "classes")):
                inside = "endblock"
            elif name not in _QUIET_TAGS and name not in ("translate", "trans"):
                unmarked += [(token.lineno, argument) for argument in _arguments(token.contents)]
            outside.append(lines)
        elif token.token_type == TokenType.VAR:
            unmarked += [(token.lineno, argument) for argument in _arguments(token.contents)]
            outside.append("§" + lines)
        elif token.token_type == TokenType.TEXT and not inside:
            outside.append(token.contents)
        else:
            outside.append(lines)
    parser = _Text()
    parser.feed("".join(outside))
    return sorted(unmarked + parser.unmarked)


def _arguments(contents: str) -> list[str]:
    """Sentences among the arguments of a tag or filter, such as `default:"No name"`."""
    bare = re.sub(r"""_\((?:"[^"]*"|'[^']*')\)""", "", contents)
    bare = re.sub(r"""[!=]= *["'][^"']*["']""", "", bare)
    bare = re.sub(r"""\|(date|time|several|stringformat|floatformat|slice|join|cut|add):["'][^"']*["']""", "", bare)
    texts = [text or other for text, other in re.findall(r""""([^"]*)"|'([^']*)'""", bare)]
    return [
        text
        for text in texts
        if re.search(r"[A-Z][a-z]|[a-z]{2,} [a-z]{2,}", NAMES.sub("", text)) and not re.search(r"[:/_<>]|\.html", text)
    ]


def unmarked_of_python(text: str) -> list[tuple[int, str]]:
    """Lines and text of Python that read like a sentence and pass no mark. Some are meant for no reader."""
    tree = ast.parse(text)
    quiet: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.add(id(node.value))  # docstrings, and remarks on attributes
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in KEYWORDS or name in ("extend_schema", "OpenApiParameter", "OpenApiExample"):
                quiet |= {id(child) for child in ast.walk(node)}
        if isinstance(node, ast.keyword) and node.arg in ("help_text",) and "api" in text[:200]:
            quiet |= {id(child) for child in ast.walk(node)}
    unmarked = []
    for node in ast.walk(tree):
        if id(node) in quiet:
            continue
        if isinstance(node, ast.JoinedStr):
            sentence = "".join(child.value if isinstance(child, ast.Constant) else "§" for child in node.values)
            quiet |= {id(child) for child in ast.walk(node)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            sentence = node.value
        else:
            continue
        if _reads_like_a_sentence(sentence):
            unmarked.append((node.lineno, sentence))
    return sorted(unmarked)


def _reads_like_a_sentence(text: str) -> bool:
    if re.match(r"[A-Z]+ [A-Z]|<|\^", text):
        return False  # SQL, markup, a pattern
    return bool(re.search(r"[A-Za-z§]{2,}[,;:’']? [a-zA-Z§]{1,}", text) or re.fullmatch(r"[A-Z][a-z]{2,}[.!?]?", text))


def unmarked_of_script(text: str) -> list[tuple[int, str]]:
    unmarked = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("//"):
            continue
        bare = re.sub(r"n?gettext\((?:[^()]|\([^()]*\))*\)", "", line)
        for groups in re.findall(r""""([^"]*)"|`([^`]*)`""", bare):
            sentence = "".join(groups)
            if re.search(r"^[A-Z][A-Za-z’]* .*[a-z]{2,}", NAMES.sub("", sentence)) and not re.search(
                r"[<>=\[\]#/]|^use strict", sentence
            ):
                unmarked.append((number, sentence))
    return unmarked


def unmarked(paths: list[str]) -> Iterator[str]:
    """`file:line: text` of everything that no translation would reach."""
    readers = {
        ".html": unmarked_of_template,
        ".txt": unmarked_of_template,
        ".py": unmarked_of_python,
        ".js": unmarked_of_script,
    }
    for path in files(paths or [TEMPLATES, *PYTHON, SCRIPTS], *readers):
        if str(path.relative_to(ROOT)) in ENGLISH:
            continue
        for line, text in readers[path.suffix](path.read_text()):
            yield f"{path.relative_to(ROOT)}:{line}: {text}"


# The command


def main(arguments: list[str]) -> int:
    settings.configure(USE_I18N=True)
    if arguments[:1] == ["unmarked"]:
        for line in unmarked(arguments[1:]):
            print(line)
        return 0
    problems = 0
    for language in LANGUAGES:
        for domain in ("django", "djangojs"):
            catalog = brought_up(language, domain)
            missing = untranslated(catalog)
            if arguments[:1] == ["missing"]:
                paths = tuple(arguments[1:])
                for entry in missing:
                    if not paths or any(place.startswith(paths) for place, _ in entry.locations):
                        print(
                            f"{entry.context + ' | ' if entry.context else ''}{entry.id!r}  ({entry.locations[0][0]})"
                        )
                continue
            path = folder(language) / f"{domain}.po"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(catalog))
            path.with_suffix(".mo").write_bytes(compiled(catalog))
            for line in wrong(catalog):
                print(f"{language}: different placeholders: {line}")
            print(f"{language} {domain}: {len(catalog)} sentences, {len(missing)} without a translation")
            problems += len(missing)
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
