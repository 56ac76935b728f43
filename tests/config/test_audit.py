"""The step that looks for known vulnerabilities of libraries."""

import json
import runpy
import subprocess
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 5, 6)


def report(vulnerabilities):
    """pip-audit’s report of one library."""
    return json.dumps({"dependencies": [{"name": "jinja2", "version": "2.4.1", "vulns": vulnerabilities}]})


@pytest.fixture
def audit(monkeypatch):
    """The names of bin/lib/audit.py, with a service that answers `says`, and the lock files given to pip-audit."""
    looked_at = []

    def run(command, **_):
        if "--no-deps" in command:
            return subprocess.CompletedProcess(command, 1, run.says)
        looked_at.append(Path(command[command.index("--requirement") + 1]).name)
        return subprocess.CompletedProcess(command, run.code)

    run.code, run.says = 0, report([{"id": "PYSEC-1"}])
    monkeypatch.setattr("subprocess.run", run)
    module = runpy.run_path(str(ROOT / "bin/lib/audit.py"))
    return module, run, looked_at


def test_every_lock_file_is_looked_at(audit, capsys):
    module, _, looked_at = audit
    assert module["main"]() == 0
    assert looked_at == sorted(path.name for path in ROOT.glob("requirements*.txt"))
    assert "Skipped" not in capsys.readouterr().out


def test_a_vulnerability_fails_and_names_the_lock_file(audit, capsys):
    module, run, _ = audit
    run.code = 1
    assert module["main"]() == 1
    assert "See above for requirements-audit.txt, requirements-bench.txt" in capsys.readouterr().out


@pytest.mark.parametrize("says", ["", "<html>", "{}", report([])])
def test_a_service_that_does_not_answer_or_knows_nothing_is_told(audit, capsys, says):
    module, run, looked_at = audit
    run.says = says
    assert module["main"]() == 0
    assert looked_at == []
    assert "Skipped" in capsys.readouterr().out


def test_what_is_accepted_has_a_day_and_a_reason(audit):
    accepted = audit[0]["accepted"]
    assert accepted("# why\n\nPYSEC-1 2026-05-06 never called here\n", TODAY) == ["PYSEC-1"]
    for wrong in ("PYSEC-1", "PYSEC-1 2026-05-06", "PYSEC-1 soon never called here"):
        with pytest.raises(ValueError, match="is not an id, a date and a reason"):
            accepted(wrong, TODAY)
    with pytest.raises(ValueError, match="Check it again"):
        accepted("PYSEC-1 2026-05-05 never called here", TODAY)


def test_the_file_of_what_is_accepted_can_be_read(audit):
    audit[0]["accepted"]((ROOT / "vulnerabilities.txt").read_text(), date.min)
