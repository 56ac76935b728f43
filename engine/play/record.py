"""Game records: a match as one JSON object that replays to the same positions, events and scores.

The log is the truth: rules, keys and moves give every position. Each line of a record carries a link, the SHA-256 of
the line and of the link before it, so that a change anywhere is found at the place where it was made.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from engine.errors import BadInput, EngineError
from engine.play.deal import check_phrases, commitment, read_key
from engine.play.events import Event, PublicLog
from engine.play.game import Step, apply, new_game, next_deal
from engine.play.moves import Move, parse_move, write_move
from engine.play.rules import Rules
from engine.play.scoring import Outcome, outcome
from engine.play.state import State
from engine.play.view import outcome_to_json

FORMAT = "foothold-record/1"
_LONGEST_MATCH = 10_000


class BadRecord(BadInput):
    """A record with a fault: `place` is where, in words."""

    code = "bad_record"

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place, self.fault = place, sentence

    def __reduce__(self) -> tuple[type[BadRecord], tuple[str, str]]:
        """Rebuild the exception from its arguments when it crosses processes."""
        return type(self), (self.place, self.fault)


class NothingToReplay(BadRecord):
    """A record, right as far as it goes, of which only a deal under way is there, whose key is not shown yet."""


class Played(NamedTuple):
    """A move of the log, with its seat and its time as ISO 8601 text (or `None`)."""

    seat: int
    move: Move
    at: str | None


@dataclass
class DealLog:
    """A deal of a match: its key, phrases and moves."""

    key: bytes = field(repr=False)
    phrases: tuple[str, ...]
    dealer: int
    moves: list[Played] = field(default_factory=list, repr=False)
    events: list[tuple[Event, ...]] = field(default_factory=list, repr=False)
    result: Outcome | None = None


@dataclass
class Game:
    """A match being played or replayed: its log, and the position that the log comes to."""

    rules: Rules
    players: tuple[str, ...]
    deals: list[DealLog]
    state: State

    @classmethod
    def start(
        cls,
        rules: Rules,
        players: tuple[str, ...],
        key: bytes,
        *,
        team_size: int | None = None,
        dealer: int | None = None,
        phrases: tuple[str, ...] = (),
        assist: bool = True,
    ) -> Game:
        """A new match between these players, by seat."""
        seats = len(players)
        state = new_game(rules, key, seats=seats, team_size=team_size, dealer=dealer, phrases=phrases, assist=assist)
        return cls(rules, players, [DealLog(key, check_phrases(phrases, seats), state.dealer)], state)

    def play(self, move: Move, at: str | None = None) -> Step:
        """Apply a move by the seat to act and log it."""
        seat = self.state.actor
        step = apply(self.state, move)
        log = self.deals[-1]
        log.moves.append(Played(seat, move, at))
        log.events.append(step.events)
        self.state = step.state
        log.result = outcome(step.state)
        return step

    @property
    def public_log(self) -> PublicLog:
        """What everybody at the table has seen of the deal under way."""
        return PublicLog(event for events in self.deals[-1].events for event in events)

    def next_deal(self, key: bytes, phrases: tuple[str, ...] = ()) -> None:
        """Begin the deal after one that is over."""
        self.state = next_deal(self.state, key, phrases)
        self.deals.append(DealLog(key, check_phrases(phrases, self.state.seats), self.state.dealer))


# Writing


def write_record(game: Game, *, with_running_key: bool = False) -> dict[str, Any]:
    """The match as a record. The key of a deal under way is left out, unless the record is for storage."""
    header = _header(game.rules, game.state, game.players)
    link = _link("", header)
    deals: list[dict[str, Any]] = []
    record = {**header, "link": link, "deals": deals}
    for number, log in enumerate(game.deals, start=1):
        head = _head(number, log.dealer, commitment(log.key), log.phrases)
        link = _link(link, head)
        deal = {**head, "link": link, "moves": []}
        for played in log.moves:
            line = {"seat": played.seat, "move": write_move(played.move), "at": played.at}
            link = _link(link, line)
            deal["moves"].append({**line, "link": link})
        deal["key"] = log.key.hex() if log.result is not None or with_running_key else None
        deal["result"] = None if log.result is None else outcome_to_json(log.result)
        deals.append(deal)
    return record


def _header(rules: Rules, state: State, players: tuple[str, ...]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "rules": rules.write(),
        "seats": state.seats,
        "team_size": state.team_size,
        "assist": state.assist,
        "players": list(players),
    }


def _head(number: int, dealer: int, committed: str, phrases: tuple[str, ...]) -> dict[str, Any]:
    return {"deal": number, "dealer": dealer, "commitment": committed, "phrases": list(phrases)}


def _link(before: str, line: dict[str, Any]) -> str:
    text = before + json.dumps(line, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


# Reading


class Replay(NamedTuple):
    """A record that was found right: the match, and whether its last deal could not be replayed for want of its key."""

    game: Game
    running: int
    """Moves of a deal under way whose key is not shown yet; only their links are checked."""


def replay(record: Any) -> Replay:
    """Replay a record and check it: links, commitments, every move, every score. Raises `BadRecord` with the place."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadRecord("Format", f"a record is a JSON object with the format {FORMAT!r}.")
    expected = {"format", "rules", "seats", "team_size", "assist", "players", "link", "deals"}
    _keys(record, expected, "The record")
    players, deals = record["players"], record["deals"]
    _need(isinstance(record["assist"], bool), "Header", "`assist` is true or false.")
    _need(_names(players), "Header", "`players` is a list of display names.")
    _need(isinstance(deals, list) and 0 < len(deals) <= _LONGEST_MATCH, "The record", "it holds no deals.")
    try:
        rules = Rules.read(record["rules"])
        rules.shape(_integer(record["seats"]), _integer(record["team_size"]))
    except BadInput as error:
        raise BadRecord("Header", error.sentence) from None
    _need(len(players) == record["seats"], "Header", "there must be one player for each seat.")
    link = _checked_link("", {k: v for k, v in record.items() if k not in ("link", "deals")}, record["link"], "Header")
    game: Game | None = None
    for number, deal in enumerate(deals, start=1):
        where = f"Deal {number}"
        _keys(deal, {"deal", "dealer", "commitment", "phrases", "link", "moves", "key", "result"}, where)
        head = {name: deal[name] for name in ("deal", "dealer", "commitment", "phrases")}
        link = _checked_link(link, head, deal["link"], where)
        _need(deal["deal"] == number, where, "its number is out of order.")
        if deal["key"] is None:
            return _running(game, deal, link, last=number == len(deals))
        game = _begin(game, record, rules, deal, where)
        link = _play_all(game, deal["moves"], link, where)
        _check_result(game, deal, where, last=number == len(deals))
    _need(game is not None, "The record", "it holds no deals.")
    return Replay(game, 0)  # type: ignore[arg-type]


