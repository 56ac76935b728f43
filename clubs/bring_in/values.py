"""Values in cells: addresses, telephone numbers, dates and numbers as people write them."""

import re
from dataclasses import dataclass
from datetime import date, time

from clubs.bring_in.workbook import DATE, NUMBER, Cell

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[^\W\d_]{2,24}", re.UNICODE)
_NEARLY = re.compile(r"^\S+\s*(?:@|\(at\)|\[at\]|\sat\s)\s*\S+$", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w@.])\+?\(?\d[\d\s()./–-]{4,}\d(?![\w@])")
_BETWEEN_PHONES = re.compile(r"\s*[/;,\n|]\s*|\s+(?:or|oder|and|und|&)\s+|(?<=\))\s*(?=\d)")
_YEARS = re.compile(r"(?:19|20)\d\d\s?[-/–]\s?(?:19|20)?\d\d")
_A_DATE = re.compile(r"^\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}$|^\d{4}-\d{1,2}-\d{1,2}")
_DIGITS_LOST = re.compile(r"^\d[.,]\d{1,14}e\+?(\d{1,2})$", re.IGNORECASE)
_COUNTRIES = (
    "44",
    "49",
    "43",
    "41",
    "353",
    "31",
    "32",
    "33",
    "34",
    "39",
    "45",
    "46",
    "47",
    "48",
    "61",
    "64",
    "91",
    "27",
    "1",
)


def emails(text: str) -> list[str]:
    """The email addresses in a text, in small letters."""
    return [hit.casefold().removeprefix("mailto:").strip(".") for hit in _EMAIL.findall(text)]


def without_emails(text: str) -> str:
    """A text without its email addresses."""
    return re.sub(r"\bmailto:\s*", "", _EMAIL.sub("", text), flags=re.IGNORECASE)


def mended_email(text: str) -> str:
    """What an address with a slip was probably meant to be, such as `ann(at)example,org`; empty if nobody knows."""
    if not _NEARLY.match(text.strip()):
        return ""
    plain = re.sub(r"\s*(?:\(at\)|\[at\]|\sat\s)\s*", "@", text.strip(), flags=re.IGNORECASE)
    plain = plain.replace(",", ".").replace(" ", "").replace("..", ".").strip(".;")
    hit = emails(plain)
    return hit[0] if hit and hit[0] == plain.casefold() else ""


def phone_in(text: str) -> str:
    """The telephone number in a text; empty if there is none."""
    return next(iter(phones_in(text)), "")


def phones_in(text: str) -> tuple[str, ...]:
    """The telephone numbers in a text, in their order."""
    numbers = []
    for hit in _PHONE.finditer(text):
        if _A_DATE.search(hit[0]) or _YEARS.fullmatch(hit[0]):
            continue
        for part in _parted(hit[0]):
            number = part if part.count("(") == part.count(")") else part.strip("() ")
            if 6 <= sum(sign.isdecimal() for sign in number) <= 30:
                numbers.append(" ".join(number.split()))
    return tuple(numbers)


def phones_of(text: str) -> list[str]:
    """The numbers of a cell that holds nothing else, each with what stands beside it: `020 7946 0018 (home)`."""
    return [" ".join(part.split()) for part in _parted(text)]


def _parted(text: str) -> list[str]:
    """The parts between slashes, commas, lines or a bracket’s end, if each is a number of its own: not `0171 / 2345678`."""
    parts = [part.strip(" ,;/") for part in _BETWEEN_PHONES.split(text)]
    parts = [part for part in parts if part]
    digits = [sum(sign.isdecimal() for sign in part) for part in parts]
    is_start = [part.lstrip("( ")[:1] in ("0", "+") for part in parts]
    if len(parts) > 1 and (min(digits) >= 6 or (min(digits) >= 4 and all(is_start))):
        return parts
    return [text.strip()]


def is_phone(cell: Cell) -> bool:
    """Whether a cell may be a telephone number."""
    if cell.kind == DATE:
        return False
    if cell.kind == NUMBER:
        return cell.text.isdecimal() and 6 <= len(cell.text) <= 14
    digits = sum(sign.isdecimal() for sign in cell.text)
    return bool(phone_in(cell.text) and digits * 2 > len(cell.text)) or bool(_DIGITS_LOST.match(cell.text))


@dataclass(frozen=True)
class Phone:
    """A telephone number, and whether it is a guess."""

    text: str
    is_guess: bool = False
    is_lost: bool = False
    """Whether the spreadsheet has thrown digits away."""


def phone(cell: Cell, *, leading_zero: bool) -> Phone:
    """The telephone number of a cell. With `leading_zero`, national numbers start with 0, which numbers lose."""
    text = " ".join(cell.text.split())
    if lost := _DIGITS_LOST.match(text):
        digits = re.sub(r"\D", "", text[: re.search("e", text, re.IGNORECASE).start()])  # type: ignore[union-attr]
        if len(digits) <= int(lost[1]):
            return Phone("", is_lost=True)
        return Phone(_international(digits), is_guess=True)
    digits = text.removesuffix(".0")
    if cell.kind != NUMBER and not digits.isdecimal():
        return Phone(text)
    if digits.startswith("0") or not digits.isdecimal():
        return Phone(text)
    if len(digits) > 10:
        return Phone(_international(digits), is_guess=digits[:1] == "1")
    if leading_zero and len(digits) >= 9:
        return Phone("0" + digits, is_guess=True)
    return Phone(digits)


def _international(digits: str) -> str:
    return "+" + digits if digits.startswith(_COUNTRIES) else digits


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan januar jaenner jänner", "february feb februar", "march mar märz maerz mrz", "april apr"),
            *(
                "may mai",
                "june jun juni",
                "july jul juli",
                "august aug",
                "september sep sept",
                "october oct oktober okt",
            ),
            *("november nov", "december dec dezember dez"),
        ),
        1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            *("monday mon montag mo", "tuesday tue tues dienstag di", "wednesday wed weds mittwoch mi"),
            *("thursday thu thur thurs donnerstag do", "friday fri freitag fr", "saturday sat samstag sonnabend sa"),
            "sunday sun sonntag so",
        )
    )
    for name in names.split()
}
_CLOCK = re.compile(r"(?:^|[\sT,]+)(?:at |um )?(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(am|pm|uhr)?$", re.IGNORECASE)
_CLOCK_FIRST = re.compile(r"^(\d{1,2})(?::(\d{2})|\.(\d{2})(?= ?uhr))?\s*(am|pm|uhr)?[\s,]+(?=\S)", re.IGNORECASE)
_ISO = re.compile(r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$")
_NUMERIC = re.compile(r"^(\d{1,2})\s?([./-])\s?(\d{1,2})(?:\s?[./-]\s?(\d{4}|\d{2}|))?$")
_DAY_NAMED = re.compile(r"^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*(?:of )?([^\W\d]+)\.?[\s,-]*(\d{4}|'?\d{2})?$")
_NAMED_DAY = re.compile(r"^([^\W\d]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})?$")


_RANGE = re.compile(
    r"^(?P<first>.*?\d(?P<point>\.|st|nd|rd|th)?)\s*(?:[-–—/]|\bto\b|\bbis\b)\s*(?P<last>\d.*)$", re.IGNORECASE
)
_ANY_YEAR = 2000
"""Stands for the year of a day that is written without one; it has a 29 February."""


@dataclass(frozen=True)
class Day:
    """A date as it was read."""

    day: date | None
    """By the usual order of day and month."""
    other: date | None = None
    """By the other order, if that is a date as well."""
    clock: time | None = None
    has_year: bool = True
    """Whether the year is written; else it is the one given."""
    weekday: int | None = None
    """From Monday, 0, if it is written."""


def day(cell: Cell, *, month_first: bool = False, year: int | None = None) -> Day:
    """The date in a cell, the first of “14–20 October”. `year` is that of dates without one."""
    text = " ".join(cell.text.split()).strip(" .,;") if cell.kind != DATE else cell.text
    weekday, text = _weekday(text)
    clock, text = _clock(text)
    if weekday is None:
        weekday, text = _weekday(text)
    text = text.strip(" ,")
    written, has_year = _written(text, month_first, year)
    if not any(written) and (first := _first_of_range(text, month_first, year)) is not None:
        written, has_year = first
    return Day(*written, clock, has_year, weekday)


def day_in_any_year(cell: Cell, *, month_first: bool = False) -> Day:
    """The date in a cell; the year says nothing where it `has_year` not."""
    return day(cell, month_first=month_first, year=_ANY_YEAR)


_Written = tuple[tuple[date | None, date | None], bool]
"""A date, the one by the other order of day and month, and whether its year is written."""


def _written(text: str, month_first: bool, year: int | None) -> _Written:
    if hit := _ISO.match(text):
        return (_real(hit[1], hit[2], hit[3]), None), True
    if hit := _NUMERIC.match(text):
        of = hit[4] or str(year or "")
        item, two = _real(of, hit[3], hit[1]), _real(of, hit[1], hit[3])
        if hit[2] == ".":
            return (item, None), bool(hit[4])
        if month_first:
            item, two = two, item
        return (item or two, two if item and two and item != two else None), bool(hit[4])
    for pattern, at, month in ((_DAY_NAMED, 1, 2), (_NAMED_DAY, 2, 1)):
        if (hit := pattern.match(text)) and hit[month].casefold() in _MONTHS:
            of = (hit[3] or str(year or "")).strip("'")
            return (_real(of, str(_MONTHS[hit[month].casefold()]), hit[at]), None), bool(hit[3])
    return (None, None), True


def _first_of_range(text: str, month_first: bool, year: int | None) -> _Written | None:
    """The first day of “7.–13.9.2026” or “14 to 20 October”; `None` for a score such as “2.5–3.5”."""
    hit = _RANGE.match(text)
    if hit is None or not (hit["point"] or re.search(r"[^\W\d]{3}|\d{4}$", text)):
        return None
    (last, _), has_year = _written(hit["last"].strip(" .,"), month_first, year)
    if last is None:
        return None
    (first, other), _ = _written(hit["first"].strip(" .,"), month_first, last.year)
    if first is None and (digits := re.match(r"\d{1,2}(?=\D*$)", hit["first"])):
        first = _real(str(last.year), str(last.month), digits[0])
    return None if first is None else ((first, other), has_year)


def _weekday(text: str) -> tuple[int | None, str]:
    """The day of the week at the beginning of a text, and the rest."""
    hit = re.match(r"([^\W\d]+)[.,]*\s*", text)
    if hit is None or hit[1].casefold() not in _WEEKDAYS or hit.end() == len(text):
        return None, text
    return _WEEKDAYS[hit[1].casefold()], text[hit.end() :]


def _clock(text: str) -> tuple[time | None, str]:
    """The time at the end of a text, or at its beginning, and the rest."""
    hit = _CLOCK.search(text)
    if hit is None or not (hit[2] or hit[3]):
        if (first := _CLOCK_FIRST.match(text)) and (first[2] or first[4]):
            return _time(first[1], first[2] or first[3], first[4]), text[first.end() :]
        return None, text
    if "." in hit[0] and not hit[3] and _NUMERIC.match(text):
        return None, text
    clock = _time(hit[1], hit[2], hit[3])
    return clock, text if clock is None else text[: hit.start()].strip()


def _time(hour: str, minute: str | None, half: str | None) -> time | None:
    number = int(hour) % 12 + (12 if half.casefold() == "pm" else 0) if half and half.casefold() != "uhr" else int(hour)
    try:
        return time(number, int(minute or 0))
    except ValueError:
        return None


def _real(year: str, month: str, day: str) -> date | None:
    try:
        hit = date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
    return hit if 1900 <= hit.year <= 2100 else None


_NUMBER = re.compile(r"^[-+]?(?:\d{1,3}(?:[.,'’ \u00a0]\d{3})+|\d+)(?:[.,]\d+)?$")


_HALVES = re.compile(r"(\d*)\s?([½¼¾])")


def _half(hit: re.Match[str]) -> str:
    return (hit[1] or "0") + {"½": ".5", "¼": ".25", "¾": ".75"}[hit[2]]


def number(cell: Cell) -> int | float | None:
    """The number in a cell: 8,720 and 8.720 and 8 720 are thousands, 12,5 and 12.5 halves."""
    text = _HALVES.sub(_half, cell.text.strip()).replace("−", "-").replace("–", "-")
    if cell.kind == NUMBER:
        return _sensible(float(text))
    if not _NUMBER.match(text):
        return None
    grouped = re.fullmatch(r"([-+]?\d{1,3}(?:([.,'’ \u00a0])\d{3})(?:\2\d{3})*)(?:[.,](\d+))?", text)
    if grouped:
        integer, part = re.sub(r"[^\d+-]", "", grouped[1]), grouped[3] or ""
    else:
        integer, _, part = text.replace(",", ".").partition(".")
    return _sensible(float(f"{integer}.{part or 0}"))


def _sensible(hit: float) -> int | float | None:
    """The number, as a whole one if it is; `None` for one that no list has, infinity included."""
    if not abs(hit) < 1e12:
        return None
    return int(hit) if hit.is_integer() else hit
