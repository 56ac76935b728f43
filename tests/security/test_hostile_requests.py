"""Nonsense is refused: no address breaks, with any fields, query or path."""

import json
import re
from urllib.parse import quote, unquote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve

from tests.security.site_map import digest, paths, read_of_queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requests_are_let_go")]

WORDS = """
    ask_days asks day end every find least nth partner reply reserve reserve_hours starter weekday
    about absence act action action_add addresses adds_people agreed allows_absences answer as_published asked
    assist at audience auth base before body border budget by cap_hours cards check_in_from check_in_until circle clock
    answer-cards answered-cards points split
    clock_hours club code colour confirm_hours contact crest days deadline_at deal dealer display_name div_id_0
    div_name_0 div_rows div_size_0 do draw email endpoint ends_at entries_close_at entry_kind entry_limit event file
    first first_day format free_nights free_weekends from guests hand_order has_check_in has_directory has_haptics shows_presence
    has_sound speed increment_hours invitation invite is_listed is_pinned is_rated joining key kind language
    last last_day league league_name legs level levels lift limit line lines login loss member members membership
    message missed moves most mute name names newest next no_show note notice_digest notice_email notice_push number of
    off_first_0 off_id_0 off_last_0 off_reason_0 off_rows offer one order order_1 order_2 order_3 order_4 other
    own_name p256dh pace page password password1 password2 person photo phrase pile_from place-1 place-2 place-3
    place-4 place-5 place_1 place_2 place_3 place_4 play_days player_0 player_1 plays_at points preset proposal q
    quiet_from quiet_until reader reason record record_for remember reserve_0 reserve_1 role round_days rule-decks
    rule-jokers_per_deck rule-opening.by_deal rules ruleset s0-clean s0-dirty s0-left s0-left-2 s0-left-3 s0-left-4
    s0-left-5 s0-left-6 s0-left-7 s0-left-8 s0-left-9 s0-left-A s0-left-J s0-left-K s0-left-Q s0-left-T s0-left-X
    s0-final s0-melded s0-melded-2 s0-melded-3 s0-melded-4 s0-melded-5 s0-melded-6 s0-melded-7 s0-melded-8 s0-melded-9
    s0-melded-A s0-melded-J s0-melded-K s0-melded-Q s0-melded-T s0-melded-X s0-out s0-penalties s0-points
    s0-red_threes_held s0-red_threes_laid s0-wild s1-clean s1-dirty s1-final s1-left s1-left-2 s1-left-3 s1-left-4 s1-left-5 s1-left-6
    s1-left-7 s1-left-8 s1-left-9 s1-left-A s1-left-J s1-left-K s1-left-Q s1-left-T s1-left-X s1-melded s1-melded-2
    s1-melded-3 s1-melded-4 s1-melded-5 s1-melded-6 s1-melded-7 s1-melded-8 s1-melded-9 s1-melded-A s1-melded-J
    s1-melded-K s1-melded-Q s1-melded-T s1-melded-X s1-out s1-penalties s1-points s1-red_threes_held s1-red_threes_laid
    s1-wild scopes scoring season seat seat-0 seat-1 seat-2 seat-3 second seen session setting shape side since slug
    stage stage-1-cut_tie stage-1-format stage-1-name stage-1-round_hours stage-1-third_place stage-1-waits_for_go
    stage-1-own_deals stage-1-own_target stage-1-own_rules stage-1-own_clock stage-1-final_deals stage-1-final_target
    stage-1-final_rules stage-1-final_clock stage-1-final_minutes stage-1-round_minutes stage-2-own_deals
    stage-2-own_target stage-2-own_rules stage-2-own_clock stage-2-final_deals stage-2-final_target stage-2-final_rules
    stage-2-final_clock stage-2-final_minutes stage-2-round_minutes
    stage-1-was stage-2-by_hand stage-2-carries stage-2-cut_tie stage-2-format stage-2-name stage-2-round_hours
    stage-2-take stage-2-take_each stage-2-third_place stage-2-waits_for_go stage-2-was starts_at starts_on step
    subject sure swaps_sides table team team_size teams text third_place tiebreak_0 tiebreak_1 tiebreak_2 tiebreak_3
    time_zone title to token venue version visibility wants_letters watch watching way weekend_days weeks when which
    who win words credential fresh bots_after take take_least take_wild discard bot until deck card_back table_colour
    paste book of_sheet of_heading sheet heading columns c0
    allows_hints talk guided hints lift_for_me deal act
    included measure shown match minutes purpose s0 s1 s2 s3 t1-0 t1-1 v-1 was-1 here-1
    seed_1 seed_2 seed_3 seed_4 seeding was_1 was_2 was_3 was_4 move undersized level_1 level_2 level_3 level_4 size_1 size_2
    details comes_at leaves_at evening evening_shown evenings_of often team_shown
    stage-1-round0_name stage-1-round0_deals stage-1-round0_target stage-1-round0_rules stage-1-round0_minutes
    stage-1-round0_clock stage-2-round0_name stage-2-round0_deals stage-2-round0_target stage-2-round0_rules
    stage-2-round0_minutes stage-2-round0_clock phone
    address hears_by shows_email shows_phone shows_address topic topics kinds typed
    guest takes_guests
"""
FIELDS = WORDS.split()
"""Fields of forms here, and more; test_every_field_of_a_form_is_in_the_list of test_every_answer.py checks it."""

