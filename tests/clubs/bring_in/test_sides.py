"""The people in the names of sides: members by their surnames, and doubts."""

import re

import pytest

from clubs.bring_in import child
from clubs.bring_in.open import read
from clubs.bring_in.reading import FIXTURES, TABLE, TWO, Context, Known
from clubs.models import League, Membership, TeamMember
from clubs.services.seasons.past_seasons.people import has_names_of
from tests.clubs.bring_in.test_fixture_pages import PAGE
from tests.clubs.bring_in.test_fixture_pages import read as read_page
from tests.clubs.bring_in.test_pages import fields_of
from tests.pages import squeezed

KIM, ANN, BOB, EDITH = (
    Known(at, name) for at, name in enumerate(("Kim Lund", "Ann Jones", "Bob Jones", "Edith Clark"), 1)
)
CLUB = (KIM, ANN, BOB, EDITH)


def reading(*sides, what=FIXTURES, **known):
    """A list in which each of these sides plays against somebody unknown."""
    lines = [f"{at}\t2026-09-07\t{side}\tQuill / Zorn" for at, side in enumerate(sides, 1)]
    context = Context(**{"members": CLUB} | known)
    return read(child.read_text("\n".join(["Round\tDate\tHome\tAway", *lines])), what, context)


def doubts(result):
    return [(question.text, question.guess) for question in result.questions if question.kind == "member"]


def test_a_surname_of_one_member_is_theirs_without_a_question():
    result = reading("Lund / Vik")
    assert result.meant == {("Lund / Vik", 0): KIM}
    assert doubts(result) == []


def test_a_couple_of_one_surname_are_its_two_members():
    assert reading("Jones & Jones").meant == {("Jones & Jones", 0): ANN, ("Jones & Jones", 1): BOB}


def test_a_surname_of_several_members_is_asked():
    result = reading("Jones / Vik")
    assert doubts(result) == [("Jones of Jones / Vik: which member?", TWO)]
    assert result.meant == {}
    assert [label for _, label in result.questions[0].choices] == ["Ann Jones", "Bob Jones", "A new person"]
    key = result.questions[0].key
    assert reading("Jones / Vik", answers={key: str(BOB.pk)}).meant == {("Jones / Vik", 0): BOB}


def test_a_name_with_a_typing_error_is_asked_and_guessed():
    result = reading("Edth Clark / Vik")
    assert doubts(result) == [("Edth Clark of Edth Clark / Vik: which member?", str(EDITH.pk))]
    assert result.meant == {("Edth Clark / Vik", 0): EDITH}


def test_a_surname_with_a_typing_error_or_a_remark_is_asked():
    assert doubts(reading("Clarck / Vik")) == [("Clarck of Clarck / Vik: which member?", str(EDITH.pk))]
    assert reading("Lund (sub) / Vik").meant == {("Lund (sub) / Vik", 0): KIM}


def test_a_surname_in_two_sides_is_asked_in_both():
    result = reading("Lund / Vik", "Lund / Roy")
    assert [guess for _, guess in doubts(result)] == [str(KIM.pk), TWO]


def test_a_member_who_stands_elsewhere_by_name_is_asked_and_not_guessed():
    result = reading("Lund / Vik", "Kim Lund / Roy")
    assert (doubts(result), result.meant) == ([("Lund of Lund / Vik: which member?", TWO)], {})


def test_in_a_league_of_people_two_surnames_are_no_two_members():
    assert not has_names_of(League.Kind.PERSON, "Lund & Arai")
    assert has_names_of(League.Kind.PAIR, "Lund & Arai")


def test_whole_names_and_sides_of_the_league_raise_no_question():
    result = reading("Kim Lund / Vik", "Jones / Roy", teams=["Jones / Roy"])
    assert (doubts(result), result.meant) == ([], {})


def test_teams_with_names_of_their_own_mean_no_members():
    result = reading("Lund / Jones", "Edth Clark", has_team_names=True)
    assert (doubts(result), dict(result.meant)) == ([], {})


def test_tables_are_read_the_same_way():
    result = read(child.read_text("Place\tName\tPoints\n1\tLund / Vik\t22\n2\tQuill / Zorn\t20"), TABLE, Context(CLUB))
    assert result.meant == {("Lund / Vik", 0): KIM}


@pytest.mark.django_db
@pytest.mark.usefixtures("in_september")
def test_the_members_who_are_meant_play_in_the_teams(club, staff, browser_of):
    kim = Membership.objects.create(club=club, name="Kim Lund")
    page = browser_of(staff["organiser"])
    answer = read_page(page, "Round\tDate\tHome\tAway\n1\t2026-09-07\tLund / Vik\tQuill / Zorn\n")
    text = re.sub("</?bdi>", "", squeezed(answer.content.decode()))
    assert "members by other names:Lund=Kim Lund" in text
    assert "new in the club:Quill;Vik;Zorn" in text
    page.client.post(PAGE, fields_of(answer) | {"league": "", "league_name": "Monday League"})
    assert TeamMember.objects.get(membership=kim).team.name == "Lund / Vik"
    assert not Membership.objects.filter(name="Lund").exists()
