"""The pictures of the docs, declared once: which page of the demo each shows, to whom, and what must be on it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from accounts.models import User
from clubs.models import Season
from gameplay.models import Table
from tests.journeys.hands import PHONE
from tests.journeys.real_cards import FIRST, OTHER, enter
from tournaments.hall import services as hall
from tournaments.models import Hall, Tournament

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "docs/samples"
SMALL = PHONE | {"device_scale_factor": 1}
"""A phone whose picture is no wider on a page than the phone."""


@dataclass(frozen=True)
class Picture:
    """A picture; `docs/pictures/<name>.webp` is the file."""

    name: str
    path: str | Callable[[], str]
    """The page of the demo, or what finds it."""
    shows: str
    """What must be seen on it, as a selector."""
    person: str = ""
    """Who looks, by first name; empty for somebody who is not signed in."""
    device: dict[str, Any] | None = None
    """The desk, unless another is named."""
    act: Callable[[Page], None] | None = None
    """What is pressed before."""


def table(name: str, page: str = "") -> Callable[[], str]:
    """Finds a page of the table of this name."""
    return lambda: Table.objects.get(name=name).get_absolute_url() + page


def season(page: str = "") -> Callable[[], str]:
    return lambda: Season.objects.get().get_absolute_url() + page


def screen() -> str:
    """Opens the hall screen of the evening; its address."""
    event = Tournament.objects.get(name="Lantern Night")
    hall.open_screen(event.pk, User.objects.get(username="nora"))
    return f"/events/screen/{Hall.objects.get(tournament=event).token}/"


def type_slip(page: Page) -> None:
    page.locator("#s-of").select_option(label="Lantern Night")
    page.locator("#s-no").fill("2")
    page.locator("#s-no").press("Tab")
    expect(page.locator("#slip label[for=s0]")).not_to_contain_text("side 1")


def give_list(page: Page) -> None:
    page.locator("#file").set_input_files(SAMPLES / "members.csv")
    page.locator("#read").click()
    expect(page.locator("#table-h")).to_be_visible()


def score_a_deal(page: Page) -> None:
    for seat, name in enumerate(("Ida", "Tom", "Birgit", "Luis")):
        page.locator(f"#seat-{seat}").fill(name)
    page.get_by_role("button", name="Open score sheet").click()
    expect(page.locator("#dock-words")).to_be_visible()
    enter(page, 1, FIRST, OTHER)
    page.evaluate("window.scrollTo(0, 0)")


PICTURES = (
    Picture("table", table("Lighthouse Four"), "#hand", "nora"),
    Picture("table-phone", table("Lighthouse Four"), "#hand", "nora", SMALL),
    Picture("replay", table("Winter Cup · Final", "replay/?deal=4&at=40.1"), "#replay-hands"),
    Picture("sign-in", "/accounts/login/", "main form", device=SMALL),
    Picture("score-sheet", "/score/", "#running", device=SMALL, act=score_a_deal),
    Picture("club", "/clubs/harbour/", "h1"),
    Picture("standings", season(), "main table"),
    Picture("bracket", "/events/winter-cup/1/", "main h1"),
    Picture("tonight", "/clubs/harbour/tonight/", "#slip", "nora", act=type_slip),
    Picture("hall", screen, ".hall"),
    Picture("desk", "/clubs/harbour/run/", "main h1", "nora"),
    Picture("import", "/clubs/harbour/import/members/", "#import", "nora", act=give_list),
    Picture("api", "/api/v1/docs/", ".opblock"),
)
