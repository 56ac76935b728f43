"""Matches that stand on one line, as people write them in a letter: `Lund v Okafor 3-1`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from clubs.bring_in import values, words
from clubs.bring_in.workbook import NUMBER, Cell, Sheet, Workbook

_WON = (
    r"\s+(?:bt|beat|beats|def|defeated|won against|schlägt|schlug|besiegt|besiegte|gewinnt gegen|gewann gegen)\b\.?\s+"
)
_BETWEEN = (
    r"\s+(?:v|vs|versus|gegen)\b\.?\s*",
    _WON,
    r"\s+(?:drew with|drew against|tied with|unentschieden gegen)\s+",
    r"\s+[-–—:]\s+",
    r"\s*–\s*",
)
_LOST = re.compile(r"\s+(?:lost to|lost against|verliert gegen|verlor gegen|unterliegt)\s+", re.IGNORECASE)
_NUMBER = r"-?(?:\d[\d.,'’]*[½¼¾]?|[½¼¾])"
_LINES = (
    re.compile(rf"^(?P<home>\D.*?)\s+(?P<one>{_NUMBER})\s*[:–-]\s*(?P<two>{_NUMBER})\s+(?P<away>\D.*)$"),
    re.compile(rf"^(?P<both>\D.*?)[\s:,(]+(?P<one>{_NUMBER})\s*[:–-]\s*(?P<two>{_NUMBER})\)?$"),
    re.compile(
        rf"^(?P<home>\D.*?)\s+(?P<one>{_NUMBER})\s*(?:,|\bv\b\.?|\bvs\b\.?|–|-)?\s+(?P<away>[^\W\d].*?)\s+(?P<two>{_NUMBER})$"
    ),
)
"""A match on one line: `Lund 3 - 1 Arai`, `Lund v Arai 3-1`, `Lund 3 Arai 1`."""
_WHEN = re.compile(r"^(?P<when>[^:]{4,24}?\d[^:]{0,8}):\s+(?P<rest>.+)$")
_WALKOVER = (
    r"w\s?[/.]\s?o\.?|wo|walk ?over|forfeit(?:ed)?|kampflos|n\.?\s?a\.?|did not come|no show|ff|nicht angetreten"
)
_ABSENCE = re.compile(
    r"\b(?:did(?: not|n['’]?t) (?:come|turn up|show(?: up)?|appear|arrive|play)|no[- ]?shows?|failed to (?:show|turn up|appear|arrive)|"
    r"never (?:came|turned up|arrived)|walk ?over|forfeit(?:ed|s)?|(?:nicht|nie) (?:angetreten|erschienen|gekommen)|"
    r"(?:kam|kamen|erschien|erschienen) nicht|kampflos)\b",
    re.IGNORECASE,
)
"""Words of a remark that somebody did not come."""
_PUT_OFF = (
    r"postponed|put off|ppd\.?|p-p|rearranged|re-arranged|cancelled|canceled|abandoned|void|tbc|tba|tbd|to be arranged|"
    r"verlegt|verschoben|abgesagt|ausgefallen|fällt aus|abgebrochen|nachholspiel|offen|noch offen|n\.?\s?n\.?"
)
_AT_END = re.compile(rf"^(?P<match>.*?\S)[\s:,(–-]+(?P<remark>{_WALKOVER}|{_PUT_OFF})\s*\)?\.?$", re.IGNORECASE)
_IS_WALKOVER = re.compile(rf"^\(?\s*(?:{_WALKOVER})\s*\)?$", re.IGNORECASE)
_IS_PUT_OFF = re.compile(rf"^\(?\s*(?:{_PUT_OFF})\b.{{0,60}}$", re.IGNORECASE)
_IS_OPEN = re.compile(r"[\s_.?–—-]*:[\s_.?–—-]*|\s*[_?–—-]\s*[–—-]\s*[_?–—-]\s*")
_BYE = re.compile(
    r"^\(?(?:bye|byes|spielfrei|frei|freilos|rest|resting|sit out|sits out|no match|no game)\)?(?: \d+)?$",
    re.IGNORECASE,
)
_HAS_BYE = re.compile(
    r"^(?:bye|byes|spielfrei|freilos|sit out|sits out)\b|\b(?:bye|spielfrei|freilos|sits out)$", re.IGNORECASE
)
_CLOCK = re.compile(r"^(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d(?: ?(?:uhr|am|pm))?| ?(?:uhr|am|pm))$", re.IGNORECASE)
_PLAIN_CLOCK = re.compile(
    r"^(?:[01]?\d|2[0-3])(?:[:.][0-5]\d)? ?(?:uhr|am|pm|h)$|^(?:[01]?\d|2[0-3])h[0-5]\d$", re.IGNORECASE
)
"""A time that can be no score."""
MATCHDAY = re.compile(
    r"(?:match ?day|round|week|game ?week|spieltag|runde|woche|\b(?:rd|md|wk|gw|spt))\.?\s*(?:no\.?|nr\.?)?\s*(\d{1,3})|"
    r"(\d{1,3})\.?\s*(?:spieltag|runde|woche|st round|nd round|rd round|th round)|"
    r"^w\s?(\d{1,2})(?=\s|$)",
    re.IGNORECASE,
)
"""A matchday with its number in one of the groups: `Round 3`, `3. Spieltag`, `W3`."""
_WITH_PLACE = re.compile(
    r"^(?P<match>\D.*?)[\s,(–-]+(?P<time>(?:[01]?\d|2[0-3])(?:[:.](?:00|15|30|45)(?: ?(?:uhr|am|pm))?| ?(?:uhr|am|pm))),?\s+"
    r"(?:(?:at|im|in|@)\s+)?(?P<place>[^\W\d].*?)\)?$",
    re.IGNORECASE,
)
"""A match with its time, and the place behind that: `Lund v Okafor 7.30pm Church Hall`."""
_TITLES_WITHIN = 30
"""First rows among which titles are."""
_MOST_WORDS = 6
"""Of the day and time beside a match."""


@dataclass(frozen=True)
class MatchLine:
    """A match that stands on one line, with its scores, and what stands in front of it and behind it."""

    home: str
    away: str
    scores: tuple[int | float, int | float] | None = None
    when: str = ""
    remark: str = ""
    """A walkover, or why it was not played."""
    names_winner: bool = False
    """Whether the words between the sides say who won: `Lund beat Okafor`."""


def matchday(hit: re.Match[str]) -> int:
    """The number in what `MATCHDAY` has matched."""
    return int(next(filter(None, hit.groups())))


def is_walkover(text: str) -> bool:
    """Whether a cell says that somebody did not come."""
    return bool(_IS_WALKOVER.match(text.strip()))


def says_absence(text: str) -> bool:
    """Whether a remark says that somebody did not come, and may name them: `Okafor did not come`."""
    return is_walkover(text) or bool(_ABSENCE.search(text))


def is_put_off(text: str) -> bool:
    """Whether a cell says that a match is not played yet, or not played at all."""
    return bool(_IS_PUT_OFF.match(text.strip()))


def is_open(text: str) -> bool:
    """Whether a cell keeps a place free for scores: `-:-`."""
    return bool(_IS_OPEN.fullmatch(text))


def is_bye(name: str) -> bool:
    """Whether the name of a side says that the other side has no match."""
    return bool(_BYE.match(" ".join(name.split())))


def has_bye(text: str) -> bool:
    """Whether a line says who has no match: `spielfrei: Lund`."""
    return bool(_HAS_BYE.search(" ".join(text.split()).strip(" .:–-()")))


def versus(text: str) -> list[str]:
    """The two sides of “Lund / Arai v Okafor / Bell”."""
    for between in (*_BETWEEN, _LOST):
        sides = [side.strip() for side in re.split(between, text, flags=0 if between is _LOST else re.IGNORECASE)]
        sides = [side for side in sides if side]
        if len(sides) == 2 and all(any(map(str.isalpha, side)) for side in sides):
            return sides
    return []


def match_line(text: str) -> MatchLine | None:
    """The match on a line; `None` if it names no two sides."""
    text, remark = " ".join(text.split()), ""
    if (hit := _AT_END.match(text)) and versus(hit["match"]):
        text, remark = _without_absent(hit["match"], hit["remark"])
    behind = ""
    if (hit := _WITH_PLACE.match(text)) and versus(hit["match"]):
        text, behind = hit["match"], f"{hit['time']} {hit['place']}"
    text, when = _without_when(text)
    when = f"{when} {behind}".strip()
    for pattern in _LINES:
        hit = pattern.match(text)
        if hit is None:
            continue
        scores = [values.number(Cell(hit[name])) for name in ("one", "two")]
        sides = versus(hit["both"]) if "both" in pattern.groupindex else [hit["home"], hit["away"]]
        if len(sides) == 2 and all(any(map(str.isalpha, side)) for side in sides) and None not in scores:
            pair = (scores[0] or 0, scores[1] or 0)
            pair = (min(pair), max(pair)) if _LOST.search(text) else pair
            return MatchLine(sides[0].strip(" ,"), sides[1].strip(" ,"), pair, when, remark)
    sides = versus(text)
    has_winner = bool(re.search(_WON, text, re.IGNORECASE) or _LOST.search(text))
    return MatchLine(sides[0].strip(" ,"), sides[1].strip(" ,:"), None, when, remark, has_winner) if sides else None


def _without_absent(text: str, remark: str) -> tuple[str, str]:
    """A match without the side behind it that did not come, which the remark then names: `Lund v Okafor, Okafor no show`."""
    hit = re.match(r"^(?P<match>.*\S)\s*[,;:(–-]\s*(?P<absent>[^,;:()]+)$", text)
    sides = versus(hit["match"]) if hit else []
    if hit is None or not any(_names(side, hit["absent"]) for side in sides):
        return text, remark
    return hit["match"], f"{hit['absent'].strip()} {remark}"


def _names(side: str, text: str) -> bool:
    """Whether a text names a side, or one of its people."""
    return {*words.folded(text).split()} <= {*words.folded(side).split()}


def with_whole_lines(book: Workbook) -> Workbook:
    """A text with its lines whole that were split at the commas of thousands, `Lund v Okafor 6,420–5,110`, and with
    those split that were taken for names, `Lund,Okafor` below `Home,Away`."""
    book = Workbook(tuple(_with_joined_lines(sheet) for sheet in book.sheets))
    sheet = book.sheets[0]
    if len(book.sheets) > 1 or sheet.name:
        return book
    if any(len(cells) == 1 and _are_titles(cells[0].text) for cells in sheet.rows[:_TITLES_WITHIN]):
        split = [
            tuple(Cell(part.strip()) for part in cells[0].text.split(",")) if cells else () for cells in sheet.rows
        ]
        return Workbook((replace(sheet, rows=tuple(split)),))
    rows = [_with_thousands(cells) for cells in sheet.rows]
    are_lines = [len(cells) == 1 and (line := match_line(cells[0].text)) and line.scores for cells in rows if cells]
    if 2 * sum(map(bool, are_lines)) < len(are_lines) or rows == list(sheet.rows):
        return book
    return Workbook((replace(sheet, rows=tuple(rows)),))


def with_joined_rows(sheet: Sheet, home: int, away: int) -> Sheet:
    """A sheet whose matches stand on two rows, the home side on the first and the away side on the second, with each on
    the first; their other cells may not overlap."""
    rows = list(sheet.rows)
    for at, cells in enumerate(rows[:-1]):
        filled, below = ({column for column, cell in enumerate(each) if cell} for each in (cells, rows[at + 1]))
        if home in filled and away in below and not filled & below and away not in filled and home not in below:
            width = max(len(cells), len(rows[at + 1]))
            rows[at], rows[at + 1] = tuple(sheet.cell(at + (column in below), column) for column in range(width)), ()
    return replace(sheet, rows=tuple(rows))


def _with_joined_lines(sheet: Sheet) -> Sheet:
    """A text whose matches stand on two lines, `Lund` and `Okafor 3-1`, or `Lund v` and `Okafor 3-1`, with each on one."""
    rows = list(sheet.rows)
    texts = ["".join(cell.text for cell in cells) if len(cells) == 1 else "" for cells in rows]
    for at, (text, below) in enumerate(pairwise(texts)):
        is_open = bool(below and re.search(r"\s(?:v|vs|versus|gegen)\.?$", text, re.IGNORECASE))
        if is_open or (_is_side(text) and (hit := _SIDE_AND_SCORE.match(below)) and _is_side(hit["side"])):
            rows[at], rows[at + 1] = (Cell(f"{text} {below}" if is_open else f"{text} v {below}"),), ()
    is_known = sum(not cells for cells in rows) - sum(not cells for cells in sheet.rows) > 1
    return replace(sheet, rows=tuple(rows)) if is_known else sheet


_SIDE_AND_SCORE = re.compile(rf"^(?P<side>\D*\S)[\s:,(]+{_NUMBER}\s*[:–-]\s*{_NUMBER}\)?$")


def _is_side(text: str) -> bool:
    """Whether a line may be the name of one side and nothing else."""
    is_plain = any(map(str.isalpha, text)) and not any(map(str.isdecimal, text)) and len(text) < 60
    return is_plain and not versus(text) and not words.is_heading(text) and not words.is_letter(text)


def _are_titles(text: str) -> bool:
    """Whether a line that was not split has the titles of both sides."""
    return {"home", "away"} <= {words.title_of(part, "fixtures")[0] for part in text.split(",")}


def _with_thousands(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a line, those put together between which a comma parted the thousands."""
    joined: list[Cell] = []
    for cell in cells:
        if joined and re.search(r"(?<!\d)\d{1,3}$", joined[-1].text) and re.match(r"\d{3}(?!\d)", cell.text):
            joined[-1] = Cell(f"{joined[-1].text},{cell.text}")
        else:
            joined.append(cell)
    return tuple(joined)


