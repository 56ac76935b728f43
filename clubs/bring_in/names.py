"""Names of people as lists have them: in any order, with titles, remarks, initials, and two in one cell."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from rapidfuzz.distance import OSA

from clubs.bring_in import values, words

Item = TypeVar("Item")
ALONE, SEVERAL, ROLE, HEADING, TOTAL, NOTE, DOUBT, NOTHING = (
    *("one", "several", "role", "heading", "total", "note", "doubt", "nothing"),
)
"""What a cell of names holds: a person, several people, a line that is none, or a doubt whether it is a person."""

_BRACKETS = re.compile(r"[(\[{](?!at[)\]])([^()\[\]{}]*)[)\]}]")
_BULLET = re.compile(r"^\s*(?:[-–•*·✓☐▪►]+\s*|\(?\d{1,3}[.):]\s*(?=\D)|\d{1,3}\s+(?=[^\W\d]))")
BETWEEN = re.compile(r"\s*(?:&|\+|/|;|\n)\s*|\s*,?\s+(?:and|und|u\.|et)\s+", re.IGNORECASE)
"""What stands between the names of two people."""
_TAIL = re.compile(r"\s+[-–—]\s+(.+)$|\s*[:]\s*(.+)$")
_EDGES = ' ,;:*†#–—-|/<>"“”„'
_LABEL = re.compile(r"^([^:]{2,40}?)\s*(?::|\s[-–—]\s)\s*(.+)$", re.DOTALL)
_PIECES = re.compile(r"(\s*[,;|]\s*|\s+[-–—]\s+|\n)")
_WIVES = ("mrs", "frau")
"""Titles of whom the name behind them is that of the husband: `Mr & Mrs Tom Hale`."""
_FAMILY = re.compile(r"^(?:the\s+|familie\s+|family\s+|fam\.\s+|ehepaar\s+|eheleute\s+)|\s+family$", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """What was read in a cell of names."""

    kind: str
    names: tuple[str, ...] = ()
    """The people, as they are called: first name, last name."""
    role: str = ""
    """What is said in brackets or beside the name, such as `sub` or `Chair`."""
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    full_name: str = ""
    """The cell as the name of one person."""
    note: str = ""
    """What else stands beside the name: a doctorate, an honour, a remark."""
    address: tuple[str, ...] = ()
    """The lines of a postal address beside the name."""


@lru_cache(20_000)
def read(text: str, *, last_first: bool = False) -> Found:
    """What a cell of names holds. With `last_first`, two words are the last and the first name."""
    raw = text.strip()
    if not any(sign.isalnum() for sign in raw) or words.is_none(raw):
        return Found(NOTHING)
    if words.is_total(raw):
        return Found(TOTAL)
    if words.is_letter(raw):
        return Found(NOTE, (raw,), full_name=" ".join(raw.split()))
    if " " not in raw and (mended := values.mended_email(raw)):
        return Found(NOTHING, emails=(mended,))
    rest, emails, phones = _contacts(raw)
    rest, remarks = _remarks(_BULLET.sub("", rest.strip(), count=1))
    rest, label = _labelled(rest.strip(_EDGES))
    rest, roles, notes, address = _beside(rest)
    role = "; ".join(dict.fromkeys(filter(None, [label, *remarks, *roles])))
    if not any(sign.isalpha() for sign in rest):
        return Found(NOTHING, role=role, emails=emails, phones=phones, note="; ".join(notes), address=address)
    full_name = _person(rest, last_first=last_first)
    parts = _parts(rest, last_first=last_first, is_group=words.is_group(label))

    def as_kind(kind: str, people: tuple[str, ...] = ()) -> Found:
        titles = degrees(rest) if kind != SEVERAL else [rest] if degrees(rest) else []
        note = "; ".join([*titles, *notes])
        return Found(kind, people, role, emails, phones, full_name, note, address)

    if words.is_role(rest) or words.is_heading(rest):
        return as_kind(HEADING)
    if len(parts) > 1 and all(_looks_like_name(part) for part in parts):
        return as_kind(SEVERAL, parts)
    if not _looks_like_name(full_name):
        is_note = words.note_words(rest) or len(rest.split()) > 5 or any(map(str.isdecimal, rest))
        return as_kind(NOTE if is_note else DOUBT, (full_name,))
    is_family = bool(_FAMILY.search(re.sub(r"^the\s+", "", rest, flags=re.IGNORECASE)))
    if words.note_words(rest) and words.folded(full_name).split()[0] not in words.GIVEN and not is_family:
        return as_kind(DOUBT if _begins_with_particles(full_name) else NOTE, (full_name,))
    if _FAMILY.search(rest) or rest.endswith((":", "!", "?")) or raw.endswith((":", "!")):
        return as_kind(DOUBT, (full_name,))
    return as_kind(ALONE, (full_name,))


def _contacts(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The text without addresses and telephone numbers, and those."""
    emails = tuple(values.emails(text))
    for email in emails:
        label = r"(?:\b(?:e-?mail|mail)\b\.?:?\s*|mailto:)*"
        text = re.sub(rf"{label}<?{re.escape(email)}>?", " ", text, flags=re.IGNORECASE)
    phones = values.phones_in(text)
    for phone in phones:
        label = r"(?:\b(?:tel|mob|mobile|mobil|phone|ph|t|m|h|handy|telefon)\b\.?:?\s*)?"
        text = re.sub(label + r"\s+".join(map(re.escape, phone.split())), " ", text, count=1, flags=re.IGNORECASE)
    return text, emails, phones