def _begin(game: Game | None, record: dict[str, Any], rules: Rules, deal: dict[str, Any], where: str) -> Game:
    """Check the commitment and make the first position of the deal."""
    try:
        key = read_key(deal["key"])
        _need(isinstance(deal["phrases"], list), where, "`phrases` is a list of strings.")
        phrases = tuple(deal["phrases"])
        _need(commitment(key) == deal["commitment"], where, "the key is not the one that was committed to.")
        if game is None:
            seats, dealer = record["seats"], deal["dealer"]
            _need(_integer(dealer) in range(seats), where, "the dealer is not a seat.")
            players = tuple(record["players"])
            size, assist = record["team_size"], record["assist"]
            return Game.start(rules, players, key, team_size=size, dealer=dealer, phrases=phrases, assist=assist)
        game.next_deal(key, phrases)
        _need(
            game.state.dealer == deal["dealer"], where, f"seat {game.state.dealer} deals, not {deal['dealer']!r:.20}."
        )
        return game
    except BadRecord:
        raise
    except BadInput as error:
        raise BadRecord(where, error.sentence) from None


def _play_all(game: Game, lines: Any, link: str, where: str) -> str:
    """Play the moves of one deal; the last link."""
    _need(isinstance(lines, list), where, "`moves` is a list.")
    for index, line in enumerate(lines, start=1):
        place = f"{where}, move {index}"
        link = _checked_line(link, line, place)
        _need(game.state.phase != "over", place, "the deal was over before it.")
        _need(line["seat"] == game.state.actor, place, f"seat {game.state.actor} was to act, not {line['seat']!r:.20}.")
        try:
            game.play(parse_move(line["move"]), line["at"])
        except EngineError as error:
            raise BadRecord(f"{place} ({line['move']!s:.60})", error.sentence) from None
    return link


def _checked_line(link: str, line: Any, place: str) -> str:
    _keys(line, {"seat", "move", "at", "link"}, place)
    _need(isinstance(line["move"], str), place, "a move is a line of text.")
    _need(line["at"] is None or _is_time(line["at"]), place, "`at` is a time in ISO 8601, or null.")
    return _checked_link(link, {name: line[name] for name in ("seat", "move", "at")}, line["link"], place)


def _check_result(game: Game, deal: dict[str, Any], where: str, *, last: bool) -> None:
    result = game.deals[-1].result
    _need(last or result is not None, where, "the deal is not played to its end, but another follows.")
    replayed = None if result is None else outcome_to_json(result)
    _need(deal["result"] == replayed, f"{where}, result", "the scores are not what the moves come to.")


def _running(game: Game | None, deal: dict[str, Any], link: str, *, last: bool) -> Replay:
    """A deal under way whose key is not shown: only the links of its moves can be checked."""
    where = f"Deal {deal['deal']}"
    _need(last and deal["result"] is None, where, "only the last deal, still under way, may be without its key.")
    _need(isinstance(deal["moves"], list), where, "`moves` is a list.")
    for index, line in enumerate(deal["moves"], start=1):
        link = _checked_line(link, line, f"{where}, move {index}")
    if game is None:
        raise NothingToReplay(where, "its key is not shown yet, so there is nothing that can be replayed.")
    return Replay(game, len(deal["moves"]))


def _checked_link(before: str, line: dict[str, Any], link: Any, place: str) -> str:
    expected = _link(before, line)
    _need(link == expected, place, "this was changed after it was recorded: its link does not fit.")
    return expected


def _keys(value: Any, keys: set[str], place: str) -> None:
    _need(
        isinstance(value, dict) and set(value) == keys, place, f"it must hold {', '.join(sorted(keys))}, and no more."
    )


def _need(holds: bool, place: str, sentence: str) -> None:
    if not holds:
        raise BadRecord(place, sentence)


def _integer(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _names(value: Any) -> bool:
    return (
        isinstance(value, list) and 2 <= len(value) <= 12 and all(isinstance(v, str) and len(v) <= 200 for v in value)
    )


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False
