"""Ids in requests: every field of every form and of every body of the API that names a row.

Forms are read from the pages themselves, bodies from the schema; a field missing from the tables below fails. Each
field that names a row is sent with a row of another club, of another league or season of the same club, and with a
missing one, in a request that is otherwise right: it must be refused, and nothing may change.
"""

import re
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.scopes import SCOPES
from accounts.services import tokens
from clubs.models import (
    Blackout,
    Club,
    Division,
    Membership,
    News,
    Proposal,
    Reply,
    Season,
    SeasonEntry,
    SeasonEvent,
    Team,
    TeamMember,
)
from clubs.tonight.page import Night
from tests.clubs.seasons import round_robin, sheet
from tests.security.clubs import API_ACTS, club_addresses, path_of
from tests.security.sent import forms_of
from tests.security.site_map import body_of, digest, is_as_before, is_page, written
from tests.security.swaps import Schema, foreign, make_clubs

pytestmark = pytest.mark.django_db

REFUSED = (403, 404, 409, 422)

ROWS = {
    "asked": "guest", "blackout": "days off", "club": "club", "div_id_#": "division", "event": "cup",
    "joining": "team", "leaving": "team", "league": "league", "match": "match", "member": "member", "members": "person",
    "membership": "person", "off_id_#": "days off", "place_#": "division", "player_#": "person",
    "proposal": "proposal", "reader": "person", "reserve_#": "person", "season": "season", "team": "team", "team_shown": "team",
    "teams": "team", "about": "matchday", "rules": "rules ref", "included": "evening", "shown": "evening",
    "reserve": "person",
}  # fmt: skip
"""Fields of forms that name a row, and which kind of row."""
OTHERWISE = {
    # Words, where another form has a row.
    **{(view, "about"): "" for view in (
        "edit_league", "house_rules", "name_house_rules", "new_house_rules", "change_house_rules", "new_league",
        "settings", "new_club",
    )},
    ("settings", "joining"): "", ("new_club", "joining"): "",
    # The address of the invited club, which answers for itself.
    ("edit_league", "club"): "",
    ("copy_rules", "club"): "slug",
}  # fmt: skip
PLAIN_WORDS = """
    act addresses adds_people answer base body border colour contact crest days deadline_at div_down_#
    div_name_# div_rows div_size_# div_up_# do draw email ends_at file find finding first_day format has_directory
    is_listed is_pinned is_rated key kind last_day league_name legs letters level_# levels line lines loss move name names
    newest no_show note number of paste phone off_first_# off_last_# off_reason_# off_rows order order_# own_name pace
    measure play_days plays_at preset reason role round_days scoring seed_# seeding seen setting side_size size_# slug
    starts_at starts_on subject sure swaps_sides table text third_place tiebreak_# time_zone title undersized
    way venue verdict version wants_letters was_# weeks where win words
    here-# mine-#-# s# t#-# until v-# was-# who
    ask_days asks comes_at day details end every first leaves_at least minutes nth partner reply
    reserve_hours second starter weekday evening evening_shown evenings_of often step points split kinds typed
    phone address hears_by shows_email shows_phone shows_address topic guest takes_guests
"""
PLAIN = set(PLAIN_WORDS.split())
"""Fields that name no row of a club: words, numbers, choices, days. Rules to start from (`preset`) are public; `of`,
`number`, `newest` are a word and numbers within the address; a `finding` is one that the page shows. Fields of Tonight
with a number in their names are read for the rows that it shows only. Replies (`first`, `second`, `reply`, `partner`) are
looked for among those to the question of the address: tests/clubs/test_coming.py sends others; so is a `guest` among
those of the meeting: tests/clubs/test_meeting_guests.py.
"""

