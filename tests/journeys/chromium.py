"""The browser of the journeys, and the message if there is none."""

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first has no windows, toolbars and extensions to start, and opens a page in a quarter of the time."""
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
HOW_TO_GET = "They need Chromium: apt-get install chromium-headless-shell, or the path of one in CHROMIUM."