def _without_when(text: str) -> tuple[str, str]:
    """A line without the day and time in front of its match and behind it, and those."""
    before = behind = ""
    parts = text.split(" ")
    if (hit := _WHEN.match(text)) and values.day_in_any_year(Cell(hit["when"])).day:
        text, before = hit["rest"], hit["when"]
    for count in [] if before else range(min(_MOST_WORDS, len(parts) - 2), 0, -1):
        first, rest = " ".join(parts[:count]), " ".join(parts[count:]).lstrip(":,–- ")
        if _is_when(first.rstrip(":,–-")) and (first[0].isdecimal() or first[-1] in ":,–-") and versus(rest):
            text, before = rest, first.rstrip(":,–-")
            break
    parts = text.split(" ")
    for count in range(min(_MOST_WORDS, len(parts) - 2), 0, -1):
        rest, last = " ".join(parts[:-count]).rstrip(":,(–- "), " ".join(parts[-count:]).strip("()")
        if _is_when(last) and score_pair(last) is None and versus(rest):
            text, behind = rest, last
            break
    return text, f"{before} {behind}".strip()


def day_and_place(text: str) -> tuple[str, str]:
    """The day at the beginning of a cell with its time, and what stands behind them: `7.9. 19:30 Hall 2`."""
    parts = text.split()
    for count in range(len(parts) - 1, 0, -1):
        before, rest = " ".join(parts[:count]), " ".join(parts[count:]).strip(" ,;:–-()")
        if _is_when(before.strip(" ,;:–-(")) and rest[:1].isalpha():
            return before.strip(" ,;:–-("), rest
    return text, ""


