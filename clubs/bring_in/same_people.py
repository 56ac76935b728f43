"""Which rows of lists are one person, and which a member of the club."""

from collections.abc import Sequence

from django.utils.translation import gettext

from clubs.bring_in import names, words
from clubs.bring_in.member_cells import MemberCells
from clubs.bring_in.reading import ASIDE, ONE, TWO, Known, Person


class SamePeople:
    """Finds them and asks in doubt. With several blocks of columns (`has_blocks`) a row has no one name to show."""

    def __init__(self, cells: MemberCells, *, has_blocks: bool) -> None:
        self.cells, self.desk, self.has_blocks = cells, cells.desk, has_blocks

    def once(self, people: list[Person], before: Sequence[Person] = ()) -> list[Person]:
        """The people behind those of other sheets, as the members of the club whom they are, each once."""
        people = [person for person in map(self._who, people) if person is not None]
        return self._without_repeats([*before, *people])

    def _who(self, person: Person) -> Person | None:
        """The person, as the member of the club whom they are."""
        members = self.desk.context.members
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
        return " ".join(self.cells.name(person.row - 1).split())

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
