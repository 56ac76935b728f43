import hashlib
import io
import json
import re
import sys

import pytest

from engine.cli import session
from engine.cli.shorthand import HELP
from engine.play.cards import BLANK


@pytest.fixture
def play(run, monkeypatch):
    """Play with these lines typed; what came of it."""

    def play_lines(lines, *words, rules="standard", bots="novice"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", "--rules", rules, "--bots", bots, "--seed", "1", *words)

    return play_lines


WHOLE_MATCH = ["1", ""] * 4000
"""Choose the first legal move each time; an empty line continues to the next deal."""


@pytest.fixture
def only_own_cards(monkeypatch):
    """Check the input of all output: the views hold no hidden card, the events no card of another's."""
    views = []

    def watched(show):
        def check(view, *names):
            if view.position.phase != "over":
                state, me = view.position, view.seat
                feet = [foot for seat, foot in enumerate(state.feet) if foot and not (seat == me and state.peeked[me])]
                other_hands = [cards for seat, cards in enumerate(state.hands) if seat != me]
                hidden = b"".join([*other_hands, *feet, state.stock])
                assert hidden.strip(bytes([BLANK])) == b""
                assert view.position.seed is None
            views.append(view)
            return show(view, *names)

        return check

    for name in ("show_table", "show_hand", "show_middle"):
        monkeypatch.setattr(session, name, watched(getattr(session, name)))

    def tell(events, name):
        assert not [event for event in events if event.private and event.cards and event.seat != 0]
        return session_tell(events, name)

    session_tell = session.describe
    monkeypatch.setattr(session, "describe", tell)
    return views


@pytest.mark.parametrize("rules", ["standard", "denexa", "family", "bain", "solo", "bga"])
def test_a_whole_match(play, only_own_cards, tmp_path, run, rules):
    words = ["--set", 'length={"deals": 2}', "--set", "tie=shared"]
    path = tmp_path / "record.json"
    ran = play([*WHOLE_MATCH, ""], *words, rules=rules)
    assert (ran.status, ran.err) == (0, "")
    assert only_own_cards
    assert max(map(len, ran.lines)) <= 80
    assert not re.search(r"(Bela|Cleo|Dora) (drew|looked)[^.]*\(", ran.out)
    commitments = re.findall(r"The commitment of the shuffle:\n  ([0-9a-f]{64})\n", ran.out)
    keys = re.findall(r"whose SHA-256 is the commitment:\n  ([0-9a-f]{64})\n", ran.out)
    assert [hashlib.sha256(bytes.fromhex(key)).hexdigest() for key in keys] == commitments
    assert len(keys) == 2
    assert re.search(r" won with -?\d+ points\.\nPress Enter to leave", ran.out)
    second = play([*WHOLE_MATCH[: ran.out.count("\n> ") - 1], f"save {path}"], *words, rules=rules)
    assert second.lines[-2:] == ["Saved.", "Goodbye."]
    assert run("replay", path).status == 0
    assert run("verify", path).lines[-1] == "2 deals fair"


def test_the_first_screen(play):
    ran = play([])
    assert ran.status == 0
    assert (
        ran.out
        == """\
Standard, 4 seats in teams of 2, 4 deals.
Seats: 0 you, 1 Bela, 2 Cleo, 3 Dora.

Deal 1. Dora dealt. The commitment of the shuffle:
  ffdbc2f9f6e7bd19d06026f87e151f8902e50e02b71f00f9400f212902a4abeb

--- Deal 1 -------------------------------------------------------------------
Stock: 165 cards.  Discard pile: one card, Jc on top.
You can take it: take Jd Jh Xb (one of 5 ways).

You & Cleo (team 0): 0 points so far
  you 13 cards, foot of 13 down; Cleo 13 cards, foot of 13 down
  not opened: the opening minimum is 50
  to go out: clean 0/2, dirty 0/2, wild 0/1

Bela & Dora (team 1): 0 points so far
  Bela 13 cards, foot of 13 down; Dora 13 cards, foot of 13 down
  not opened: the opening minimum is 50
  to go out: clean 0/2, dirty 0/2, wild 0/1

Your hand, 13 cards:
  1×6: 6s   1×7: 7h   1×8: 8s   3×J: Jd Jh Jh   5×Q: Qc Qd Qd Qh Qs   1×2: 2c
  1×X: Xb
Your turn: draw, or take the discard pile. ? for help.
Goodbye.
"""
    )


def test_the_words_of_a_turn(play):
    ran = play(["?", "score", "d 6", "draw", "moves discard", "m J J", "m J J J X", "hand", "u", "discard 3c", "d 6"])
    assert ran.status == 0
    for text in (
        f"> ?\n{HELP}\n",
        "> score\nTotals: You & Cleo 0, Bela & Dora 0.\n",
        "> d 6\nDraw or take the discard pile before you discard.\n",
        "> draw\n* You drew two cards (4d 5s).\n",
        "> moves discard\n  14  discard 2c\n  15  discard 4d\n",
        "> m J J\nA new meld needs at least three cards.\n",
        "> m J J J X\n* You melded Jd Jh Jh Xb, opened for the team.\n",
        "> hand\nYour hand, 11 cards:\n",
        "> u\n* You undid the last meld.\n",
        "> discard 3c\nYou do not have 3c.\n",
        "> d 6\n* You discarded 6s.\n* Bela drew two cards, ",
    ):
        assert text in ran.out


def test_the_sheet_is_that_of_the_table(play):
    ran = play(["rules"], "--seats", "2", "--set", "out_bonus=70")
    assert "Hand and Foot: Standard with house rules\n" in ran.out
    assert max(map(len, ran.lines)) <= 80


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("frob", "'frob' is not a known word. Type ? for help."),
        ("0", "Move 0 not found. `moves` lists moves 1 to 6."),
        ("99999999999999999999", "Move 999999999 not found. `moves` lists moves 1 to 6."),
        ("moves frob", "Move not found."),
        ("take K", "You do not have enough kings for that."),
        ("take Qc Qd", "You need two natural jacks from your hand to take Jc."),
        ("take Kc Kd", "You do not have Kc."),
        ("d 9x", "'9x' is not a card. Enter a rank of 23456789TJQKA and a suit of cdhs, or Xr, Xb."),
        ("discard", "Enter the card to discard, as in: d 9c."),
        ("answer maybe", "'answer maybe' is not a move."),
        ("a", "Draw or take the discard pile before you ask."),
        ("save", "Enter a file name: save FILE."),
        ("save no/such/folder/x", "The record cannot be saved: No such file or directory."),
        ("\x1b[2J", "'\\x1b[2J' is not a known word. Type ? for help."),
    ],
)
def test_what_is_no_move_is_answered(play, line, answer):
    ran = play([line])
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert ran.out.endswith(f"{answer}\nGoodbye.\n")
    assert max(map(len, ran.lines)) <= 80