DAY = (timezone.localdate() + timedelta(days=40)).isoformat()
TABLE = sheet(round_robin([f"Ann {at} / Ben {at}" for at in range(1, 5)]))
TYPED = {
    ("add_teams", "lines"): {"lines": "Ida / Jon"},
    ("add_teams", "one"): {"name": "Ida and Jon"},
    ("bring_seasons", "look"): {"table": TABLE, "kind": "pair"},
    ("bring_seasons", "bring"): {"kind": "pair"},
    ("cups", "cup"): {"name": "Shield"},
    ("days_off", "add"): {"first_day": DAY},
    ("next_season", "make"): {"name": "Next", "starts_on": "2030-01-07"},
    ("new_season", "save"): {"name": "Later", "starts_on": "2030-01-07"},
    ("roster", "off"): {"first_day": DAY},
    ("tonight", "off"): {"until": DAY},
    ("news_places", "add"): {"typed": "https://hooks.slack.com/services/T0/B0/x"},
}
"""Input that makes the request right but for its rows."""
HARMLESS = {
    ("answer", "no", "membership"): "who declines says no name",
    **{("news_places", act, "about"): "only saving reads it" for act in ("test", "pause", "resume", "remove")},
    **{("new_season", act, name): "a new season has no rows yet, so all are new" for act in (
        "save", "look", "more_divisions", "more_off", "to_who", "to_when", "to_how",
    ) for name in ("div_id_#", "off_id_#", "team", "team_shown")},
    **{("new_season", "add_teams", name): "the form is kept for its sender, and read again when it is saved"
       for name in ("div_id_#", "off_id_#", "team", "team_shown", "rules")},
    **{("season_setup", act, "off_id_#"): "somebody may have taken them away meanwhile" for act in (
        "save", "look", "more_divisions", "more_off", "to_who", "to_when", "to_how",
    )},
}  # fmt: skip
"""Fields whose foreign rows are ignored and the rest is done; by view, act and field. The foreign row stays as it
is.
"""
LOOKS = {"look", "more_divisions", "more_off", "order", "up", "down", "to_who", "to_when", "to_how", ""}
"""Actions that show something and store nothing; after a colon comes the row."""


@pytest.fixture
def clubs(made_once, monkeypatch):
    # The test message of a new place, which would go out.
    monkeypatch.setattr("clubs.news_places.services.send_test", lambda *place, **names: None)
    return made_once(make_clubs)


def kind_of(view, name):
    """The kind of row that a field of a form names, or empty. Fails for a field missing here."""
    name = re.sub(r"\d+", "#", name)
    if (view, name) in OTHERWISE:
        return OTHERWISE[view, name]
    assert name in ROWS or name in PLAIN or name.startswith(("rule-", "answer-", "answered-")), (
        f"Say what {name} of {view} is, in this file"
    )
    return ROWS.get(name, "")


def sent_by_pages(clubs, client):
    """(view, request) for every request that pages of the club can make, each once."""
    keys, season = set(), clubs.closed
    pages = [path_of(address, clubs.harbour) for _, address in sorted(club_addresses().items())]
    pages.append(f"/clubs/{clubs.harbour.club.slug}/leagues/{season.league.slug}/{season.slug}/next/")
    pages += [f"{page}?step=how" for page in pages if page.endswith(("/new/", "/setup/"))]
    answers = [(page, client.get(page)) for page in pages if "." not in page]  # files have no forms
    seasons = f"/clubs/{clubs.harbour.club.slug}/data/seasons/"
    league = clubs.harbour.rows["league"].pk
    preview = {"act": "look", "table": TABLE, "league": league, "kind": "pair", "rules": "standard"}
    answers.append((seasons, client.post(seasons, preview)))
    for page, answer in answers:
        if not is_page(answer) or answer.status_code != 200:
            continue
        for request in forms_of(answer.content.decode(), page):
            match = resolve(request.action.partition("?")[0])
            key = (match.url_name, request.act, frozenset(request.names))
            if match.app_name == "clubs" and key not in keys:
                keys.add(key)
                yield match.url_name, request


