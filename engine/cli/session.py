"""A match between a person at the terminal and bots. All that is shown comes from the person's view."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.bots.bot import Bot
from engine.cli.console import Console, Left
from engine.cli.event_text import describe
from engine.cli.rules import plain_lines
from engine.cli.sheets import outcome_text, score_table, team_names
from engine.cli.shorthand import HELP, read_typed
from engine.cli.table import show_hand, show_middle, show_table
from engine.cli.text import plain, wrap
from engine.errors import EngineError
from engine.play.deal import commitment
from engine.play.events import Event
from engine.play.moves import Move, write_move
from engine.play.record import Game, write_record
from engine.play.rule_sheet.sheet import write_sheet
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING
from engine.play.view import View, view

_PROMPTS = {
    LIFT: "How many cards do you lift? Enter a number without counting. ? for help.",
    CHOOSE: "You have two face-down stacks. Enter `keep 1` or `keep 2` to choose your hand.",
    DRAWING: "Your turn: draw, or take the discard pile. ? for help.",
    ANSWERING: "May your partner go out? Answer y or n.",
}


class Session:
    """A match: the game, the players, and events that the person has not been shown yet."""

    def __init__(
        self, game: Game, me: int, bots: Mapping[int, Bot], key_for: Callable[[int], bytes], console: Console
    ) -> None:
        self.game, self.me, self.bots, self.key_for, self.console = game, me, bots, key_for, console
        self.new_events: list[Event] = []

    @property
    def my_view(self) -> View:
        """The table as the person sees it."""
        return view(self.game.state, self.me)

    @property
    def names(self) -> Sequence[str]:
        """The players' names, by seat."""
        return self.game.players

    def name(self, seat: int) -> str:
        """Name of a player at the beginning of a sentence."""
        return "You" if seat == self.me else plain(self.names[seat])

    def run(self) -> None:
        """Play the match to its end, or until the person leaves."""
        try:
            while True:
                self.play_deal()
                self._wait()
                result = self.game.deals[-1].result
                if result is None or result.winners is not None:
                    return
                self.game.next_deal(self.key_for(self.game.state.deal + 1), self.game.deals[-1].phrases)
        except Left:
            self.console.say("Goodbye.")

    # One deal

    def play_deal(self) -> None:
        """From the commitment to the score sheet."""
        log = self.game.deals[-1]
        self.console.say()
        self.console.say(f"Deal {self.game.state.deal}. {self.name(log.dealer)} dealt. The commitment of the shuffle:")
        self.console.show(f"  {commitment(log.key)}")
        while self.game.state.phase != OVER:
            seat = self.game.state.actor
            if seat == self.me:
                self._take_turn()
            else:
                self._play(self.bots[seat].choose(view(self.game.state, seat, log=self.game.public_log)))
        self._show_events()
        self._end_deal()

    def _play(self, move: Move) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        step = self.game.play(move, at)
        self.new_events += [event.seen_by(self.me) for event in step.events]

    def _show_events(self) -> None:
        """Print the events, a paragraph for each turn."""
        turn: list[Event] = []
        for event in [*self.new_events, Event("turn_began", -1)]:
            if event.kind == "turn_began":
                if text := describe(turn, self.name):
                    self.console.show(wrap(text, "* "))
                turn = []
            else:
                turn.append(event)
        self.new_events = []

    def _end_deal(self) -> None:
        state, log = self.game.state, self.game.deals[-1]
        if log.result is None:
            return
        names = team_names(state.teams, self.names)
        self.console.say()
        self.console.show(score_table(state.rules, log.result, state.scores, names))
        self.console.say()
        self.console.say("The key of the shuffle, whose SHA-256 is the commitment:")
        self.console.show(f"  {log.key.hex()}")
        self.console.say(outcome_text(state.rules, state.deal, log.result, names))

    def _wait(self) -> None:
        """Between two deals."""
        last = self.game.deals[-1].result
        over = last is not None and last.winners is not None
        aim = "leave" if over else "continue"
        self.console.say(f"Press Enter to {aim}. `save FILE` saves the record, which `verify` checks.")
        while line := self.console.ask():
            if not self._obey(line):
                self.console.say(f"The deal is over. Press Enter to {aim}, or enter save FILE, score or quit.")

    # The person's turn

    def _take_turn(self) -> None:
        """Play until another seat has to act."""
        self._show_events()
        state = self.game.state
        self.console.say()
        if state.phase in (DRAWING, PLAYING):
            self.console.show(show_table(self.my_view, self.names))
        while state.phase != OVER and state.actor == self.me:
            self._prompt()
            self._read()
            state = self.game.state

    def _prompt(self) -> None:
        phase = self.game.state.phase
        self.console.say(_PROMPTS.get(phase, "Meld if you like, then discard. `moves` lists the legal moves."))

    def _read(self) -> None:
        """Read lines until one is a move, and play it."""
        while True:
            line = self.console.ask()
            if not line:
                self._prompt()
                continue
            if self._obey(line):
                continue
            my_view = self.my_view
            try:
                move = read_typed(line, my_view)
            except EngineError as error:
                self.console.say(plain(error.sentence))
                continue
            if refusal := my_view.why_not(move):
                self.console.say(refusal.sentence)
                continue
            self._play(move)
            self._show_events()
            if self.game.state.actor == self.me and self.game.state.phase != OVER:
                self.console.show(show_hand(self.my_view))
            return

    # Words that are no moves

    def _obey(self, line: str) -> bool:
        """Carry out a command that is not a move; whether it was one."""
        word, _, rest = line.partition(" ")
        act = {
            "?": self._help,
            "help": self._help,
            "moves": self._moves,
            "table": self._table,
            "hand": self._hand,
            "score": self._score,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
            "q": self._quit,
        }.get(word.lower())
        if act is None:
            return False
        act(rest.strip())
        return True

    def _help(self, rest: str) -> None:
        self.console.show(HELP)

    def _moves(self, rest: str) -> None:
        moves = self.my_view.legal_moves()
        if self.game.state.phase == LIFT and moves:
            self.console.say(f"grab 1 to grab {len(moves)}. The number alone is enough.")
            return
        matches = [(n, write_move(move)) for n, move in enumerate(moves, start=1) if rest.lower() in write_move(move)]
        for number, text in matches:
            self.console.show(wrap(text, f"{number:>4}  "))
        if not matches:
            self.console.say("Move not found." if moves else "It is not your turn.")

    def _table(self, rest: str) -> None:
        self.console.show(show_table(self.my_view, self.names))

    def _hand(self, rest: str) -> None:
        self.console.show(show_hand(self.my_view))
        self.console.show("\n".join(show_middle(self.my_view)))

    def _score(self, rest: str) -> None:
        names = team_names(self.game.state.teams, self.names)
        for number, log in enumerate(self.game.deals, start=1):
            if log.result is not None:
                points = ", ".join(f"{n} {p}" for n, p in zip(names, log.result.deal_score, strict=True))
                self.console.say(f"Deal {number}: {points}.")
        last = self.game.deals[-1].result
        totals = last.totals if last else self.game.state.scores
        self.console.say("Totals: " + ", ".join(f"{n} {p}" for n, p in zip(names, totals, strict=True)) + ".")

    def _rules(self, rest: str) -> None:
        state = self.game.state
        shape = state.rules.shape(state.seats, state.team_size)
        self.console.show(plain_lines(write_sheet(state.rules, shape, 78)))

    def _save(self, rest: str) -> None:
        if not rest:
            self.console.say("Enter a file name: save FILE.")
            return
        try:
            with Path(rest).expanduser().open("x", encoding="utf-8") as file:
                json.dump(write_record(self.game), file, indent=1)
                file.write("\n")
        except FileExistsError:
            self.console.say(f"{plain(rest)} already exists. Choose another name.")
        except (OSError, ValueError, RuntimeError) as error:
            self.console.say(f"The record cannot be saved: {plain(getattr(error, 'strerror', None) or str(error))}.")
        else:
            running = "" if self.game.state.phase == OVER else " The key of this deal is left out because it is secret."
            self.console.say(f"Saved.{running}")

    def _quit(self, rest: str) -> None:
        raise Left
