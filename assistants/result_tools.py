"""Tools that enter results and undo actions, each only after its preview."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from assistants.club_tools import Slug
from assistants.event_tools import MatchName, Number
from assistants.previews import PreviewKeys
from assistants.shapes.acts import Done, Entered, Preview, Score
from assistants.shapes.events import Event, ResultLine, WholeMatch
from assistants.site_api import Site, SiteError, path

Scores = Annotated[list[Score], Field(min_length=1, max_length=14, description="One for each entry of the match.")]
Winner = Annotated[
    int | None, Field(description="Only if scores are tied and one must go through: the number of its entry.")
]
Reason = Annotated[str, Field(max_length=200, description="Appears in the history. Needed for a correction.")]
Key = Annotated[str, Field(max_length=120, description="The `key` of the preview with the same arguments.")]

DECIDE, CORRECT, REPORT, UNDO = "decide", "correct", "report", "undo"
"""What a key is for. A first result is refused if another was entered since the preview, because `known` is sent. A
correction and an undo are refused if anything changed, because their effects could be others, so `seen` is sent."""


class ResultTools:
    """Each public method is a tool, described by its docstring."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._keys = PreviewKeys()

    # Results

    async def preview_result(
        self, event: Slug, stage: Number, match: MatchName, scores: Scores, winner: Winner = None, reason: Reason = ""
    ) -> Preview:
        """Preview a result of a match. Nothing changes. Show the person its sentence and effects before entering it.

        Organisers enter or correct results. Players report theirs, and the other side confirms it.
        """
        address = path("events", event, "stages", stage, "matches", match)
        current = await self._site.get(WholeMatch, address)
        role = (await self._site.get(Event, path("events", event))).your_role
        arguments = _arguments(event, stage, match, scores, winner, reason)
        if not role:
            _check_report(current, scores, winner, reason)
            done = await self._site.post(Done, f"{address}report/", {"lines": _lines(scores), "preview": True})
            done.sentence = f"{_scores(_names(current), scores)}. {done.sentence}{_entered_before(current)}"
            return self._preview(done, REPORT, arguments, read=current.newest)
        corrects = any(result.counts for result in current.results)
        if corrects and not reason.strip():
            raise SiteError("This match has a result. Enter a reason for the correction. It appears in the history.")
        data = {**_decision(scores, winner, reason), "known": current.newest, "preview": True}
        done = await self._site.post(Done, f"{address}decide/", data)
        done.sentence = f"{_scores(_names(current), scores)}. {done.sentence}"
        if corrects:
            return self._preview(done, CORRECT, arguments, read=done.version)
        return self._preview(done, DECIDE, arguments, read=current.newest)

    async def enter_result(
        self,
        event: Slug,
        stage: Number,
        match: MatchName,
        scores: Scores,
        key: Key,
        winner: Winner = None,
        reason: Reason = "",
    ) -> Entered:
        """Enter a result exactly as previewed, after the person agreed. Sent twice, it is entered once."""
        arguments = _arguments(event, stage, match, scores, winner, reason)
        action, read = self._keys.check((DECIDE, CORRECT, REPORT), arguments, key)
        data: dict[str, Any] = {"lines": _lines(scores), "key": _sent_once(key)}
        if action != REPORT:
            data = {**data, **_decision(scores, winner, reason), ("known" if action == DECIDE else "seen"): read}
        door = "report" if action == REPORT else "decide"
        address = path("events", event, "stages", stage, "matches", match, door)
        return _entered(await self._site.post(Done, address, data))

    # Undo

    async def preview_undo(self, event: Slug, action: Number, reason: Reason = "") -> Preview:
        """Preview undoing an action of `list_actions`. Nothing changes. Show the person its sentence and effects."""
        data = {"reason": reason, "preview": True}
        done = await self._site.post(Done, path("events", event, "history", action, "undo"), data)
        return self._preview(done, UNDO, [event, action, reason], read=done.version)

    async def undo_action(self, event: Slug, action: Number, key: Key, reason: Reason = "") -> Entered:
        """Undo an action exactly as previewed, after the person agreed. Sent twice, it is undone once."""
        _, version = self._keys.check((UNDO,), [event, action, reason], key)
        data = {"reason": reason, "seen": version, "key": _sent_once(key)}
        return _entered(await self._site.post(Done, path("events", event, "history", action, "undo"), data))

    def _preview(self, done: Done, action: str, arguments: list[Any], *, read: int) -> Preview:
        effects = done.preview.lines if done.preview else []
        return Preview(sentence=done.sentence, effects=effects, key=self._keys.sign(action, arguments, read=read))


def _sent_once(key: str) -> str:
    """The name under which the site does a request only once: the signature of its preview."""
    return key.rpartition("-")[2]


def _entered(done: Done) -> Entered:
    return Entered(sentence=done.sentence, act=done.act)


def _arguments(event: str, stage: int, match: str, scores: list[Score], winner: int | None, reason: str) -> list[Any]:
    return [event, stage, match, [score.model_dump() for score in scores], winner, reason]


def _lines(scores: list[Score]) -> list[dict[str, Any]]:
    return [{"entry": each.entry, "score": each.score, "forfeit": each.absent} for each in scores]


def _decision(scores: list[Score], winner: int | None, reason: str) -> dict[str, Any]:
    return {
        "lines": _lines(scores),
        **({} if winner is None else {"winner": winner}),
        **({"reason": reason} if reason else {}),
    }


def _check_report(match: WholeMatch, scores: list[Score], winner: int | None, reason: str) -> None:
    """Check that a player may send this. Raises `SiteError`, in words that an assistant can act on."""
    if winner is not None or reason:
        raise SiteError("Only organisers can choose a winner or enter a reason. Leave both out.")
    if sorted(each.entry for each in scores) != sorted(_names(match)):
        raise SiteError("A result has one line for each entry of the match.")
    if any(each.absent or each.score is None for each in scores):
        raise SiteError("Enter the score of each entry. Only organisers can mark one as absent.")


def _entered_before(match: WholeMatch) -> str:
    """The newest result of a match in a sentence, after a space; empty without one."""
    return f" Entered before: {_scores(_names(match), match.results[0].lines)}." if match.results else ""


def _names(match: WholeMatch) -> dict[int, str]:
    """The entries of a match: names by number."""
    return {place.entry: place.name for place in match.places if place.entry}


def _scores(names: dict[int, str], lines: Sequence[Score | ResultLine]) -> str:
    """`Lund / Arai 4210, Okafor / Bell absent`."""
    texts = ("absent" if each.score is None else str(each.score) for each in lines)
    return ", ".join(f"{names.get(each.entry or 0, '?')} {text}" for each, text in zip(lines, texts, strict=True))
