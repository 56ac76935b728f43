"""Hostile names and messages in a real browser: nothing of them runs, and the policy has nothing to block."""

import pytest

from tests.journeys.hands import DESK
from tests.security.test_hostile_text import HOSTILE

LISTEN = """
window.zz = () => { document.documentElement.dataset.zz = "ran"; };
document.addEventListener("securitypolicyviolation", (event) => {
  document.documentElement.dataset.zz = event.violatedDirective + " " + event.blockedURI;
});
"""


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_of_a_hostile_name_runs(visit, seated, driver, text):
    from gameplay.models import ChatMessage, Happening, Seat, Table

    table = seated(watching="anybody")
    for _ in range(5):
        driver.act(table)
    user = table.seats.get(number=table.seat_to_act).user
    type(user).objects.update(display_name=text[:50])
    Table.objects.update(name=text[:60])
    Seat.objects.update(name=text[:50], note=text)
    Happening.objects.update(sentence=text)
    ChatMessage.objects.create(table=table, user=user, seat=0, name=text[:50], text=text)
    user.refresh_from_db()

    page, dialogs = visit(DESK, user=user), []
    page.add_init_script(LISTEN)
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for path in (
        "/",
        "/play/",
        "/tables/",
        "/you/",
        *(f"/tables/{table.slug}/{part}" for part in ("", "log/", "chat/")),
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle" if path.startswith("/play") else "load")
        assert page.evaluate("document.documentElement.dataset.zz") is None, path
    page.goto(f"/tables/{table.slug}/")
    page.locator("#chat-link").click()
    page.locator("#chat").get_by_text(text[:12]).first.wait_for()
    assert page.evaluate("document.documentElement.dataset.zz") is None
    assert (dialogs, page.problems) == ([], [])