def _remarks(text: str) -> tuple[str, list[str]]:
    """The text without remarks, and those."""
    remarks = [remark.strip() for remark in _BRACKETS.findall(text) if any(map(str.isalnum, remark))]
    remarks = [remark for remark in remarks if remark.strip(".").casefold() not in words.SALUTATIONS]
    text = _BRACKETS.sub(" ", text)
    if (behind := words.leaving(text)) and text[: -len(behind)].strip(_EDGES):
        remarks.append(behind.strip(_EDGES.replace("†", "")))
        text = text[: -len(behind)]
    if (tail := _TAIL.search(text)) and text[: tail.start()].strip():
        behind = (tail[1] or tail[2]).strip(_EDGES)
        if words.is_role(behind) or (words.note_words(behind) and not words.is_none(behind)):
            remarks.append(behind)
            text = text[: tail.start()]
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip(), remarks


def _labelled(text: str) -> tuple[str, str]:
    """The text without what stands in front of the people, and that if it is a role: “Chair: Gwen Ash”."""
    hit = _LABEL.match(text)
    if hit is None or not any(map(str.isalpha, hit[2])):
        return text, ""
    if words.is_role(hit[1]):
        return hit[2], hit[1].strip()
    return (hit[2], "") if words.is_label(hit[1]) else (text, "")


def _beside(text: str) -> tuple[str, list[str], list[str], tuple[str, ...]]:
    """The name at the start of a line, and what the line says beside it: roles, notes, the lines of an address."""
    parts = _PIECES.split(text)
    head, betweens, pieces = parts[0], parts[1::2], parts[2::2]
    if (
        not pieces
        or not all(map(_looks_like_name, BETWEEN.split(head)))
        or (words.note_words(head) and not is_full(head))
    ):
        return text, [], [], ()
    roles: list[str] = []
    notes: list[str] = []
    address: list[str] = []
    start = 0 if len(_without_particles(head)) > 1 and words.folded(pieces[0]) not in words.GIVEN else 1
    if any(map(words.is_address, pieces[start:])):
        # A house may have a name, which stands in front of the first line that is an address for sure.
        last = max(at for at, piece in enumerate(pieces) if words.is_address(piece))
        while start < last and not words.is_address(pieces[start]) and is_full(pieces[start]):
            start += 1
    else:
        last = -1
    for at, (between, piece) in enumerate(zip(betweens, pieces, strict=True)):
        is_behind = last >= 0 and at >= start
        if not piece.strip(" .-"):
            continue
        if words.is_role(piece.strip(" .")):
            roles.append(piece.strip(" ."))
        elif words.is_none(piece):
            notes += [piece] if " " in piece.strip() else []
        elif is_behind and (at <= last or not words.note_words(piece)):
            address.append(piece.strip(" ."))
        elif at >= start and (is_behind or _is_remark(head, piece)):
            notes.append(piece)
        else:
            head += between + piece
    return head, roles, notes, tuple(address)


