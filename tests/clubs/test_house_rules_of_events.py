"""Events by house rules: chosen in the forms, pinned with their version, shown on the page of rules, handed to
tables.
"""

import pytest

from clubs.house_rules import page as public
from clubs.house_rules import services as house_rules
from clubs.models import HouseRules
from clubs.services import history
from engine.play.rules import Rules
from gameplay.models import Table
from tests.tournaments.organising import Desk
from tournaments.models import Act, Member, Tournament
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db

NEW = "/events/new/"
THREE = Rules.make("standard", {"draw_count": 3})
SHORT = Rules.make("standard", {"draw_count": 3, "length": {"deals": 1}})


@pytest.fixture
def harbour(club, staff):
    """Harbour rules in two versions."""
    act = house_rules.make(club.pk, staff["owner"], name="Harbour rules", rules=THREE)
    rules = history.added_row(act, HouseRules)
    house_rules.save(rules.pk, staff["owner"], rules=SHORT)
    return rules


@pytest.fixture
def desk(staff):
    """A browser of an organiser of the club."""
    return Desk(staff["organiser"])


def ref(rules, number):
    return public.ref_of(rules.versions.get(number=number))


def pinned_rules(event):
    event.refresh_from_db()
    return event.rules, event.terms.get("rules_ref", "")


@pytest.fixture
def cup(desk, harbour):
    """An event by the second version, made with the form."""
    form = desk.form(f"{NEW}?from=league_cup", NEW, "publish")
    assert f'value="{ref(harbour, 2)}"' in desk.get(f"{NEW}?from=league_cup")
    markup = desk.client.post(NEW, form["fields"] | {"preset": ref(harbour, 2), "do": "look"}).content.decode()
    assert f'<input type="hidden" name="base" value="{ref(harbour, 2)}">' in markup
    answer = desk.post(form, name="Cup", preset=ref(harbour, 2), setting="online", **{"rule-length.number": "4"})
    assert answer.status_code == 302, answer.content.decode()
    return Tournament.objects.get()


def test_a_new_event_pins_the_version(cup, harbour):
    # The length was not touched: it is that of the start.
    assert pinned_rules(cup) == (SHORT, ref(harbour, 2))


def test_the_schedule_follows_the_house_rules(desk, harbour):
    form = desk.form(f"{NEW}?from=league_cup", NEW, "publish")
    typed = form["fields"] | {"preset": ref(harbour, 2)}
    part = desk.client.post("/events/new/schedule/", typed).content.decode()
    assert f'<input type="hidden" name="base" value="{ref(harbour, 2)}">' in part


def rules_page(client, event):
    return client.get(f"/events/{event.slug}/rules/").content.decode()


def test_the_page_of_rules_says_which_version_and_what_changed_since(cup, harbour, client, staff):
    markup = rules_page(client, cup)
    assert "<h2>Harbour rules, version 2</h2>" in markup
    assert "It is the newest version." in markup
    assert "Changes in version 2 (1)" in markup
    house_rules.save(harbour.pk, staff["owner"], rules=Rules.make(SHORT, {"out_bonus": 300}))
    markup = rules_page(client, cup)
    assert "<h2>Harbour rules, version 2</h2>" in markup
    assert '<a href="/clubs/harbour/rules/harbour-rules/3/">version 3</a>' in markup
    assert "300</b>" in markup.partition("<dt>Bonus for going out</dt>")[2].partition("</dd>")[0]
    assert "This event stays with version 2." in markup


def test_settings_keep_the_version_until_another_is_chosen(cup, harbour, desk):
    path = f"/events/{cup.slug}/organise/settings/"
    same = desk.send(path, "/settings/", "save")
    assert same.status_code == 422
    desk.send(path, "/settings/", "save", name="Cup of the quay")
    assert pinned_rules(cup) == (SHORT, ref(harbour, 2))
    desk.send(path, "/settings/", "save", **{"rule-out_bonus": "150"})
    assert pinned_rules(cup) == (Rules.make(SHORT, {"out_bonus": 150}), ref(harbour, 2))
    desk.send(path, "/settings/", "save", preset=ref(harbour, 1))
    assert pinned_rules(cup) == (Rules.make(THREE, {"out_bonus": 150}), ref(harbour, 1))
    desk.send(path, "/settings/", "save", preset="bain")
    assert pinned_rules(cup) == (Rules.make("bain", {"out_bonus": 150}), "")
    assert Act.objects.filter(kind="settings").count() == 4


def test_the_tables_of_an_event_pin_what_it_pins(cup, harbour, desk, staff, in_club, club):
    organiser = staff["organiser"]
    people = [in_club(club, name) for name in ("Ann", "Ben", "Cem", "Dee")]
    for pair in (people[:2], people[2:]):
        enrolment.enter_for(cup.pk, organiser, members=pair)
    # Everybody has said yes.
    Member.objects.update(answer="accepted")
    cup.entries.update(status="entered")
    lifecycle.start(cup.pk, organiser, anyway=True)
    assert {(table.rules, table.rules_ref) for table in Table.objects.all()} == {(SHORT, ref(harbour, 2))}
    desk.send(f"/events/{cup.slug}/organise/settings/", "/settings/", "save", venue="Elsewhere")
    assert pinned_rules(cup) == (SHORT, ref(harbour, 2))
    assert cup.venue == "Elsewhere"


def test_an_event_held_again_pins_the_same(cup, harbour, staff):
    copy = lifecycle.copy_event(cup.pk, staff["organiser"], name="Cup again")
    assert pinned_rules(copy) == (SHORT, ref(harbour, 2))


def test_who_is_not_of_the_club_is_offered_nothing_of_it(harbour, person):
    assert "Harbour rules" not in Desk(person("Eve")).get(f"{NEW}?from=league_cup")


def test_a_published_ruleset_pins_nothing(desk, harbour):
    desk.post(desk.form(f"{NEW}?from=league_cup", NEW, "publish"), name="Cup", preset="family")
    event = Tournament.objects.get()
    assert "rules_ref" not in event.terms
    assert 'class="panel origin"' not in rules_page(desk.client, event)
