"""Mutation tests of the rules, by mutmut; see bin/mutate.

Works on a copy of the engine and its tests in a temporary folder. The tests are those that state rules: worked
cases, vectors, sheets and views. Random games (`test_properties.py`) are left out: slow, and lucky.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
MUTMUT = [str(Path(sys.executable).with_name("mutmut"))]
MODULES = [
    f"engine/play/{name}.py"
    for name in (
        *("cards", "deal", "melds", "scoring", "turn", "game", "view"),
        *("legality/card_verdicts", "legality/going_out", "legality/laying", "legality/legal"),
    )
]
TESTS = ["test_rules_*.py", "test_vectors.py", "test_golden.py", "test_view.py", "test_fair_deals.py"]
SAMPLE = (1, 4, 9, 15, 22)
"""Of each function, the changes with these numbers."""
LEAST = 0.9
"""The share of changes that a test must notice. The rest changes no answer that anyone reads."""


def main(arguments: Sequence[str]) -> int:
    """0 if enough changes were noticed, else 1. Print each of the others with its change."""
    modules = [path for path in arguments if path.endswith(".py")] or MODULES
    if missing := [path for path in modules if not (ROOT / path).is_file()]:
        print("Not there, so nothing would be changed:", *missing)
        return 2
    names = [] if arguments else [f"*__mutmut_{number}" for number in SAMPLE]
    with TemporaryDirectory() as folder:
        here = Path(folder)
        prepare(here, modules)
        run = subprocess.run([*MUTMUT, "run", *names], cwd=here, capture_output=True, text=True)
        if run.returncode:
            print(run.stdout[-3000:], run.stderr[-3000:])
            return run.returncode
        return report(here, modules)


def prepare(here: Path, modules: Sequence[str]) -> None:
    """Copy the modules to change and their tests, and list which are which."""
    shutil.copytree(ROOT / "engine", here / "engine")
    for name in ("engine", "vectors", "golden"):
        shutil.copytree(ROOT / "tests" / name, here / "tests" / name)
    shutil.copytree(ROOT / "docs", here / "docs")  # whose checker of fair deals is tested
    tests = sorted({path.relative_to(ROOT) for name in TESTS for path in (ROOT / "tests/engine/play").glob(name)})
    (here / "pyproject.toml").write_text(
        f"""
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:cacheprovider"]
[tool.mutmut]
source_paths = ["engine"]
only_mutate = {list(modules)}
pytest_add_cli_args_test_selection = {[str(path) for path in tests]}
also_copy = ["engine", "tests", "docs"]
"""
    )


def report(here: Path, modules: Sequence[str]) -> int:
    """Print the changes that no test noticed, and the number noticed in each module."""
    results = subprocess.run(
        [*MUTMUT, "results", "--all", "true"], cwd=here, capture_output=True, text=True, check=True
    )
    outcomes = re.findall(r"^\s*(\S+__mutmut_\d+): (.+)$", results.stdout, re.MULTILINE)
    tried = [(name, outcome) for name, outcome in outcomes if outcome not in ("not checked", "skipped")]
    missed = [name for name, outcome in tried if outcome in ("survived", "no tests")]
    for name in missed:
        diff = subprocess.run([*MUTMUT, "show", name], cwd=here, capture_output=True, text=True).stdout
        print(name, *re.findall(r"^[-+](?![-+]).*$", diff, re.MULTILINE), sep="\n  ")
    for module in modules:
        path = module.removesuffix(".py").replace("/", ".") + "."
        total, lost = (sum(name.startswith(path) for name in names) for names in ([name for name, _ in tried], missed))
        print(f"{module}: {total - lost} of {total} changes noticed")
    share = 1 - len(missed) / len(tried) if tried else 0.0
    print(f"{len(tried) - len(missed)} of {len(tried)} changes noticed: {share:.1%}; at least {LEAST:.0%} must be.")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