def is_time(cell: Cell) -> bool:
    """Whether a cell is nothing but a time."""
    text = cell.text.strip()
    return cell.kind != NUMBER and (time_of_fixture(text) == text != "" or bool(_PLAIN_CLOCK.match(text)))


def time_of_fixture(text: str) -> str:
    """The time at the end of a line of fixtures, `Lund v Okafor 19:30`, or alone; empty if that is a score."""
    hit = re.search(r"(?:^|\s)((?:9|1\d|2[0-3])[:.](?:00|15|30|45))(?: ?uhr)?$", text, re.IGNORECASE)
    return hit[1] if hit else ""


def _is_when(text: str) -> bool:
    """Whether a text is a day or a time, and cannot be a number."""
    is_day = values.day_in_any_year(Cell(text)).day is not None and values.number(Cell(text)) is None
    return is_day or bool(_CLOCK.match(text))


def score_pair(text: str) -> tuple[int | float, int | float] | None:
    """The two scores of “8,720 : 7,940” or “2-0”."""
    hit = re.fullmatch(r"\s*(-?[\d.,'’ ½¼¾]+?)\s*(?:[:–—]|\s-\s|-|\bto\b)\s*(-?[\d.,'’ ½¼¾]+?)\s*", text)
    if hit is None or values.day(Cell(text.strip()), year=None).day:
        return None
    scores = [values.number(Cell(part.strip())) for part in hit.groups()]
    return (scores[0], scores[1]) if scores[0] is not None and scores[1] is not None else None


