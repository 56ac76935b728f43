"""People in a list: who they are, who may be whom, and what is no person."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext

from clubs.bring_in import names, values, words
from clubs.bring_in.layout import LEAVE_OUT, Column, Layout
from clubs.bring_in.layout import blocks as blocks_of
from clubs.bring_in.reading import ASIDE, ONE, TWO, Context, Desk, Known, Person
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
    readers = [_Reader(*_only(sheet, layout, block), desk) for block in blocks]
    people = [person for reader in readers for person in reader.people()]
    people.sort(key=lambda person: person.row)
    for person in people:
        person.sheet = name
    reader = _Reader(sheet, layout, desk, has_blocks=True) if len(readers) > 1 else readers[0]
    return desk, reader.once(people, before)


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
    def __init__(self, sheet: Sheet, layout: Layout, desk: Desk, *, has_blocks: bool = False) -> None:
        self.sheet, self.layout, self.context, self.has_blocks = sheet, layout, desk.context, has_blocks
        self.desk = desk.beside(sheet, layout)
        self.at = {holds: layout.of(holds) for holds in words.MEMBER_TITLES}
        self.rows = [row for row in range(layout.first, len(sheet.rows)) if any(sheet.rows[row])]
        self.orders = {column: self._order_of(column) for column in self.at["name"]}
        texts = [self._name_text(row) for row in self.rows]
        hit = [names.read(text) for text in texts if text]
        people = [item for item in hit if item.kind in (names.ALONE, names.SEVERAL)]
        self.is_in_letter = self.is_after_letter = False
        self.elsewhere: set[tuple[int, int]] = set()
        """Places of names outside the columns of names."""
        self.have_one_word = sum(len(item.full_name.split()) == 1 for item in people) * 3 > len(people)

    def people(self) -> list[Person]:
        """The people, in the order of their rows."""
        people: list[Person] = []
        for row in self.rows:
            people += self._row(row, people)
        return people

    def once(self, people: list[Person], before: Sequence[Person] = ()) -> list[Person]:
        """The people behind those of other sheets, as the members of the club whom they are, each once."""
        people = [person for person in map(self._who, people) if person is not None]
        return self._without_repeats([*before, *people])

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
        text = self._name_text(row)
        hit = names.read(text, last_first=self._is_last_first(text))
        contacts = self._contacts(row, hit)
        people = self._people_of(row, text, hit, bool(contacts[0] or contacts[1]))
        return self._described(row, people, hit, contacts) if people else []

    def _people_of(self, row: int, text: str, hit: names.Found, has_contact: bool) -> list[Person]:
        """The people whom the names of a row are; none if the row is set aside."""
        if hit.kind == names.NOTHING:
            return self._nameless(row, hit) if has_contact else self._elsewhere(row)
        item = " ".join(text.split()).rstrip(" :")
        self.is_in_letter |= words.is_letter(item)
        self.is_after_letter |= words.closes_letter(item) or (self.is_in_letter and words.signs_letter(item))
        if hit.kind == names.HEADING and not has_contact and len(self._filled(row)) < 3:
            self.desk.keep_row(row, gettext("A heading within the list."))
            return []
        if hit.kind in (names.HEADING, names.NOTE, names.DOUBT):
            is_likely = hit.kind == names.DOUBT and (has_contact or names._FAMILY.search(item))
            return self._ask_name(row, item, hit, hit.full_name if is_likely else ASIDE, is_name_last=True)
        if hit.kind == names.SEVERAL:
            return self._several(row, item, hit)
        is_word = len(hit.full_name.split()) == 1 and not self.have_one_word
        if len(self._filled(row)) == 1 and (is_word or self.is_after_letter):
            return self._ask_name(row, item, hit, ASIDE if self.is_after_letter else hit.full_name)
        return self._people_called(row + 1, hit.names[0])

    def _nameless(self, row: int, beside: names.Found) -> list[Person]:
        """The person of a row with an email address or a phone number and no name."""
        cells = [cell.text for column, cell in self._filled(row) if self._holds(column) in ("email", "phone")]
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
        columns = [column for holds in ("name", "first_name", "last_name") for column in self.at[holds]]
        if any(self.sheet.cell(row, column).kind == FORMULA for column in columns):
            self.desk.keep_row(row, gettext("A formula without a stored value."))
            return []
        for column, cell in self._filled(row):
            hit = names.read(cell.text)
            if cell.kind != TEXT or column in columns or hit.kind != names.ALONE or len(hit.full_name.split()) < 2:
                continue
            is_given = words.folded(hit.full_name).split()[0] in words.GIVEN and len(self._filled(row)) < 3
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
        label = next(cell.text for _, cell in self._filled(row) if words.is_total(cell.text))
        shown = " ".join(cell.text for _, cell in self._filled(row))
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
        self.desk.keep_rest(row, [column for column, cell in self._filled(row) if cell.text == label])
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
        name = self._name_text(row)
        used |= {column for holds in ("name", "first_name", "last_name") for column in self.at[holds]}
        used -= {column for column in self._parts_beside(row) if not self._is_within(self._text(row, column), name)}
        used |= {column for at, column in self.elsewhere if at == row}
        used -= {column for column, cell in self._filled(row) if cell.kind == FORMULA}
        roles = [hit.role] if hit.role else []
        for column in self.at["role"]:
            text = self._text(row, column)
            used.add(column)
            if text.casefold() in _YES:
                roles.append(self.layout.columns[column].title)
            elif text and not words.is_none(text):
                roles.append(text)
        notes = [hit.note] if hit.note else []
        for column in self.at["note"]:
            text = self._text(row, column)
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
        for column in self.at["address"]:
            text = self._text(row, column)
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
        for column in self.at["name"][1:]:
            text = self._text(row, column)
            hit = names.read(text, last_first=self._is_last_first(text))
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

    # Cells

    def _filled(self, row: int) -> list[tuple[int, Cell]]:
        return [(column, cell) for column, cell in enumerate(self.sheet.rows[row]) if cell]

    def _holds(self, column: int) -> str:
        return self.layout.columns[column].holds if column < len(self.layout.columns) else LEAVE_OUT

    def _cell(self, row: int, column: int) -> Cell:
        """A cell, or the one that is merged over it from above."""
        cell = self.sheet.cell(row, column)
        if cell:
            return cell
        above = self.desk.merged_down(row, column)
        return self.sheet.cell(*above) if above else cell

    def _text(self, row: int, column: int) -> str:
        cell = self.sheet.cell(row, column)
        return "" if cell.kind == FORMULA else cell.text

    def _name_text(self, row: int) -> str:
        """The name of a row: from the column of names, or from first and last name."""
        name = next((text for column in self.at["name"] if (text := self._text(row, column))), "")
        first = " ".join(self._text(row, column) for column in self.at["first_name"]).strip()
        last = " ".join(self._text(row, column) for column in self.at["last_name"]).strip()
        if words.is_none(first):
            first = ""
        if words.is_none(last):
            last = ""
        if first and last:
            return _both(first, last)
        if name and first and not self._is_within(first, name) and "," not in name:
            return _both(first, name)
        if name:
            return name
        return first or last

    def _parts_beside(self, row: int) -> list[int]:
        """The columns of first and last names of a row."""
        return [column for holds in ("first_name", "last_name") for column in self.at[holds] if self._text(row, column)]

    def _is_within(self, text: str, name: str) -> bool:
        return set(words.folded(text).split()) <= set(words.folded(name).split())

    def _order_of(self, column: int) -> str:
        """The order of names without commas: `last` if the title says that the last name is first, `likely` if most
        names look so, else empty."""
        title = words.folded(self.layout.columns[column].title)
        for item, other in (("surname", "first"), ("last", "first"), ("nachname", "vorname"), ("name", "vorname")):
            if title.startswith(item) and other in title[len(item) :]:
                return "last"
        backward = forward = 0
        for row in self.rows:
            tokens = names.plain_words(self._text(row, column))
            forward += len(tokens) == 2 and tokens[0] in words.GIVEN
            backward += len(tokens) == 2 and tokens[0] not in words.GIVEN and tokens[1] in words.GIVEN
        return "likely" if backward > 2 and backward > 4 * forward else ""

    def _is_last_first(self, text: str) -> bool:
        """Whether a name without a comma has the last name first."""
        orders = set(self.orders.values())
        if "last" in orders:
            return True
        return (
            "likely" in orders and names.plain_words(text)[:1] != [] and names.plain_words(text)[0] not in words.GIVEN
        )

    def _contacts(self, row: int, hit: names.Found) -> tuple[list[str], list[str], set[int]]:
        """The addresses and telephone numbers of a row, and the columns that were used for them."""
        emails, phones, used = list(hit.emails), list(hit.phones), set[int]()
        for column in self.at["email"]:
            cell = self._cell(row, column)
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
        for column in self.at["phone"]:
            cell = self._cell(row, column)
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
        if len(rest) > 3 and not self._is_within(rest, self._name_text(row)):
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
            shown=", ".join(filter(None, [" ".join(self._name_text(row).split()), text])),
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
        phone = values.phone(cell, leading_zero=self.context.leading_zero)
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
            shown=", ".join(filter(None, [" ".join(self._name_text(row).split()), cell.text])),
            can_type=True,
        )
        if answer == ASIDE:
            self.desk.keep(row, [cell], gettext("The spreadsheet has changed this phone number."))
            return []
        return [answer[:LONGEST_PHONE]]

    # Rows that are no people

    def _is_total(self, row: int) -> bool:
        """Whether a row is a sum: it says so, and names nobody."""
        if not any(words.is_total(cell.text) for _, cell in self._filled(row) if cell.kind == TEXT):
            return False
        text = self._name_text(row)
        parts = [self._text(row, column) for column in self._parts_beside(row)]
        is_part = any(map(words.is_total, parts)) and not any(
            any(map(str.isalpha, part)) and not words.is_total(part) for part in parts
        )
        return is_part or words.is_total(text) or names.read(text).kind not in (names.ALONE, names.SEVERAL)

    def _has_left(self, row: int) -> bool:
        """Whether a row says that its person is no member any more, and nobody answers that they are."""
        name = self._name_text(row)
        cells = [cell.text for column, cell in self._filled(row) if self._says_leaving(column, cell)]
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
        if column >= len(self.layout.columns):
            return False
        if words.is_leaving_title(self.layout.columns[column].title):
            return cell.kind == DATE or any(map(str.isdecimal, cell.text))
        return self._holds(column) in ("role", "note", LEAVE_OUT) and words.leaving(cell.text) == cell.text

    def _continues(self, row: int) -> bool:
        """Whether the name of a row is merged into the one above."""
        columns = [*self.at["name"][:1], *self.at["last_name"], *self.at["first_name"]]
        return bool(columns) and all(self.desk.merged_down(row, column) is not None for column in columns)

    def _more_of(self, row: int, before: Sequence[Person]) -> list[Person]:
        """The second row of a person: what is missing is added, the rest set aside."""
        person = before[-1]
        emails, phones, used = self._contacts(row, names.Found(names.NOTHING))
        if emails and not person.email:
            person.email = emails.pop(0)
        self.desk.keep(row, [email for email in emails if email != person.email], gettext("A further email address."))
        if phones and phones[0] not in person.phone:
            person.phone = _JOINT.join(filter(None, [person.phone, *phones]))[:LONGEST_PHONE]
        self.desk.keep_rest(row, used)
        return []

    # Who is who

    def _who(self, person: Person) -> Person | None:
        """The person, as the member of the club whom they are."""
        members = self.context.members
        key = names.key(person.name)
        exact = [member for member in members if names.key(member.name) == key]
        if exact:
            person.known = next((member for member in exact if member.email == person.email), exact[0])
            person.name = person.known.name
            return person
        near = [member for member in members if names.may_be_same(person.name, member.name)]
        near += [member for member in members if _is_married(person, member) and member not in near]
        if len(near) != 1:
            return person
        member = near[0]
        answer = self.desk.ask(
            *(
                person.row - 1,
                "near_name",
                gettext("%(name)s: %(member)s?") % {"name": person.name, "member": member.name},
            ),
            TWO if _differ(person.email, member.email) else member.name,
            [
                (member.name, gettext("Yes, %(member)s of the club") % {"member": member.name}),
                (TWO, gettext("No, someone new")),
                (ASIDE, gettext("Set aside")),
            ],
            shown=person.name,
        )
        if answer == ASIDE:
            self.desk.keep_row(person.row - 1, gettext("Set aside by you."))
            return None
        if answer == member.name:
            person.known, person.name = member, member.name
        return person

    def _without_repeats(self, people: list[Person]) -> list[Person]:
        """The people, each once as far as the answers say so."""
        unrepeated: list[Person] = []
        by_word: dict[str, list[Person]] = {}
        for person in people:
            ends = words.folded(person.name).split()
            around = {id(item): item for word in (*ends[:1], *ends[-1:]) for item in by_word.get(word, [])}
            same = [
                item
                for item in unrepeated
                if id(item) in around
                and (item.sheet, item.row) != (person.sheet, person.row)
                and person.sheet == self.desk.name
                and _may_be_same(item, person)
            ]
            exact = [item for item in same if names.key(item.name) == names.key(person.name)]
            nearest = exact or same
            hit = next((item for item in nearest if _agree(item, person)), nearest[0] if nearest else None)
            if hit is not None and self._is_one(hit, person, is_only=bool(exact) or len(same) == 1):
                self._merge(hit, person)
                continue
            unrepeated.append(person)
            for word in {*ends[:1], *ends[-1:]}:
                by_word.setdefault(word, []).append(person)
        return _each_known_once(unrepeated)

    def _is_one(self, first: Person, person: Person, *, is_only: bool) -> bool:
        """Whether two rows are one person: asked, unless one of them is only the partner of somebody."""
        is_exact = names.key(first.name) == names.key(person.name)
        if is_exact and (first.is_partner or person.is_partner):
            return True
        answer = self.desk.ask(
            *(person.row - 1, "same_person"),
            gettext("%(one)s and %(other)s: one person?") % {"one": self._shown(first), "other": self._shown(person)},
            ONE if _is_likely_one(first, person) and (is_only or _agree(first, person)) else TWO,
            [(ONE, gettext("One person")), (TWO, gettext("Two people"))],
            shown=self._shown(person),
            remark=gettext("The other is in row %(row)s.") % {"row": first.row} if first.sheet == person.sheet else "",
        )
        return answer == ONE

    def _shown(self, person: Person) -> str:
        """The name as it stands in the file."""
        if person.is_partner or self.has_blocks or person.sheet != self.desk.name:
            return person.name
        return " ".join(self._name_text(person.row - 1).split())

    def _merge(self, first: Person, person: Person) -> None:
        """Add what the second row of a person says; what contradicts is set aside."""
        for name in ("email", "phone", "address", "role", "note"):
            item, other = getattr(first, name), getattr(person, name)
            if not item:
                setattr(first, name, other)
            elif name in ("role", "note") and words.folded(other) not in words.folded(item):
                setattr(first, name, f"{item}; {other}"[: 200 if name == "role" else 500])
            elif other and words.folded(other) not in words.folded(item):
                self.desk.keep(person.row - 1, [other], gettext("Different in row %(row)s.") % {"row": first.row})
        if first.known is None and person.known is not None:
            first.known, first.name = person.known, person.name
        elif first.known is None:
            first.name = names.fuller(first.name, person.name)
        first.is_partner = first.is_partner and person.is_partner


def _each_known_once(people: list[Person]) -> list[Person]:
    """Of several people who were taken for one member, only the likeliest is; the others are new."""
    likeliest: dict[int, Person] = {}
    for person in people:
        if person.known is None:
            continue
        before = likeliest.setdefault(person.known.pk, person)
        if before is not person:
            is_better = bool(person.email) and person.email == person.known.email != before.email
            likeliest[person.known.pk] = person if is_better else before
            (before if is_better else person).known = None
    return people


def _both(first: str, last: str) -> str:
    """First and last names as one text; as many of both are those of several people."""
    if first.count(",") and all(words.folded(entry) in words.GIVEN for entry in first.split(",")):
        first = " & ".join(entry.strip() for entry in first.split(","))
    firsts, lasts = names.BETWEEN.split(first), names.BETWEEN.split(last)
    if len(firsts) == len(lasts) > 1:
        return " & ".join(f"{item} {other}" for item, other in zip(firsts, lasts, strict=True))
    last, remarks = names._BRACKETS.sub("", last).strip(), names._BRACKETS.findall(last)
    text = names.first_last(first, last.replace(",", ""))
    return f"{text} ({'; '.join(remarks)})" if remarks else text


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


def _differ(item: str, other: str) -> bool:
    return bool(item) and bool(other) and item.casefold() != other.casefold()


def _digits(phone: str) -> str:
    return "".join(sign for sign in phone if sign.isdecimal())[-8:]


def _agree(item: Person, other: Person) -> bool:
    """Whether two rows have an address or a number in common."""
    return bool(item.email and item.email == other.email) or bool(
        item.phone and _digits(item.phone) == _digits(other.phone)
    )


def _may_be_same(item: Person, other: Person) -> bool:
    if item.known is not None and other.known is not None and item.known.pk != other.known.pk:
        return False
    return names.may_be_same(item.name, other.name)


def _is_likely_one(first: Person, person: Person) -> bool:
    if _agree(first, person):
        return True
    if _differ(first.email, person.email) or _differ(_digits(first.phone), _digits(person.phone)):
        return False
    if names.key(first.name) == names.key(person.name):
        return True
    item, other = words.folded(first.name).split(), words.folded(person.name).split()
    if len(item) != len(other):
        return False
    if names._by_initials(item, other):
        return True
    different = [pair for pair in zip(item, other, strict=True) if pair[0] != pair[1]]
    return len(different) == 1 and bool(set(different[0]) & words.GIVEN)


def _is_married(person: Person, member: Known) -> bool:
    """Whether the address of a person is that of a member with the same first name."""
    if not person.email or person.email != member.email:
        return False
    return words.folded(person.name).split()[:1] == words.folded(member.name).split()[:1]
