"""Wherever rules are named in a line, house rules are called by their own name, with the version."""

import pytest
from django.test import Client

from clubs.house_rules import services as house_rules
from clubs.house_rules.page import ref_of
from clubs.models import HouseRules
from clubs.services import history
from engine.play.rules import Rules
from gameplay.house_rules import rule_titles
from gameplay.models import Table
from gameplay.services import tables
from tests.makers import make_event, make_table
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db

THREE = Rules.make("standard", {"draw_count": 3})
SHORT = Rules.make("standard", {"draw_count": 3, "length": {"deals": 1}})


@pytest.fixture
def harbour(club, staff):
    """Harbour rules in two versions."""
    rules = history.added_row(house_rules.make(club.pk, staff["owner"], name="Harbour rules", rules=THREE), HouseRules)
    house_rules.save(rules.pk, staff["owner"], rules=SHORT)
    return rules


def ref(rules, number):
    return ref_of(rules.versions.get(number=number))


def markup_of(path, user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def new_table(user, rules, ref=""):
    return make_table([user], rules, begun=False, rules_ref=ref, joining="open")


@pytest.fixture
def event(club, harbour, olga):
    """An announced event by the first version."""
    terms = {"rules_ref": ref(harbour, 1)}
    return make_event(olga, entries=0, kind="partnership", status="open", rules_json=THREE.write(), terms=terms)


def test_the_name_with_its_version_and_what_is_otherwise(harbour):
    assert rule_titles.title(ref(harbour, 1), THREE) == "Harbour rules, version 1"
    assert rule_titles.title(ref(harbour, 2), THREE) == "Harbour rules, version 2, four deals"
    assert rule_titles.title("", THREE) == "Standard with house rules"
    assert rule_titles.title("rules:999999", THREE) == "Standard with house rules"
    assert rule_titles.title("", Rules.make("bain")) == Rules.make("bain").title


def test_lists_take_one_query_whatever_is_in_them(harbour, staff, django_assert_num_queries):
    for number in (1, 2, 2):
        new_table(staff["owner"], [THREE, SHORT][number - 1], ref(harbour, number))
    new_table(staff["owner"], Rules.make("standard"))
    rows = list(Table.objects.order_by("pk"))
    with django_assert_num_queries(1):
        titles = rule_titles.of_tables(rows)
    assert [titles[row.pk] for row in rows] == [
        "Harbour rules, version 1",
        "Harbour rules, version 2",
        "Harbour rules, version 2",
        "Standard",
    ]
    with django_assert_num_queries(0):
        rule_titles.of_tables(rows[3:])


def test_the_lobby_names_them(harbour, staff, person):
    new_table(staff["owner"], THREE, ref(harbour, 1))
    for reader in (staff["owner"], person("Eve")):
        markup = markup_of("/tables/", reader)
        assert "Harbour rules, version 1" in markup
        assert "Standard with house rules" not in markup


def test_practice_names_them_everywhere(harbour, staff):
    user = staff["member"]
    table = tables.make_practice(user, SHORT, rules_ref=ref(harbour, 2))
    for path in ("/practice/", "/play/", table.get_absolute_url()):
        assert "Harbour rules, version 2" in markup_of(path, user), path
    assert "Harbour rules, version 2 rules" not in markup_of(table.get_absolute_url(), user)


def test_events_name_them(event, olga, client):
    markup = markup_of(f"/events/{event.slug}/")
    assert ">Harbour rules, version 1, four deals</a>" in markup
    assert "by Harbour rules, version 1" in markup


def test_a_new_name_shows_at_once(event, harbour, staff):
    markup_of(f"/events/{event.slug}/")
    house_rules.rename(harbour.pk, staff["owner"], name="Quay rules")
    assert ">Quay rules, version 1, four deals</a>" in markup_of(f"/events/{event.slug}/")


def test_other_rules_by_program_let_go_of_the_version(event, olga, program):
    api = program(olga)
    api.post(f"events/{event.slug}/settings/", ruleset="bain")
    event.refresh_from_db()
    assert (event.rules.name, "rules_ref" in event.terms) == ("bain", False)
    assert "Harbour rules" not in markup_of(f"/events/{event.slug}/")


def test_settings_that_leave_the_rules_alone_keep_the_version(event, harbour, olga):
    lifecycle.change_settings(event.pk, olga, changes={"name": "Cup of the quay", "rules": THREE})
    event.refresh_from_db()
    assert (event.name, event.terms["rules_ref"]) == ("Cup of the quay", ref(harbour, 1))
    lifecycle.change_settings(event.pk, olga, changes={"rules": SHORT, "terms": {"rules_ref": ref(harbour, 2)}})
    event.refresh_from_db()
    assert event.terms["rules_ref"] == ref(harbour, 2)