def _without_particles(text: str) -> list[str]:
    return [token for token in _tokens(text)[0] if not _is_particle(token)]


def is_full(name: str) -> bool:
    """Whether a text is a first name and more."""
    first = words.folded(name).split()[:1]
    return len(name.split()) > 1 and bool(first) and first[0] in words.GIVEN


def _is_remark(name: str, piece: str) -> bool:
    """Whether what stands behind a full name and a comma is neither part of it nor somebody else."""
    if is_full(piece) or not is_full(name) or "&" in name or "&" in piece:
        return False
    tokens = [token.strip(".").casefold() for token in piece.split()]
    if all(token in words.SUFFIXES or token in words.HONORIFICS or _is_letters_behind(token) for token in tokens):
        return False
    return (
        bool(words.note_words(piece))
        or any(map(str.isdecimal, piece))
        or not (words.folded(piece) in words.GIVEN or len(piece.split()) > 1 or _is_initial(piece))
    )


# One person


def _tokens(text: str) -> tuple[list[str], list[str]]:
    """The words of a name without titles and letters behind it, and those."""
    titles: list[str] = []
    bare_tokens: list[str] = []
    tokens = text.replace("\n", " ").split()
    for at, token in enumerate(tokens):
        bare = token.strip(".,").casefold()
        if (bare in words.HONORIFICS and (token.endswith(".") or at + 1 < len(tokens) or titles)) or (
            bare_tokens
            and _is_letters_behind(token)
            and (len(bare_tokens) > 1 or bare not in words.LETTERS_LIKE_NAMES or bare_tokens[0].endswith(","))
        ):
            titles.append(token.strip(","))
        else:
            bare_tokens.append(token)
    return bare_tokens, titles


def _is_letters_behind(token: str) -> bool:
    """Whether a word is a degree or an honour, such as `OBE` or `PhD`."""
    bare = token.strip(",").replace(".", "")
    return bare.casefold() in words.LETTERS_BEHIND and not bare[1:].islower()


def _is_honour(token: str) -> bool:
    """Whether a word is a degree or an honour and no last name."""
    return _is_letters_behind(token) and token.strip(".,").casefold() not in words.LETTERS_LIKE_NAMES


def degrees(text: str) -> list[str]:
    """The titles of a text that say more than “Mrs”: doctorates, offices, honours, in one text; none in a text without."""
    titles = [
        title for title in _tokens(text.replace(",", " "))[1] if title.strip(".").casefold() not in words.SALUTATIONS
    ]
    return [" ".join(titles)] if titles else []


def _person(text: str, *, last_first: bool = False) -> str:
    """The name of one person: first name, last name, suffix."""
    last, comma, first = text.partition(",")
    if comma and first.strip():
        behind = _tokens(f"…, {first.replace(',', ' ')}")[0][1:]
        suffixes = [token for token in behind if token.strip(".").casefold() in words.SUFFIXES]
        firsts = [token for token in behind if token not in suffixes]
        lasts, titles = _tokens(last)
        if not firsts:
            return _cased([*lasts, *suffixes])
        return _cased([*firsts, *lasts, *suffixes])
    tokens, titles = _tokens(text.replace(",", " "))
    if not tokens:
        return " ".join(titles)
    suffixes = [token for token in tokens[1:] if token.strip(".").casefold() in words.SUFFIXES]
    tokens = [token for token in tokens if token not in suffixes]
    if len(tokens) == 1 and titles and not suffixes:
        return " ".join([titles[-1], *_cased(tokens).split()])
    return _cased([*_in_order(tokens, last_first), *suffixes])


