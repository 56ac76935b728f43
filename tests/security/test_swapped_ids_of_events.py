"""The same as `test_swapped_ids`, for events: what organisers and players send, by pages and by program."""

import re

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, resolve
from rest_framework.test import APIClient

from accounts.scopes import SCOPES
from accounts.services import tokens
from tests.security.sent import forms_of
from tests.security.site_map import addresses, body_of, digest, is_as_before, is_page, written
from tests.security.swapped_events import OWN, foreign, two_organisers
from tests.security.swaps import Schema
from tournaments.models import Act, Member, Organiser, Pairing

pytestmark = pytest.mark.django_db

REFUSED = (403, 404, 409, 422)


@pytest.fixture
def two(made_once):
    return made_once(two_organisers)


def pages_of(event):
    """The paths of an event's own pages; those of matches for one match of each kind, and no files, which have no forms."""
    base = {
        "event": event.slug, "stage": 1, "round": 1, "entry": 1,
        "member": event.entries.first().members.order_by("position").first().pk,
        "organiser": Organiser.objects.get(tournament=event).pk,
        "act": Act.objects.filter(tournament=event).first().pk,
    }  # fmt: skip
    matches = {}
    for match in Pairing.objects.filter(round__stage__tournament=event):
        has_accounts = match.places.filter(entry__members__user__isnull=False).exists()
        matches[match.status, match.places.count(), has_accounts] = match.name
    paths = set()
    for address in addresses():
        if address.name.startswith("tournaments:") and "event" in address.arguments:
            filled = [base | {"match": name} for name in matches.values()] if "match" in address.arguments else [base]
            paths |= {address.path(values) for values in filled if values.keys() >= set(address.arguments)}
    return sorted(path for path in paths if "." not in path.rpartition("/")[2] and not path.endswith("/live/"))


ROWS = {
    "circle": "circle", "one": "entry", "other": "entry", "people": "member", "place": "place", "reserve": "member",
    "result": "result", "winner": "entry", "goes_on": "entry", "member": "member", "entry": "number",
    "stage": "number", "round": "number",
}  # fmt: skip
"""Fields of forms that name a row, and which kind of row."""
PLAIN_WORDS = """
    about absent_# act allows_absences answer anyway at base border by cap_hours check_in_from check_in_until
    clock clock_hours confirm_hours deadline_at deal do early entries_close_at entry_kind entry_limit expected finding
    free free_nights free_weekends has_check_in increment_hours is_limited is_rated key kind known last missed
    name names no_show note number others_# pace pair_again photo place-# points preset purpose q reason remove role score_#
    seed-# seen setting side side_size starts_at step sure team_size text time_zone to venue verdict visibility was-#
    way when where who who# words yes
"""
PLAIN = set(PLAIN_WORDS.split())


def kind_of(view, name):
    """The kind of row that a field of a form names, or empty. Fails for a field missing here."""
    name = re.sub(r"\d+", "#", name)
    is_known = name in ROWS or name in PLAIN or name.startswith(("rule-", "stage-#-", "s#-", "add_", "later_"))
    assert is_known, f"Say what {name} of {view} is, in this file"
    return ROWS.get(name, "")


def sent_by_pages(two, event, client):
    """(view, request) for every request that pages of an event can make, each once."""
    keys, pages = set(), pages_of(event)
    for page in pages:
        answer = client.get(page)
        if not is_page(answer) or answer.status_code != 200:
            continue
        opened = re.findall(r'href="(?:[^"?]*/organise/)?(\?open=[^"#]+)', answer.content.decode())
        pages += [path for path in (page.partition("?")[0] + query for query in opened) if path not in pages]
        for request in forms_of(answer.content.decode(), page):
            match = resolve(request.action.partition("?")[0])
            key = (match.url_name, request.act, frozenset(request.names))
            if match.app_name == "tournaments" and key not in keys:
                keys.add(key)
                yield match.url_name, request