@pytest.mark.slow
def test_every_field_of_a_form_that_names_a_row_refuses_rows_of_others(clubs):
    client = Client()
    client.force_login(clubs.harbour.owner)
    before, foreign_rows, tried, wrong = digest(), rows_of(clubs.meadow), set(), []
    for view, request in list(sent_by_pages(clubs, client)):
        for name in sorted(request.names):
            kind = kind_of(view, name)
            if not kind:
                continue
            data = request.data | TYPED.get((view, request.act), {}) | right(clubs, view, request)
            chosen = data.get(name) or []
            data[name] = chosen = chosen if any(chosen) else [value for value in request.offered[name] if value][:1]
            is_harmless = (view, request.act.partition(":")[0], re.sub(r"\d+", "#", name)) in HARMLESS

            def send(values, data=data, name=name, request=request):
                with transaction.atomic():
                    with written() as touched:
                        answer = client.post(request.action, {**data, name: values})
                    is_same = is_as_before(before, touched)
                    is_theirs_kept = is_same or rows_of(clubs.meadow) == foreign_rows
                    transaction.set_rollback(True)
                return answer, is_same, is_theirs_kept

            answer, *_ = send(chosen)
            if not is_right(answer, request) or (not chosen and not is_harmless):
                wrong.append((view, request.act, name, chosen, answer.status_code, words_of(answer)))
            for of, value in foreign_values(clubs, kind):
                answer, is_same, is_theirs_kept = send([*chosen[:-1], value])
                is_refused = answer.status_code in REFUSED or (
                    answer.status_code == 200 and request.act.partition(":")[0] in LOOKS
                )
                if not is_theirs_kept or not (is_harmless or (is_refused and is_same)) or b"Meadow" in body_of(answer):
                    wrong.append((view, request.act, name, of, answer.status_code, is_same, words_of(answer)))
            tried.add((view, request.act, name))
    assert not wrong, "\n".join(map(str, wrong))
    assert {kind_of(view, name) for view, _, name in tried} == {*ROWS.values(), "slug"}
    assert len(tried) > 50


def shows(request):
    """Whether a button shows the form again and stores nothing."""
    return request.act in LOOKS or bool(re.fullmatch(r"(up|down):\d+", request.act))


def is_right(answer, request):
    """Whether a request was done."""
    return answer.status_code == 302 or (answer.status_code == 200 and request.act.partition(":")[0] in LOOKS)


OF_CLUB = {
    Club: "pk", Membership: "club_id", News: "club_id", Team: "club_id", TeamMember: "team__club_id",
    Season: "league__club_id", Division: "season__league__club_id", SeasonEntry: "season__league__club_id",
    SeasonEvent: "season__league__club_id", Blackout: "season__league__club_id",
    Proposal: "team__league__club_id",
}  # fmt: skip


def rows_of(club):
    """Everything that is the other club's own."""
    return [
        list(model.objects.filter(**{path: club.club.pk}).order_by("pk").values()) for model, path in OF_CLUB.items()
    ]


def words_of(answer):
    """The refusal on a page."""
    return re.findall(rb'class="error"[^>]*>(.*?)<', body_of(answer))


def right(clubs, view, request):
    """Rows of the club that belong where a form leaves the choice open, by field."""
    free = [str(pk) for pk in clubs.free]
    chosen = {name: free[:1] for name in ("membership", "reader") if name in request.names}
    if (view, request.act) == ("add_teams", "one"):
        players = zip(("player_0", "player_1", "reserve_0", "reserve_1"), free, strict=False)
        chosen |= {"club": [str(clubs.harbour.club.pk)], **{name: [pk] for name, pk in players}}
    elif view == "season_places":
        teams = [name.removeprefix("place_") for name in request.offered if name.startswith("place_")][:4]
        level = request.offered[f"place_{teams[0]}"][-1]
        chosen |= {f"order_{team}": [str(at)] for at, team in enumerate(teams, 1)}
        chosen |= {f"place_{team}": [level] for team in teams}
    elif (view, request.act) == ("roster", "drop"):
        chosen |= {"member": [str(clubs.reserve.pk)]}
    elif (view, request.act) == ("fixture", "counter"):
        day = clubs.harbour.rows["proposal"].starts_at + timedelta(days=1)
        chosen |= {"starts_at": [day.strftime("%Y-%m-%dT%H:%M")]}
    elif (view, request.act) == ("edit_series", "evenings"):
        chosen |= {"included": request.offered["included"]}
    elif view == "bring_seasons":
        chosen |= {"league": [str(clubs.harbour.rows["league"].pk)]}
    elif (view, request.act) in (("cups", "cup"), ("fixture", "field")):
        name = "teams" if view == "cups" else "members"
        chosen |= {name: [value for value in request.offered[name] if value][:2]}
    return chosen