# Numbers in front of names

_NUMBERED = re.compile(r"^\(?(?P<number>\d{1,3})(?:[.):]\s*|\s+[-–]?\s*)(?P<rest>[^\W\d].*)$", re.DOTALL)


def numbered(text: str) -> tuple[int, str] | None:
    """The number in front of a name or a line, and the rest; `None` if it is the number of a day, or there is none."""
    hit = _NUMBERED.match(text.strip())
    if hit is None or values.day_in_any_year(Cell(" ".join(text.split()[:2]).rstrip(":,"))).day:
        return None
    return int(hit["number"]), hit["rest"]


def are_counted(texts: Sequence[str]) -> bool:
    """Whether each line is numbered, one more than the line before it; each part of the list may begin again."""
    hits = [numbered(text) for text in texts]
    numbers = [hit[0] for hit in hits if hit is not None]
    if len(numbers) < max(2, len(texts)) or numbers[0] != 1 or max(numbers) < 2:
        return False
    return all(later in (1, earlier + 1) for earlier, later in pairwise(numbers))


def are_seeded(side_names: Sequence[str]) -> bool:
    """Whether each side has a number of its own in front of its name, from 1 without a gap."""
    keys = {words.folded(name) for name in side_names if name}
    hits = [numbered(name) for name in {words.folded(name): name for name in side_names if name}.values()]
    numbers = sorted(hit[0] for hit in hits if hit is not None)
    return len(keys) >= 2 and numbers == list(range(1, len(keys) + 1))


def without_number(text: str) -> str:
    """A name or a line without the number in front of it."""
    hit = numbered(text)
    return text if hit is None else hit[1]