def right(event, view, request):
    """Input and choices of a right request, by field."""
    rows = {name: [value for value in request.offered.get(name, []) if value] for name in ("one", "other", "reserve")}
    if view == "organise_swap":
        ready = Pairing.objects.filter(round__stage__tournament=event, status="ready")
        pair = [str(match.places.first().entry_id) for match in ready][:2]
        return {"one": pair[:1], "other": pair[1:]}
    if view == "organise_challenge":
        numbers = {str(entry.number): [str(entry.pk)] for entry in event.entries.all()}
        return {"one": numbers["4"], "other": numbers["3"]}
    if view == "organise_move":
        last = Pairing.objects.filter(round__stage__tournament=event).order_by("number").last()
        return {"one": [str(last.places.last().entry_id)], "to": ["1"]}
    if view in ("organise_apart", "organise_free"):
        return {name: (values[1:2] if name == "other" else values[:1]) for name, values in rows.items() if values}
    if view == "organise_adjust":
        return {"points": ["1"], "reason": ["For the tea."]}
    if view == "organise_replace" and rows["reserve"]:
        return {"reserve": rows["reserve"][:1]}
    if view in ("organise_result", "organise_result_preview"):
        level = {name: ["4000"] for name in request.names if re.fullmatch(r"score_\d", name)}
        return level | {"reason": ["Looked again."]}
    return {}


LOOKS = {("organise_settings", "as_published")}
"""Buttons that show the form again and store nothing."""


@pytest.mark.slow
def test_every_field_of_a_form_that_names_a_row_refuses_rows_of_others(two):
    tried, rights, wrong = set(), set(), []
    for event in two.harbour.events:
        for user in (two.harbour.by, two.harbour.captain):
            client = Client()
            client.force_login(user)
            requests = list(sent_by_pages(two, event, client))
            before = digest()
            for view, request in requests:
                if (view, request.act) in LOOKS:
                    continue
                for name in sorted(request.names):
                    kind, field = kind_of(view, name), (view, request.act if view == "own_entry" else "", name)
                    data = request.data | right(event, view, request)
                    values = data.get(name) or []
                    values = values if any(values) else [value for value in request.offered.get(name, []) if value][:1]
                    if not kind or (event.pk, field) in tried or not values:
                        continue
                    answer, _ = send(client, before, request.action, {**data, name: values})
                    rights |= {field} if is_done(view, answer) else set()
                    for of, value in foreign(two.harbour, two.meadow, kind, event):
                        answer, is_same = send(client, before, request.action, {**data, name: [*values[:-1], value]})
                        if answer.status_code not in REFUSED or not is_same or b"Meadow" in body_of(answer):
                            wrong.append((event.name, *field, of, answer.status_code, is_same))
                    tried.add((event.pk, field))
    assert not wrong, "\n".join(map(str, wrong))
    field = {field for _, field in tried}
    assert field == rights, f"Nothing was right with its own row: {sorted(field - rights)}"
    assert {ROWS[name] for *_, name in field} >= {"circle", "entry", "member", "place", "result", "number"}
    assert len(field) > 15


def send(client, before, path, data, **how):
    """The answer, and whether all rows are as they were; everything is undone."""
    with transaction.atomic():
        with written() as touched:
            answer = client.post(path, data, **how)
        is_same = is_as_before(before, touched)
        transaction.set_rollback(True)
    return answer, is_same


def is_done(view, answer):
    """Whether a request was done; previews are shown."""
    return answer.status_code == 302 or (answer.status_code == 200 and view.endswith("preview"))


# The API

