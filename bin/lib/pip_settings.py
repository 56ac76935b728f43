"""Prints how pip reaches its registries on this machine, as a pip.conf for a place without the machine’s files."""

import ast
import subprocess
import sys
from pathlib import Path

KEYS = {"index-url", "extra-index-url", "trusted-host", "proxy", "default-timeout"}


def main(certificates: str) -> None:
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=True, capture_output=True, text=True
    )
    print("[global]")
    if Path(certificates).exists():
        print(f"cert = {certificates}")
    for key, value in reachable(listing.stdout).items():
        print(f"{key} = {value}")


def reachable(output: str) -> dict[str, str]:
    """The settings in the output of `pip config list` that name no folder of the machine; the environment’s win."""
    settings: dict[str, dict[str, str]] = {"global": {}, ":env:": {}}
    for line in output.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.rpartition(".")
        words = " ".join(word for word in ast.literal_eval(value).split() if not word.startswith("file:"))
        if section in settings and key in KEYS and words:
            settings[section][key] = words
    return settings["global"] | settings[":env:"]


if __name__ == "__main__":
    main(sys.argv[1])