def foreign_values(clubs, kind):
    """(owner, value) of values that do not belong there."""
    if kind == "rules ref":
        return [(of, f"version:{pk}") for of, pk in foreign(clubs, "rules")]
    return foreign(clubs, kind)


# The API

API_ROWS = {
    "division": "division", "house_rules": "rules", "id": "division", "joining": "number of a team",
    "leaving": "number of a team", "members": "person", "membership": "person", "plays_for": "slug",
    "reserves": "person", "team": "number of a team", "teams": "number of a team",
    "league": "slug of a league", "season": "any season", "wanted": "person", "memberships": "person",
    "included": "evening", "left_out": "evening", "match": "match", "event": "evening", "absent": "evening",
}  # fmt: skip
"""Fields of bodies that name a row, and which kind of row. Teams go by their numbers within the league of the address."""
API_PLAIN_WORDS = """
    kinds is_paused on_page to_readers
    adds_people dates divisions draw file league_name loss matchday own_name subject text version win
    about addresses agrees answer body border colour contact crest days deadline_at down email ends_at finding first_day
    has_directory is_double is_kept is_listed is_off is_online is_pinned joining key kind last_day letters level line
    measure name names newest note number options plan play_days plays_at preview reason role round_days ruleset scores seeding
    seen settings size sizes slug starts_at starts_on swaps_sides table third_place time_zone title undersized
    up venue verdict wants_letters way weeks words
    answer ask_days asks comes_at every first last_day least leaves_at minutes nth partner reply
    reserve_hours second skipped starter weekday day
    phone address hears_by shows_email shows_phone shows_address
    guest takes_guests
"""
API_PLAIN = set(API_PLAIN_WORDS.split())
API_OTHERWISE = {
    # Nothing of these is on tonight.
    ("club_people_here", "event"): "", ("club_people_here", "absent"): "",
    ("club_settings", "joining"): "", ("clubs", "joining"): "",
    # The newsletter of the address is sent already; those of others are refused in tests/clubs/test_matchday_drafts.py.
    ("newsletter_send", "places"): "",
    # The invited club answers for itself; a link is for anyone who has it.
    ("league_ask_club", "asked"): "", ("club_copy_rules", "token"): "",
    **{(f"link_{name}", "token"): "" for name in ("look", "join", "claim", "letter", "decline_letter")},
}  # fmt: skip


def api_kind(door, leaf):
    """The kind of row that a field of a body names, or empty. Fails for a field missing here."""
    if (door, leaf.name) in API_OTHERWISE:
        return API_OTHERWISE[door, leaf.name]
    is_known = leaf.name in API_ROWS or leaf.name in API_PLAIN
    assert is_known, f"Say what {leaf} of {door} is, in this file"
    return API_ROWS.get(leaf.name, "")


