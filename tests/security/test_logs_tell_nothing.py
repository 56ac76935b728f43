"""Logs, in either form, and error reports: no hidden card, no address, no token."""

import io
import json
import logging
import smtplib
from contextlib import contextmanager
from dataclasses import asdict

import pytest
from django.test import Client, override_settings

from config.celery import app
from engine.bots import make_bot
from engine.play.cards import write_cards
from engine.play.moves import write_move
from gameplay.models import Invitation, Table
from gameplay.services import invitations
from gameplay.snapshot import state_of, view_of
from gameplay.tasks import play_bots, send_invitation
from tests.gameplay.test_hidden_cards import wrong_acts
from tests.security.test_faults_tell_nothing import CARDS, secrets_of
from web.monitoring.logs import Json, Text

pytestmark = pytest.mark.django_db

reported = []


def hear(report):
    reported.append(report)


@pytest.fixture
def logged():
    with all_that_is_logged() as log:
        yield log


@contextmanager
def all_that_is_logged():
    """Everything that is logged from now on, however unimportant, in both forms; and reported."""
    reported.clear()
    stream, root = io.StringIO(), logging.getLogger()
    names = ("", "web.monitoring.request_logging", "config.tasks_watched")
    levels = {name: logging.getLogger(name).level for name in names}
    handlers = [logging.StreamHandler(stream) for _ in range(2)]
    for handler, formatter in zip(handlers, (Json(), Text("{levelname} {name}: {message}", style="{")), strict=True):
        handler.setFormatter(formatter)
    usual, root.handlers = root.handlers, handlers
    for name in names:
        logging.getLogger(name).setLevel(logging.DEBUG)
    with override_settings(ERROR_HOOK=f"{__name__}.hear"):
        yield lambda: stream.getvalue() + "".join(json.dumps(asdict(report)) for report in reported)
    root.handlers = usual
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def tells(text, secrets):
    """Secrets in a text."""
    return sorted({secret for secret in secrets if secret and secret in text})


def test_a_match_played_through_its_pages_puts_no_card_into_the_log(seated, logged):
    table = seated("standard")
    clients = {seat.number: Client() for seat in table.seats.all()}
    for seat in table.seats.select_related("user"):
        clients[seat.number].force_login(seat.user)
    secrets, kinds = set(), set()
    for act in range(90):
        table.refresh_from_db()
        secrets |= {secret for secret in secrets_of(table) if len(secret) > 2}
        client = clients[table.seat_to_act]
        move = make_bot("club", seed=act).choose(view_of(table, table.seat_to_act))
        kinds.add(move.kind)
        sent = {"moves": write_move(move), "seen": table.move_count, "key": f"key-{act}"}
        assert client.post(f"/tables/{table.slug}/move/", sent).status_code < 400
        if act % 30 == 0:
            table.refresh_from_db()
            for address, wrong in wrong_acts(table):
                client.post(address, wrong)
            client.get(f"/tables/{table.slug}/?moves={write_cards(state_of(table).hands[0])}")
    assert {"draw", "meld", "discard"} <= kinds
    log = logged()
    assert '"message": "POST tables/<slug:slug>/move/: 302' in log
    assert not tells(log, secrets)
    assert CARDS.search(log) is None
    assert not tells(log, [table.slug, "moves=", "key-1"])


@pytest.mark.parametrize(
    "place", ["gameplay.views.table.build", "gameplay.services.match_play.apply", "gameplay.snapshot.view"]
)
def test_the_words_of_an_error_in_a_page_are_not_told(seated, logged, monkeypatch, place):
    table = seated()
    secrets = {secret for secret in secrets_of(table) if len(secret) > 2} | {"olga@example.org", "192.0.2.17", "TOKEN"}

    def breaks(*args, **kwargs):
        raise RuntimeError(" ".join(secrets))

    client = Client(raise_request_exception=False)
    client.force_login(table.seats.get(number=table.seat_to_act).user)
    monkeypatch.setattr(place, breaks)
    client.get(f"/tables/{table.slug}/")
    client.post(f"/tables/{table.slug}/move/", {"moves": "draw", "seen": 0, "key": "k"})
    log = logged()
    assert '"kind": "RuntimeError"' in log
    assert " in breaks" in log
    assert reported
    assert not tells(log, secrets)


def test_the_words_of_an_error_in_a_task_are_not_told(seated, logged, monkeypatch):
    table = seated()
    secrets = {secret for secret in secrets_of(table) if len(secret) > 2} | {"olga@example.org"}

    def breaks(table_id):
        raise RuntimeError(" ".join(secrets))

    monkeypatch.setattr("gameplay.services.bot_queue.play_due", breaks)
    play_bots.apply((table.pk,))
    log = logged()
    assert reported[0].task == play_bots.name
    assert not tells(log, secrets)


def test_a_letter_that_fails_does_not_tell_to_whom_it_was(seated, logged, monkeypatch):
    table = seated(begun=False)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.GATHERING)
    table.seats.filter(number=3).update(user=None)
    letter = invitations.invite(table.pk, table.creator, "guest@example.net")

    def refuse(message, **kwargs):
        raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such person")})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    assert send_invitation.apply((letter.pk,)).failed()
    Invitation.objects.update(letter_due_at=table.created_at)
    app.tasks["gameplay.tasks.sweep_letters"].apply()
    log = logged()
    assert "SMTPRecipientsRefused" in log
    assert not tells(log, ["guest@example.net", letter.token, table.creator.email])
