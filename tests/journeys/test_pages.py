"""Every page, at both widths, light and dark: nothing that axe finds, nothing too wide, no complaint of the browser.

`SCREENSHOTS=screenshots bin/test tests/journeys/test_pages.py` writes a picture of each into that folder.
"""

from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from engine.play.state import ANSWERING, PLAYING
from gameplay.models import Table
from gameplay.services import pauses
from gameplay.snapshot import state_of
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_event
from tests.tournaments import driving
from tournaments.models import Pairing
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import results
from tournaments.services.stages import seeding, stage_decisions

NOT_OURS = {"api-docs": ("nested-interactive", "heading-order", "region")}
"""Findings of axe in the program that shows the API’s schema, which is Swagger’s and cannot be mended here."""

DEVICES = {"desk": DESK, "phone": PHONE}

PAIRS = (
    "Côté / Roy",
    "Okafor / Bell",
    "Peña / Núñez",
    "Ono / Tanaka",
    "Daly / Byrne",
    "Müller / Wójcik",
    "Wolfeschlegelsteinhausenbergerdorff / Lefèvre-Delacroix",
    "مريم الخطيب / يوسف",
)
"""Names of either direction, and as long as names may be."""


@pytest.fixture
def people(four):
    """Ann, Ben, Cem and Dee by name, and nobody."""
    return SimpleNamespace(nobody=None, **{user.display_name.lower(): user for user in four})


@pytest.fixture
def faults(no_barriers, picture):
    """Check a page as it is, at this width in all lights, with a picture of each; its faults."""

    def check(page, name, device, spared=()):
        wrong = []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            label = f"{name}-{device}-{scheme}"
            picture(page, label)
            wrong += [f"{label}: {words}" for words in [too_wide(page)] if words]
            # Of the checks of axe, only the contrast depends on the colours.
            only = ["color-contrast"] if scheme == "dark" else []
            wrong += [f"{label}: {barrier}" for barrier in no_barriers.violations(page, spared=spared, only=only)]
        page.emulate_media(color_scheme="light")
        return wrong

    return check


@pytest.fixture
def check_pages(visit, faults):
    """Look at pages, each given as name, path and reader, at both widths and in all lights."""

    def at(pages):
        opened = {}
        for name, path, reader in pages:
            for device in DEVICES:
                if (reader, device) not in opened:
                    opened[reader, device] = visit(DEVICES[device], user=reader)
                page = opened[reader, device]
                page.goto(path)
                expect(page.locator("h1").first).to_be_attached()
                page.problems += faults(page, name, device, NOT_OURS.get(name, ()))
                if name == "not-found":
                    page.problems[:] = [line for line in page.problems if "status of 404" not in line]

    return at


def too_wide(page):
    """By how much the page must be scrolled sideways, in words; empty where it need not."""
    width, room = page_width(page), page.viewport_size["width"]
    return f"{width} wide where there is room for {room}" if width > room else ""


def test_pages_for_everyone(check_pages, people, seated):
    seated("family", begun=False, joining="open", watching="anybody")
    paths = {
        "home": "/",
        "practice": "/practice/",
        "rulesets": "/rules/",
        "ruleset": "/rules/bain/",
        "ruleset-compared": "/rules/family/?from=standard",
        "ruleset-with-differences": "/rules/knee/",
        "lobby": "/tables/",
        "help": "/help/",
        "about": "/about/",
        "privacy": "/privacy/",
        "accessibility": "/accessibility/",
        "api": "/api/",
        "ratings": "/ratings/",
        "records": "/records/",
        "offline": "/offline/",
        "language": "/you/language/",
        "colours": "/you/colours/",
        "sign-in": "/accounts/login/",
        "sign-in-by-code": "/accounts/login/code/",
        "sign-up": "/accounts/signup/",
        "password-reset": "/accounts/password/reset/",
        "not-found": "/nowhere/",
    }
    check_pages([(name, path, people.nobody) for name, path in paths.items()])


def test_a_members_own_pages(check_pages, people, seated, driver):
    driver.act(seated("standard"))
    seated("family", begun=False)
    paths = {
        "home-member": "/",
        "turns": "/play/",
        "new-table": "/tables/new/",
        "lobby-member": "/tables/",
        "play-now": "/play/now/",
        "profile": "/you/",
        "notices": "/you/notices/",
        "friends": "/friends/",
        "player": "/players/ann/",
        "channels": "/you/channels/",
        "absences": "/you/absences/",
        "tokens": "/you/tokens/",
        "your-data": "/you/privacy/",
        "e-mail": "/accounts/email/",
        "signing-in": "/accounts/2fa/",
        "second-step-app": "/accounts/2fa/totp/activate/",
        "passkey": "/accounts/2fa/webauthn/add/",
        "sessions": "/accounts/sessions/",
        "password": "/accounts/password/change/",
        "sign-out": "/accounts/logout/",
    }
    check_pages([(name, path, people.ann) for name, path in paths.items()])


