"""The files of a deployment as tests read them, and an environment filled in as they ask."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / ".env.example"
FILLED_IN = {"SECRET_KEY": "9c5a" * 7 + "0f3b" * 9, "VAPID_KEY": "q" * 43, "POSTGRES_PASSWORD": "0f3b9c5a"}
"""Values for variables that the example leaves empty."""


def example():
    """The variables that .env.example sets, by name."""
    lines = re.findall(r"^([A-Z_]+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)
    return {name: value.strip('"') for name, value in lines}


def optional():
    """The variables that are commented out; an empty one counts as absent."""
    return dict(re.findall(r"^# ([A-Z_]+)=(\S*)$", EXAMPLE.read_text(), re.MULTILINE))


def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def services():
    return compose()["services"]


def ours():
    """The services of compose.yaml that run our image."""
    return {name: each for name, each in services().items() if each["image"].startswith("${IMAGE")}


def environment_of(service):
    """The environment that compose.yaml sets for a service of ours, with the example filled in."""
    values = {**example(), **FILLED_IN}
    return {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda match: values[match[1]], value)
        for name, value in ours()[service]["environment"].items()
    }


def in_containers(service="web"):
    """The environment of one of our containers, the folders aside."""
    return {**example(), **FILLED_IN, **environment_of(service)}


def by_units():
    """The environment of the units: the example, with what containers do not need."""
    return {**example(), **FILLED_IN, **optional()}


def check(*arguments, **environment):
    """Run `manage.py check` in an environment of these variables only."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check", *arguments],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )
