"""The site in a real browser: a server on a port of its own, Chromium, and people who are signed in.

Journeys need Debian's chromium-headless-shell, or chromium, or the path of another in CHROMIUM. Pictures of every page
are written to the folder that SCREENSHOTS names, where it is set.
"""

import asyncio
import os
import re
import socket
import threading
from hashlib import sha256
from importlib import import_module
from itertools import count
from math import inf
from pathlib import Path

import pytest
import uvicorn

from tests.journeys.chromium import CHROMIUM, HOW_TO_GET
from tests.journeys.hands import DESK
from tests.tournaments.conftest import entry, new_event, user_of  # noqa: F401  fixtures

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

PATIENCE = 120_000
"""Milliseconds to wait for a page: on a quiet machine it takes a moment, on a busy one it may take many."""

SERVING = {
    "lifespan": "off",
    "log_config": None,
    "log_level": "error",
    "access_log": False,
    "timeout_graceful_shutdown": 1,
}


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in [item for item in items if here in Path(item.path).parents]:
        item.add_marker(pytest.mark.journey)
        item.add_marker(pytest.mark.slow)
        if CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason=HOW_TO_GET))


@pytest.fixture(scope="module")
def browser():
    """Chromium; for one module only, because the thread has a running event loop while it exists."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # That loop is Playwright's; Django would take the thread for an asynchronous context.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def same_cards(request, monkeypatch):
    """The same shuffles and the same bots each time; a module may say with FIRST_DEAL which deal comes first."""
    from engine.bots import make_bot
    from engine.bots.first_deal import Host
    from gameplay.services import bots, match_play

    numbers = count(getattr(request.module, "FIRST_DEAL", 1))
    monkeypatch.setattr(match_play, "new_key", lambda: sha256(b"journey %d" % next(numbers)).digest())
    monkeypatch.setattr(bots, "make_bot", lambda level, **time: make_bot(level, seed=1, **time))
    monkeypatch.setattr(bots, "Host", lambda: Host(seed=1))


class Server(uvicorn.Server):
    """A server that can be brought to rest between two tests."""

    def __init__(self, application):
        super().__init__(uvicorn.Config(application, **SERVING))
        self.loop, self.has_begun = None, threading.Event()

    async def startup(self, sockets=None):
        await super().startup(sockets)
        self.loop = asyncio.get_running_loop()
        self.has_begun.set()

    def rest(self):
        """Close all connections and wait until their requests are answered, unread streams included."""
        asyncio.run_coroutine_threadsafe(self._rest(), self.loop).result(PATIENCE / 1000)

    async def _rest(self):
        while self.server_state.connections or self.server_state.tasks:
            for connection in list(self.server_state.connections):
                connection.shutdown()
            if self.server_state.tasks:
                await asyncio.wait(self.server_state.tasks)
            await asyncio.sleep(0)


@pytest.fixture(scope="session")
def server():
    """A server for all journeys of a process, in a thread: the server and its address."""
    from config.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Server(application)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        assert server.has_begun.wait(PATIENCE / 1000)
        yield server, f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def site(server, transactional_db, settings, monkeypatch, same_cards):
    """The address of the site, served by a thread that sees the test's database; tasks are done at once."""
    from config import asgi
    from config.celery import app
    from gameplay import live
    from web.recent_use import RecentUse

    server, url = server
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    monkeypatch.setattr(live, "POLL_EVERY", 0.05)
    # Journeys press faster than people, whose pages would wait for each other.
    monkeypatch.setattr(asgi.queue, "use", RecentUse(busy=inf, calm=inf, spare=inf))
    settings.SITE_URL = url
    settings.CSRF_TRUSTED_ORIGINS = [url]
    yield url
    # Browsers are closed by now. What is still answered would meet a database that is being emptied.
    server.rest()


@pytest.fixture
def visit(browser, site):
    """Open a browser of its own: `visit(PHONE, user=ann)` gives a page of a fresh session, for Ann signed in.

    Pages move at once, as for people who want it calm: a press does not depend on how far a page has scrolled.
    What its console complains of fails the test, unless it is taken off `page.problems`.
    """
    pages = []

    def open_browser(device=DESK, user=None, **options):
        context = browser.new_context(**{"base_url": site, "reduced_motion": "reduce", **device, **options})
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(PATIENCE)
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": session_key(user), "url": site}])
        return watched(context.new_page())

    def watched(page):
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: page.problems.append(line.text) if is_problem(line) else None)
        pages.append(page)
        return page

    yield open_browser
    problems = [problem for page in pages for problem in page.problems]
    for page in pages:
        page.context.close()
    assert problems == []


def is_problem(line):
    """Whether a line of the console is a fault of ours: a refused move is answered with 409 or 422 by design, and who
    opens another page does not wait for what this one has asked for."""
    expected = re.search(
        r"status of (409|422)|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_FAILED|htmx:(afterRequest|sendAbort),",
        line.text,
    )
    return line.type in ("error", "warning") and not expected


def session_key(user):
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key


@pytest.fixture
def picture():
    """Write a screenshot of this name into the folder SCREENSHOTS; nowhere without it."""
    folder = os.environ.get("SCREENSHOTS")

    def take(page, name):
        if folder:
            path = Path(folder)
            path.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=path / f"{name}.png", full_page=True)

    return take


BROKEN = """options => axe.run(options).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))]))"""
"""Give back faults only, and not all that axe has checked: that is a hundred times as much."""


class Barriers:
    """The faults that axe finds on pages."""

    def violations(self, page, *, spared=(), only=()):
        """Rule and beginnings of the elements, for each rule that is broken: of `only` these, or of all but `spared`."""
        from axe_playwright_python.base import AXE_SCRIPT

        options = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in spared}}
        if only:
            options["runOnly"] = {"type": "rule", "values": only}
        # It stays as long as the document does: half a megabyte that is not sent and read again for a second look.
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE_SCRIPT)
        return [(rule, elements) for rule, elements in page.evaluate(BROKEN, options)]

    def __call__(self, page):
        assert self.violations(page) == []


@pytest.fixture(scope="session")
def no_barriers():
    """Fail with the findings of axe on a page; `no_barriers.violations(page)` returns them."""
    return Barriers()
