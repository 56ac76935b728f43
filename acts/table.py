"""The table of rights: for each kind of act the rights to do and to undo it, as the code declares them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from acts.history import History
from acts.kinds import Again, Anybody, ByAct, ByCase, ByRow, Itself, Kind, Needs, Rows, Site, Undo


def rights_table(histories: Iterable[tuple[str, History[Any, Any, Any]]]) -> Iterator[str]:
    """The lines of a page in Markdown: a heading and a table for each history, with its title."""
    for title, history in histories:
        yield from (f"## {title}", "", "| kind | right | right to undo |", "| --- | --- | --- |")
        kinds = {(kind.name, kind.needs): kind for kind in history.declarations}
        yield from (_line(kind) for kind in sorted(kinds.values(), key=lambda kind: (kind.name, who_may(kind.needs))))
        yield ""


def _line(kind: Kind) -> str:
    return f"| `{kind.name}` | {who_may(kind.needs)} | {who_undoes(kind)} |"


def who_may(needs: Needs) -> str:
    """The right to do an act, in words."""
    if isinstance(needs, ByRow):
        return f"by the row: `{_name(needs.check)}`"
    if isinstance(needs, ByCase):
        return f"by the case: {_either(needs.rights)}"
    if isinstance(needs, Anybody):
        return f"anyone: {needs.why}"
    if isinstance(needs, Itself):
        return f"the act looks itself: {needs.why}"
    return f"the site: {needs.why}" if isinstance(needs, Site) else f"`{needs}`"


def who_undoes(kind: Kind) -> str:
    """The right to undo a kind of act, in words, with its check."""
    undo: Undo = kind.undo
    if isinstance(undo, Rows):
        by_act = "by the act: " if isinstance(undo.needs, ByAct) else ""
        unless = f", unless `{_name(undo.first)}` refuses" if undo.first else ""
        return f"{by_act}{_either(kind.undo_rights)}{unless}"
    return "as the act that was undone" if isinstance(undo, Again) else f"nobody: {undo.why}"


def _either(rights: Iterable[str]) -> str:
    return " or ".join(f"`{right}`" for right in rights)


def _name(check: Callable[..., Any]) -> str:
    return f"{check.__module__}.{check.__qualname__}"
