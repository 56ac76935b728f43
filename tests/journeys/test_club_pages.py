"""The pages of clubs at both widths, light and dark; and the way from nothing to a club that plays."""

import re
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Club, Division, Invitation, League, Meeting, Membership, News, Season
from clubs.services.members import joining, member_invitations, membership
from clubs.services.publications import meetings, news
from tests.journeys.test_pages import DEVICES, PAIRS, check_pages, faults, people, too_wide  # noqa: F401  fixtures
from tests.makers import make_club, make_event
from tournaments.models import Pairing
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import results

LONG = "Wolfeschlegelsteinhausenbergerdorff-Lefèvre-Delacroix"
TABLE = "Name;E-Mail;Town\nZoë Lund;zoe@example.org;Bath\nEve;nowhere;\nAnn;ann@example.org;York\n"

both_devices = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def lakeside(people):  # noqa: F811  the fixture
    """A club with everything on its page; Ann owns it, Ben is a member, Cem asks for a name."""
    fields = {
        "line": "Kitchener, Ontario. Tuesdays 19:00, Lakeside Hall.",
        "about": "We have played since 1983.\n\nCome and look: beginners are welcome, and there is tea.",
        "venue": "Lakeside Hall, 12 Quay Street",
        "time_zone": "America/Toronto",
        "crest": "wave",
        "joining": "request",
    }
    club = make_club("Lakeside Hand and Foot Club", owner=people.ann, slug="lakeside", **fields)
    joining.join_by_link(club.join_token, people.ben)
    Membership.objects.filter(user=people.ben).update(is_listed=True, contact="+1 519 555 0100")
    membership.add_names(club.pk, people.ann, lines=["Zoë Müller <zoe@example.org>", LONG, "مريم الخطيب"])
    joining.ask(club.pk, people.cem, name="Zoë Müller", words="I was at the first club night of the year.")
    member_invitations.invite(club.pk, people.ann, addresses="guest@example.org\nzoe@example.org")
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    for days, title in ((2, "Club night"), (9, "Club night"), (16, "General meeting")):
        begins = now + timedelta(days=days)
        meetings.add(club.pk, people.ann, title=title, starts_at=begins, ends_at=begins + timedelta(hours=3))
    meetings.cancel(Meeting.objects.order_by("starts_at")[1].pk, people.ann)
    news.write(club.pk, people.ann, title="A new hall", body="From May on we play at the lake.\n\n" * 8, is_pinned=True)
    news.write(club.pk, people.ann, title=f"Welcome, {LONG}", body="See https://example.org/ for more.")
    _league(club, people.ann)
    common = {"circle": club.circle, "venue": club.venue, "starts_at": now + timedelta(days=12)}
    make_event(people.ann, entries=0, name="Harvest Cup", status="open", **common)
    return Club.objects.get(pk=club.pk)


def _league(club, by):
    """A league of one division with results."""
    fields = {"name": "Lakeside League, Premier", "kind": "partnership", "circle": club.circle, "status": "open"}
    cup = make_event(by, standard("round_robin"), entries=0, **fields)
    for pair in PAIRS[:4]:
        enrolment.enter_for(cup.pk, by, members=pair.split(" / "))
    lifecycle.start(cup.pk, by, anyway=True)
    league = League.objects.create(club=club, name="Lakeside League", slug="league")
    season = {"number": 1, "name": "Autumn 2026", "slug": "autumn-2026", "status": "running", "rules_json": {}}
    new_season = Season.objects.create(league=league, starts_on=timezone.now().date(), **season)
    Division.objects.create(season=new_season, level=1, name="Premier", tournament=cup)
    for match in Pairing.objects.filter(round__stage__tournament=cup, status="ready")[:2]:
        lines = [{"entry": place.entry_id, "score": 9000 - 700 * place.number} for place in match.places.all()]
        results.decide(match.pk, lines, by=by)


def test_pages_for_everyone(check_pages, people, lakeside, client):  # noqa: F811  the fixtures
    story = News.objects.filter(is_pinned=False).get().pk
    letter = Invitation.objects.get(email="guest@example.org").token
    name = Membership.objects.get(name="Zoë Müller").claim_token
    paths = {
        "clubs-list": ("/clubs/", people.ben),
        "club-visitor": ("/clubs/lakeside/", people.nobody),
        "club-member": ("/clubs/lakeside/", people.ann),
        "club-events": ("/clubs/lakeside/events/", people.nobody),
        "club-dates": ("/clubs/lakeside/dates/", people.nobody),
        "club-news": ("/clubs/lakeside/news/", people.nobody),
        "club-story": (f"/clubs/lakeside/news/{story}/", people.ann),
        "club-roles": ("/clubs/lakeside/roles/", people.nobody),
        "club-join-visitor": ("/clubs/lakeside/join/", people.nobody),
        "club-join": ("/clubs/lakeside/join/", people.dee),
        "club-asked": ("/clubs/lakeside/join/", people.cem),
        "club-own": ("/clubs/lakeside/me/", people.ben),
        "club-leave": ("/clubs/lakeside/leave/", people.ben),
        "club-directory": ("/clubs/lakeside/members/", people.ben),
        "club-link": (reverse("clubs:join_by_link", args=[lakeside.join_token]), people.dee),
        "club-letter": (reverse("clubs:invitation", args=[letter]), people.nobody),
        "club-claim": (reverse("clubs:claim", args=[name]), people.dee),
        "club-link-ended": (reverse("clubs:claim", args=["nothing"]), people.nobody),
    }
    check_pages([(name, path, reader) for name, (path, reader) in paths.items()])