def _in_order(tokens: list[str], last_first: bool) -> list[str]:
    """First names before last names: capitals are last names, initials are first names."""
    capitals = [_is_capitals(token) for token in tokens]
    if any(capitals) and not all(capitals) and capitals[0]:
        end = next(at for at, is_last in enumerate(capitals) if not is_last)
        if all(not _is_capitals(token) for token in tokens[end:]) and not _is_particle(tokens[end - 1]):
            return [*tokens[end:], *tokens[:end]]
    initials = [_is_initial(token) for token in tokens]
    if len(tokens) > 1 and not initials[0] and all(initials[1:]):
        return [*tokens[1:], tokens[0]]
    if last_first and len(tokens) > 1 and not any(initials):
        start = 1
        while start < len(tokens) - 1 and _is_particle(tokens[start - 1]):
            start += 1
        return [*tokens[start:], *tokens[:start]]
    return tokens


def _is_capitals(token: str) -> bool:
    letters = [sign for sign in token if sign.isalpha()]
    small = 2 if token.startswith("Mac") else 1 if token.startswith("Mc") else 0
    return len(letters) > 1 and sum(sign.isupper() for sign in letters) >= len(letters) - small > 1


def _is_initial(token: str) -> bool:
    return bool(re.fullmatch(r"(?:[^\W\d_]\.?-?){1,3}", token)) and (
        len(token) == 1 or "." in token or (token.isupper() and len(token) <= 2)
    )


def _begins_with_particles(full_name: str) -> bool:
    """Whether a last name such as “von der Heide” stands before a first name."""
    tokens = full_name.split()
    plain = [token for token in tokens if not _is_particle(token)]
    return _is_particle(tokens[0]) and len(plain) > 1 and all(token[0].isupper() for token in plain)


def _is_particle(token: str) -> bool:
    return token.casefold() in words.PARTICLES


def _cased(tokens: Sequence[str]) -> str:
    """The name with capitals where people have them, if it was typed all in small letters or all in capitals."""
    plain = [token.strip(",") for token in tokens if token.strip(",")]
    is_small = all(token == token.lower() for token in plain)
    shown = []
    for at, token in enumerate(plain):
        is_within = at < len(plain) - 1 and plain[at + 1].strip(".").casefold() not in words.SUFFIXES
        if _is_particle(token) and (
            (token.islower() and len(plain) > 1 and not (is_small and at == 0))
            or (at and is_within and _is_capitals(token) and token.casefold() not in words.NEVER_SMALL)
        ):
            shown.append(token.lower())
        elif _is_honour(token):
            shown.append(token)
        elif (_is_capitals(token) and not _is_initial(token)) or (token.islower() and (is_small or at == 0)):
            shown.append(_titled(token))
        else:
            shown.append(token)
    return " ".join(shown)


def first_last(first: str, last: str) -> str:
    """The name of a person from the columns of first and last names, none of them all in capitals."""
    lasts = [
        _titled(token) if len(token) == 2 and token.isupper() and not _is_particle(token) else token
        for token in last.split()
    ]
    return _cased([*first.split(), *lasts])


def _titled(token: str) -> str:
    if token.strip(".").casefold() in ("ii", "iii", "iv"):
        return token.upper()
    titled = re.sub(r"[^\W\d_]+", lambda hit: hit[0].capitalize(), token.lower())
    titled = re.sub(r"(['’])(S)\b", lambda hit: hit[1] + "s", titled)
    titled = re.sub(r"\bMac([a-z]+)", lambda hit: _after_mac(hit[1]), titled)
    return re.sub(r"\bMc([a-z])", lambda hit: "Mc" + hit[1].upper(), titled)


def _after_mac(rest: str) -> str:
    """A last name that starts with “Mac”; one that only looks so, such as Mackay’s neighbour Mackie, stays as it is."""
    return "Mac" + (rest.capitalize() if rest in words.AFTER_MAC else rest)


def plain_words(text: str) -> list[str]:
    """The words of a name whose order nothing shows, folded: without titles and remarks; none with a comma, capitals or
    initials."""
    tokens, _ = _tokens(_BRACKETS.sub("", text))
    if "," in text or any(_is_capitals(token) or _is_initial(token) for token in tokens):
        return []
    return words.folded(" ".join(tokens)).split()


# Several people