API_ROWS = {
    "absent": "number", "circle": "circle", "entry": "number", "member": "member", "one": "number", "order": "number",
    "other": "number", "reserve": "member", "result": "result", "round": "number", "stage": "number",
    "table": "number", "winner": "number",
}  # fmt: skip
"""Fields of bodies that name a row, and which kind of row; entries, stages and rounds go by their numbers."""
API_OTHERWISE = {
    ("new_forecast", "entries"): "", ("event_forecast", "entries"): "",  # how many
    ("stage_go", "round"): "",  # which round the page showed, of a stage that has one to draw
    ("board_results", "match"): "",  # a name, sought in the stage of the address alone
    ("match_own_substitute", "entry"): "",  # for an organiser; a player's own entry is known
    ("event_name_list", "entries"): "", ("stage_admit", "entries"): "number", ("stage_tie", "entries"): "number",
    **{(f"{whose}_order", "members"): "member" for whose in ("own", "entry")},
    **{(f"match_{which}substitute", "members"): "member" for which in ("", "own_")},
}  # fmt: skip
API_PLAIN_WORDS = """
    clean deals dirty final is_stopped left lift_points lifts melded number out penalties photo red_threes_held red_threes_laid
    unfinished_wild wild
    about agrees anyway apart at at_once books by check_in_from check_in_until choices confirm_hours deadline_at
    entries_close_at entry_kind entry_limit finding first forfeit format has_check_in is_free is_here is_kept is_rated
    is_void key kind last length known members minutes missed name no_show note online options outs pair_again partners points
    preview purpose reason role ruleset score scores seen setting side_size starter starts_at tables terms text
    time_zone venue verdict visibility who words
"""
API_PLAIN = set(API_PLAIN_WORDS.split())
"""Fields that name no row of an event. Accounts (`who`, `members`, `partners`) go by names: anyone can be invited."""


def api_kind(door, leaf):
    """The kind of row that a field of a body names, or empty. Fails for a field missing here."""
    if (door, leaf.name) in API_OTHERWISE:
        return API_OTHERWISE[door, leaf.name]
    assert leaf.name in API_ROWS or leaf.name in API_PLAIN, f"Say what {leaf} of {door} is, in this file"
    return API_ROWS.get(leaf.name, "")


def bodies(organised):
    """(event, arguments of the address, body) by the name of a door whose body names rows: a request that is right."""
    teams = {event.pk: [list(entry.members.order_by("position")) for entry in event.entries.order_by("number")]
             for event in (organised.waiting, organised.running)}  # fmt: skip
    member_ids = [team.pk for team in teams[organised.waiting.pk][OWN - 1]]
    first = [team.pk for team in teams[organised.waiting.pk][0]]
    ready = Pairing.objects.filter(round__stage__tournament=organised.running, status="ready")
    open_one = ready.filter(places__entry__number=OWN)
    own_match = {"match": open_one.get().name}
    matches = Pairing.objects.filter(round__stage__tournament=organised.disputed, round__number=1)
    disputed, level = matches.order_by("number")
    sides = [place.entry.number for place in open_one.get().places.order_by("number")]
    lines = [{"entry": number, "score": 1000 * at} for at, number in enumerate(sides, 1)]
    arena = organised.arena
    seated = Pairing.objects.filter(round__stage__tournament=organised.social, status="ready").order_by("number")
    last = seated.last().places.last().entry.number
    level_sides = [place.entry.number for place in level.places.order_by("number")]
    own_rank = Member.objects.get(tournament=organised.ladder, user=organised.captain).entry.number
    above = organised.ladder.entries.get(number=own_rank - 1 if own_rank > 1 else own_rank + 1)
    level_lines = [{"entry": number, "score": 4000} for number in level_sides]
    return {
        "events": (organised.waiting, {}, {"name": "New", "starter": "club_night", "circle": organised.club.circle}),
        "event_settings": (organised.waiting, {}, {"circle": organised.club.circle}),
        "event_late": (organised.running, {}, {"entry": 7}),
        "event_seeds": (organised.waiting, {}, {"by": "hand", "order": [6, 5, 4, 3, 2, 1]}),
        "apart": (organised.waiting, {}, {"one": 1, "other": 2}),
        "own_drop": (organised.waiting, {}, {"member": member_ids[2]}),
        "own_captain": (organised.waiting, {}, {"member": member_ids[1]}),
        "own_member_role": (organised.waiting, {}, {"member": member_ids[2], "role": "player"}),
        "own_order": (organised.waiting, {}, {"members": member_ids[::-1]}),
        "own_bye": (organised.waiting, {}, {"round": 2}),
        "entry_bye": (organised.waiting, {}, {"round": 2}),
        "entry_drop": (organised.waiting, {}, {"member": first[2]}),
        "entry_captain": (organised.waiting, {}, {"member": first[1]}),
        "entry_member_role": (organised.waiting, {}, {"member": first[2], "role": "player"}),
        "entry_order": (organised.waiting, {}, {"members": first[::-1]}),
        "entry_replace": (organised.waiting, {}, {"member": first[0], "reserve": first[2]}),
        "entry_challenge": (organised.ladder, {"entry": 3}, {"entry": 2, "stage": 1}),
        "entry_free": (arena, {}, {"stage": 1}),
        "stage_challenge": (organised.ladder, {}, {"entry": above.number}),
        "stage_tie": (organised.tied, {}, {"by": "playoff", "entries": [2, 1]}),
        "stage_admit": (organised.waiting, {"stage": 2}, {"entries": [1, 2, 3, 4]}),
        "adjustments": (organised.running, {}, {"entry": 1, "points": "1", "reason": "For the tea."}),
        "round_swap": (organised.running, {}, {"one": sides[0], "other": 6}),
        "round_move": (organised.social, {}, {"entry": last, "table": 1}),
        "match_report": (organised.running, own_match, {"lines": lines}),
        "match_answer": (
            organised.disputed, {"match": disputed.name}, {"result": disputed.results.last().pk, "agrees": False, "words": "We won."}
        ),
        "card_answer": (
            organised.disputed, {"token": disputed.token, "place": disputed.places.first().number},
            {"result": disputed.results.last().pk, "agrees": False, "words": "We won."},
        ),
        "match_confirm": (organised.disputed, {"match": disputed.name}, {"result": disputed.results.first().pk}),
        "match_decide": (organised.disputed, {"match": level.name}, {"lines": level_lines, "winner": level_sides[0]}),
        "match_walkover": (organised.running, own_match, {"absent": sides[:1]}),
        "match_substitute": (
            organised.running, own_match, {"entry": OWN, "members": [team.pk for team in teams[organised.running.pk][OWN - 1]][:2]}
        ),
        "match_own_substitute": (
            organised.running, own_match, {"entry": OWN, "members": [team.pk for team in teams[organised.running.pk][OWN - 1]][1:3]}
        ),
    }  # fmt: skip


