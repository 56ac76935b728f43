"""The forms to import a list: a file or a paste, then the choices beside what was read."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext

from clubs.bring_in import child
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.layout import CROSS
from clubs.bring_in.reading import ASIDE, MEMBERS, TABLE, Question, Reading
from clubs.bring_in.workbook import Unreadable, Workbook, pack, unpack
from clubs.models import Club
from clubs.public.season import FINAL_COLUMNS
from clubs.services.list_import import Choices
from clubs.services.season_lists import SeasonTerms
from web.errors import Refused
from web.sent_numbers import read_whole

MOST_SENT = 8_000_000
"""Bytes of a request with a file, or with a workbook that was read."""
_LASTS = 24 * 3600
"""Seconds for which a workbook that was read can be sent back."""
_SHOWN_ROWS = 5
_FIRST_QUESTIONS = 10
TYPED = "typed"
"""Value of the answer that is typed beside it."""


@dataclass(frozen=True)
class Given:
    """A workbook that was read, and its name."""

    book: Workbook
    name: str


def sent(request: HttpRequest, club: Club) -> Given:
    """The workbook of a form: of its file, its paste, or read before. Raises `Refused`."""
    if token := request.POST.get("book"):
        return _read_before(token, club)
    file = request.FILES.get("file")
    if file is None:
        return Given(child.read_text(request.POST.get("paste", "")), "")
    if (file.size or 0) > child.MOST_BYTES:
        raise child.too_large()
    return Given(child.read_file(file.read()), (file.name or "")[:120])


def _read_before(token: str, club: Club) -> Given:
    try:
        data = signing.loads(token, salt=_salt(club), max_age=_LASTS)
        return Given(unpack(data["book"]), str(data["name"])[:120])
    except (signing.BadSignature, Unreadable, KeyError, TypeError):
        raise Refused("stale", gettext("This page is too old. Choose the file again.")) from None


def token_of(upload: Given, club: Club) -> str:
    """The workbook as a text that the form sends back, which nobody can change."""
    return signing.dumps({"book": pack(upload.book), "name": upload.name}, salt=_salt(club), compress=True)


def _salt(club: Club) -> str:
    return f"clubs.lists.{club.pk}"


def choices(request: HttpRequest) -> Choices:
    """What was chosen on the page. Choices for another sheet, or another row of titles, do not count any more."""
    sheet, shown = _number(request, "sheet"), _number(request, "of_sheet")
    first_day = season_terms(request).first_day
    if sheet is None:
        return Choices()
    if sheet != shown:
        return Choices(sheet=sheet, first_day=first_day)
    heading, shown_heading = request.POST.get("heading", ""), request.POST.get("of_heading", "")
    at = read_whole(heading, digits=5)
    if heading != shown_heading:
        return Choices(sheet=sheet, heading=at, has_heading=at is not None, first_day=first_day)
    count = _number(request, "columns") or 0
    columns = [request.POST.get(f"c{number}", LEAVE_OUT)[:20] for number in range(min(count, 200))]
    answers = {}
    for name, value in request.POST.items():
        if name.startswith("a-"):
            typed = request.POST.get(f"t-{name[2:]}", "").strip()[:80]
            is_typed = value == TYPED or (value == ASIDE and typed)
            answers[name[2:80]] = typed if is_typed else str(value)[:300]
    answers = {key: answer for key, answer in answers.items() if answer}
    return Choices(sheet, at, at is not None, columns, answers, first_day)


def season_terms(request: HttpRequest) -> SeasonTerms:
    """Name and first day of a season, as typed; what is no day does not count."""
    try:
        first_day = date.fromisoformat(request.POST.get("first_day", ""))
    except ValueError:
        first_day = None
    if first_day is not None and not 1900 <= first_day.year <= 2100:
        first_day = None
    return SeasonTerms(" ".join(request.POST.get("season_name", "").split())[:60], first_day)


def _number(request: HttpRequest, name: str) -> int | None:
    return read_whole(request.POST.get(name, ""), digits=5)


def labels(what: str) -> dict[str, str]:
    """What columns can hold, in words."""
    first = {LEAVE_OUT: gettext("Leave out")}
    if what == MEMBERS:
        return first | {
            "name": gettext("Name"),
            "first_name": gettext("First name"),
            "last_name": gettext("Last name"),
            "email": gettext("Email"),
            "phone": gettext("Phone"),
            "address": gettext("Postal address"),
            "role": gettext("Role"),
            "note": gettext("Note"),
            "number": gettext("Member number (left out)"),
        }
    if what == TABLE:
        return first | {
            "place": gettext("Place"),
            "name": gettext("Name"),
            **{name: gettext(title) for name, title in FINAL_COLUMNS.items()},
            "division": gettext("Division"),
            "season": gettext("Season"),
            "note": gettext("Note"),
        }
    return first | {
        "date": gettext("Date"),
        "home": gettext("Home"),
        "away": gettext("Away"),
        "match": gettext("Both sides"),
        "home_score": gettext("Home score"),
        "away_score": gettext("Away score"),
        "score": gettext("Both scores"),
        CROSS: gettext("Matches in a grid"),
        "matchday": gettext("Matchday"),
        "division": gettext("Division"),
        "season": gettext("Season"),
        "venue": gettext("Venue"),
        "walkover": gettext("Walkover"),
        "note": gettext("Note"),
        "time": gettext("Time"),
        "number": gettext("Number (left out)"),
    }


def page(reading: Reading) -> dict[str, Any]:
    """What the page shows beside what comes in: sheets, titles, columns, first rows, questions."""
    layout, sheet = reading.layout, reading.sheet
    shown = [row for row in range(layout.first, len(sheet.rows)) if any(sheet.rows[row])][:_SHOWN_ROWS]
    questions = [_question_row(question) for question in reading.questions]
    return {
        "sheets": [
            {"at": at, "name": item.name, "rows": item.filled, "is_hidden": item.is_hidden}
            for at, item in enumerate(reading.book.sheets)
            if item.filled
        ],
        "chosen": layout.sheet,
        "heading": "" if layout.heading is None else str(layout.heading),
        "headings": _headings(reading),
        "columns": [
            {"at": at, "title": column.title, "holds": column.holds} for at, column in enumerate(layout.columns)
        ],
        "labels": labels(reading.what).items(),
        "first_rows": [
            (row + 1, [(sheet.cell(row, at).text, column.holds) for at, column in enumerate(layout.columns)])
            for row in shown
        ],
        "questions": questions[:_FIRST_QUESTIONS],
        "more_questions": questions[_FIRST_QUESTIONS:],
        "above": layout.heading or 0,
    }


def _question_row(question: Question) -> dict[str, Any]:
    is_typed = question.can_type and question.answer not in dict(question.choices)
    return {"question": question, "is_typed": is_typed}


def _headings(reading: Reading) -> list[tuple[str, str]]:
    """The rows that may have the titles: the first ones, in words."""
    rows = []
    for at, row in enumerate(reading.sheet.rows[: max(12, (reading.layout.heading or 0) + 3)]):
        texts = [" ".join(cell.text.split())[:24] for cell in row if cell][:3]
        if texts:
            row_text = gettext("row %(row)s: %(texts)s") % {"row": at + 1, "texts": ", ".join(texts)}
            rows.append((str(at), row_text))
    return [*rows, ("", pgettext("titles of a table", "no row: there are no titles"))]
