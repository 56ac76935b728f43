"""What is typed on the page of tonight: the slip, and rows of the grid. What is wrong is said at its cell, the rest is
kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext

from accounts.models import User
from clubs.tonight import grid
from clubs.tonight.grid import Conflict, Row
from clubs.tonight.page import Night, Slip
from tournaments.models import TypedScores
from tournaments.services.matches import typed_scores
from web.errors import NotAllowed, Refused, Stale
from web.sent_numbers import read_whole
from web.text import number

LONGEST = 24


def read(data: Mapping[str, str], row: Row, prefix: str) -> list[str]:
    """The scores of a table as they were sent."""
    return [str(data.get(f"{prefix}{side.at}", ""))[:LONGEST].strip() for side in row.sides]


@dataclass
class Stored:
    """Scores of a table that were sent: what was wrong with them, by cell, and who else typed it."""

    row: Row
    texts: Sequence[str]
    errors: dict[int, str] = field(default_factory=dict)
    conflict: Conflict | None = None


def type_row(
    night: Night,
    row: Row,
    texts: Sequence[str],
    *,
    known: int | None,
    base: Sequence[int | None] | None = None,
    is_kept: bool = False,
) -> Row:
    """Keep the scores of a table, and return it as it is afterwards, with what is wrong. Raises `NotAllowed`.

    `known` is the version that the page showed, or `base` the scores of its boards.
    """
    return _again(night, [_store(night, row, texts, known=known, base=base, is_kept=is_kept)])[0]


def _store(
    night: Night,
    row: Row,
    texts: Sequence[str],
    *,
    known: int | None,
    base: Sequence[int | None] | None = None,
    is_kept: bool = False,
) -> Stored:
    """Keep the scores of a table. Raises `NotAllowed`."""
    stored, scores = Stored(row, texts), []
    for at, text in enumerate(texts):
        try:
            scores.append(typed_scores.read_score(text))
        except Refused as refused:
            scores.append(None)
            stored.errors[at] = refused.sentence
    try:
        typed_scores.type_scores(row.pk, night.reader, scores=scores, known=known, base=base, is_kept=is_kept)
    except Stale as stale:
        board, count = int(stale.details.get("board", 0)), len(row.side_names)
        was = base[board * count : (board + 1) * count] if base is not None else None
        stored.conflict = replace(
            _conflict(night.reader, row, texts, board),
            known=known,
            base="|".join("" if score is None else number(score) for score in was) if was is not None else None,
        )
    except NotAllowed:
        raise
    except Refused as refused:
        stored.errors[0] = refused.sentence
    return stored


def _conflict(reader: User, row: Row, texts: Sequence[str], board: int = 0) -> Conflict:
    """Both results that were typed for a table, or for one of its boards."""
    theirs = TypedScores.objects.filter(pairing=row.pk).select_related("by").first()
    count = len(row.side_names)
    part = slice(board * count, (board + 1) * count) if row.labels else slice(None)
    scores = typed_scores.scores_of(theirs, row.labels)[part] if theirs is not None else []
    words = " – ".join("?" if score is None else number(score) for score in scores) or gettext("nothing")
    mine = " – ".join(_shown(text) or "?" for text in texts[part])
    by = theirs.by if theirs is not None else None
    values = {"name": by or gettext("Someone"), "theirs": words, "mine": mine}
    if by == reader or row.labels:  # who typed a board before is not kept
        sentence = gettext("It was %(theirs)s before, you typed %(mine)s.") % values
    else:
        sentence = gettext("%(name)s typed %(theirs)s, you typed %(mine)s.") % values
    cells = tuple((at, text) for at, text in enumerate(texts) if not row.labels or _shown(text) != row.sides[at].score)
    return Conflict(words, mine, sentence, cells, board)


def _again(night: Night, typed: Sequence[Stored]) -> list[Row]:
    """The tables that were typed as they are now, in their places in the grid, with what is wrong. The grid is read
    once, however many there are."""
    for name in ("grids", "boards", "docks", "button") if typed else ():
        night.__dict__.pop(name, None)
    return [_marked(grid.by_pk(night.grids, each.row.pk) or each.row, each) for each in typed]


def _marked(fresh: Row, stored: Stored) -> Row:
    """A table with what was wrong with the scores that were sent."""
    fresh.conflict = stored.conflict
    for at, sentence in stored.errors.items():
        fresh.sides[at].score, fresh.sides[at].error, fresh.state = stored.texts[at], sentence, "bad"
        fresh.words = gettext("left out for now")
    if stored.conflict is not None:
        fresh.state, fresh.words = "bad", gettext("typed twice")
    return fresh


def slip(night: Night, data: Mapping[str, str]) -> Slip:
    """Keep the next slip: its table, and once the scores are there, those. What is missing is asked for."""
    event = read_whole(str(data.get("of", ""))) or 0
    answer = _slip(night, data, event)
    answer.event = answer.row.event if answer.row is not None else event
    return answer


def _slip(night: Night, data: Mapping[str, str], event: int) -> Slip:
    table = str(data.get("table", "")).strip()[:LONGEST]
    if not table:
        row = night.lowest_open(event)
        if row is None:
            return Slip(error=gettext("Every table has its scores."))
        return Slip(str(row.number), [""] * len(row.sides), row)
    at = read_whole(table)
    row = grid.find(night.grids, at, event) if at is not None else None
    if row is None:
        return Slip(
            table, read_all(data), None, gettext("Table %(table)s is not in tonight’s list.") % {"table": table}
        )
    texts = read(data, row, "s")
    if data.get("match", str(row.pk)) != str(row.pk):
        words = gettext("Table %(table)s was redrawn. Check its players, then enter its scores again.")
        return Slip(table, texts, None, words % {"table": table})
    if not row.can_type:
        return Slip(table, texts, None, why_not(row))
    if "" in texts:
        return Slip(table, texts, row)
    return _keep(night, row, table, texts)


def read_all(data: Mapping[str, str]) -> list[str]:
    """The scores of a slip whose table is not known."""
    return [str(data.get(f"s{at}", ""))[:LONGEST] for at in range(12) if f"s{at}" in data]


def _keep(night: Night, row: Row, table: str, texts: list[str]) -> Slip:
    """A whole slip: kept, or both results if the table has another."""
    is_other = row.version and [side.score for side in row.sides] != [_shown(text) for text in texts]
    if is_other and row.state == "in":
        at = next(at for at, side in enumerate(row.sides) if side.score != _shown(texts[at]))
        conflict = _conflict(night.reader, row, texts, at // len(row.side_names) if row.labels else 0)
        row.conflict, row.state = conflict, "bad"
        row.words = gettext("typed twice")
        return Slip(error=gettext("Table %(table)s already has other scores. Choose below.") % {"table": row.called})
    fresh = type_row(night, row, texts, known=None)
    if fresh.doubts:
        side = fresh.doubts[0]
        sentence = side.error or (side.doubt.sentence if side.doubt else "")
        words = gettext("Table %(table)s: %(sentence)s") % {"table": fresh.called, "sentence": sentence}
        return Slip(kept=words, needs_check=True)
    return Slip(kept=gettext("Table %(table)s is in.") % {"table": fresh.called})


def _shown(text: str) -> str:
    """A typed score as the grid shows it."""
    try:
        score = typed_scores.read_score(text)
    except Refused:
        return text
    return "" if score is None else number(score)


def why_not(row: Row) -> str:
    """Why the scores of a table cannot be typed here."""
    if row.state == "final":
        words = gettext("Table %(table)s already has its result. Correct it on the page of the match.")
    else:
        words = gettext("The scores of table %(table)s cannot be typed here: %(why)s.")
    return words % {"table": row.called, "why": row.words}


def rows(night: Night, data: Mapping[str, str], element: str = "") -> bool:
    """Keep all rows of the grid that were changed on the page. Returns whether all of them are right.

    A board that is sent by its `element` (id) comes with the whole form, whose other boards may still be on their way.
    """
    typed: list[Stored] = []
    for row in night.rows:
        if row.labels and row.can_type:
            if (boards := _store_boards(night, row, data, element)) is not None:
                typed.append(boards)
            continue
        texts = read(data, row, f"t{row.pk}-")
        if not row.can_type or f"t{row.pk}-0" not in data or "|".join(texts) == data.get(f"was-{row.pk}"):
            continue
        known = read_whole(str(data.get(f"v-{row.pk}", "")))
        typed.append(_store(night, row, texts, known=known))
    return not any(fresh.doubts or fresh.conflict for fresh in _again(night, typed))


def _store_boards(night: Night, row: Row, data: Mapping[str, str], element: str) -> Stored | None:
    """Keep those boards of a table that were changed on the page; `None` if none was."""
    texts, base = [side.score for side in row.sides], [_or_none(side.score) for side in row.sides]
    is_changed = False
    for line in row.lines:
        was = data.get(f"was-{row.pk}-{line.at}")
        typed = [data.get(f"t{row.pk}-{side.at}") for side in line.sides]
        is_other = element.startswith("row-") and element != f"row-{row.pk}-{line.at}"
        if is_other or was is None or None in typed or "|".join(map(str, typed)) == was:
            continue
        shown = was[: 4 * LONGEST].split("|")
        is_changed = True
        for index, side in enumerate(line.sides):
            texts[side.at] = str(typed[index])[:LONGEST].strip()
            base[side.at] = _or_none(shown[index]) if index < len(shown) else None
    return _store(night, row, texts, known=None, base=base) if is_changed else None


def _or_none(text: str) -> int | None:
    """A score as a page showed it; `None` for nothing, and for what was refused."""
    try:
        return typed_scores.read_score(text)
    except Refused:
        return None


def decide(night: Night, wish: str, pk: int, data: Mapping[str, str]) -> None:
    """Answer a question at a row: `keep` its scores, take the `instead`, `mine` or `theirs`."""
    row = grid.by_pk(night.grids, pk)
    if row is None or not row.can_type:
        raise Refused("no_match", gettext("This match no longer exists. It was probably redrawn."))
    texts = [side.score for side in row.sides]
    if wish == "instead":
        texts = [side.instead or side.score for side in row.sides]
    elif wish == "mine":
        texts = [str(data.get(f"mine-{row.pk}-{at}", text))[:LONGEST].strip() for at, text in enumerate(texts)]
    elif wish == "theirs":
        return
    type_row(night, row, texts, known=row.version, is_kept=wish == "keep")
