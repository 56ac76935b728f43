import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import COMMANDS, main
from engine.play.rulesets import PRESETS

ROOT = Path(__file__).parents[3]


def process(*words, **options):
    """The command line in a process of its own, with the standard library alone."""
    command = [sys.executable, "-S", "-m", "engine", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, **options)


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_it_lists_its_commands(run, words):
    ran = run(*words)
    assert (ran.status, ran.err) == (0, "")
    for name in ("rules", "check", "replay", "verify", "score", "simulate", "play"):
        assert f"\n  {name} " in ran.out


def commands_of_the_docs():
    """Every command line of the engine that a page shows to be typed, from the README first."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    lines = [
        line
        for page in pages
        for line in re.findall(
            r"^python3 -m engine *([^#\n]*)|`python3 -m engine ([^`]*docs/samples/[^`]*)`",
            page.read_text(),
            re.MULTILINE,
        )
    ]
    return [line.split() for line in dict.fromkeys("".join(line).strip() for line in lines)]


def test_the_docs_show_commands_with_files():
    files = {word for words in commands_of_the_docs() for word in words if word.endswith(".json")}
    assert len(files) >= 5
    assert {file for file in files if not (ROOT / file).exists()} == set()


@pytest.mark.parametrize("words", commands_of_the_docs(), ids=" ".join)
def test_every_command_of_the_docs_works(words):
    # Only competition needs more than the standard library.
    isolated = [] if words[:1] == ["compete"] else ["-S"]
    command = [sys.executable, *isolated, "-m", "engine", *words]
    ran = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_of_80_columns(run, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    ran = run(name, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: python -m engine {name}")
    assert max(map(len, ran.lines)) <= 80


def test_words_come_from_the_process_unless_given(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["engine", "rules"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("standard ")


def test_unknown_command(complaint):
    assert complaint("frob") == (
        "unknown command 'frob'. The commands are rules, fits, check, replay, verify, score, simulate, play, compete."
    )


def test_unknown_option_before_the_command(complaint):
    assert complaint("--frob").startswith("unknown option '--frob'. ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["check", "--frob", "x"], "unrecognized arguments: --frob. See `python -m engine check --help`."),
        (["check"], "the following arguments are required: FILE. See `python -m engine check --help`."),
        (["rules", "standard", "solo"], "unrecognized arguments: solo. See `python -m engine rules --help`."),
        (["check", "x", "--js"], "unrecognized arguments: --js. See `python -m engine check --help`."),
        (["replay", "x", "--json=3"], "argument --json: ignored explicit argument '3'. See "),
    ],
)
def test_wrong_words(complaint, words, sentence):
    assert complaint(*words).startswith(sentence)


def test_ctrl_c_says_so_and_leaves_with_130(run, monkeypatch):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.cli.check.run", interrupted)
    assert run("check", "x") == (130, "", "engine: stopped.\n")


def test_what_nests_too_deeply_anywhere_is_a_sentence(complaint, monkeypatch):
    def deep(arguments):
        raise RecursionError

    monkeypatch.setattr("engine.cli.check.run", deep)
    assert complaint("check", "x") == "the input is nested too deeply."


def test_in_a_process_without_site_packages():
    result = process("rules")
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == len(PRESETS)


def test_bad_input_in_a_process():
    result = process("check", "no-such-file.json")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "engine: no-such-file.json: file not found.\n"


def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} -S -m engine rules standard --options | head -1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert result.stdout.splitlines()[0] == "{"
    assert result.stderr == ""


def test_output_that_cannot_be_written_is_a_sentence():
    command = f"{sys.executable} -S -m engine rules > /dev/full"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 2
    assert result.stderr.startswith("engine: the output cannot be written: ")
    assert result.stderr.count("\n") == 1


def test_letters_that_the_terminal_does_not_know_are_escaped(tmp_path):
    path = tmp_path / "cases.json"
    path.write_text('[{"name": "♣ \\u0007 \\ud800", "position": {"rules": "solo"}, "do": [], "expect": {}}]')
    result = process("check", path, env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"})
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "ok \\u2663 \\x07 \\ud800\n1 passed, 0 failed\n"


def test_a_check_loads_neither_bots_nor_a_library(tmp_path):
    path = tmp_path / "none.json"
    path.write_text("[]")
    code = f"""
import sys
from engine.cli import main
main(["check", {str(path)!r}])
assert not [name for name in sys.modules if name.startswith(("engine.bots", "engine.play.rule_sheet.sheet", "django"))]
"""
    result = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert result.stdout == "0 passed, 0 failed\n"
