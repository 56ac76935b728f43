"""Errors: pages, logs, reprs and queued tasks name no card and no key."""

import inspect
import logging
import pickle
import re
import traceback

import pytest
from django.conf import settings
from django.test import Client

from config.celery import app
from engine.play.cards import write_cards
from gameplay.log import match_history
from gameplay.models import Table
from gameplay.services import play
from gameplay.services.match_play import MoveRefused
from gameplay.snapshot import state_of, view_of
from tests.security.site_map import models_of_ours

CARDS = re.compile(r"\b(?:[2-9TJQKA][cdhs]|X[rb])(?: (?:[2-9TJQKA][cdhs]|X[rb]))+\b")


class Broken(RuntimeError):
    pass


def secrets_of(table):
    """Secrets that nothing may name: keys, hands as notation and as bytes."""
    state = state_of(table)
    keys = [bytes.fromhex(deal.key) for deal in table.deals.all()]
    forms = [form for key in keys for form in (key.hex(), repr(key))]
    for cards in (*state.hands, *(foot for foot in state.feet if foot), state.stock):
        forms += [write_cards(cards), repr(cards), cards.hex(), str(list(cards))]
    return forms


@pytest.mark.django_db
@pytest.mark.parametrize(
    "place", ["gameplay.views.table.build", "gameplay.services.match_play.apply", "gameplay.snapshot.view"]
)
def test_an_error_in_the_middle_of_a_move_names_no_card(seated, client, caplog, monkeypatch, place):
    table = seated()
    client = Client(raise_request_exception=False)
    client.force_login(table.seats.get(number=table.seat_to_act).user)

    def breaks(*args, **kwargs):
        raise Broken(f"{args} {kwargs}")

    monkeypatch.setattr(place, breaks)
    caplog.set_level(logging.DEBUG)
    page = f"/tables/{table.slug}/"
    answers = [client.get(page), client.post(f"{page}move/", {"moves": "draw", "seen": 0, "key": "k"})]
    assert {answer.status_code for answer in answers} & {500} == {500}
    text = caplog.text + "".join(answer.content.decode() for answer in answers)
    assert "Broken" in caplog.text
    assert not [secret for secret in secrets_of(table) if secret in text]
    assert "Broken" not in "".join(answer.content.decode() for answer in answers)


@pytest.mark.django_db
def test_what_holds_cards_shows_none_in_a_log_line(seated):
    table = Table.objects.get(pk=seated().pk)
    state = state_of(table)
    sitting = play.play(table.pk, table.seats.get(number=table.seat_to_act).user, [_draw()], seen=0)
    match = match_history.match_of(table, match_history.dealt(table))
    held = [state, state.draft(), view_of(table, 0), sitting, match, table, *table.deals.all(), *table.moves.all()]
    text = "".join(f"{each!r} {each!s}" for each in held)
    assert not [secret for secret in secrets_of(table) if secret in text]
    assert CARDS.search(text) is None


def _draw():
    from engine.play.moves import DRAW

    return DRAW


def test_no_row_of_ours_is_named_by_more_than_a_name_or_a_number():
    for model in models_of_ours():
        source = inspect.getsource(model.__str__)
        assert not re.search(
            r"self\.(key|token|digest|snapshot|events|phrases|standing|note|text\b(?!\}\"))", source
        ) or (model.__name__ == "ChatMessage"), model


@pytest.mark.django_db
def test_a_refused_move_travels_and_prints_without_the_position(seated):
    table = seated()
    user = table.seats.get(number=table.seat_to_act).user
    play.play(table.pk, user, [_draw()], seen=0)
    with pytest.raises(MoveRefused) as caught:
        play.play(table.pk, user, [_draw()], seen=1)
    printed = "".join(traceback.format_exception(caught.value)) + repr(caught.value.details)
    assert not [secret for secret in secrets_of(table) if secret in printed]
    assert not hasattr(caught.value, "state")


def test_background_tasks_are_sent_ids_and_nothing_else():
    app.loader.import_default_modules()
    ours = {
        name: task
        for name, task in app.tasks.items()
        if name.split(".")[0] in ("accounts", "gameplay", "tournaments", "clubs")
    }
    assert "gameplay.tasks.play_bots" in ours
    for name, task in ours.items():
        for parameter in inspect.signature(task.run, eval_str=True).parameters.values():
            assert (parameter.name.endswith("_id"), parameter.annotation) == (True, int), name


def test_errors_are_not_shown_to_visitors_nor_mailed_with_their_values():
    assert settings.DEBUG is False
    assert settings.ADMINS == []
    assert settings.CELERY_ACCEPT_CONTENT == [settings.CELERY_TASK_SERIALIZER] == ["json"]
    assert pickle.__name__ not in settings.CELERY_ACCEPT_CONTENT


@pytest.mark.django_db
def test_no_address_forges_a_line_of_the_log(client, caplog):
    for path in ("/%0d%0aERROR all is lost/", "/clubs/%1b[2Jx/", "/you/stop/a%0ab/"):
        client.get(path)
        client.post(path)
    lines = [record.getMessage() for record in caplog.records if record.name == "django.request"]
    assert len(lines) >= 4
    assert all(line.isprintable() for line in lines)
