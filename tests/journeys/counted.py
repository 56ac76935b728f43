"""The acts of a person in a browser, counted: what a task costs in time."""

from playwright.sync_api import expect

from tests.journeys.test_pages import too_wide

SECONDS = {"presses": 3, "fields": 8, "pages": 5}
"""For a press, a field filled in or chosen, a page looked at."""


class Hand:
    """The acts of a person at a page, counted; every page that comes is checked."""

    def __init__(self, page, device, no_barriers, picture, first=0):
        self.page, self.device, self.no_barriers, self.picture = page, device, no_barriers, picture
        self.actions = {"presses": 0, "fields": 0, "pages": 0}
        self.page_count = first

    def press(self, name, role="link", *, within=None, exact=True, says=""):
        """Press a link or a button by its name; the page that comes says something."""
        self.tap((within or self.page).get_by_role(role, name=name, exact=exact))
        if says:
            expect(self.page.get_by_text(says).first).to_be_visible()

    def tap(self, place):
        place.first.tap() if self.device == "phone" else place.first.click()
        self.actions["presses"] += 1

    def fill(self, label, text):
        self.page.get_by_label(label, exact=True).first.fill(text)
        self.actions["fields"] += 1

    def choose(self, label, words):
        self.page.get_by_label(label, exact=True).select_option(label=words)
        self.actions["fields"] += 1

    def tick(self, label, *, exact=True):
        self.page.get_by_label(label, exact=exact).first.check()
        self.actions["presses"] += 1

    def at(self, heading, name):
        """Check the page that came, by its heading: the findings of axe, and whether it must be scrolled sideways."""
        expect(self.page.locator("h1")).to_have_text(heading)
        self.actions["pages"] += 1
        self.check_page(name)

    def check_page(self, name):
        self.page_count += 1
        self.picture(self.page, f"secretary-{self.device}-{self.page_count:02}-{name}")
        assert too_wide(self.page) == "", name
        assert self.no_barriers.violations(self.page) == [], name

    @property
    def seconds(self):
        return sum(SECONDS[action] * count for action, count in self.actions.items())