VALUES = {
    "nul within": "a\0b",
    "a long number": "9" * 5000,
    "more than 64 bits": str(2**64),
    "more than 32 bits": str(2**31),
    "negative": "-1",
    "other digits": "٣²③",
    "not a number": "nan",
    "long": "x" * 7_000,
    "controls": "\x01\x1b\x7f\x85\u2028\ufeff\u202e",
    "beyond the basic plane": "𝒳👩‍👩‍👧" * 40,
    "marks": "e" + "\u0301" * 400,
    "brackets": "[[{{((<" * 99,
    "day": "9999-12-31T23:59:60",
}
FOR_THE_DATABASE = ("nul within", "more than 64 bits", "more than 32 bits", "negative", "long", "day")
"""Texts that a database may choke on; test_hostile_bodies.py sends the others."""
SINGLE = ("nul within", "a long number", "more than 64 bits", "negative", "other digits", "controls", "long")
FORM = "application/x-www-form-urlencoded"
JSON_BODIES = (b"", b"{", b"[]", b"null", b'"\\ud800"', b"\xff", b"[" * 9000, b'{"\\ud800": "\\ud800"}')


def browser(user=None):
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def check(answer, *request):
    nothing(problem(answer, *request))


def nothing(broken):
    """Fails with all that broke."""
    broken = list(broken)
    assert not broken, "\n".join(str(request)[:400] for request in broken)


def problem(answer, *request):
    """The request, if the site broke on it."""
    if answer.status_code >= 500 and answer.status_code != 503:
        yield (*request, repr(answer.exc_info))


def doors(site):
    """Every address, of the table for which it is meant; without those that would end the session or the account."""
    skip = {"account_logout", "accounts:delete"}
    both = zip(paths(site, site.playing, skip=skip), paths(site, site.gathering, skip=skip), strict=True)
    return [each[is_for_waiting(each[0][1])] for each in both]


def is_for_waiting(path):
    """Whether an address is meant for a table that waits for its players."""
    return resolve(path).func.__module__ == "gameplay.views.waiting"


def harmlessly(send):
    """Send, and undo what came of it, so that each request meets the same site."""
    with transaction.atomic():
        answer = send()
        transaction.set_rollback(True)
    return answer


@pytest.mark.slow
def test_no_field_breaks_a_page(site):
    nothing(broken_by_texts(site(), {name: VALUES[name] for name in FOR_THE_DATABASE}))


def broken_by_texts(site, values):
    """Addresses that break if every field of a form is one of these texts."""
    forms = [(name, form_of(dict.fromkeys(FIELDS, text)), FORM) for name, text in values.items()]
    return broken_by(browser(site.users["Ann"]), site, forms)


@pytest.mark.slow
def test_no_query_breaks_a_page(site):
    site = site()
    client, wrong, tried = browser(site.users["Ann"]), [], set()
    once = set()  # the API's framework reads `format` by itself, before any of the views
    for name, path in doors(site):
        with read_of_queries() as read:
            client.get(path)
        for text_name, text in VALUES.items():
            for field in sorted(read - once):
                wrong += problem(client.get(path, {field: text[:2000]}), text_name, name, field)
        once |= read & {"format"}
        tried |= {name} if read else set()
    nothing(wrong)
    assert tried >= {"account_login", "accounts:notices", "api:tables", "gameplay:lobby", "gameplay:replay"}


def broken_by(client, site, bodies):
    """Addresses that break on a body, given as (label, body, type).
    An address that takes no posts, or none of a type, refuses before it reads any: the first of the type is enough.
    """
    refusing, places = set(), doors(site)
    for label, body, kind in bodies:
        for name, path in places:
            if (path, kind) not in refusing:
                answer = harmlessly(lambda p=path, b=body, k=kind: client.generic("POST", p, b, content_type=k))
                yield from problem(answer, label, kind, name)
                if answer.status_code in (405, 415):
                    refusing.add((path, kind))


def form_of(fields):
    """A form in which only what must be is written as %41: to read half a million of those takes longer than the page."""
    pairs = (f"{name}={re.sub('[%&+=;]', lambda sign: quote(sign[0]), value)}" for name, value in fields.items())
    return "&".join(pairs).encode()


@pytest.mark.slow
def test_no_single_field_breaks_an_otherwise_right_form(site):
    """With every field wrong at once, the first would hide the others."""
    site = site()
    to_act = site.playing.seats.get(number=site.playing.seat_to_act).user
    for table, client in ((site.playing, browser(to_act)), (site.gathering, browser(site.users["Ann"]))):
        for act, form in right_forms(table).items():
            path = f"/play/{table.slug}/answer/" if act == "answer" else f"/tables/{table.slug}/{act}/"
            for field in form:
                for value in SINGLE:
                    data = {**form, field: VALUES[value]}
                    check(harmlessly(lambda c=client, p=path, d=data: c.post(p, d)), act, field, value)


def right_forms(table):
    """Requests of the actions at a table from its pages."""
    version = table.move_count
    return {
        "move": {"moves": "draw", "seen": version, "key": "k"},
        "check": {"moves": "draw"},
        "next-deal": {"deal": 1},
        "order": {"by": "own", "cards": "Kc"},
        "answer": {"answer": "yes", "seen": version, "key": "k"},
        "chat": {"text": "hello", "phrase": "luck"},
        "report": {"message": "1", "reason": "rude"},
        "notes": {"note": "x"},
        "pause": {"act": "pause"},
        "phrase": {"phrase": "sea"},
        "join": {"seat": 3},
        "seat": {"seat": 3},
        "swap": {"first": 0, "second": 1},
        "remove": {"seat": 3},
        "bot": {"seat": 3, "level": "club"},
        "invite": {"who": "Eve", "person": "1"},
        "revoke": {"invitation": "1"},
    }


def test_a_body_that_is_too_large_is_refused(site):
    site = site()
    client = browser(site.users["Ann"])
    headers = {"Authorization": f"Bearer {site.bearer}"}
    client.get("/api/v1/me/", headers=headers)  # which notes when the token was used
    before = digest()
    body = b"text=" + b"x" * 3_000_000
    assert client.post(f"/tables/{site.over.slug}/chat/", body, content_type=FORM).status_code == 413
    moves = f"/api/v1/tables/{site.playing.slug}/moves/"
    answer = client.post(moves, body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert digest() == before


@pytest.mark.slow
def test_no_json_breaks_the_api(site):
    site = site()
    client = browser()
    hostile = ["\0", "\ud800", "9" * 5000, 2**64, -1, 1e308, None, True, [], {}, [[]], {"a": {"a": 1}}, "x" * 9000]
    forms = {
        "moves": {"moves": ["draw"], "seen": site.playing.move_count, "key": "k"},
        "next-deal": {"deal": 1},
        "join": {"seat": 3},
        "bot": {"seat": 3, "level": "club"},
        "leave": {"seat": 1},
        "start": {},
        "": {},
    }
    new = {"name": "T", "ruleset": "standard", "options": {}, "seat_count": 4, "team_size": 2, "clock": "move"}
    doors = {f"/api/v1/tables/{site.playing.slug}/{act}/": form for act, form in forms.items()}
    for path, right in {**doors, "/api/v1/tables/": new}.items():
        wrong = [json.dumps({**right, name: value}).encode() for name in right for value in hostile]
        for body in [*JSON_BODIES, *wrong]:
            headers = {"Authorization": f"Bearer {site.bearer}"}
            send = {"data": body, "content_type": "application/json", "headers": headers}
            check(harmlessly(lambda path=path, send=send: client.post(path, **send)), path, body[:60])


PARTS_OF_PATHS = ["%00", "%ff%fe", "%ed%a0%80", "x" * 3000, "9" * 30, "..%2f", "%0d%0aSet-Cookie:a", "٣"]


@pytest.mark.slow
def test_no_path_breaks(site):
    nothing(broken_by_paths(site()))


def broken_by_paths(site):
    client = browser(site.users["Ann"])
    usual = {site.playing.slug, site.token, site.stop_token, "standard", str(site.absence.pk), "no-such-key"}
    for value in PARTS_OF_PATHS:
        yield from problem(client.get(f"/{value}/"), value)
        for _, path in paths(site, site.playing):
            for hostile in {path.replace(f"/{part}/", f"/{value}/") for part in usual} - {path}:
                if is_there(hostile):  # else the answer is that of the first
                    for ask in (client.get, client.post):
                        answer = harmlessly(lambda ask=ask, hostile=hostile: ask(hostile))
                        yield from problem(answer, ask.__name__, hostile)


def is_there(path):
    """Whether some page answers to a path."""
    try:
        return bool(resolve(unquote(path, errors="replace")))
    except Resolver404:
        return False


@pytest.mark.slow
def test_no_header_or_cookie_breaks(site):
    site = site()
    for value in ("\x01", "é", "x" * 5000, "%00", "Bearer", "Bearer " + "x" * 500, "Bearer \xff", "9" * 400):
        client = browser()
        for cookie in ("sessionid", "csrftoken", "zone", "messages"):
            client.cookies[cookie] = value.replace("\x01", "")
        headers = {"Authorization": value, "Accept-Language": value, "HX-Request": value, "X-CSRFToken": value}
        headers |= {"HX-Current-URL": value, "If-None-Match": value, "If-Modified-Since": value, "Range": value}
        for path in ("/", "/play/", "/tables/", site.playing.get_absolute_url(), "/api/v1/me/", "/you/"):
            check(client.get(path, headers=headers), path, value)
            check(client.post(path, headers=headers), path, value)
