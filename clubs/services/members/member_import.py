"""Members brought in from a table: looked at first, then written, all that is right of it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.display_names import folded
from accounts.models import User
from clubs.imports.tables import Columns, Row, Table, columns_of, read_table
from clubs.models import Act, Membership
from clubs.services import naming
from clubs.services.history import How, Record, perform, try_out
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
"""What may stand above a column, by what it holds."""
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
class Line:
    """What would become of one row of the table."""

    number: int
    """The line of the file, from 1."""
    name: str
    email: str
    role: str
    fate: str
    """`add`, `known` for who is in already, `wrong` for what cannot be read."""
    words: str = ""
    """Why, or what is odd about it."""


@dataclass(frozen=True)
class Reading:
    """What would become of a table."""

    lines: tuple[Line, ...]
    unused: tuple[str, ...]
    """Titles of columns that nothing is taken from."""
    encoding: str

    def of(self, fate: str) -> list[Line]:
        """The lines of one fate."""
        return [one for one in self.lines if one.fate == fate]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines there are of each fate."""
        return {fate: len(self.of(fate)) for fate in ("add", "known", "wrong")}

    @property
    def letters(self) -> int:
        """How many letters could be written."""
        return sum(bool(one.email) for one in self.of("add"))


def look(club_id: int, data: bytes | str) -> Reading:
    """What bringing a table in would do; nothing is written. Raises `Refused` where it is no table."""
    table = read_table(data, most_rows=membership.MOST_AT_ONCE + 1)
    return try_out(club_id, lambda record: _read(record, table), by=None)


def bring_in(club_id: int, by: User, *, data: bytes | str, letters: bool = False, **how: Unpack[How]) -> Act:
    """Add the people of a table; lines that are wrong, and who is in already, are left out.

    With `letters`, who has an address is asked to claim the name. Raises `Refused`.
    """
    table = read_table(data, most_rows=membership.MOST_AT_ONCE + 1)

    def do(record: Record) -> str:
        new = _read(record, table).of("add")
        if not new:
            raise Refused("nobody", gettext("There is nobody to import."))
        added = [Membership(club=record.club, name=one.name, email=one.email, role=one.role) for one in new]
        membership.add_rows(record, added)
        asked = [one for one in added if one.email] if letters else []
        for role in WITHOUT_ACCOUNT:
            of_role = [(one.email, one) for one in asked if one.role == role]
            if of_role:
                member_invitations.write(record, of_role, role)
        values = {"count": len(added), "letters": several(len(asked), "email")}
        if asked:
            return (
                ngettext(
                    "%(count)s name was imported from a table. Sent: %(letters)s.",
                    "%(count)s names were imported from a table. Sent: %(letters)s.",
                    len(added),
                )
                % values
            )
        return (
            ngettext(
                "%(count)s name was imported.",
                "%(count)s names were imported.",
                len(added),
            )
            % values
        )

    return perform(club_id, do, membership.ADDITION, by=by, **how)


def _read(record: Record, table: Table) -> Reading:
    columns = columns_of(table, TITLES, ["name", "email", "role"])
    if not {"name", "first", "last"} & set(columns.at):
        raise Refused("no_names", gettext("No column is called Name. Put the column titles into the first row."))
    taken = naming.taken(record)
    names: dict[str, Line] = {}
    addresses: dict[str, Line] = {}
    lines = []
    for row in columns.rows:
        line = _line(columns, row, taken, names, addresses)
        lines.append(line)
        if line.fate == "add":
            names[folded(line.name)] = line
            if line.email:
                addresses.setdefault(line.email, line)
    return Reading(tuple(lines), columns.unknown, table.encoding)


def _line(
    columns: Columns, row: Row, taken: Mapping[str, str], names: Mapping[str, Line], addresses: Mapping[str, Line]
) -> Line:
    """What would become of a row, after those above it."""
    typed = _whole_name(*(columns.cell(row, name) for name in ("name", "first", "last")))
    address, said = columns.cell(row, "email"), columns.cell(row, "role")

    def line(fate: str, words: str = "", *, name: str = typed, email: str = address, role: str = said) -> Line:
        return Line(row.line, name[:80], email[:80], role, fate, words)

    if not typed:
        return line("wrong", gettext("The name is missing."))
    try:
        name = naming.clean(typed, naming.LONGEST_OF_PERSON)
        email = naming.clean_address(address)
    except Refused as refusal:
        return line("wrong", refusal.sentence)
    role = _ROLES.get(said.casefold())
    if role is None:
        return line(
            "wrong",
            gettext("“%(said)s” is not a role you can import. Enter member or guest, and give other roles later.")
            % {"said": said[:40]},
        )
    called = folded(name)
    if called in taken:
        return line("known", gettext("Already in the club."), name=name, email=email, role=role)
    if called in names:
        first = names[called]
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
    odd = (
        gettext("The same address as line %(number)s.") % {"number": addresses[email].number}
        if email in addresses
        else ""
    )
    return Line(row.line, name, email, role, "add", odd)


def _whole_name(name: str, first: str, last: str) -> str:
    """A name from its parts; beside a column of first names, one called Name has the others."""
    if name and (not first or first.casefold() in name.casefold().split()):
        return name
    return f"{first} {name or last}".strip()
