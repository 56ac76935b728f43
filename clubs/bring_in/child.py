"""Files read in a process of their own, which can break, run long or fill its memory without harm."""

import json
import os
import subprocess
import sys

from django.conf import settings
from django.utils.translation import gettext, gettext_noop

from clubs.bring_in import texts
from clubs.bring_in.workbook import MOST_CELLS, MOST_COLUMNS, MOST_ROWS, MOST_SHEETS, Unreadable, Workbook, unpack
from web.errors import Refused

MOST_BYTES = 5_000_000
"""Of a file."""
MOST_PASTED = 1_000_000
"""Characters of a paste."""
_SECONDS = 240
"""From start to answer, however busy the machine is; the process itself has `files.MOST_SECONDS` of its processor."""

SENTENCES = {
    "bomb": gettext_noop("This file unpacks to more than a club can have. Copy its table into a new workbook."),
    "macros": gettext_noop("This workbook contains macros, and we do not open those. Save it as .xlsx without macros."),
    "links": gettext_noop(
        "This workbook takes values from other files. Copy its table into a new workbook, as values only."
    ),
    "password": gettext_noop("This workbook needs a password. Save it without one."),
    "binary": gettext_noop("This kind of workbook cannot be read. Save it as .xlsx, .ods or CSV."),
    "markup": gettext_noop("This is a web page, not a table. Copy its table and paste it."),
    "no_text": gettext_noop("This is not a table. Choose a workbook (.xlsx, .xls, .ods) or a CSV file."),
    "damaged": gettext_noop(
        "This file is damaged. Open it in your spreadsheet, save it again and choose the new file."
    ),
    "empty": gettext_noop("The file is empty."),
    "sheets": gettext_noop("This workbook has more than %(sheets)s sheets. Copy the right one into a new workbook."),
    "rows": gettext_noop("A sheet has more than %(rows)s rows. Split it into several files."),
    "columns": gettext_noop("A sheet has more than %(columns)s columns. Keep only those with the list."),
    "cells": gettext_noop("This file has more than %(cells)s filled cells, or very long texts. Split it."),
    "slow": gettext_noop("Reading this file takes too long. Copy its table into a new workbook."),
}


def refused(code: str) -> Refused:
    """The refusal of a file, with its sentence."""
    limits = {"sheets": MOST_SHEETS, "rows": MOST_ROWS, "columns": MOST_COLUMNS, "cells": MOST_CELLS}
    return Refused(
        code if code in SENTENCES else "damaged", gettext(SENTENCES.get(code, SENTENCES["damaged"])) % limits
    )


def too_large() -> Refused:
    """The refusal of a file that is not even opened."""
    return Refused(
        "too_large", gettext("The file is too large. The limit is %(size)s MB.") % {"size": MOST_BYTES // 1_000_000}
    )


def read_file(data: bytes) -> Workbook:
    """The workbook in a file. Raises `Refused` with a sentence."""
    if len(data) > MOST_BYTES:
        raise too_large()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "clubs.bring_in.files"],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            cwd=settings.BASE_DIR,
            env={name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise refused("slow") from None
    if done.returncode:
        raise refused("slow" if done.returncode == -24 else "bomb")
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise refused(answer["refused"])
    return unpack(answer["book"])


def read_text(text: str) -> Workbook:
    """The table in a pasted text. Raises `Refused` with a sentence."""
    if len(text) > MOST_PASTED:
        raise Refused("too_large", gettext("The text is too long. Split it into several parts."))
    if not text.strip():
        raise Refused("empty", gettext("Choose a file, or paste a list."))
    try:
        return texts.split(text)
    except Unreadable as unreadable:
        raise refused(unreadable.code) from None