BY_CAPTAIN = ("own_", "match_own_", "match_report", "match_answer", "stage_challenge")


@pytest.mark.slow
def test_every_field_of_the_api_that_names_a_row_refuses_rows_of_others(two):
    clients = []
    for user in (two.harbour.by, two.harbour.captain):
        token = tokens.create(user, name="bot", scopes=list(SCOPES), days=None)[1]
        clients.append(APIClient())
        clients[-1].credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        clients[-1].get("/api/v1/me/")  # which notes when the token was used
    schema, right_ones, before, tried, wrong = Schema(), bodies(two.harbour), digest(), set(), []
    usual = {"stage": 1, "round": 1, "entry": 1, "match": "R1.1"}
    for pattern in get_resolver("tournaments.api.urls").url_patterns:
        door, route = pattern.name, f"/api/v1/{pattern.pattern}"
        client = clients[door.startswith(BY_CAPTAIN)]
        for leaf in schema.leaves(re.sub(r"<\w+:\w+>", "1", route)):
            kind = api_kind(door, leaf)
            if not kind:
                continue
            assert door in right_ones, f"{leaf} of {door} names a row: give a body that is right, in this file"
            event, where, body = right_ones[door]
            words = {"event": event.slug, **usual, **where}
            path = re.sub(r"<\w+:(\w+)>", lambda match, words=words: str(words[match[1]]), route)
            answer, _ = send(client, before, path, body, format="json")
            if answer.status_code not in (200, 201):
                wrong.append((door, body, answer.status_code, answer.content))
            for of, value in foreign(two.harbour, two.meadow, kind, event):
                answer, is_same = send(client, before, path, leaf.put(body, value), format="json")
                if answer.status_code not in (400, *REFUSED) or not is_same or b"Meadow" in answer.content:
                    wrong.append((door, str(leaf), of, answer.status_code, is_same, answer.content))
            tried.add((door, str(leaf)))
    assert not wrong, "\n".join(map(str, wrong))
    assert {door for door, _ in tried} == set(right_ones)