def test_a_table_in_every_state(check_pages, people, seated, four, driver):
    def actor(table):
        return four[table.seat_to_act]

    def at(path, table):
        return f"{table.get_absolute_url()}{path}"

    gathering = seated("family", begun=False)
    lift, draw = seated("family"), seated("standard")
    choose = driver.until(seated("denexa"), lambda table: state_of(table).phase == "choose")
    play = driver.until(seated("standard"), lambda table: table.move_count > 60 and state_of(table).phase == PLAYING)
    question = driver.until(seated("saskatchewan"), lambda table: state_of(table).phase == ANSWERING)
    paused = seated("standard")
    pauses.propose_pause(paused.pk, four[0])
    for user in four[1:]:
        pauses.agree_pause(paused.pk, user)
    check_pages(
        [
            ("waiting-room", at("", gathering), people.ann),
            ("waiting-room-stranger", at("", gathering), people.nobody),
            ("table-lift", at("", lift), actor(lift)),
            ("table-draw", at("", draw), actor(draw)),
            ("table-choose", at("", choose), actor(choose)),
            ("table-play", at("", play), actor(play)),
            ("table-waiting", at("", play), four[(play.seat_to_act + 1) % 4]),
            ("table-spectator", at("", play), people.nobody),
            ("table-asked", at("", question), actor(question)),
            ("table-paused", at("", paused), people.ann),
            ("chat", at("chat/", play), people.ann),
            ("notes", at("notes/", play), people.ann),
            ("standing", at("standing/", play), people.ann),
            ("report", at("report/", play), people.ann),
            ("resign", at("resign/", play), people.ann),
        ]
    )


def test_a_deal_and_a_match_that_are_over(check_pages, people, seated, driver):
    deal = driver.until(seated("standard"), lambda table: table.is_between_deals)
    match = driver.until(seated("family"), lambda table: table.status == Table.Status.OVER)
    paths = {name: f"{match.get_absolute_url()}{name}/" for name in ("log", "replay", "scores", "shuffle", "rules")}
    pages = [
        ("table-deal-over", deal.get_absolute_url(), people.ann),
        ("scores-deal-over", f"{deal.get_absolute_url()}scores/", people.ann),
        ("table-match-over", match.get_absolute_url(), people.ann),
        ("table-match-over-spectator", match.get_absolute_url(), people.nobody),
        ("replay-step", f"{match.get_absolute_url()}replay/?step=40", people.nobody),
        ("turns-finished", "/play/", people.ann),
        ("player-record", "/players/ann/", people.ann),
    ]
    check_pages([*pages, *((name, path, people.ann) for name, path in paths.items())])


LONG_NAMES = ("Nora Whitlock-Brandt", "Bartholomew Okafor-Penrose", "Asha Menon", "Gil Castellano y Pardo")


def test_people_with_long_names_find_their_papers_as_wide_as_a_phone(visit, seated, driver, four):
    for user, name in zip(four, LONG_NAMES, strict=True):
        type(user).objects.filter(pk=user.pk).update(display_name=name)
    table = driver.until(seated("standard"), lambda table: table.is_between_deals)
    page, wide = visit(PHONE, user=four[0]), {}
    for part in ("", "log/", "scores/", "shuffle/", "review/", "rules/"):
        page.goto(f"{table.get_absolute_url()}{part}")
        expect(page.locator("h1").first).to_be_attached()
        wide[part] = too_wide(page)
    assert {part: words for part, words in wide.items() if words} == {}


def an_event(by, name, plans, rounds, kind="partnership", **fields):
    """An event of pairs, or of people, known by their names alone, some rounds of which are played."""
    event = make_event(by, *plans, entries=0, name=name, kind=kind, status="open", **fields)
    for pair in PAIRS:
        enrolment.enter_for(event.pk, by, members=pair.split(" / ")[: event.side_size])
    lifecycle.start(event.pk, by, anyway=True)
    for _ in range(rounds):
        driving.play_round(event, by, driving.by_lot)
    return event


