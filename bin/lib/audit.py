"""Asks for known vulnerabilities of the libraries in the lock files, by pip-audit; see bin/audit."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOT = Path(__file__).parents[2]
KNOWN = "jinja2==2.4.1"
"""A release known to be vulnerable: a service that lists nothing for it lists nothing for any release."""
PIP_AUDIT = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--disable-pip"]
SECONDS = 15


def main() -> int:
    """0 where nothing is known that is not accepted, or where nobody answers; else 1."""
    try:
        ignored = accepted((ROOT / "vulnerabilities.txt").read_text(), date.today())
    except ValueError as error:
        print(error)
        return 1
    if not answers():
        print("Skipped: the list of known vulnerabilities cannot be reached from here.")
        return 0
    failed = [lock.name for lock in sorted(ROOT.glob("requirements*.txt")) if audit(lock, ignored)]
    if failed:
        print(f"See above for {', '.join(failed)}. Use another release, or accept it in vulnerabilities.txt.")
    return 1 if failed else 0


def accepted(text: str, today: date) -> list[str]:
    """The ids of the vulnerabilities accepted in lines `id until reason`; `ValueError` says which line is wrong."""
    ids = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        try:
            name, until, _reason = line.split(maxsplit=2)
            is_over = date.fromisoformat(until) < today
        except ValueError:
            raise ValueError(f"vulnerabilities.txt: “{line}” is not an id, a date and a reason.") from None
        if is_over:
            raise ValueError(f"vulnerabilities.txt: {name} was accepted until {until}. Check it again.")
        ids.append(name)
    return ids


def answers() -> bool:
    """Whether the service that pip-audit asks answers, with the faults of a release known to be vulnerable."""
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(KNOWN)
        file.flush()
        arguments = ["--no-deps", "--timeout", str(SECONDS), "--format", "json", "--requirement", file.name]
        output = subprocess.run([*PIP_AUDIT, *arguments], check=False, capture_output=True, text=True).stdout
    try:
        return any(dependency["vulns"] for dependency in json.loads(output)["dependencies"])
    except (ValueError, KeyError):
        return False


def audit(lock: Path, ignored: list[str]) -> int:
    """Exit status of pip-audit for a lock file. A library that it could not look at is a fault too."""
    command = [*PIP_AUDIT, "--strict", "--require-hashes", "--requirement", str(lock)]
    for each in ignored:
        command += ["--ignore-vuln", each]
    print(lock.name, flush=True)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
