"""Shared parts of journeys at tables with real cards: a wire that can be cut, and hands that fill in a score sheet."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

FIRST = ({"clean": 2, "dirty": 2, "wild": 1, "red_threes_laid": 4, "melded": 1115, "out": 1}, 4715)
OTHER = ({"clean": 1, "dirty": 1, "red_threes_laid": 2, "melded": 540, "left": 185}, 1355)
POOR = ({"melded": 50, "left": 170}, -120)
"""Books and points of a side in a deal, and its total by the standard rules."""


class Wire:
    """The wire between a phone and the site: every connection goes through it, and it can be cut.

    The browser’s own emulation alone does not stop requests while a page is being loaded by its service worker.
    """

    def __init__(self, site):
        self.to = ("127.0.0.1", urlsplit(site).port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_cut, self.ends = False, []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                if self.is_cut:
                    near.close()
                    continue
                far = socket.create_connection(self.to)
                self.ends += [near, far]
                threading.Thread(target=self.connect, args=(near, far), daemon=True).start()

    def connect(self, near, far):
        with near, far:
            back = threading.Thread(target=self.carry, args=(far, near), daemon=True)
            back.start()
            self.carry(near, far)
            back.join()

    def carry(self, source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self, page):
        self.is_cut = True
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        page.context.set_offline(True)

    def mend(self, page):
        self.is_cut = False
        page.context.set_offline(False)


@pytest.fixture
def wire(site):
    """The wire of the phones of this test; each connection lasts until the phone or the site ends it."""
    laid = Wire(site)
    yield laid
    laid.listener.close()


def choose_side(page, side):
    """On a phone one side is shown at a time."""
    if not page.locator(f".of-{side}:visible").count():
        page.locator(f"label.side[for=side-{side}]").click()


def fill_in(page, side, figures):
    choose_side(page, side)
    for name, value in figures.items():
        if name == "out":
            page.locator(f"[name=s{side}-out][value='{value}']").locator("xpath=..").click()
        elif name in ("melded", "left", "points", "final"):
            page.locator(f"#s{side}-{name}").fill(str(value))
        else:
            for count in range(1, value + 1):
                page.locator(f"[name=step][value='s{side}-{name}:1']").click()
                expect(page.locator(f"#s{side}-{name}")).to_have_value(str(count))


def enter(page, number, *sides):
    expect(page.locator("#title")).to_contain_text(f"deal {number}")
    for side, (figures, points) in enumerate(sides):
        fill_in(page, side, figures)
        expect(page.locator(f"#d-{side}")).to_have_text(f"{points:+,}".replace("-", "−"))
    page.get_by_role("button", name=f"Save deal {number}").click()


def is_kept(page):
    """Until the page and its files are put aside for when there is no network."""
    expect(page.locator("html")).to_have_attribute("data-kept", "yes")
