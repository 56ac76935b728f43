"""The guide lists the steps to add an option; this test takes them, on a copy of the engine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "engine.md").read_text()
STEPS = re.findall(r"In `([\w/.]+)`, after `(.+?)`:\n\n```python\n(.*?)```", GUIDE, re.S)


def engine_with_the_option(folder: Path) -> Path:
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for name, line, block in STEPS:
        path = folder / name
        lines = path.read_text().splitlines(keepends=True)
        (index,) = [i for i, text in enumerate(lines) if text.strip() == line][:1]
        path.write_text("".join([*lines[: index + 1], block, *lines[index + 1 :]]))
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "engine", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_guide_takes_one_line_of_data_one_place_and_one_sentence() -> None:
    assert [name for name, _, _ in STEPS] == [
        "engine/play/rules.py",
        "engine/play/legality/card_verdicts.py",
        "engine/play/rule_sheet/turn_text.py",
    ]
    assert len(STEPS[0][2].splitlines()) == 1


def test_the_option_of_the_guide_works_once_its_steps_are_taken(tmp_path: Path) -> None:
    folder = engine_with_the_option(tmp_path)
    (case,) = re.findall(r"```json\n(.*?)```", GUIDE, re.S)
    (folder / "case.json").write_text(json.dumps([json.loads(case)]))
    checked = run(folder, "check", "case.json")
    assert (checked.stdout.splitlines()[-1], checked.returncode) == ("1 passed, 0 failed", 0)
    result = run(folder, "rules", "standard", "--set", "pile_least=3", "--from", "standard")
    assert "The pile may be taken only when it has three cards or more." in " ".join(result.stdout.split())
    assert "pile_least" in run(folder, "rules", "standard", "--options").stdout


def test_without_the_steps_the_option_is_unknown(tmp_path: Path) -> None:
    refused = run(ROOT, "rules", "standard", "--set", "pile_least=3")
    assert refused.returncode == 2
    assert "Option 'pile_least' not found" in refused.stderr


def test_the_first_look_of_the_guide_runs() -> None:
    first = re.findall(r"```python\n(.*?)```", GUIDE, re.S)[0]
    ran = subprocess.run([sys.executable, "-S", "-c", first], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stderr, ran.returncode) == ("", 0)
    committed, refused = ran.stdout.splitlines()
    assert len(committed) == 64
    assert refused.startswith(("wrong_phase ", "red_three ", "not_held "))
