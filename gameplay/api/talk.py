"""Doors to what is said at a table, and to what its players agree upon."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.access import open_table, own_seat
from gameplay.api import shapes
from gameplay.api.plumbing import ReadAndAdd, described, door, player, read, read_query
from gameplay.api.tables import answer, table_answer
from gameplay.models import ChatMessage
from gameplay.services import pauses, talk

_ACTS = {
    "propose": pauses.propose_pause,
    "agree": pauses.agree_pause,
    "decline": pauses.decline,
    "resume": pauses.resume,
}
_PHRASES = [{"phrase": key, "text": words} for key, words in talk.PHRASES.items()]


class Chat(ReadAndAdd):
    """What is said at a table."""

    scope = "play"

    @described(shapes.ChatPage, asks=shapes.Since, name="tables_chat")
    def get(self, request: Request, slug: str) -> Response:
        """The chat of the table. Watchers can read it. It is empty if you turned it off."""
        table, seat = open_table(player(request), slug)
        query = read_query(shapes.Since, request)
        found = ChatMessage.objects.filter(table=table, pk__gt=query["since"])[: query["limit"] + 1]
        lines = [] if seat is not None and seat.mutes_chat else list(found)
        page = {"lines": lines[: query["limit"]], "more": len(lines) > query["limit"]}
        return answer(request, shapes.ChatPage, {**page, "is_free": talk.is_free(table), "phrases": _PHRASES})

    @described(shapes.ChatLine, takes=shapes.Say, refusals=(422,), status=201, name="tables_chat_say")
    def post(self, request: Request, slug: str) -> Response:
        """Send a message. During a serious match only set phrases, because partners cannot signal.

        The same text twice within 10 seconds is one message.
        """
        table, _ = own_seat(player(request), slug)
        said = talk.say(table.pk, player(request), **read(shapes.Say, request.data))
        return answer(request, shapes.ChatLine, said, status=201)


@door("POST", "play", shapes.WholeTable, takes=shapes.Pause, refusals=(422,))
def pause(request: Request, slug: str) -> Response:
    """Propose a pause, agree to it, decline it, or end it. It starts when all have agreed."""
    table, _ = own_seat(player(request), slug)
    _ACTS[read(shapes.Pause, request.data)["act"]](table.pk, player(request))
    return table_answer(request, table.pk)