def test_public_pages_of_a_running_event(check_pages, people):
    ann = people.ann
    cup = an_event(ann, "Harvest Cup", [standard("double_elimination")], 2, venue="Lakeside Hall, 12 Mill Road")
    corrected, absent = Pairing.objects.get(name="WB1.1"), driving.open_pairings(cup)[0]
    driving.decide(corrected, ann, lambda names: [8405, 8560], reason="Entered the wrong way round.")
    results.walkover(absent.pk, [absent.places.first().entry_id], by=ann, reason="Did not come.")
    Pairing.objects.filter(pk=driving.open_pairings(cup)[0].pk).update(status="playing")
    league = an_event(ann, "Autumn League", [standard("swiss", rounds=4), standard("single_elimination", take=4)], 2)
    driving.decide(driving.open_pairings(league)[0], ann, driving.by_lot)
    at, other = cup.get_absolute_url(), league.get_absolute_url()
    pages = {
        "events": "/events/",
        "event": at,
        "event-bracket": f"{at}1/",
        "event-schedule": f"{at}schedule/",
        "event-results": f"{at}results/",
        "event-entries": f"{at}entries/",
        "event-entry": f"{at}entries/2/",
        "event-match": corrected.get_absolute_url(),
        "event-rules": f"{at}rules/",
        "event-embed": f"{at}embed/1/",
        "event-standings": f"{other}1/",
        "event-crosstable": f"{other}1/crosstable/",
        "event-to-come": f"{other}2/",
        "event-standings-embed": f"{other}embed/1/",
    }
    check_pages([(name, path, people.nobody) for name, path in pages.items()])
    check_pages([("event-organiser", at, ann), ("event-matches", "/events/mine/", ann)])


def test_public_pages_of_a_finished_event(check_pages, people):
    pods = standard("pod_knockout", seats=4, advance=2)
    groups = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2, third_place=True)]
    cup = an_event(people.ann, "Table Cup", [pods], 9, kind="person")
    open_cup = an_event(people.ann, "Open", groups, 9)
    at, other = cup.get_absolute_url(), open_cup.get_absolute_url()
    pages = {
        "event-over": at,
        "event-levels": f"{at}1/",
        "event-groups": f"{other}1/",
        "event-groups-crosstable": f"{other}1/crosstable/",
        "event-bracket-over": f"{other}2/",
        "event-entry-over": f"{other}entries/1/",
    }
    check_pages([(name, path, people.nobody) for name, path in pages.items()])


def test_organisers_pages(check_pages, people):
    ann = people.ann
    plans = [standard("swiss", rounds=4, waits_for_go=True, round_hours=2), standard("single_elimination", take=4)]
    event = an_event(ann, "Prague Open", plans, 0, venue="Lakeside Hall, 12 Mill Road")
    stage_decisions.start_round(event.stages.get(number=1).pk, 1, by=ann)
    overdue, disputed, reported, played = driving.open_pairings(event)
    driving.decide(played, ann, driving.by_lot)
    driving.decide(played, ann, lambda names: [4210, 3640], reason="One clean book counted twice.")
    for pairing, scores in ((disputed, ([4210, 3640], [4210, 3940])), (reported, ([5105, 4980],))):
        for place, points in zip(pairing.places.all(), scores, strict=False):
            lines = driving.lines_of(pairing, lambda names, points=points: points)
            results.report(pairing.pk, lines, by=None, by_entry=place.entry_id, origin="card")
    Pairing.objects.filter(pk=overdue.pk).update(deadline_at=overdue.opened_at)
    entry = event.entries.get(number=8)
    seeding.keep_apart(event.pk, ann, one=event.entries.get(number=1).pk, other=entry.pk)
    draft = lifecycle.copy_event(event.pk, ann, name="Prague Open, next year")
    at, other = f"{event.get_absolute_url()}organise/", f"{draft.get_absolute_url()}organise/"
    pages = {
        "organise": at,
        "organise-enter": f"{at}?open={overdue.pk}",
        "organise-change": f"{at}?open={played.pk}",
        "organise-rounds": f"{at}rounds/",
        "organise-round": f"{at}1/rounds/1/",
        "organise-entries": f"{at}entries/",
        "organise-entry": f"{at}entries/8/",
        "organise-check-in": f"{at}check-in/",
        "organise-seeds": f"{other}seeds/",
        "organise-apart": f"{at}seeds/",
        "organise-history": f"{at}history/",
        "organise-people": f"{at}people/",
        "organise-settings": f"{at}settings/",
        "organise-stages": f"{at}stages/",
        "organise-stage": f"{other}stages/1/",
        "organise-new-stage": f"{other}stages/new/",
        "organise-admit": f"{at}stages/2/admit/",
        "organise-cancel": f"{at}cancel/",
        "organise-copy": f"{at}copy/",
        "organise-draft": other,
        "new-event": "/events/new/",
        "new-event-championship": "/events/new/?from=championship",
        "new-event-groups": "/events/new/?from=groups_knockout",
    }
    check_pages([(name, path, ann) for name, path in pages.items()])


def test_the_documentation_of_the_api(check_pages, people):
    check_pages([("api-docs", "/api/v1/docs/", people.nobody)])
