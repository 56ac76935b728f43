"""What the columns of a list hold, as far as their cells say it: `kinds` by column, empty for what is not known yet."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from clubs.bring_in import names, values, words
from clubs.bring_in.lines import MATCHDAY, is_open, match_line, score_pair, time_of_fixture
from clubs.bring_in.workbook import NUMBER, TEXT, Cell

LEAVE_OUT = "leave_out"
"""What a column holds that is not read."""
Contents = Sequence[Sequence[Cell]]
"""The filled cells of each column."""

# Members


def of_members(kinds: Sequence[str], contents: Contents) -> list[str]:
    """The kinds of columns, those by title corrected where their cells say something else."""
    kinds = list(kinds)
    for at in _lines(kinds, contents):
        kinds[at] = "name"
    kinds = [_of_member(kind, cells) for kind, cells in zip(kinds, contents, strict=True)]
    if "first_name" in kinds and "name" in kinds and "last_name" not in kinds:
        name = kinds.index("name")
        if share(contents[name], _is_word) >= 0.5:
            kinds[name] = "last_name"
    if not {"name", "first_name", "last_name"} & set(kinds):
        _find_names(kinds, contents)
    elif "last_name" in kinds and not {"name", "first_name"} & set(kinds):
        firsts = [at for at, cells in enumerate(contents) if not kinds[at] and share(cells, _are_given) >= 0.5]
        if firsts:
            kinds[firsts[0]] = "first_name"
    return kinds


def _of_member(kind: str, cells: Sequence[Cell]) -> str:
    """What a column of a list of members holds, by its kind so far."""
    emails = share(cells, lambda cell: values.emails(cell.text))
    if kind not in ("email", "name") and emails > 0.5:
        return "email"
    if kind in ("first_name", "last_name", "name") and share(cells, _is_figure) > 0.6:
        return "number"
    if kind == "number" and share(cells, values.is_phone) > 0.6 and len(cells[0].text) > 5:
        return "phone"
    if kind:
        return kind
    if any(map(values.is_phone, cells)) and share(cells, _is_phone_or_none) > 0.6:
        return "phone"
    if share(cells, lambda cell: words.is_role(cell.text)) > 0.5:
        return "role"
    if emails > 0.2:
        return "email"
    return "address" if share(cells, lambda cell: words.is_address(cell.text)) > 0.5 else ""


def _is_figure(cell: Cell) -> bool:
    return cell.kind == NUMBER or cell.text.isdecimal()


def _is_phone_or_none(cell: Cell) -> bool:
    return values.is_phone(cell) or words.is_none(cell.text)


def _lines(kinds: Sequence[str], contents: Contents) -> list[int]:
    """The columns whose cells say all about a person: the name beside an email address or a phone number."""
    if {"name", "first_name", "last_name"} & set(kinds):
        return []
    columns = []
    for at, cells in enumerate(contents):
        hits = [names.read(cell.text) for cell in cells]
        with_contacts = [hit for hit in hits if hit.emails or hit.phones]
        people = sum(hit.kind in (names.ALONE, names.SEVERAL) for hit in with_contacts)
        beside = sum(hit.kind != names.NOTHING for hit in with_contacts)
        if kinds[at] in ("", "email", "phone", LEAVE_OUT) and 2 * people > beside >= len(with_contacts) / 2 > 0:
            columns.append(at)
    return columns


def _find_names(kinds: list[str], contents: Contents) -> None:
    """Find the columns of names by their contents: one of full names, or two of single words."""
    free = [at for at, kind in enumerate(kinds) if kind in ("", LEAVE_OUT, "note") and contents[at]]
    scores = {at: share(contents[at], _is_name) * len(contents[at]) for at in free}
    best = max(free, key=lambda at: (scores[at], -at), default=None)
    words_in = [at for at in free if share(contents[at], _is_word) > 0.8]
    if best is not None and best not in words_in and scores[best] > 0.3 * len(contents[best]):
        for at in free:
            if at == best or share(contents[at], _is_full_name) > 0.7:
                kinds[at] = "name"
        return
    for left, right in pairwise(words_in):
        if right == left + 1:
            shares = [share(contents[at], lambda cell: words.folded(cell.text) in words.GIVEN) for at in (left, right)]
            first_last = shares[0] >= shares[1]
            kinds[left], kinds[right] = ("first_name", "last_name") if first_last else ("last_name", "first_name")
            return
    if best is None:
        best = max((at for at, cells in enumerate(contents) if cells and not kinds[at]), default=None)
    if best is not None:
        kinds[best] = "name"


# Matches


def of_matches(kinds: Sequence[str], contents: Contents) -> list[str]:
    """The same of a list of matches."""
    kinds = list(kinds)
    _find_times_and_matchdays(kinds, contents)
    if "points" in kinds:
        kinds[kinds.index("points")] = "score"
    _leave_out_empty_dates(kinds, contents)
    if {"home", "away"} <= set(kinds) or "match" in kinds:
        _split_score(kinds, contents)
    else:
        _find_sides(kinds, contents)
    _scores_beside(kinds, contents)
    return kinds


def _find_times_and_matchdays(kinds: list[str], contents: Contents) -> None:
    for at, cells in enumerate(contents):
        if kinds[at]:
            continue
        if "time" not in kinds and share(cells, lambda cell: time_of_fixture(cell.text) == cell.text) > 0.8:
            kinds[at] = "time"
        elif "matchday" not in kinds and share(cells, lambda cell: MATCHDAY.fullmatch(cell.text)) > 0.6:
            kinds[at] = "matchday"


def _leave_out_empty_dates(kinds: list[str], contents: Contents) -> None:
    """Of several columns that are called dates, leave out those without any, if another has some."""
    dates = [at for at, kind in enumerate(kinds) if kind == "date"]
    with_days = [at for at in dates if any(map(_is_day, contents[at]))]
    if with_days:
        for at in {*dates} - {*with_days}:
            kinds[at] = LEAVE_OUT


def _split_score(kinds: list[str], contents: Contents) -> None:
    """Two columns of scores, or one of numbers and one without a title behind it, have a side’s score each."""
    scores = [at for at, kind in enumerate(kinds) if kind == "score"]
    scores += [
        at + 1
        for at in scores[:1]
        if at + 1 < len(kinds) and not kinds[at + 1] and contents[at + 1] and share(contents[at], is_number) > 0.4
    ]
    if len(scores) == 2:
        kinds[scores[0]], kinds[scores[1]] = "home_score", "away_score"


def _find_sides(kinds: list[str], contents: Contents) -> None:
    """Find the columns of days, of matches in one cell, or of home and away."""
    is_only = sum(map(bool, contents)) <= 1
    for at, cells in enumerate(contents):
        if kinds[at]:
            continue
        if share(cells, _is_day) > 0.6:
            kinds[at] = "date"
        elif share(cells, lambda cell: match_line(cell.text) is not None) > (0.3 if is_only else 0.5):
            kinds[at] = "match"
        elif share(cells, _is_score) > 0.5:
            kinds[at] = "score"
    if "match" in kinds:
        return
    texts = [at for at, cells in enumerate(contents) if not kinds[at] and share(cells, _is_text) > 0.7]
    texts = sorted(sorted(texts, key=lambda at: -len({cell.text for cell in contents[at]}))[:2])
    if len(texts) == 2:
        kinds[texts[0]], kinds[texts[1]] = "home", "away"


def _scores_beside(kinds: list[str], contents: Contents) -> None:
    """Columns of numbers that have no title are the scores, if none have it."""
    if {"score", "home_score", "away_score"} & set(kinds):
        return
    numbers = [at for at, cells in enumerate(contents) if not kinds[at] and cells and share(cells, is_number) > 0.6]
    if len(numbers) >= 2:
        kinds[numbers[-2]], kinds[numbers[-1]] = "home_score", "away_score"
        return
    for at, cells in enumerate(contents):
        if not kinds[at] and share(cells, _is_score) > 0.5:
            kinds[at] = "score"
            return


# Final tables


def of_places(kinds: Sequence[str], contents: Contents) -> list[str]:
    """The same of a final table without a title for the names."""
    kinds = list(kinds)
    free = [at for at, kind in enumerate(kinds) if kind in ("", LEAVE_OUT) and contents[at]]
    texts = [at for at in free if share(contents[at], lambda cell: any(map(str.isalpha, cell.text))) > 0.6]
    if texts:
        kinds[max(texts, key=lambda at: (len(contents[at]), -at))] = "name"
    numbers = [at for at in free if share(contents[at], is_number) > 0.6]
    if numbers and not any(kinds):
        return kinds
    if "place" not in kinds and numbers and [values.number(cell) for cell in contents[numbers[0]][:2]] == [1, 2]:
        kinds[numbers.pop(0)] = "place"
    if not {"played", "won", "points"} & set(kinds) and numbers:
        kinds[numbers[-1]] = "points"
        for at, holds in zip(numbers[:-1], ("played", "won", "drawn", "lost"), strict=False):
            kinds[at] = holds
    return kinds


def places_beside(kinds: Sequence[str], titles: Sequence[str], contents: Contents) -> list[str]:
    """Columns of a final table whose titles are a sign or nothing: the places, and the difference."""
    kinds = list(kinds)
    for at, title in enumerate(titles):
        if kinds[at] in ("", LEAVE_OUT) and title.replace(" ", "") in ("+/-", "+/−", "±", "+-") and contents[at]:
            kinds[at] = "difference"
    free = [at for at, kind in enumerate(kinds) if not kind and not titles[at].strip("#.") and contents[at]]
    if "place" not in kinds and free and values.number(contents[free[0]][0]) == 1:
        kinds[free[0]] = "place"
    return kinds


# Cells


def share(cells: Sequence[Cell], test: Callable[[Cell], object]) -> float:
    """The part of the cells that pass a test, from 0 to 1."""
    return sum(bool(test(cell)) for cell in cells) / len(cells) if cells else 0.0


def is_number(cell: Cell) -> bool:
    """Whether a cell is a number."""
    return values.number(cell) is not None


def _is_day(cell: Cell) -> bool:
    return values.day_in_any_year(cell).day is not None and score_pair(cell.text) is None


def _is_score(cell: Cell) -> bool:
    return score_pair(cell.text) is not None or is_open(cell.text)


def _is_text(cell: Cell) -> bool:
    return cell.kind == TEXT and any(map(str.isalpha, cell.text))


def _is_name(cell: Cell) -> bool:
    hit = names.read(cell.text)
    return hit.kind == names.SEVERAL or (
        hit.kind == names.ALONE and (len(hit.full_name.split()) > 1 or words.folded(hit.full_name) in words.GIVEN)
    )


def _is_full_name(cell: Cell) -> bool:
    hit = names.read(cell.text)
    return hit.kind == names.ALONE and names.is_full(hit.full_name)


def _is_word(cell: Cell) -> bool:
    return (
        len(cell.text.split()) == 1
        and cell.text[:1].isalpha()
        and cell.text.replace("-", "").replace("'", "").isalpha()
    )


def _are_given(cell: Cell) -> bool:
    """Whether a cell has one or several first names and nothing else."""
    tokens = words.folded(re.sub(r"\band\b|\bund\b", " ", cell.text)).split()
    return bool(tokens) and all(token in words.GIVEN for token in tokens)