@pytest.mark.parametrize("word", ["quit", "q", "QUIT"])
def test_quit(play, word):
    ran = play([word, "draw"])
    assert ran.out.endswith(f"> {word}\nGoodbye.\n")


def test_a_record_saved_in_mid_deal_keeps_the_key_secret(play, run, tmp_path):
    path = tmp_path / "record.json"
    ran = play(["draw", f"save {path}", f"save {path}"])
    assert "Saved. The key of this deal is left out because it is secret." in ran.out
    assert "already exists. Choose another name." in " ".join(ran.out.split())
    assert json.loads(path.read_text())["deals"][0]["key"] is None
    assert run("verify", path).lines[0] == "Deal 1: under way, so its shuffle cannot be checked yet."


def test_another_seat_with_a_name_and_a_phrase(play, tmp_path):
    path = tmp_path / "record.json"
    ran = play([f"save {path}"], "--seat", "2", "--name", "Zoë", "--phrase", "my luck")
    assert "Seats: 0 Ada, 1 Bela, 2 you, 3 Dora." in ran.out
    data = json.loads(path.read_text())
    assert data["players"] == ["Ada", "Bela", "Zoë", "Dora"]
    assert data["deals"][0]["phrases"] == ["", "", "my luck", ""]


def test_a_partner_is_answered(play):
    """Sooner or later a bot asks its partner: the person sees the question and answers it."""
    ran = play(WHOLE_MATCH, "--set", 'contract={"clean": 0, "dirty": 0, "wild": 0}', "--set", "partner_foot=none")
    question = ran.out.find("asked to go out")
    assert question > 0
    assert "May your partner go out? Answer y or n." in ran.out[question:]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rules", "frob"], "ruleset or file 'frob' not found. "),
        (["--bots", "frob"], "There is no bot 'frob'; "),
        (["--seats", "9"], "Standard does not allow a table of 9. Allowed: "),
        (["--seat", "4"], "seat 4 not found. This table has seats 0 to 3."),
        (["--seat", "-1"], "seat -1 not found. This table has seats 0 to 3."),
        (["--name", ""], "a name must have 1 to 40 letters."),
        (["--phrase", "x" * 201], "A phrase is at most 200 printable characters on one line."),
        (["--phrase", "a\nb"], "A phrase is at most 200 printable characters on one line."),
        (["--set", "frob=1"], "Option 'frob' not found."),
    ],
)
def test_what_cannot_be(complaint, words, sentence):
    assert complaint("play", "--rules", "standard", *words).startswith(sentence)


def test_without_rules(complaint):
    assert complaint("play").startswith("the following arguments are required: --rules. ")


def test_ctrl_c(run, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ran = run("play", "--rules", "standard")
    assert (ran.status, ran.err) == (130, "engine: stopped.\n")
