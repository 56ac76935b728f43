"""Where the browser of the journeys is, and what to say where there is none."""

import os
import shutil

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
HOW_TO_GET = "They need Chromium: apt-get install chromium, or the path of one in CHROMIUM."
