"""Histories: person, action, time and earlier values, written for every action and never changed."""

import ast
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from clubs.models import Act
from gameplay.conversation import services as conversation
from gameplay.services import pauses
from tests.security.clubs import DOORS, club_addresses, path_of
from tests.security.histories import HISTORIES, changed, rewritten, rows, rows_after
from tests.security.site_map import written
from tests.security.swapped_events import two_organisers
from tests.security.swaps import make_clubs
from tests.security.test_swapped_ids import TYPED, kind_of, right, sent_by_pages
from tests.security.test_swapped_ids_of_events import right as right_of_events
from tests.security.test_swapped_ids_of_events import sent_by_pages as sent_by_pages_of_events
from tournaments.models import Act as EventAct
from tournaments.models import Tournament

ROOT = Path(__file__).parents[2]
APPS = ("accounts", "gameplay", "tournaments", "clubs", "operating", "web")
CHANGING = {"update", "delete", "bulk_update", "update_or_create", "_raw_delete", "aupdate", "adelete"}
WORDS = {"Act": ("Act.objects", ".acts", ".undone_by"), "Move": ("Move.objects", ".moves"), "Happening": (
    "Happening.objects", ".happenings"), "OperatorAct": ("OperatorAct.objects",)}  # fmt: skip
PLACES = {"clubs/services/person_names.py", "tournaments/services/person_names.py"}
"""Code that changes a history: people who have left are called “former member” in it, too, and others by the name they
have now."""


def calls_that_change():
    """(file, call) of every call in the code that changes or removes rows of a history."""
    marks = [mark for each in WORDS.values() for mark in each]
    for app in APPS:
        for file in sorted((ROOT / app).rglob("*.py")):
            if "migrations" in file.parts:
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                    text = ast.unparse(node.func.value)
                    if any(mark in text for mark in marks):
                        yield file.relative_to(ROOT).as_posix(), ast.unparse(node)


def test_code_that_changes_a_history_is_in_the_named_places():
    calls = list(calls_that_change())
    assert {file for file, _ in calls} == PLACES, calls
    assert {name.partition(".")[2] for name in HISTORIES} == set(WORDS)


UNNOTED = {
    ("club", "version"): "grows with every act",
    ("club", "join_token"): "a secret; the sentence says that the link is new",
    ("membership", "claim_token"): "a secret; the sentence says that the link is new",
    ("membership", "wants_letters"): "what people agreed to is not set back by undoing",
    ("membership", "wants_questions"): "what people agreed to is not set back by undoing",
    ("question", "token"): "a secret; the sentence says that the links are new",
    ("newsdelivery", "due_at"): "a message is sent again, and stays sent",
    ("newsdelivery", "edition"): "a message is sent again, and stays sent",
    ("invitation", "revoked_at"): "the letter keeps it itself, with the address that no history shows",
}
"""Changes of an action without their earlier value, and the reason."""
FOLLOWS = {
    "act": "the history itself",
    "newsaddress": "a secret, which no history shows; it comes and goes with its place",
    "newschange": "an event is marked, for a task to write its news",
    "newsdelivery": "a message is sent again, and stays sent",
    "copy": "a letter to each reader, which follows from the one act of sending",
    "invitation": "letters hold addresses, which no history shows; the sentence says how many",
    "meetingguest": "guests have no account, and their names are in no history; they go with their meeting",
    "reply": "who is asked follows from the question and its club; an answer itself says by whom and when",
    "appearance": "which member somebody of an entry is follows from who is in the entry, as its event writes down",
}
"""Rows that come and go with an action automatically."""
ERASING = {"forget_person": "a forgotten name is erased from rows and histories, and nothing brings it back"}
"""Pages whose action removes what was noted, and the reason."""
BY_ONESELF = {
    ("coming", "reply"): "one’s own answer, by a link and without an act of the club, says itself by whom and when",
    ("come", "meetingguest"): "a stranger’s own wish to come, without an account",
    ("meeting_guest", "meetingguest"): "a stranger’s own wish not to come, by their link",
}
"""Rows that a person changes for themselves, by the page."""
BY_LINK = {"coming_line_up": "a captain needs no account; the sentence says whose link it was"}
"""Pages whose actions have no account as their author."""


