"""House rules of a club: created, saved by version, renamed, archived, copied, imported from a file or a link."""

import json
import re
import unicodedata
from typing import Annotated, Any, NamedTuple

from django.utils.translation import gettext

from accounts.display_names import folded
from acts.declaring import On
from acts.fields import number, words
from clubs.models import Club, HouseRules, RulesVersion
from clubs.services import naming
from clubs.services.history import CLUB, Never, Record, Rows, act
from engine.errors import BadInput
from engine.play.rule_sheet.nearest import find_nearest
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from web.errors import Refused, Stale
from web.text import as_address

RESERVED = frozenset({"new", "sheet", "bring-in"})
"""Words that addresses below a club's house rules use themselves."""
FORMAT = "foothold-house-rules"
LONGEST_FILE = 100_000
"""Bytes of an imported file; a ruleset written in full has some three thousand."""
LONGEST_NAME = 60
MOST_RULES = 100
MOST_VERSIONS = 1000
NEWEST = "The newest version you know of: refused if there is a newer one."
_TOKEN = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{32}(?![\w-])")

HOUSE_RULES = On(HouseRules, "club")
Name = Annotated[str, words(LONGEST_NAME)]
About = Annotated[str, words(300)]
Note = Annotated[str, words(200)]


class ImportedRules(NamedTuple):
    """Imported rules, with their name and texts."""

    rules: Rules
    name: str = ""
    about: str = ""
    note: str = ""


# Acts


@act(
    "rules_made", on=CLUB, needs="rules", undo=Never("Tables and seasons may be played by them. Archive them instead.")
)
def make(record: Record, club: Club, *, name: Name, rules: Rules, about: About = "", note: Note = "") -> str:
    """Save rules under a new name, as version 1."""
    if club.house_rules.count() >= MOST_RULES:
        raise Refused(
            "too_many", gettext("A club can have at most %(most)s sets of house rules.") % {"most": MOST_RULES}
        )
    title = _free_name(club, name)
    house_rules = HouseRules(club=club, name=title, slug=_free_slug(club, title), about=_about(about))
    record.create(house_rules)
    _add_version(record, house_rules, 1, rules, note)
    return gettext("House rules created: %(called)s.") % {"called": title}


@act("rules_saved", on=HOUSE_RULES, needs="rules", undo=Never("Versions never change. Save another one instead."))
def save(
    record: Record,
    house_rules: HouseRules,
    *,
    rules: Rules,
    note: Note = "",
    newest: Annotated[int | None, number(help_text=NEWEST)] = None,
) -> str:
    """Save changed rules as the next version; the earlier ones stay as they are."""
    last = house_rules.versions.latest("number")
    if newest is not None and newest != last.number:
        raise Stale(
            "newer_version",
            gettext(
                "Version %(number)s has just been saved. Your changes are not lost. Compare both "
                "versions, then save again if you still want yours."
            )
            % {"number": last.number},
            newest=last.number,
        )
    if rules == last.rules:
        raise Refused(
            "same",
            gettext("These rules are the same as version %(number)s. Change something first.")
            % {"number": last.number},
        )
    if last.number >= MOST_VERSIONS:
        raise Refused("too_many", gettext("House rules can have at most %(most)s versions.") % {"most": MOST_VERSIONS})
    _add_version(record, house_rules, last.number + 1, rules, note)
    return gettext("%(found)s: version %(number)s saved.") % {"found": house_rules, "number": last.number + 1}


@act("rules_named", on=HOUSE_RULES, needs="rules", undo=Rows())
def rename(record: Record, house_rules: HouseRules, *, name: Name, about: About = "") -> str:
    """Give house rules another name or description."""
    before = house_rules.name
    title = _free_name(record.club, name, house_rules)
    if not record.change(house_rules, name=title, about=_about(about)):
        raise Refused("same", gettext("You have not changed anything."))
    if title == before:
        return gettext("Description of %(called)s changed.") % {"called": title}
    return gettext("House rules %(before)s are now called %(called)s.") % {"before": before, "called": title}


@act("rules_archived", on=HOUSE_RULES, needs="rules", undo=Rows())
def archive(record: Record, house_rules: HouseRules) -> str:
    """Archive house rules: they are no longer offered, and stay where they are used. Twice does no harm."""
    record.change(house_rules, is_archived=True)
    return gettext("House rules archived: %(found)s.") % {"found": house_rules}


@act("rules_archived", on=HOUSE_RULES, needs="rules", undo=Rows())
def restore(record: Record, house_rules: HouseRules) -> str:
    """Restore house rules. Twice does no harm."""
    record.change(house_rules, is_archived=False)
    return gettext("House rules restored: %(found)s.") % {"found": house_rules}