def test_pages_of_who_runs_it(check_pages, people, lakeside):  # noqa: F811  the fixtures
    zoe = Membership.objects.get(name="Zoë Müller").pk
    story, date = News.objects.first().pk, Meeting.objects.first().pk
    paths = {
        "clubs-new": "/clubs/new/",
        "club-desk": "/clubs/lakeside/run/",
        "club-people": "/clubs/lakeside/people/",
        "club-person": f"/clubs/lakeside/people/{zoe}/",
        "club-import": "/clubs/lakeside/import/members/",
        "club-settings": "/clubs/lakeside/settings/",
        "club-archive": "/clubs/lakeside/archive/",
        "club-history": "/clubs/lakeside/history/",
        "club-write": "/clubs/lakeside/news/write/",
        "club-edit": f"/clubs/lakeside/news/{story}/edit/",
        "club-set-dates": "/clubs/lakeside/dates/",
        "club-date": f"/clubs/lakeside/dates/{date}/",
    }
    check_pages([(name, path, people.ann) for name, path in paths.items()])


@both_devices
def test_an_organiser_starts_a_club_and_imports_everyone(visit, people, picture, no_barriers, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/")
    page.get_by_role("link", name="Start a club").click()
    page.get_by_label("Name", exact=True).fill("Harbour Club")
    page.get_by_label("Teal").check()
    page.get_by_label("Wave").check()
    page.get_by_label("Anyone, at once").check()
    page.get_by_role("button", name="Start the club").click()
    expect(page.get_by_role("link", name=re.compile("^Tell the club"))).to_be_visible()
    page.get_by_role("link", name="Import members").click()
    page.get_by_label("Paste it").fill(TABLE)
    page.get_by_role("button", name="Read the list").click()
    expect(page.get_by_role("button", name="Import 3 people")).to_be_visible()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"club-looked-{device}")
    page.get_by_role("button", name="Import 3 people").click()
    expect(page.get_by_role("link", name="Zoë Lund")).to_be_visible()
    club = Club.objects.get()
    assert (club.colour, club.crest, club.joining) == ("teal", "wave", "open")

    # A refused form shows the sentence where one looks, and loses nothing.
    page.goto(f"/clubs/{club.slug}/settings/")
    page.get_by_label("Description", exact=True).fill("Since 1983")
    page.get_by_label("Time zone of the club").fill("Atlantis")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“Atlantis” is not a time zone")).to_be_focused()
    expect(page.get_by_label("Description", exact=True)).to_have_value("Since 1983")
    no_barriers(page)
    page.get_by_label("Time zone of the club").fill("Toronto")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Changed: description, time zone.")).to_be_visible()

    # A member joins by the link and chooses the details that others may see.
    other = visit(DEVICES[device], user=people.ben)
    other.goto(reverse("clubs:join_by_link", args=[club.join_token]))
    other.get_by_role("button", name="Join the club").click()
    expect(other.get_by_text("Welcome to Harbour Club.")).to_be_visible()
    other.get_by_role("link", name="Your club profile").click()
    other.get_by_label("Show my name in the directory and the handbook").check()
    other.get_by_role("button", name="Save").click()
    other.goto(f"/clubs/{club.slug}/members/")
    expect(other.get_by_role("main").get_by_text("Ben", exact=True)).to_be_visible()


class OneAnswer(BaseHTTPRequestHandler):
    """A site of one page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.body.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def other_site():
    """A function that serves a page from another origin, and returns its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), OneAnswer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def serve(body):
            server.body = f"<!doctype html><title>A club</title><link rel=icon href=data:,>{body}"
            return f"http://127.0.0.1:{server.server_port}/"

        yield serve
        server.shutdown()


def test_a_frame_on_another_site_takes_the_height_of_its_content(visit, lakeside, site, other_site):
    page = visit(DEVICES["phone"])
    path = reverse("clubs:embed", args=[lakeside.slug, "meetings"])
    body = f'<iframe src="{site}{path}" height="40"></iframe><script src="{site}/embed.js" async></script>'
    page.goto(other_site(body))
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Meetings")).to_be_visible()
    page.wait_for_function("parseInt(document.querySelector('iframe').style.height) > 100")
    inside = frame.locator("html").evaluate("html => html.offsetHeight")
    assert abs(page.locator("iframe").bounding_box()["height"] - inside) < 10


def test_links_that_let_people_in_are_copied_by_one_press(visit, lakeside, people):  # noqa: F811  the fixture
    page = visit(DEVICES["phone"], user=people.ann, permissions=["clipboard-read", "clipboard-write"])
    person = lakeside.memberships.get(name="Zoë Müller")
    for path in ("settings/", f"people/{person.pk}/"):
        page.goto(f"/clubs/lakeside/{path}")
        page.get_by_role("button", name="Copy the link").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == page.locator("code.link").inner_text()
