"""API views for the chat of a table, and for agreements of its players."""

from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.access import open_table, own_seat
from gameplay.api import serializers
from gameplay.api.base import ReadAndAdd, described, endpoint, player, read, read_query
from gameplay.api.tables import answer, table_answer
from gameplay.conversation import services as conversation
from gameplay.models import Table
from gameplay.services import pauses

_ACTS = {
    "propose": pauses.propose_pause,
    "agree": pauses.agree_pause,
    "decline": pauses.decline,
    "resume": pauses.resume,
}
_PHRASES = [{"phrase": key, "text": words} for key, words in conversation.PHRASES.items()]


class Chat(ReadAndAdd):
    """The chat of a table."""

    scope = "play"

    @described(serializers.ChatPage, asks=serializers.Since, name="tables_chat")
    def get(self, request: Request, slug: str) -> Response:
        """The chat of the table. Watchers can read it. It is empty if you turned it off, and leaves out people you blocked."""
        table, seat = open_table(player(request), slug)
        query = read_query(serializers.Since, request)
        rows = conversation.messages_for(table, player(request)).filter(pk__gt=query["since"])[: query["limit"] + 1]
        lines = [] if seat is not None and seat.mutes_chat else list(rows)
        page = {"lines": lines[: query["limit"]], "more": len(lines) > query["limit"]}
        phrases = [] if table.talk == Table.Talk.NONE else _PHRASES
        return answer(request, serializers.ChatPage, {**page, "is_free": table.talks_freely, "phrases": phrases})

    @described(serializers.ChatLine, takes=serializers.Say, refusals=(422,), status=201, name="tables_chat_say")
    def post(self, request: Request, slug: str) -> Response:
        """Send a message. During a serious match only set phrases, unless the table’s `talk` says otherwise.

        The same text twice within 10 seconds is one message.
        """
        table, _ = own_seat(player(request), slug)
        message = conversation.say(table.pk, player(request), **read(serializers.Say, request.data))
        return answer(request, serializers.ChatLine, message, status=201)


@endpoint("POST", "play", serializers.WholeTable, takes=serializers.Pause, refusals=(422,))
def pause(request: Request, slug: str) -> Response:
    """Propose a pause, agree to it, decline it, or end it. It starts when all have agreed."""
    table, _ = own_seat(player(request), slug)
    _ACTS[read(serializers.Pause, request.data)["act"]](table.pk, player(request))
    return table_answer(request, table.pk)