def _parts(text: str, *, last_first: bool = False, is_group: bool = False) -> tuple[str, ...]:
    """The people of a cell with one or several. In a group, commas stand between people."""
    pieces = [piece.strip(" ,") for piece in BETWEEN.split(text) if piece and piece.strip(" ,")]
    pieces = [piece for at, piece in enumerate(pieces) if not at or words.folded(piece) not in words.SOMEBODY]
    if len(pieces) == 1:
        return _by_commas(pieces[0], is_group=is_group)
    if "," in pieces[0] and len(pieces[-1].split()) > 1 and "," not in pieces[-1]:
        entries = [piece.strip() for piece in pieces[0].split(",")]
        if (all(len(piece.split()) == 1 for piece in entries) and words.folded(entries[0]) in words.GIVEN) or all(
            len(piece.split()) > 1 for piece in entries
        ):
            pieces = [*entries, *pieces[1:]]
    last, comma, firsts = pieces[0].partition(",")
    if comma and all("," not in piece and len(_tokens(piece)[0]) < 2 for piece in pieces[1:]):
        return tuple(_person(f"{last}, {first}") for first in (firsts, *pieces[1:]))
    if all("," not in piece for piece in pieces):
        pieces = _with_surname(pieces)
    return tuple(_person(piece, last_first=last_first) for piece in pieces)


def _by_commas(text: str, *, is_group: bool = False) -> tuple[str, ...]:
    """People with commas between them, if each has a first name that is known, or initials."""
    entries = [piece.strip() for piece in text.split(",") if piece.strip()]
    is_each = is_group or all((is_full(piece) and len(piece.split()) == 2) or _has_initials(piece) for piece in entries)
    return tuple(map(_person, entries)) if len(entries) > 1 and is_each else (text,)


def _has_initials(piece: str) -> bool:
    """Whether a text is a last name with initials."""
    initials = [_is_initial(token) for token in piece.split()]
    return any(initials) and not all(initials)


def _with_surname(pieces: Sequence[str]) -> list[str]:
    """The pieces, each with the last name that they share: “Ann & Bob Jones”, “SMITH John & Mary”, “Mr & Mrs Lee”."""
    split = [_untitled_piece(piece) for piece in pieces]
    longest = [tokens for tokens, _ in split if len(tokens) > 1]
    singles = [tokens for tokens, _ in split if len(tokens) < 2]
    if not singles:
        return list(pieces)
    if not longest:
        # “Mr & Mrs Lee”: only titles, and one last name.
        with_names = [tokens for tokens, _ in split if tokens]
        if len(with_names) == 1 and len(with_names) < len(split):
            return [
                piece if tokens else f"{piece} {with_names[0][0]}"
                for piece, (tokens, _) in zip(pieces, split, strict=True)
            ]
        return list(pieces)
    first_at = next(at for at, (tokens, _) in enumerate(split) if len(tokens) > 1)
    if (
        len(split[first_at][0]) == 2
        and first_at == 0
        and _is_capitals(split[0][0][0])
        and not _is_capitals(split[0][0][1])
    ):
        surname = [split[0][0][0]]
    else:
        surname = _surname(_in_order(split[first_at][0], last_first=False))
    shared = " ".join(surname)
    if len(pieces) == 2 and not split[0][0] and split[1][1] and split[1][1][-1].strip(".").casefold() in _WIVES:
        return [f"{pieces[0]} {' '.join(split[1][0])}", f"{split[1][1][-1]} {shared}"]
    return [piece if len(tokens) > 1 else f"{piece} {shared}" for piece, (tokens, _) in zip(pieces, split, strict=True)]


def _untitled_piece(piece: str) -> tuple[list[str], list[str]]:
    """The words and titles of one of several people; “Mr” alone is a title."""
    tokens, titles = _tokens(piece)
    alone = [token for token in tokens if token.strip(".").casefold() in words.HONORIFICS]
    return ([], [*titles, *alone]) if alone == tokens else (tokens, titles)


def _surname(tokens: list[str]) -> list[str]:
    """The last name among the words of a name in order, with the small words before it."""
    start = len(tokens) - 1
    while start > 1 and _is_particle(tokens[start - 1]):
        start -= 1
    if start == 2 and len(tokens) == 3 and words.folded(tokens[1]) not in words.GIVEN and not _is_initial(tokens[1]):
        start = 1
    return tokens[start:]


# Whether it is a name


