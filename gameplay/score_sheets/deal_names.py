"""Deals of a score sheet by name: `Deal 3`, or `Board 7` where they are boards that other tables play too."""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

OF_BOARDS = {
    gettext_noop("Deal"): gettext_noop("Board"),
    gettext_noop("Deal %(number)s"): gettext_noop("Board %(number)s"),
    gettext_noop("Deal %(number)s, the last"): gettext_noop("Board %(number)s, the last"),
    gettext_noop("Change deal %(number)s"): gettext_noop("Change board %(number)s"),
    gettext_noop("Deal %(number)s saved."): gettext_noop("Board %(number)s saved."),
    gettext_noop("Deal %(number)s saved. The match is over."): gettext_noop(
        "Board %(number)s saved. The match is over."
    ),
    gettext_noop("Enter deal %(number)s first."): gettext_noop("Enter board %(number)s first."),
    gettext_noop("The match was over after deal %(number)s."): gettext_noop(
        "The match was over after board %(number)s."
    ),
    gettext_noop("Deal %(number)s has just been saved: %(result)s. Save again to replace it."): gettext_noop(
        "Board %(number)s has just been saved: %(result)s. Save again to replace it."
    ),
    gettext_noop("Deal %(number)s, %(name)s"): gettext_noop("Board %(number)s, %(name)s"),
    gettext_noop("Deal %(number)s: %(name)s went out but still needed %(books)s."): gettext_noop(
        "Board %(number)s: %(name)s went out but still needed %(books)s."
    ),
    gettext_noop("Deal totals"): gettext_noop("Board totals"),
    gettext_noop("Points of the deal"): gettext_noop("Points of the board"),
}
"""What is said of deals, and of boards. `static/js/score/reckon.js` has those of the script."""


def is_board(boards: Sequence[int], number: int) -> bool:
    """Whether the `number`-th deal is one of the match’s boards, and not one that follows them all."""
    return 0 < number <= len(boards)


def label(boards: Sequence[int], number: int) -> int:
    """What is written on the `number`-th of a match’s boards; else that number."""
    return boards[number - 1] if is_board(boards, number) else number


def words(boards: Sequence[int], text: str, number: int = 1, **values: object) -> str:
    """A text of `OF_BOARDS` about the `number`-th deal. Deals that follow all boards have none."""
    text = OF_BOARDS[text] if is_board(boards, number) else text
    return gettext(text) % {"number": label(boards, number), **values}
