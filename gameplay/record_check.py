"""Records from elsewhere: read with care, checked whole, and never stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, ngettext

from engine.errors import BadInput
from engine.play.record import Game, Replay, replay
from gameplay.log import story
from gameplay.log.match_history import Step, titles_of
from gameplay.models import Move, Seat
from gameplay.page.deal_score import ScoreSheet, score_sheet
from web.errors import Refused
from web.text import number as figure
from web.text import several

MOST_BYTES = 2_000_000
"""Longest record; a match of ten deals takes a tenth of it."""
MOST_SENT = 3_000_000
"""Bytes of the form around it."""


def text_of(pasted: str, file: UploadedFile[Any] | None) -> str:
    """The record that a form brings, pasted or as a file. Raises `Refused`."""
    if file is not None:
        if (file.size or 0) > MOST_BYTES:
            raise Refused("too_long", gettext("The file is too large. A record can have at most 2 million bytes."))
        try:
            return str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            raise Refused("bad_record", gettext("This file is not a record. It must be text in UTF-8.")) from None
    if len(pasted.encode(errors="replace")) > MOST_BYTES:
        raise Refused("too_long", gettext("The text is too long. A record can have at most 2 million bytes."))
    if not pasted.strip():
        raise Refused("no_record", gettext("Choose a file, or paste a record."))
    return pasted


def check(text: str) -> Replay:
    """The match of a correct record. Raises `Refused` with the problem and its place."""
    try:
        return replay(_read_json(text))
    except BadInput as error:
        raise Refused("bad_record", str(error)) from None


def _read_json(text: str) -> Any:
    try:
        record = json.loads(text)
        # Half a character, which JSON can write, can be shown on no page.
        json.dumps(record, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused("bad_record", gettext("This is not a record. It must be valid JSON.")) from None
    return record


def verdict(game: Game, running: int) -> str:
    """The result of the check, in a sentence or two."""
    deals = sum(1 for log in game.deals if log.result is not None)
    moves = sum(len(log.moves) for log in game.deals)
    checked = {"deals": several(deals, "deal"), "moves": several(moves, "move")}
    text = gettext("Everything fits: %(deals)s and %(moves)s, the commitments, the shuffles and the scores.") % checked
    if running:
        text += " " + ngettext(
            "Another deal is under way. Only the links of its %(count)s move were checked.",
            "Another deal is under way. Only the links of its %(count)s moves were checked.",
            running,
        ) % {"count": figure(running)}
    return text


def move_lines(game: Game, step: Step) -> list[story.StoryLine]:
    """The effects of the move before this step, in words; none at the start of a deal."""
    if step.is_beginning:
        return []
    before = sum(len(log.moves) for log in game.deals[: step.deal - 1])
    log, index = game.deals[step.deal - 1], step.number - before - 1
    stored = story.keep_events(log.events[index])
    move = Move(number=step.number, deal=step.deal, seat=log.moves[index].seat, events=stored)
    return story.tell([move], seats_of(game), None, is_full=True, is_open=True)


def seats_of(game: Game) -> list[Seat]:
    """Seats for the players of a record, which are not stored."""
    return [Seat(number=number, name=name[:60]) for number, name in enumerate(game.players)]


def score_sheets(game: Game) -> Iterator[tuple[int, ScoreSheet]]:
    """Number and score sheet of each deal that is over."""
    titles = titles_of(game.players, game.state.teams)
    for number, log in enumerate(game.deals, start=1):
        if log.result is not None:
            yield number, score_sheet(log.result, titles, game.state.rules)
