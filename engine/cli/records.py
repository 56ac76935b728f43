"""Game records from files: what `replay` and `verify` share."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from engine.cli.files import label, read_json
from engine.cli.text import plain
from engine.errors import BadInput
from engine.play.record import FORMAT, BadRecord, NothingToReplay, Replay, replay

EXIT_STATUS = """\
exit status: 0 all of it is right; 1 the record is not what it says (changed, or broken by a move the rules refuse),
with the place where it goes wrong, as in `Deal 1, move 6`; 2 the file cannot be read, or is not a record\
"""


class Read(NamedTuple):
    """A record with its replay; `None` if its only deal is still running."""

    data: dict[str, Any]
    replayed: Replay | None

    @property
    def running(self) -> dict[str, Any] | None:
        """The deal under way, whose key is not shown yet."""
        last: dict[str, Any] = self.data["deals"][-1]
        return last if last["key"] is None else None


def read_record(name: str) -> Read | None:
    """The record in a file, replayed. If it is wrong, print the fault on standard error: `None`."""
    data = read_json(name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(f"{label(name)}: this is not a game record. A record is an object with the format {FORMAT!r}.")
    try:
        return Read(data, replay(data))
    except NothingToReplay:
        return Read(data, None)  # its links have been checked before this was found
    except BadRecord as error:
        print(f"engine: {plain(label(name))}: {plain(error.sentence)}", file=sys.stderr)
        return None
