"""The email addresses and phone numbers of a list of people."""

from django.utils.translation import gettext

from clubs.bring_in import names, values, words
from clubs.bring_in.member_cells import MemberCells, is_within
from clubs.bring_in.reading import ASIDE
from clubs.bring_in.workbook import DATE, FORMULA, TEXT, Cell
from clubs.contact_limits import LONGEST_PHONE


class MemberContacts:
    """Reads them row by row; what is none is asked about or set aside at the desk of the cells."""

    def __init__(self, cells: MemberCells) -> None:
        self.cells, self.desk = cells, cells.desk

    def of(self, row: int, hit: names.Found) -> tuple[list[str], list[str], set[int]]:
        """The addresses and telephone numbers of a row, and the columns that were used for them."""
        emails, phones, used = list(hit.emails), list(hit.phones), set[int]()
        for column in self.cells.at["email"]:
            cell = self.cells.cell(row, column)
            if cell.kind == FORMULA or not cell:
                continue
            used.add(column)
            if words.is_none(cell.text):
                continue
            entries = values.emails(cell.text)
            emails += entries
            if not entries and values.is_phone(cell):
                phones += self._phone(row, cell)
            elif not entries:
                emails += self._doubtful_email(row, cell)
            else:
                rest = values.without_emails(cell.text).strip(" <>;,/\n()&\"'")
                numbers = [rest] if rest and values.phone_in(rest) == rest else []
                phones += numbers
                self._keep_beside(row, "" if numbers else rest)
        for column in self.cells.at["phone"]:
            cell = self.cells.cell(row, column)
            if cell.kind == FORMULA or not cell:
                continue
            used.add(column)
            if entries := values.emails(cell.text):
                emails += entries
                phones += values.phones_in(cell.text)
            elif not words.is_none(cell.text):
                phones += self._phone(row, cell)
        return list(dict.fromkeys(emails)), list(dict.fromkeys(phones)), used

    def _keep_beside(self, row: int, rest: str) -> None:
        """Set aside what stands beside an email address, unless it is the name of the row."""
        if len(rest) > 3 and not is_within(rest, self.cells.name(row)):
            self.desk.keep(row, [rest], gettext("Beside an email address."))

    def _doubtful_email(self, row: int, cell: Cell) -> list[str]:
        """What is in a column of addresses without being one."""
        text = " ".join(cell.text.split())
        guess = values.mended_email(text)
        if not guess and "@" not in text:
            self.desk.keep(row, [text], gettext("Not an email address."))
            return []
        choices = [(guess, guess)] if guess else []
        answer = self.desk.ask(
            *(row, "email", gettext("%(text)s: which email address?") % {"text": text}, guess or ASIDE),
            [*choices, (ASIDE, gettext("Set aside"))],
            shown=", ".join(filter(None, [" ".join(self.cells.name(row).split()), text])),
            can_type=True,
        )
        if answer == ASIDE or not values.emails(answer):
            self.desk.keep(row, [text], gettext("Not an email address."))
            return []
        return values.emails(answer)[:1]

    def _phone(self, row: int, cell: Cell) -> list[str]:
        """The telephone number of a cell; asked where the spreadsheet has taken it for a number."""
        if cell.kind == DATE or (cell.kind == TEXT and not any(map(str.isdecimal, cell.text))):
            self.desk.keep(row, [cell], gettext("Not a phone number."))
            return []
        phone = values.phone(cell, leading_zero=self.desk.context.leading_zero)
        if not phone.is_guess and not phone.is_lost:
            if len(phone.text) > LONGEST_PHONE:
                self.desk.keep(row, [cell], gettext("Too long for a phone number."))
                return []
            return values.phones_of(cell.text) if cell.kind == TEXT else [phone.text]
        as_is = [] if phone.is_lost else [(cell.text, cell.text)]
        guess = ASIDE if phone.is_lost else phone.text
        offered = [(phone.text, phone.text)] if phone.text else []
        answer = self.desk.ask(
            *(row, "phone", gettext("%(text)s: which phone number?") % {"text": cell.text}, guess),
            [*offered, *as_is, (ASIDE, gettext("Set aside"))],
            shown=", ".join(filter(None, [" ".join(self.cells.name(row).split()), cell.text])),
            can_type=True,
        )
        if answer == ASIDE:
            self.desk.keep(row, [cell], gettext("The spreadsheet has changed this phone number."))
            return []
        return [answer[:LONGEST_PHONE]]