def bodies(clubs):
    """(where, body) by the name of an act whose body names rows: a request that is right, the address but for its own
    arguments."""
    harbour, free, closed = clubs.harbour, clubs.free, clubs.closed
    rules = harbour.club.house_rules.get().versions.last().pk
    draft = {"season": harbour.arguments["season_setup", "season"]}
    divisions = Division.objects.filter(season__slug=draft["season"], season__league__club=harbour.club)
    match = {"match": harbour.arguments["match"]}
    when = (harbour.rows["proposal"].starts_at + timedelta(days=1)).isoformat()
    usual = list(harbour.rows["team"].roster.filter(left_at=None, role="captain").values_list("membership", flat=True))
    usual += harbour.rows["team"].roster.filter(left_at=None, role="player").values_list("membership", flat=True)
    number = harbour.rows["team"].number
    stranger = Reply.objects.get(question=harbour.arguments["question"], membership=None)
    following = {"league": closed.league.slug, "season": closed.slug}
    tonight = Night(harbour.club, harbour.owner, timezone.now()).rows[0]
    imported = {"table": TABLE, "league": harbour.rows["league"].slug, "house_rules": rules}
    return {
        "request_accept": ({}, {"membership": free[0]}),
        "coming_answer_for": ({}, {"membership": free[0], "answer": "yes"}),
        "coming_confirm": ({}, {"reply": stranger.pk, "membership": free[1]}),
        "repeating_reserves": ({}, {"memberships": free[:2]}),
        "league_add_team": (
            {}, {"members": free[:2], "reserves": free[2:3], "plays_for": harbour.club.slug, "name": "Ida and Jon"}
        ),
        "league_make_season": (
            {}, {"name": "Later", "starts_on": "2030-01-07", "house_rules": rules,
                 "divisions": [{"name": "One", "size": 4}]}
        ),
        "team_add_member": ({}, {"membership": free[0], "role": "reserve"}),
        "team_member_replace": ({}, {"membership": free[0]}),
        "season_change": (draft, {"house_rules": rules}),
        "season_divisions": (draft, {"divisions": [{"id": divisions.get().pk, "name": "One", "size": 4}]}),
        "season_places": (draft, {"divisions": [{"division": divisions.get().pk, "teams": [1, 2]}]}),
        "season_add_days_off": ({}, {"first_day": DAY, "last_day": DAY, "team": 1}),
        "season_make_cup": ({}, {"name": "Shield", "teams": [1, 2, 3]}),
        "season_make_playoff": (
            {"league": clubs.played.league.slug, "season": clubs.played.slug}, {"border": 0, "teams": [1, 2]}
        ),
        "season_make_next": (
            following,
            {"name": "Next", "starts_on": "2030-01-07", "leaving": [1], "joining": [clubs.spare.number],
             "house_rules": rules, "moves": [{"team": 2, "level": 1}]},
        ),
        "season_next_outlook": (
            following, {"leaving": [1], "joining": [clubs.spare.number], "moves": [{"team": 2, "level": 1}]}
        ),
        "season_cup_seeds": ({}, {"teams": [1, 2, 3]}),
        "club_bring_seasons": ({}, imported),
        "club_look_at_seasons": ({}, imported),
        "club_set_newsletter_readers": ({}, {"wanted": [harbour.rows["letters"].pk]}),
        "club_write_newsletter": ({}, {"about": [{"season": clubs.season.pk, "matchday": 2}]}),
        "club_type_results": ({}, {"results": [{"match": tonight.pk, "scores": [100] * len(tonight.sides)}]}),
        "series_choose": ({}, {"included": [harbour.rows["evening"].pk], "left_out": []}),
        "match_propose": ({}, {"team": number, "starts_at": when}),
        "match_field": (match, {"team": number, "members": usual}),
    }  # fmt: skip


@pytest.mark.slow
def test_every_field_of_the_api_that_names_a_row_refuses_rows_of_others(clubs):
    token = tokens.create(clubs.harbour.owner, name="bot", scopes=list(SCOPES), days=None)[1]
    client, schema, right_ones = APIClient(), Schema(), bodies(clubs)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    client.get("/api/v1/me/")  # which notes when the token was used
    before, by_name, tried, wrong = digest(), club_addresses("clubs_api"), set(), []

    def send(path, body):
        with transaction.atomic():
            with written() as touched:
                answer = client.post(path, body, format="json")
            is_same = is_as_before(before, touched)
            transaction.set_rollback(True)
        return answer, is_same

    for door in sorted(name for names in API_ACTS.values() for name in names):
        for leaf in schema.leaves(path_of(by_name[door], clubs.harbour)):
            kind = api_kind(door, leaf)
            if not kind:
                continue
            assert door in right_ones, f"{leaf} of {door} names a row: give a body that is right, in this file"
            where, body = right_ones[door]
            path = path_of(by_name[door], clubs.harbour, **where)
            answer, _ = send(path, body)
            if answer.status_code not in (200, 201):
                wrong.append((door, body, answer.status_code, answer.content))
            for of, value in foreign(clubs, kind):
                answer, is_same = send(path, leaf.put(body, value))
                if answer.status_code not in REFUSED or not is_same or b"Meadow" in answer.content:
                    wrong.append((door, str(leaf), of, answer.status_code, is_same, answer.content))
            tried.add((door, str(leaf)))
    assert not wrong, "\n".join(map(str, wrong))
    assert {door for door, _ in tried} == set(right_ones)
