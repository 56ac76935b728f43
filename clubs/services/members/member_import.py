"""Import of members from a table: previewed first, then all valid rows at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.display_names import folded
from accounts.models import User
from clubs.imports.tables import Columns, Row, Table, columns_of, read_table
from clubs.models import Act, Membership
from clubs.services import naming
from clubs.services.history import ActionRequest, Record, perform, try_out
from clubs.services.members import member_invitations, membership
from clubs.services.members.name_claims import WITHOUT_ACCOUNT
from web.errors import Refused
from web.text import several

TITLES: dict[str, Sequence[str]] = {
    "name": ["full name", "member", "player", "members", "names", "mitglied", "spieler", "nom", "naam", "nombre"],
    "first": ["first name", "given name", "forename", "firstname", "christian name", "vorname"],
    "last": ["last name", "surname", "family name", "lastname", "nachname", "familienname"],
    "email": ["e-mail", "mail", "e-mail address", "email address", "address", "e-mail-adresse", "adresse"],
    "role": ["status", "kind", "rolle"],
}
"""Titles of columns, by their contents."""
_ROLES: Mapping[str, str] = {
    "": Membership.Role.MEMBER,
    "member": Membership.Role.MEMBER,
    "player": Membership.Role.MEMBER,
    "mitglied": Membership.Role.MEMBER,
    "spieler": Membership.Role.MEMBER,
    "gast": Membership.Role.GUEST,
    "guest": Membership.Role.GUEST,
    "visitor": Membership.Role.GUEST,
}


@dataclass(frozen=True)
class MemberRow:
    """The outcome of one row of the table."""

    number: int
    """The line of the file, from 1."""
    name: str
    email: str
    role: str
    fate: str
    """`add`, `known` for a member, `wrong` for a row that cannot be read."""
    words: str = ""
    """Why, or a remark."""


Rows = Mapping[str, MemberRow]


@dataclass(frozen=True)
class ImportPreview:
    """The outcome of importing a table."""

    lines: tuple[MemberRow, ...]
    unused: tuple[str, ...]
    """Titles of unused columns."""
    encoding: str

    def of(self, fate: str) -> list[MemberRow]:
        """The rows of one fate."""
        return [row for row in self.lines if row.fate == fate]

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of each fate."""
        return {fate: len(self.of(fate)) for fate in ("add", "known", "wrong")}

    @property
    def letters(self) -> int:
        """The number of invitations that could be sent."""
        return sum(bool(row.email) for row in self.of("add"))


def preview(club_id: int, data: bytes | str) -> ImportPreview:
    """Preview the import of a table; nothing is written. Raises `Refused` if it is not a table."""
    table = read_table(data, most_rows=membership.MOST_AT_ONCE + 1)
    return try_out(club_id, lambda record: _read(record, table), by=None)


def import_members(
    club_id: int, by: User, *, data: bytes | str, letters: bool = False, **how: Unpack[ActionRequest]
) -> Act:
    """Add the valid new people of a table; with `letters`, invite them to claim their names by email. Raises
    `Refused`."""
    table = read_table(data, most_rows=membership.MOST_AT_ONCE + 1)

    def do(record: Record) -> str:
        new = _read(record, table).of("add")
        if not new:
            raise Refused("nobody", gettext("There is nobody to import."))
        added = [Membership(club=record.club, name=row.name, email=row.email, role=row.role) for row in new]
        membership.add_rows(record, added)
        invited = [row for row in added if row.email] if letters else []
        for role in WITHOUT_ACCOUNT:
            of_role = [(row.email, row) for row in invited if row.role == role]
            if of_role:
                member_invitations.write(record, of_role, role)
        values = {"count": len(added), "emails": several(len(invited), "email")}
        if invited:
            return (
                ngettext(
                    "%(count)s name was imported from a table. Sent: %(emails)s.",
                    "%(count)s names were imported from a table. Sent: %(emails)s.",
                    len(added),
                )
                % values
            )
        return ngettext("%(count)s name was imported.", "%(count)s names were imported.", len(added)) % values

    return perform(club_id, do, membership.ADDITION, by=by, **how)


def _read(record: Record, table: Table) -> ImportPreview:
    columns = columns_of(table, TITLES, ["name", "email", "role"])
    if not {"name", "first", "last"} & set(columns.at):
        raise Refused("no_names", gettext("No column is called Name. Put the column titles into the first row."))
    used = naming.used_names(record)
    names: dict[str, MemberRow] = {}
    addresses: dict[str, MemberRow] = {}
    lines = []
    for row in columns.rows:
        line = _member_row(columns, row, used, names, addresses)
        lines.append(line)
        if line.fate == "add":
            names[folded(line.name)] = line
            if line.email:
                addresses.setdefault(line.email, line)
    return ImportPreview(tuple(lines), columns.unknown, table.encoding)


def _member_row(columns: Columns, row: Row, used: Mapping[str, str], names: Rows, addresses: Rows) -> MemberRow:
    """The outcome of a row, after those above it."""
    typed = _full_name(*(columns.cell(row, name) for name in ("name", "first", "last")))
    address, status = columns.cell(row, "email"), columns.cell(row, "role")

    def line(fate: str, words: str = "", *, name: str = typed, email: str = address, role: str = status) -> MemberRow:
        return MemberRow(row.line, name[:80], email[:80], role, fate, words)

    if not typed:
        return line("wrong", gettext("The name is missing."))
    try:
        name = naming.clean(typed, naming.LONGEST_OF_PERSON)
        email = naming.clean_address(address)
    except Refused as refusal:
        return line("wrong", refusal.sentence)
    role = _ROLES.get(status.casefold())
    if role is None:
        return line(
            "wrong",
            gettext("“%(said)s” is not a role you can import. Enter member or guest, and give other roles later.")
            % {"said": status[:40]},
        )
    key = folded(name)
    if key in used:
        return line("known", gettext("Already in the club."), name=name, email=email, role=role)
    if key in names:
        first = names[key]
        if first.email == email:
            return line(
                "known",
                gettext("The same as line %(number)s.") % {"number": first.number},
                name=name,
                email=email,
                role=role,
            )
        return line(
            "wrong",
            gettext("The same name as line %(number)s. Add something that tells them apart.")
            % {"number": first.number},
        )
    remark = (
        gettext("The same address as line %(number)s.") % {"number": addresses[email].number}
        if email in addresses
        else ""
    )
    return MemberRow(row.line, name, email, role, "add", remark)


def _full_name(name: str, first: str, last: str) -> str:
    """A name from its parts; next to a column of first names, one called Name has the last names."""
    if name and (not first or first.casefold() in name.casefold().split()):
        return name
    return f"{first} {name or last}".strip()