def _looks_like_name(name: str) -> bool:
    """Whether a text may be the name of a person: one to six words of letters, in capitals where people have them."""
    tokens = name.split()
    if not 1 <= len(tokens) <= 6 or any(sign.isdecimal() or sign in "!?@:=%€£$_<>\\|" for sign in name):
        return False
    plain = [token for token in tokens if not _is_particle(token)]
    if not plain or not all(_is_word(token) for token in plain):
        return False
    return len(plain) > 1 or len(plain[0].strip(".")) > 1


def _is_word(token: str) -> bool:
    bare = token.strip(".,'’`\"“”-")
    return bool(bare) and (bare[0].isupper() or (not bare[0].islower() and bare[0].isalpha()))


# Names that may be the same


def key(name: str) -> str:
    """A name for comparing: without titles, dots, accents and order of its words."""
    tokens, _ = _tokens(name)
    return " ".join(sorted(words.folded(" ".join(tokens) or name).split()))


def by_last_name(items: Iterable[Item], name_of: Callable[[Item], str]) -> dict[str, list[Item]]:
    """Items by the last words of their names, folded."""
    hits: dict[str, list[Item]] = {}
    for item in items:
        hits.setdefault(words.folded(name_of(item)).rpartition(" ")[2], []).append(item)
    return hits


class LastNames(Generic[Item]):
    """Members by their last names, and whom a list means by a last name alone."""

    def __init__(self, members: Sequence[Item], name_of: Callable[[Item], str], used: Iterable[str]) -> None:
        self._name_of = name_of
        self.by_key = by_last_name(members, name_of)
        self.uses = Counter(map(words.folded, used))
        """How often each name stands in the list, folded."""
        self.taken = {member for member in members if self.uses[words.folded(name_of(member))]}
        """Members who stand in the list already."""

    def of(self, name: str) -> list[Item]:
        """The members of a last name; none whose whole name it is."""
        key = words.folded(name)
        return [member for member in self.by_key.get(key, []) if words.folded(self._name_of(member)) != key]

    def meant(self, name: str) -> Item | None:
        """The only member of a last name, if it stands once and the member nowhere else."""
        hit = self.of(name)
        is_sure = len(hit) == 1 and self.uses[words.folded(name)] <= 1 and hit[0] not in self.taken
        return hit[0] if is_sure else None


def may_be_same(item: str, other: str) -> bool:
    """Whether two different names may be those of one person: by initials, or but for a letter or two."""
    left, right = words.folded(item).split(), words.folded(other).split()
    if not left or not right or sorted(left) == sorted(right):
        return bool(left) and sorted(left) == sorted(right)
    if _by_initials(left, right):
        return True
    if len(left) != len(right):
        return _without_middle(left, right)
    different = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    if len(different) != 1:
        joined = "".join(left), "".join(right)
        return (
            len(joined[0]) > 9
            and OSA.distance(*joined, score_cutoff=2) <= 2
            and all(OSA.distance(a, b, score_cutoff=1) <= 1 and min(len(a), len(b)) > 3 for a, b in different)
        )
    a, b = different[0]
    if min(len(a), len(b)) < 3 or (a in words.GIVEN and b in words.GIVEN):
        return False
    return OSA.distance(a, b, score_cutoff=2) <= (2 if min(len(a), len(b)) > 7 else 1) and a.isalpha() and b.isalpha()


def _by_initials(left: list[str], right: list[str]) -> bool:
    """Whether one name has initials for the first names of the other: `j smith`, `john smith`."""
    if left[-1] != right[-1] or min(len(left), len(right)) < 2:
        return False
    (a, b) = (left[0], right[0])
    short, long = (a, b) if len(a) == 1 else (b, a)
    return len(short) == 1 and long.startswith(short)


def _without_middle(left: list[str], right: list[str]) -> bool:
    """Whether one name has middle names more than the other."""
    short, long = sorted((left, right), key=len)
    return len(short) > 1 and short[0] == long[0] and short[-1] == long[-1]


def fuller(item: str, other: str) -> str:
    """The one of two names of a person that says more."""

    def length(name: str) -> tuple[int, int]:
        parts = words.folded(name).split()
        return sum(len(part) > 1 for part in parts), len(name)

    return other if length(other) > length(item) else item
