"""Which encoding a text without a mark is in: the one in which its words are those of a language."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

_LATIN: Mapping[str, str] = {
    "german": "äöüß",
    "french": "àâæçéèêëîïôœùûüÿ",
    "spanish": "áéíóúüñ",
    "portuguese": "áâãàçéêíóôõúü",
    "italian": "àèéìòù",
    "dutch": "ëïéèêüöáóç",
    "danish": "æøåéö",
    "swedish": "åäöéü",
    "icelandic": "áéíóúýðþæö",
    "irish": "áéíóú",
    "polish": "ąćęłńóśźż",
    "czech": "áčďéěíňóřšťúůýž",
    "slovak": "áäčďéíĺľňóôŕšťúýž",
    "hungarian": "áéíóöőúüű",
    "slovene": "čćđšž",
    "romanian": "ăâîșțşţ",
    "turkish": "çğıöşüâîi̇",
    "estonian": "äõöüšž",
    "baltic": "āčēģīķļņšūžąęėįųū",
}
_WESTERN = frozenset(
    ("german", "french", "spanish", "portuguese", "italian", "dutch", "danish", "swedish", "icelandic", "irish")
)
_EASTERN = frozenset(("german", "polish", "czech", "slovak", "hungarian", "slovene", "romanian"))
_COMMONEST = {"cyrillic": "оаеинтрсвлкмпудяьызбгчйхжюшцщэфёіїє", "greek": "αοιετσνηυρπκμλωδγχςθάίόέήύφώβξζψ"}
"""Letters of other scripts, the commonest first."""
_LANGUAGES: Mapping[str, frozenset[str]] = {
    "cp1252": _WESTERN,
    "cp1250": _EASTERN,
    "iso8859_2": _EASTERN,
    "cp1254": frozenset(("turkish", "german", "french")),
    "cp1257": frozenset(("baltic", "estonian", "german")),
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
    "cp852": _EASTERN,
    "cp437": _WESTERN,
    "mac_latin2": _EASTERN,
    "cp1251": frozenset(("cyrillic",)),
    "koi8_u": frozenset(("cyrillic",)),
    "iso8859_5": frozenset(("cyrillic",)),
    "cp866": frozenset(("cyrillic",)),
    "mac_cyrillic": frozenset(("cyrillic",)),
    "cp1253": frozenset(("greek",)),
    "iso8859_7": frozenset(("greek",)),
    "utf_16_le": frozenset((*_LATIN, *_COMMONEST)),
    "utf_16_be": frozenset((*_LATIN, *_COMMONEST)),
}
"""The languages of each encoding; of equals the first is meant."""
_HEAD_START = {"cp1252": 0.05}
_WIDE = ("utf_16_le", "utf_16_be")
_SIGNS = frozenset("’‘“”„–—…€£§°•·´×«»½¡¿º\u00a0")
_ALONE = re.compile(r"(?<!\w)’(?=\w)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NEAR = 0.04
_MOST_READINGS = 4
_MOST = 20_000
"""Bytes that are compared."""


def likeliest(data: bytes) -> str:
    """The name of the encoding in which a text is the likeliest."""
    wide = b"\0" in data and len(data) % 2 == 0
    names = [name for name in _LANGUAGES if (name in _WIDE) == wide]
    return max(names, key=lambda name: likelihood(data, name))


def readings(data: bytes) -> tuple[str, ...]:
    """The encodings in which a text is about as likely as in the likeliest, that first, each with another result; none if
    there is no doubt."""
    if not _is_one_byte(data):
        return ()
    scores = {name: likelihood(data, name) for name in _LANGUAGES if name not in _WIDE}
    texts: dict[str, str] = {}
    for name in sorted(scores, key=lambda name: -scores[name]):
        if scores[name] >= max(0.2, max(scores.values()) - _NEAR):
            texts.setdefault(data.decode(name, "replace"), name)
    return tuple(texts.values())[:_MOST_READINGS] if len(texts) > 1 else ()


def _is_one_byte(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return b"\0" not in data and not data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return False


def read_again(text: str, encoding: str, other: str) -> str:
    """A text that was read in one encoding, read in another; as it is if that cannot be."""
    if encoding not in _LANGUAGES or other not in _LANGUAGES:
        return text
    try:
        return text.encode(encoding).decode(other)
    except UnicodeError:
        return text


def likelihood(data: bytes, encoding: str) -> float:
    """How likely the words of a text are in this encoding, from below 0 to about 1."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return -1.0 - len(data.decode(encoding, "ignore")) / -max(1, len(data))
    text = data[:_MOST].decode(encoding, "ignore")
    strange = [word for word in _WORD.findall(text) if not word.isascii()]
    between = [sign for sign in _WORD.sub("", text) if sign > "\x7f"]
    if not strange and not between:
        return _HEAD_START.get(encoding, 0.0)
    languages = _LANGUAGES[encoding]
    fits = [_fitting(word) & languages if _is_cased(word) else frozenset[str]() for word in strange]
    fit = sum(map(bool, fits)) / len(strange) if strange else 0.5
    alike = max((sum(language in fit for fit in fits) for language in languages), default=0) / max(1, len(strange))
    odd = (sum(sign not in _SIGNS for sign in between) + len(_ALONE.findall(text))) / (len(strange) + len(between))
    return fit / 2 + alike / 2 - odd + _commonness(strange, languages) + _HEAD_START.get(encoding, 0.0)


@lru_cache(4000)
def _fitting(word: str) -> frozenset[str]:
    """The languages that have all letters of a word that are not English."""
    letters = {sign for sign in word.lower() if sign > "\x7f" and sign != "’"}
    if len(word) < 2:
        return frozenset()
    if any(sign in common for common in _COMMONEST.values() for sign in letters):
        plain = set(word.lower()) - set("'’")
        return frozenset(script for script, common in _COMMONEST.items() if plain <= set(common))
    if len(word) > 3 and 2 * len(letters) > len(set(word.lower())) + 1:
        return frozenset()
    return frozenset(language for language, usual in _LATIN.items() if letters <= set(usual))


def _is_cased(word: str) -> bool:
    """Whether capitals are where people write them: none behind a small letter, but for names such as McÉvoy."""
    return word.isupper() or (
        not any(after.isupper() and before.islower() for before, after in pairwise(word[1:]))
        and not (word[0].islower() and word[1:2].isupper())
    )


def _commonness(words: list[str], languages: frozenset[str]) -> float:
    """Up to 0.2 for words of other scripts whose letters are the common ones of their language."""
    common = "".join(_COMMONEST.get(language, "") for language in languages) if len(languages) == 1 else ""
    places = [common.find(sign) for word in words for sign in word.lower() if sign > "\x7f"] if common else []
    if not places:
        return 0.0
    return 0.2 * sum(1 - place / len(common) for place in places if place >= 0) / len(places)
