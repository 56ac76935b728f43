"""The cells of a list of people: what stands in a row, and which of it is the name."""

from clubs.bring_in import names, words
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.layout import Layout
from clubs.bring_in.reading import Desk
from clubs.bring_in.workbook import FORMULA, Cell, Sheet


class MemberCells:
    """The rows of a list of people, with the columns by what they hold (`at`)."""

    def __init__(self, sheet: Sheet, layout: Layout, desk: Desk) -> None:
        self.sheet, self.layout, self.desk = sheet, layout, desk
        self.at = {holds: layout.of(holds) for holds in words.MEMBER_TITLES}
        self.rows = [row for row in range(layout.first, len(sheet.rows)) if any(sheet.rows[row])]
        self._orders = {column: self._order_of(column) for column in self.at["name"]}

    def filled(self, row: int) -> list[tuple[int, Cell]]:
        """The cells of a row that are not empty, with their columns."""
        return [(column, cell) for column, cell in enumerate(self.sheet.rows[row]) if cell]

    def holds(self, column: int) -> str:
        """What a column holds; `LEAVE_OUT` beyond the last title."""
        return self.layout.columns[column].holds if column < len(self.layout.columns) else LEAVE_OUT

    def cell(self, row: int, column: int) -> Cell:
        """A cell, or the one that is merged over it from above."""
        cell = self.sheet.cell(row, column)
        if cell:
            return cell
        above = self.desk.merged_down(row, column)
        return self.sheet.cell(*above) if above else cell

    def text(self, row: int, column: int) -> str:
        """The text of a cell; empty for a formula without a stored value."""
        cell = self.sheet.cell(row, column)
        return "" if cell.kind == FORMULA else cell.text

    def name(self, row: int) -> str:
        """The name of a row: from the column of names, or from first and last name."""
        name = next((text for column in self.at["name"] if (text := self.text(row, column))), "")
        first = " ".join(self.text(row, column) for column in self.at["first_name"]).strip()
        last = " ".join(self.text(row, column) for column in self.at["last_name"]).strip()
        if words.is_none(first):
            first = ""
        if words.is_none(last):
            last = ""
        if first and last:
            return _joined_name(first, last)
        if name and first and not is_within(first, name) and "," not in name:
            return _joined_name(first, name)
        if name:
            return name
        return first or last

    def name_parts(self, row: int) -> list[int]:
        """The columns of first and last names of a row."""
        return [column for holds in ("first_name", "last_name") for column in self.at[holds] if self.text(row, column)]

    def is_last_first(self, text: str) -> bool:
        """Whether a name without a comma has the last name first."""
        orders = set(self._orders.values())
        if "last" in orders:
            return True
        return (
            "likely" in orders and names.plain_words(text)[:1] != [] and names.plain_words(text)[0] not in words.GIVEN
        )

    def _order_of(self, column: int) -> str:
        """The order of names without commas: `last` if the title says that the last name is first, `likely` if most
        names look so, else empty."""
        title = words.folded(self.layout.columns[column].title)
        for item, other in (("surname", "first"), ("last", "first"), ("nachname", "vorname"), ("name", "vorname")):
            if title.startswith(item) and other in title[len(item) :]:
                return "last"
        backward = forward = 0
        for row in self.rows:
            tokens = names.plain_words(self.text(row, column))
            forward += len(tokens) == 2 and tokens[0] in words.GIVEN
            backward += len(tokens) == 2 and tokens[0] not in words.GIVEN and tokens[1] in words.GIVEN
        return "likely" if backward > 2 and backward > 4 * forward else ""


def is_within(text: str, name: str) -> bool:
    """Whether all words of a text are words of a name."""
    return set(words.folded(text).split()) <= set(words.folded(name).split())


def _joined_name(first: str, last: str) -> str:
    """First and last names as one text; as many of both are those of several people."""
    if first.count(",") and all(words.folded(entry) in words.GIVEN for entry in first.split(",")):
        first = " & ".join(entry.strip() for entry in first.split(","))
    firsts, lasts = names.BETWEEN.split(first), names.BETWEEN.split(last)
    if len(firsts) == len(lasts) > 1:
        return " & ".join(f"{item} {other}" for item, other in zip(firsts, lasts, strict=True))
    last, remarks = names._BRACKETS.sub("", last).strip(), names._BRACKETS.findall(last)
    text = names.first_last(first, last.replace(",", ""))
    return f"{text} ({'; '.join(remarks)})" if remarks else text
