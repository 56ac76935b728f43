"""Modules that the site loads before its first page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SLOW = {"aiohttp", "fido2", "fontTools.ttLib", "fpdf", "icalendar", "numpy", "prometheus_client", "pywebpush"}
"""Libraries that take long to load and that hardly a page needs: they are imported where they are used."""


@pytest.mark.slow
def test_a_process_starts_without_what_takes_long_to_load():
    script = "import sys, django; django.setup(); import config.urls; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(run.stdout.split())
    assert "clubs.views.leagues.league_files" in loaded
    assert loaded & SLOW == set()
