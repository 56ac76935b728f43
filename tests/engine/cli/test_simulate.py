import io
import json
import sys

import pytest

from engine.cli.progress import bar

WORDS = ["simulate", "--rules", "standard", "--games", "2", "--bots", "random,random", "--seed", "7"]


def test_the_result_in_lines(run):
    ran = run(*WORDS)
    assert (ran.status, ran.err) == (0, "")
    assert "95 % interval" in ran.out
    assert max(map(len, ran.lines)) <= 80


def test_the_result_as_json_repeats_itself(run):
    first, second = (json.loads(run(*WORDS, "--duplicate", "--json").out) for _ in range(2))
    assert (first["games"], first["deals"]) == (2, 4)
    assert first.pop("time")["moves_per_second"] > 0
    second.pop("time")
    assert first == second


def test_two_processes_find_the_same(run):
    first, second = (json.loads(run(*WORDS, "--json", "--jobs", jobs).out) for jobs in (1, 2))
    del first["time"], second["time"]
    assert first == second


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "random,frob"], "There is no bot 'frob'; "),
        (["--bots", "random"], "Name from 2 to 2 bots, "),
        (["--rules", "frob"], "ruleset or file 'frob' not found. "),
        (["--games", "0"], "argument --games: '0' is not a whole number above 0. "),
        (["--games", "99999999999"], "argument --games: '99999999999' is not a whole number above 0. "),
        (["--jobs", "-1"], "argument --jobs: "),
        (["--seats", "5", "--team-size", "2"], "Standard does not allow a table of 5 in teams of 2. Allowed: "),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'. "),
        (["--seconds", "nan"], "argument --seconds: 'nan' is not a number of seconds above 0. "),
    ],
)
def test_what_cannot_be(complaint, words, sentence):
    assert complaint(*WORDS, *words).startswith(sentence)


def test_ctrl_c_says_how_far_it_came(run, monkeypatch):
    def interrupted(rules, *, games, progress, **options):
        progress(1, games)
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.cli.simulate.simulate", interrupted)
    assert run(*WORDS) == (130, "", "engine: stopped after 1 of 2 games.\n")


def test_a_bar_on_a_terminal_only(run, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    assert run(*WORDS).err == ""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    run(*WORDS)
    assert "Playing [" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("count", "seconds", "line"),
    [
        (0, 0, "Playing [..............................] 0/200 …"),
        (50, 10, "Playing [#######.......................] 50/200 0:30 left"),
        (1, 60, "Playing [..............................] 1/200 3:19:00 left"),
        (200, 90, "Playing [##############################] 200/200 0:00 left"),
    ],
)
def test_the_bar(count, seconds, line):
    assert bar("Playing", count, 200, seconds) == line
