"""People in a list: who they are, who may be whom, and what is no person."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext

from clubs.bring_in import names, values, words
from clubs.bring_in.column_contents import LEAVE_OUT
from clubs.bring_in.layout import Column, Layout
from clubs.bring_in.layout import blocks as blocks_of
from clubs.bring_in.member_cells import MemberCells, is_within
from clubs.bring_in.member_contacts import MemberContacts
from clubs.bring_in.reading import ASIDE, Context, Desk, Person
from clubs.bring_in.same_people import SamePeople
from clubs.bring_in.workbook import DATE, EMPTY, FORMULA, TEXT, Cell, Sheet
from clubs.contact_limits import LONGEST_ADDRESS, LONGEST_PHONE, MOST_LINES

_JOINT = " / "
"""Between the names of an answer that are those of several people."""
_YES = frozenset({"x", "yes", "y", "ja", "j", "true", "1", "✓", "✔"})
"""Cells of a column such as “Committee” that say that its title is a person’s role."""
STAYS = "stays"
"""The answer that somebody who seems to have left is a member."""
LONGEST_NAME = 60
LONGEST_POSTCODE = 9
_DITTOES = ("last_name", "email", "phone", "address", "role")
"""Columns in which a mark may stand for the cell above."""


def read(
    sheet: Sheet, layout: Layout, context: Context, before: Sequence[Person] = (), name: str = ""
) -> tuple[Desk, list[Person]]:
    """The people of a sheet behind those of sheets before it, with the questions about them and what was set aside. A
    further sheet has a name."""
    desk = Desk(sheet, layout, context)
    desk.name = name
    sheet = _without_dittos(sheet, layout)
    desk.sheet = sheet
    desk.keep_above()
    blocks = blocks_of([column.holds for column in layout.columns])
    of_blocks = [_cells(*_only(sheet, layout, block), desk) for block in blocks]
    people = [person for cells in of_blocks for person in _Reader(cells).people()]
    people.sort(key=lambda person: person.row)
    for person in people:
        person.sheet = name
    has_blocks = len(blocks) > 1
    cells = _cells(sheet, layout, desk) if has_blocks else of_blocks[0]
    return desk, SamePeople(cells, has_blocks=has_blocks).once(people, before)


def _cells(sheet: Sheet, layout: Layout, desk: Desk) -> MemberCells:
    return MemberCells(sheet, layout, desk.beside(sheet, layout))


def _only(sheet: Sheet, layout: Layout, block: range) -> tuple[Sheet, Layout]:
    """A sheet and its layout with the columns of one block."""
    if len(block) == len(layout.columns):
        return sheet, layout
    last = max(sheet.width, block.stop) if block.stop == len(layout.columns) else block.stop
    rows = [tuple(cell if block.start <= at < last else EMPTY for at, cell in enumerate(row)) for row in sheet.rows]
    columns = [column if at in block else Column("", LEAVE_OUT) for at, column in enumerate(layout.columns)]
    return replace(sheet, rows=tuple(rows)), replace(layout, columns=tuple(columns))


def _without_dittos(sheet: Sheet, layout: Layout) -> Sheet:
    """The sheet with what stands above in the place of “as above”."""
    columns = {at for holds in _DITTOES for at in layout.of(holds)}
    rows, above = [list(row) for row in sheet.rows], dict[int, Cell]()
    for row in rows[layout.first :]:
        for at in columns & set(range(len(row))):
            if words.is_ditto(row[at].text):
                row[at] = above.get(at, row[at])
            elif row[at]:
                above[at] = row[at]
    return replace(sheet, rows=tuple(map(tuple, rows)))


class _Reader:
    def __init__(self, cells: MemberCells) -> None:
        self.cells, self.desk, self.contacts = cells, cells.desk, MemberContacts(cells)
        texts = [cells.name(row) for row in cells.rows]
        hit = [names.read(text) for text in texts if text]
        people = [item for item in hit if item.kind in (names.ALONE, names.SEVERAL)]
        self.is_in_letter = self.is_after_letter = False
        self.elsewhere: set[tuple[int, int]] = set()
        """Places of names outside the columns of names."""
        self.have_one_word = sum(len(item.full_name.split()) == 1 for item in people) * 3 > len(people)

    def people(self) -> list[Person]:
        """The people, in the order of their rows."""
        people: list[Person] = []
        for row in self.cells.rows:
            people += self._row(row, people)
        return people

    # One row

    def _row(self, row: int, before: Sequence[Person]) -> list[Person]:
        desk = self.desk
        if desk.is_title_again(row):
            desk.keep_row(row, gettext("The titles again."))
            return []
        if self._continues(row) and before:
            return self._more_of(row, before)
        if self._is_total(row):
            return self._total(row)
        if self._has_left(row):
            return []
        text = self.cells.name(row)
        hit = names.read(text, last_first=self.cells.is_last_first(text))
        contacts = self.contacts.of(row, hit)
        people = self._people_of(row, text, hit, bool(contacts[0] or contacts[1]))
        return self._described(row, people, hit, contacts) if people else []

    def _people_of(self, row: int, text: str, hit: names.Found, has_contact: bool) -> list[Person]:
        """The people whom the names of a row are; none if the row is set aside."""
        if hit.kind == names.NOTHING:
            return self._nameless(row, hit) if has_contact else self._elsewhere(row)
        item = " ".join(text.split()).rstrip(" :")
        self.is_in_letter |= words.is_letter(item)
        self.is_after_letter |= words.closes_letter(item) or (self.is_in_letter and words.signs_letter(item))
        if hit.kind == names.HEADING and not has_contact and len(self.cells.filled(row)) < 3:
            self.desk.keep_row(row, gettext("A heading within the list."))
            return []
        if hit.kind in (names.HEADING, names.NOTE, names.DOUBT):
            is_likely = hit.kind == names.DOUBT and (has_contact or names._FAMILY.search(item))
            return self._ask_name(row, item, hit, hit.full_name if is_likely else ASIDE, is_name_last=True)
        if hit.kind == names.SEVERAL:
            return self._several(row, item, hit)
        is_word = len(hit.full_name.split()) == 1 and not self.have_one_word
        if len(self.cells.filled(row)) == 1 and (is_word or self.is_after_letter):
            return self._ask_name(row, item, hit, ASIDE if self.is_after_letter else hit.full_name)
        return self._people_called(row + 1, hit.names[0])

    def _nameless(self, row: int, beside: names.Found) -> list[Person]:
        """The person of a row with an email address or a phone number and no name."""
        cells = [cell.text for column, cell in self.cells.filled(row) if self.cells.holds(column) in ("email", "phone")]
        contact = ", ".join([*beside.emails, *beside.phones, *cells])
        hit = names.read(contact)
        guess = hit.full_name if hit.kind == names.ALONE else ASIDE
        typed = self.desk.ask(
            *(row, "no_name", gettext("%(contact)s: who is this?") % {"contact": contact}, guess),
            {guess: hit.full_name, ASIDE: gettext("Set aside")}.items(),
            shown=contact,
            can_type=True,
        )
        if typed == ASIDE:
            self.desk.keep_row(row, gettext("No name in this row."))
            return []
        return self._people_called(row + 1, typed)

    def _ask_name(
        self, row: int, item: str, hit: names.Found, guess: str, *, is_name_last: bool = False
    ) -> list[Person]:
        """The person of a row that may be a name or a note."""
        choices = [(hit.full_name or item, gettext("It is a name")), (ASIDE, gettext("Set aside"))]
        answer = self.desk.ask(
            *(row, "name", gettext("%(text)s: a name?") % {"text": item}, guess),
            choices[::-1] if is_name_last else choices,
            shown=item,
            can_type=True,
        )
        if answer == ASIDE:
            self.desk.keep_row(row, gettext("Reads like a note."))
            return []
        return self._people_called(row + 1, answer)

    def _several(self, row: int, item: str, hit: names.Found) -> list[Person]:
        """The people of a cell with several names, unless it is one person."""
        several = _JOINT.join(hit.names)
        question = gettext("%(text)s: two people?") if len(hit.names) == 2 else gettext("%(text)s: several people?")
        answer = self.desk.ask(
            *(row, "two_people", question % {"text": item}, several),
            [(several, " + ".join(hit.names)), (hit.full_name, gettext("One person")), (ASIDE, gettext("Set aside"))],
            shown=item,
        )
        if answer == ASIDE:
            self.desk.keep_row(row, gettext("Set aside by you."))
            return []
        return self._people_called(row + 1, answer)

    def _elsewhere(self, row: int) -> list[Person]:
        """A row without a name where names are: perhaps it stands in another column."""
        columns = [column for holds in ("name", "first_name", "last_name") for column in self.cells.at[holds]]
        if any(self.cells.sheet.cell(row, column).kind == FORMULA for column in columns):
            self.desk.keep_row(row, gettext("A formula without a stored value."))
            return []
        for column, cell in self.cells.filled(row):
            hit = names.read(cell.text)
            if cell.kind != TEXT or column in columns or hit.kind != names.ALONE or len(hit.full_name.split()) < 2:
                continue
            is_given = words.folded(hit.full_name).split()[0] in words.GIVEN and len(self.cells.filled(row)) < 3
            answer = self.desk.ask(
                *(
                    row,
                    "name",
                    gettext("%(text)s: a name?") % {"text": hit.full_name},
                    hit.full_name if is_given else ASIDE,
                ),
                [(ASIDE, gettext("Set aside")), (hit.full_name, gettext("It is a name"))],
                shown=hit.full_name,
                can_type=True,
            )
            if answer == ASIDE:
                break
            self.elsewhere.add((row, column))
            return self._people_called(row + 1, answer)
        self.desk.keep_row(row, gettext("No name in this row."))
        return []

    def _people_called(self, number: int, answer: str) -> list[Person]:
        return [Person(number, name.strip()[:LONGEST_NAME]) for name in answer.split(_JOINT) if name.strip()]

    def _total(self, row: int) -> list[Person]:
        """A row of sums: nobody, unless a person is called so."""
        label = next(cell.text for _, cell in self.cells.filled(row) if words.is_total(cell.text))
        shown = " ".join(cell.text for _, cell in self.cells.filled(row))
        answer = self.desk.ask(
            *(row, "total", gettext("%(text)s: a person?") % {"text": " ".join(label.split())}, ASIDE),
            [
                (ASIDE, gettext("No: a line of totals. Set it aside")),
                (label, gettext("Yes, a person called %(name)s") % {"name": label}),
            ],
            shown=shown,
        )
        if answer == ASIDE:
            self.desk.keep_row(row, gettext("A line of totals."))
            return []
        self.desk.keep_rest(row, [column for column, cell in self.cells.filled(row) if cell.text == label])
        return self._people_called(row + 1, answer)

    def _described(
        self, row: int, people: list[Person], hit: names.Found, contacts: tuple[list[str], list[str], set[int]]
    ) -> list[Person]:
        """The people of a row with its other cells; what does not fit is set aside."""
        emails, phones = _in_order_of(people, contacts[0]), _in_order_of(people, contacts[1])
        used = contacts[2]
        joined = _JOINT.join(phones)[:LONGEST_PHONE]
        for at, person in enumerate(people):
            each = len(emails) >= len(people) > 1
            person.email = emails[at] if each else emails[0] if emails else ""
            person.phone = phones[at] if len(phones) == len(people) > 1 else joined
            person.phone = person.phone[:LONGEST_PHONE]
        spare = emails[len(people) if len(emails) >= len(people) > 1 else 1 :]
        self.desk.keep(row, spare, gettext("A further email address."))
        name = self.cells.name(row)
        used |= {column for holds in ("name", "first_name", "last_name") for column in self.cells.at[holds]}
        used -= {column for column in self.cells.name_parts(row) if not is_within(self.cells.text(row, column), name)}
        used |= {column for at, column in self.elsewhere if at == row}
        used -= {column for column, cell in self.cells.filled(row) if cell.kind == FORMULA}
        roles = [hit.role] if hit.role else []
        for column in self.cells.at["role"]:
            text = self.cells.text(row, column)
            used.add(column)
            if text.casefold() in _YES:
                roles.append(self.cells.layout.columns[column].title)
            elif text and not words.is_none(text):
                roles.append(text)
        notes = [hit.note] if hit.note else []
        for column in self.cells.at["note"]:
            text = self.cells.text(row, column)
            used.add(column)
            if text and not words.is_none(text):
                notes.append(text)
        address = self._address(row, used) or "\n".join(hit.address[:MOST_LINES])[:LONGEST_ADDRESS]
        for person in people:
            person.address = address
            person.role, person.note = "; ".join(dict.fromkeys(roles))[:200], "; ".join(notes)[:500]
        if len(people) == 1:
            people += self._partners(row)
        self.desk.keep_rest(row, used)
        return people

    def _address(self, row: int, used: set[int]) -> str:
        """The postal address of a row, from one or more columns; a town stands in the line of its postcode."""
        lines: list[str] = []
        for column in self.cells.at["address"]:
            text = self.cells.text(row, column)
            used.add(column)
            if words.is_none(text):
                continue
            parts = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
            if lines and parts and len(lines[-1]) <= LONGEST_POSTCODE and any(map(str.isdecimal, lines[-1])):
                parts[0] = f"{lines.pop()} {parts[0]}"
            lines += parts
        address = "\n".join(lines)
        if len(lines) > MOST_LINES or len(address) > LONGEST_ADDRESS:
            self.desk.keep(row, [address], gettext("Too long for a postal address."))
            return ""
        return address

    def _partners(self, row: int) -> list[Person]:
        """People in further columns of names, such as partners."""
        partners = []
        for column in self.cells.at["name"][1:]:
            text = self.cells.text(row, column)
            hit = names.read(text, last_first=self.cells.is_last_first(text))
            if hit.kind in (names.ALONE, names.SEVERAL):
                partners += [Person(row + 1, name[:LONGEST_NAME], is_partner=True) for name in hit.names]
                self._add_contacts(row, partners[-len(hit.names) :], hit)
            elif text and hit.kind != names.NOTHING:
                self.desk.keep(row, [text], gettext("Not a name."))
        return partners

    def _add_contacts(self, row: int, people: list[Person], hit: names.Found) -> None:
        """Give people what stands beside their names in the same cell."""
        emails, phones = _in_order_of(people, hit.emails), _in_order_of(people, hit.phones)
        for at, person in enumerate(people):
            person.email = emails[at] if at < len(emails) else emails[0] if emails else ""
            person.phone = phones[at] if len(phones) == len(people) else _JOINT.join(phones)[:LONGEST_PHONE]
            person.role, person.note = hit.role[:200], hit.note[:500]
            person.address = "\n".join(hit.address[:MOST_LINES])[:LONGEST_ADDRESS]
        self.desk.keep(row, emails[len(people) :], gettext("A further email address."))

    # Rows that are no people

    def _is_total(self, row: int) -> bool:
        """Whether a row is a sum: it says so, and names nobody."""
        if not any(words.is_total(cell.text) for _, cell in self.cells.filled(row) if cell.kind == TEXT):
            return False
        text = self.cells.name(row)
        parts = [self.cells.text(row, column) for column in self.cells.name_parts(row)]
        is_part = any(map(words.is_total, parts)) and not any(
            any(map(str.isalpha, part)) and not words.is_total(part) for part in parts
        )
        return is_part or words.is_total(text) or names.read(text).kind not in (names.ALONE, names.SEVERAL)

    def _has_left(self, row: int) -> bool:
        """Whether a row says that its person is no member any more, and nobody answers that they are."""
        name = self.cells.name(row)
        cells = [cell.text for column, cell in self.cells.filled(row) if self._says_leaving(column, cell)]
        if not any(map(str.isalpha, name)) or not (cells or words.leaving(name)):
            return False
        shown = ", ".join(dict.fromkeys([" ".join(name.split()), *cells]))
        answer = self.desk.ask(
            *(row, "left", gettext("%(text)s: still a member?") % {"text": shown}, ASIDE),
            [(ASIDE, gettext("No: set aside")), (STAYS, gettext("Yes, import them"))],
            shown=shown,
        )
        if answer == ASIDE:
            self.desk.keep_row(row, gettext("No longer a member."))
        return answer == ASIDE

    def _says_leaving(self, column: int, cell: Cell) -> bool:
        if column >= len(self.cells.layout.columns):
            return False
        if words.is_leaving_title(self.cells.layout.columns[column].title):
            return cell.kind == DATE or any(map(str.isdecimal, cell.text))
        return self.cells.holds(column) in ("role", "note", LEAVE_OUT) and words.leaving(cell.text) == cell.text

    def _continues(self, row: int) -> bool:
        """Whether the name of a row is merged into the one above."""
        columns = [*self.cells.at["name"][:1], *self.cells.at["last_name"], *self.cells.at["first_name"]]
        return bool(columns) and all(self.desk.merged_down(row, column) is not None for column in columns)

    def _more_of(self, row: int, before: Sequence[Person]) -> list[Person]:
        """The second row of a person: what is missing is added, the rest set aside."""
        person = before[-1]
        emails, phones, used = self.contacts.of(row, names.Found(names.NOTHING))
        if emails and not person.email:
            person.email = emails.pop(0)
        self.desk.keep(row, [email for email in emails if email != person.email], gettext("A further email address."))
        if phones and phones[0] not in person.phone:
            person.phone = _JOINT.join(filter(None, [person.phone, *phones]))[:LONGEST_PHONE]
        self.desk.keep_rest(row, used)
        return []


def _in_order_of(people: Sequence[Person], items: Sequence[str]) -> list[str]:
    """Addresses or numbers in the order of the people, if as many each have the first name of one of them."""
    if not len(items) == len(people) > 1:
        return [*items]
    of = []
    for person in people:
        first = words.folded(person.name).split()[0]
        of.append([item for item in items if first in words.folded(item.partition("@")[0]) and len(first) > 1])
    if all(len(hit) == 1 for hit in of) and len({hit[0] for hit in of}) == len(items):
        items = [hit[0] if "@" in hit[0] else values.phone_in(hit[0]) or hit[0] for hit in of]
    return [*items]
