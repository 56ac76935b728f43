"""What is typed on the page of tonight: the slip, and rows of the grid. What is wrong is said at its cell, the rest is
kept.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext

from clubs.tonight import grid
from clubs.tonight.grid import Conflict, Row
from clubs.tonight.page import Night, Slip
from tournaments.models import TypedScores
from tournaments.services.matches import typed_scores
from web.errors import NotAllowed, Refused, Stale
from web.text import number

LONGEST = 24


def read(data: Mapping[str, str], row: Row, prefix: str) -> list[str]:
    """The scores of a table as they were sent."""
    return [str(data.get(f"{prefix}{side.at}", ""))[:LONGEST].strip() for side in row.sides]


def whole_number(text: str) -> int | None:
    """A short whole number; `None` if it is not one."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None


def type_row(night: Night, row: Row, texts: Sequence[str], *, known: int | None, is_kept: bool = False) -> Row:
    """Keep the scores of a table, and return it as it is afterwards, with what is wrong. Raises `NotAllowed`."""
    scores, errors = [], {}
    for at, text in enumerate(texts):
        try:
            scores.append(typed_scores.read_score(text))
        except Refused as refused:
            scores.append(None)
            errors[at] = refused.sentence
    conflict = None
    try:
        typed_scores.type_scores(row.pk, night.reader, scores=scores, known=known, is_kept=is_kept)
    except Stale:
        conflict = _conflict(row.pk, texts)
    except NotAllowed:
        raise
    except Refused as refused:
        errors[0] = refused.sentence
    fresh = _again(night, row)
    fresh.conflict = conflict
    for at, sentence in errors.items():
        fresh.sides[at].score, fresh.sides[at].error, fresh.state = texts[at], sentence, "bad"
        fresh.words = gettext("left out for now")
    if conflict is not None:
        fresh.state, fresh.words = "bad", gettext("typed twice")
    return fresh


def _conflict(pairing_id: int, texts: Sequence[str]) -> Conflict | None:
    """Both results of a table that two people typed."""
    theirs = TypedScores.objects.filter(pairing=pairing_id).select_related("by").first()
    words = typed_scores.typed_words(theirs) if theirs is not None else gettext("nothing")
    by = str(theirs.by) if theirs is not None and theirs.by is not None else gettext("Someone")
    return Conflict(words, by, " – ".join(text or "?" for text in texts), tuple(texts))


def _again(night: Night, row: Row) -> Row:
    """The table as it is now, in its place in the grid."""
    night.__dict__.pop("grids", None)
    night.__dict__.pop("boards", None)
    night.__dict__.pop("docks", None)
    night.__dict__.pop("button", None)
    return grid.by_pk(night.grids, row.pk) or row


def slip(night: Night, data: Mapping[str, str]) -> Slip:
    """Keep the next slip: its table, and once the scores are there, those. What is missing is asked for."""
    table = str(data.get("table", "")).strip()[:LONGEST]
    if not table:
        row = night.lowest_open
        if row is None:
            return Slip(error=gettext("Every table has its scores."))
        return Slip(str(row.number), [""] * len(row.sides), row)
    at = whole_number(table)
    row = grid.find(night.grids, at) if at is not None else None
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
        conflict = _conflict(row.pk, texts)
        row.conflict, row.state = conflict, "bad"
        row.words = gettext("typed twice")
        return Slip(error=gettext("Table %(table)s already has other scores. Choose below.") % {"table": table})
    fresh = type_row(night, row, texts, known=None)
    if fresh.doubts:
        side = fresh.doubts[0]
        sentence = side.error or (side.doubt.sentence if side.doubt else "")
        return Slip(kept=gettext("Table %(table)s: %(sentence)s") % {"table": table, "sentence": sentence})
    return Slip(kept=gettext("Table %(table)s is in.") % {"table": table})


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
    return words % {"table": row.number, "why": row.words}


def rows(night: Night, data: Mapping[str, str]) -> bool:
    """Keep all rows of the grid that were changed on the page. Returns whether all of them are right."""
    is_right, marked = True, {}
    for row in list(night.rows):
        texts = read(data, row, f"t{row.pk}-")
        if not row.can_type or f"t{row.pk}-0" not in data or "|".join(texts) == data.get(f"was-{row.pk}"):
            continue
        known = whole_number(str(data.get(f"v-{row.pk}", "")))
        fresh = type_row(night, row, texts, known=known)
        if fresh.doubts or fresh.conflict:
            is_right = False
            marked[row.pk] = fresh
    for each in night.grids:
        each.rows = [marked.get(row.pk, row) for row in each.rows]
    return is_right


def decide(night: Night, wish: str, pk: int, data: Mapping[str, str]) -> None:
    """Answer a question at a row: `keep` its scores, take the `instead`, `mine` or `theirs`."""
    row = grid.by_pk(night.grids, pk)
    if row is None or not row.can_type:
        raise Refused("no_match", gettext("This match no longer exists. It was probably redrawn."))
    texts = [side.score for side in row.sides]
    if wish == "instead":
        texts = [side.instead or side.score for side in row.sides]
    elif wish == "mine":
        texts = read(data, row, f"mine-{row.pk}-")
    elif wish == "theirs":
        return
    type_row(night, row, texts, known=row.version, is_kept=wish == "keep")
