"""Builds a copy of the engine, compiled by setup.py, and runs the tests of rules and bots there; see bin/compile."""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = """
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-q", "-n", "auto", "-p", "no:cacheprovider", "-p", "no:django"]
markers = ["slow"]
"""
NOT_COMPILED = "--ignore-glob=*sheet*.py"
"""Tests of rule sheets and of what people type in: nothing of that is compiled."""


def main() -> int:
    """0 where the engine is compiled, and its tests pass if they are wanted, or where nothing compiles; else 1."""
    parser = argparse.ArgumentParser(prog="bin/compile", description=(__doc__ or "").split(";")[0])
    parser.add_argument("folder", type=Path, help="where the copy goes; made if it is not there")
    parser.add_argument("--test", action="store_true", help="run the tests of rules and bots there")
    options = parser.parse_args()
    if not build(options.folder):
        print("The engine is not compiled: there is no mypyc here, no compiler or no header of Python.")
        return 0
    print(f"The compiled engine is in {options.folder}.")
    return run_tests(options.folder) if options.test else 0


def build(folder: Path) -> bool:
    """Copy the engine and compile it; whether there is what compiles it. Raises `SystemExit` with what it complains of."""
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(ROOT / "setup.py", folder)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(run.stdout + run.stderr)
    return any(folder.glob("engine__mypyc*"))


def run_tests(folder: Path) -> int:
    """Run the tests of rules and bots on the copy; the exit status of pytest."""
    for name in ("tests/engine", "tests/vectors", "tests/golden", "benchmarks", "docs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "tests/tries.py", folder / "tests")
    (folder / "pyproject.toml").write_text(SETTINGS)
    compiled = "import engine.play.game as game; assert game.__file__.endswith(('.so', '.pyd')), game.__file__"
    subprocess.run([sys.executable, "-c", compiled], cwd=folder, check=True)
    return subprocess.run(
        [sys.executable, "-m", "pytest", NOT_COMPILED, "tests/engine/play", "tests/engine/bots"],
        cwd=folder,
        check=False,
    ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