def copy_values(version: RulesVersion) -> dict[str, Any]:
    """Arguments of `make` to copy a version of any club’s house rules as version 1."""
    house_rules = version.house_rules
    note = (gettext("Copied from %(club)s: %(version)s") % {"club": house_rules.club, "version": version})[:200]
    return {"rules": version.rules, "about": house_rules.about, "note": note}


def _add_version(record: Record, house_rules: HouseRules, number: int, rules: Rules, note: str) -> None:
    pinned = assign_preset(rules)
    record.create(
        RulesVersion(
            house_rules=house_rules,
            number=number,
            preset=pinned.name,
            rules_json=pinned.write(),
            note=plain(note)[:200],
            by=record.by,
            at=record.now,
        )
    )


def assign_preset(rules: Rules) -> Rules:
    """The same rules under the name of a published ruleset, the nearest if they have none."""
    if rules.name in PRESETS:
        return rules
    return Rules.read({"name": find_nearest(rules).name, "options": rules.write_options()})


def _free_name(club: Club, name: str, current: HouseRules | None = None) -> str:
    if not name.strip():
        raise Refused("no_name", gettext("Give the house rules a name."), field="name")
    title = naming.clean(name, LONGEST_NAME, field="name")
    other_rules = club.house_rules.exclude(pk=current.pk if current else 0)
    if any(folded(other) == folded(title) for other in other_rules.values_list("name", flat=True)):
        raise Refused(
            "name_taken",
            gettext("The club already has house rules called %(called)s.") % {"called": title},
            field="name",
        )
    return title


def _free_slug(club: Club, name: str) -> str:
    base = as_address(name)[:50].strip("-") or "rules"
    used = RESERVED | set(club.house_rules.values_list("slug", flat=True))
    number = 1
    slug = base
    while slug in used:
        number += 1
        slug = f"{base}-{number}"
    return slug


def _about(text: str) -> str:
    about = plain(text)
    if len(about) > 300:
        raise Refused("long_words", gettext("Describe them in at most 300 characters."), field="about")
    return about


def plain(text: str) -> str:
    """A text in one line, without characters that no page and no database can show."""
    return " ".join("".join(c for c in text if c.isspace() or unicodedata.category(c) not in _UNSEEN).split())


_UNSEEN = ("Cc", "Cs")


# As a file


def as_json(version: RulesVersion, url: str = "") -> dict[str, Any]:
    """A version as JSON to download, for `read_import`."""
    return {
        "format": FORMAT,
        "name": version.house_rules.name,
        "about": version.house_rules.about,
        "version": version.number,
        "note": version.note,
        "club": version.house_rules.club.name,
        "url": url,
        "rules": version.rules_json,
    }


def read_import(text: str | bytes) -> ImportedRules:
    """Read rules from a file's JSON, the engine's JSON, or a link to shared rules. Raises `Refused` with its
    sentences."""
    content = _text(text)
    if not content:
        raise Refused("nothing", gettext("Choose a file, or paste its text or a link."), field="text")
    if not content.startswith(("{", '"')):
        return _by_link(content)
    try:
        value = json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused(
            "no_json", gettext("This is not JSON. Perhaps part of the file is missing."), field="text"
        ) from None
    about = value if isinstance(value, dict) and "rules" in value else {"rules": value}
    try:
        rules = Rules.read(about["rules"])
    except BadInput as error:
        raise Refused("bad_rules", error.sentence, field="text") from None
    return ImportedRules(assign_preset(rules), *(_words(about.get(key), most) for key, most in _WORDS.items()))


_WORDS = {"name": LONGEST_NAME, "about": 300, "note": 200}


def _words(value: Any, most: int) -> str:
    return plain(value)[:most] if isinstance(value, str) else ""


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _text(text: str | bytes) -> str:
    if len(text) > LONGEST_FILE:
        raise Refused("too_long", gettext("This is too long for house rules. Choose another file."), field="text")
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        raise Refused("no_text", gettext("This is not a text file."), field="text") from None
    return decoded.lstrip("\ufeff").strip()


def _by_link(text: str) -> ImportedRules:
    tokens = _TOKEN.findall(text) if len(text) <= 500 else []
    version = (
        RulesVersion.objects.filter(token=tokens[-1]).select_related("house_rules__club").first() if tokens else None
    )
    if version is None:
        raise Refused(
            "no_link", gettext("This is neither a house rules file nor a link to rules shared here."), field="text"
        )
    house_rules = version.house_rules
    return ImportedRules(
        version.rules,
        house_rules.name,
        house_rules.about,
        (gettext("Copied from %(club)s: %(version)s") % {"club": house_rules.club, "version": version})[:200],
    )
