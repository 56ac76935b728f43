"""Personal data of tables in the export: all that is a person’s own, and nobody’s cards."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import privacy
from gameplay import personal_data
from gameplay.models import ChatMessage, Invitation, Reserve, Seat
from gameplay.services import leaving, phrases, tables


def test_the_export_has_what_one_did_at_tables(seated, four, person):
    ann, ben, *_ = four
    table = seated(begun=False)
    phrases.set_phrase(table.pk, ann, "my own words")
    tables.start(table.pk, ann)
    Seat.objects.filter(table=table, user=ann).update(note="watch the sevens", standing={"draw": True})
    Seat.objects.filter(table=table, user=ben).update(note="watch Ann")
    for user in (ann, ben):
        ChatMessage.objects.create(table=table, user=user, seat=0, name=str(user), text=f"{user} says hello")
    Invitation.objects.create(table=table, user=person("Eve"), invited_by=ann, token="t1")
    Reserve.objects.create(table=table, user=person("Fay"))
    data = privacy.export(ann)["tables"]
    (seat,) = data["seats"]
    assert (seat["table"], seat["seat"], seat["status"], seat["notes"]) == (
        "Harbour Four",
        1,
        "playing",
        "watch the sevens",
    )
    assert (seat["standing_orders"], seat["phrases"][1]) == ({"draw": True}, "my own words")
    assert seat["record"] == f"/tables/{table.slug}/record.json"
    assert [line["text"] for line in data["chat"]] == ["Ann says hello"]
    assert [(invitation["was"], invitation["to"]) for invitation in data["invitations"]] == [("sent", "Eve")]
    assert data["tables_made"][0]["name"] == "Harbour Four"
    assert data["reserve_offers"] == []


def test_it_says_nothing_that_only_others_may_know(seated, four, driver):
    table = driver.until(seated(), lambda table: table.move_count >= 12)
    Seat.objects.filter(table=table, number=1).update(note="a secret of Ben's", hand_order="Kc 9h")
    text = json.dumps(personal_data.tables_of(four[0]), cls=DjangoJSONEncoder)
    for hidden in ("a secret", "Kc 9h", "snapshot", "hands", "stock", "token"):
        assert hidden not in text
    deal = table.deals.get(number=1)
    assert deal.key not in text


def test_who_left_takes_away_nothing_of_who_sits_there_now(seated, four):
    table = seated()
    leaving.resign(table.pk, four[1])
    Seat.objects.filter(table=table, number=1).update(note="by the next one")
    (seat,) = personal_data.tables_of(four[1])["seats"]
    assert seat["has_left"]
    assert "notes" not in seat


@pytest.mark.parametrize("count", [1, 3])
def test_the_queries_do_not_grow(seated, four, count):
    for _ in range(count):
        seated()
    with CaptureQueriesContext(connection) as queries:
        personal_data.tables_of(four[0])
    assert len(queries) == 8