@pytest.mark.slow
@pytest.mark.django_db
def test_every_act_of_a_club_tells_who_when_and_all_that_it_changed(made_once):
    clubs = made_once(make_clubs)
    harbour, client = clubs.harbour, Client()
    client.force_login(harbour.owner)
    requests = [(view, form.action, with_rows(clubs, view, form)) for view, form in sent_by_pages(clubs, client)]
    for view, address in club_addresses().items():
        forms = [data for _, data in DOORS[view].posts] if view in DOORS else []
        requests += [(view, path_of(address, harbour), harbour.form(data)) for data in forms]
    before, last, kinds, wrong = rows("clubs"), Act.objects.latest("pk").pk, set(), []
    count = Tournament.objects.count()
    for view, path, data in requests:
        with transaction.atomic():
            with rewritten() as statements, written() as touched:
                client.post(path, data)
            after, acts = rows_after(before, "clubs", touched), list(Act.objects.filter(pk__gt=last))
            # A draw in which nothing was played goes with its events and all that was noted in them.
            if view in ERASING:
                transaction.set_rollback(True)
                kinds |= {act.kind for act in acts}
                continue
            if statements and not (Tournament.objects.count() < count and "clubs_act" not in "".join(statements)):
                wrong.append((view, data.get("act"), statements))
            transaction.set_rollback(True)
        noted = {(change["model"], change["pk"]) for act in acts for change in act.changes}
        for (model, pk), fields in changed(before, after):
            is_noted = (model in FOLLOWS and not fields) or (model, pk) in noted or (view, model) in BY_ONESELF
            if not is_noted and not (fields and all((model, name) in UNNOTED for name in fields)):
                wrong.append((view, data.get("act"), model, pk, fields))
        wrong += [(view, act.kind, problem) for act in acts for problem in problems(act, view, harbour.owner, after)]
        kinds |= {act.kind for act in acts}
    assert not wrong, "\n".join(map(str, wrong))
    assert len(kinds) > 30, sorted(kinds)


def with_rows(clubs, view, request):
    data = request.data | TYPED.get((view, request.act), {}) | right(clubs, view, request)
    for name in request.names:
        if kind_of(view, name) and not any(data.get(name) or []):
            data[name] = [value for value in request.offered.get(name, []) if value][:1]
    return data


def problems(act, view, by, after):
    """Missing parts of an action."""
    if view in BY_LINK:
        if act.by_id is not None or "by a link" not in act.sentence:
            yield "who"
    elif act.by_id != by.pk or act.name != str(by) or not act.at:
        yield "who or when"
    if len(act.sentence.split()) < 3:
        yield act.sentence
    for change in act.changes:
        if set(change) != {"model", "pk", "was", "is"} or change["was"] == change["is"]:
            yield change
        is_there = (change["model"], change["pk"]) in after
        is_last = [part for part in act.changes if (part["model"], part["pk"]) == (change["model"], change["pk"])][-1]
        if is_last is change and is_there != (change["is"] is not None):
            yield "not as it is", change


@pytest.mark.slow
@pytest.mark.django_db
def test_every_act_of_an_event_tells_who_when_and_what_was_before(made_once):
    two, client = made_once(two_organisers), Client()
    organised = two.harbour
    client.force_login(organised.by)
    kinds, wrong = set(), []
    for event in organised.events:
        requests = list(sent_by_pages_of_events(two, event, client))
        before, last = rows("tournaments"), EventAct.objects.latest("pk").pk
        with rewritten() as statements:
            for view, request in requests:
                with transaction.atomic(), written() as touched:
                    data = request.data | {"reason": ["For the tea."]} | right_of_events(event, view, request)
                    client.post(request.action, data)
                    acts = list(EventAct.objects.filter(pk__gt=last).order_by("pk"))
                    after = rows_after(before, "tournaments", touched)
                    transaction.set_rollback(True)
                wrong += [
                    (view, act.kind, text) for act in acts[:1] for text in problems(act, view, organised.by, after)
                ]
                wrong += [(view, act.kind, "by nobody") for act in acts if act.by_id and not act.name]
                kinds |= {act.kind for act in acts}
        assert not statements
    assert not wrong, "\n".join(map(str, wrong))
    assert len(kinds) > 15, sorted(kinds)


@pytest.mark.django_db
def test_playing_adds_to_the_log_and_changes_no_line_of_it(seated, driver):
    table = seated()
    before = rows("gameplay")
    with rewritten() as statements:
        for number in range(40):
            driver.act(table)
            if number == 20:
                pauses.propose_pause(table.pk, table.creator)
                conversation.say(table.pk, table.creator, phrase="luck")
    after = rows("gameplay")
    assert not statements
    logged = {key for key in before if key[0] in ("move", "happening")}
    assert logged
    assert all(after[key] == before[key] for key in logged)
    assert sum(key[0] == "move" for key in after) >= 40
