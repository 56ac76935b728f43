"""Assistants to test with: the library’s own client talks to the server, and the server to the site’s API."""

import httpx2
import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from mcp import Client as AssistantClient

from accounts.scopes import SCOPES
from accounts.services import tokens
from assistants.server import make_server
from assistants.site_api import Site
from tests.clubs.conftest import club, in_club, in_september, owner, staff  # noqa: F401  fixtures
from tests.tournaments.conftest import new_event, players  # noqa: F401  fixtures

ADDRESS = "https://testserver"


class ToSite(httpx2.AsyncBaseTransport):
    """Hands requests to Django’s test client in the test’s own thread, where its database is."""

    def __init__(self):
        self.seen = []

    async def handle_async_request(self, request):
        body = await request.aread()
        self.seen.append((request.method, request.url.raw_path.decode()))
        status, headers, content = await sync_to_async(self._ask)(request, body)
        return httpx2.Response(status, headers=headers, content=content)

    def _ask(self, request, body):
        answer = Client().generic(
            request.method,
            request.url.raw_path.decode(),
            body,
            content_type=request.headers.get("Content-Type", ""),
            secure=True,
            headers={"Authorization": request.headers["Authorization"]},
        )
        return answer.status_code, {"Content-Type": answer["Content-Type"]}, answer.content


class Assistant:
    """A server with somebody’s token, and a client of it: each call connects anew to the same server."""

    def __init__(self, token, transport=None):
        self.token, self.transport = token, transport or ToSite()
        self._server = None

    def _use(self, what):
        """Run `what(client)` with a client that is connected."""

        async def connect():
            # A client of the API is bound to the loop that it was used in.
            site = Site(ADDRESS, self.token, transport=self.transport)
            async with AssistantClient(make_server(site)) as client:
                return await what(client)

        return async_to_sync(connect)()

    def call(self, *calls):
        """The answers to calls one after another, each a name with its arguments, or a function of earlier answers."""

        async def run(client):
            answers = []
            for each in calls:
                name, arguments = await sync_to_async(each)(answers) if callable(each) else each
                answers.append(await client.call_tool(name, arguments))
            return answers

        return self._use(run)

    def ask(self, name, **arguments):
        """The structured answer to one call."""
        (answer,) = self.call((name, arguments))
        assert not answer.is_error, answer.content
        return answer.structured_content

    def refusal(self, name, **arguments):
        """The sentence with which one call is refused."""
        (answer,) = self.call((name, arguments))
        return sentence(answer)

    def tools(self):
        async def run(client):
            return (await client.list_tools()).tools

        return self._use(run)

    def resource(self, address):
        async def run(client):
            return (await client.read_resource(address)).contents[0].text

        return self._use(run)

    def instructions(self):
        async def run(client):
            return client.instructions

        return self._use(run)


def sentence(answer):
    """The refusal in an answer, without the words of the library before it."""
    assert answer.is_error, answer.structured_content
    (content,) = answer.content
    return content.text.partition(": ")[2]


@pytest.fixture
def assistant(db):
    """Makes the assistant of a person: `assistant(user)` with every scope, or with those named."""

    def make(user, *scopes):
        _, token = tokens.create(user, name="assistant", scopes=list(scopes or SCOPES), days=None)
        return Assistant(token)

    return make
