"""House rules of a club: named versions that never change, an editor, links, files, and their users."""

import json
from html import unescape

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from acts.history import Actor
from clubs.house_rules import page as public
from clubs.house_rules import services as house_rules
from clubs.models import Act, Club, HouseRules, League, Membership, RulesVersion, Season
from clubs.services import history
from engine.play.rule_sheet.questions import QUESTIONS
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_sources
from gameplay.house_rules.ready_answers import ready_answers
from gameplay.house_rules.rule_origin import origin
from gameplay.models import Table
from tests.at_once import at_once
from tests.makers import make_club
from tests.pages import squeezed
from tests.tournaments.organising import Forms
from web.errors import NotAllowed, Refused, Stale

pytestmark = pytest.mark.django_db

DRAWN = Rules.make("standard", {"draw_count": 3})
HARBOUR = Rules.make("standard", {"draw_count": 3, "length": {"deals": 2}, "out_bonus": 200})


@pytest.fixture
def olga(staff):
    """The organiser of the club."""
    return staff["organiser"]


@pytest.fixture
def harbour(club, olga):
    """Harbour rules, in three versions."""
    act = house_rules.make(club.pk, olga, name="Harbour rules", rules=DRAWN, about="As on Thursdays")
    rules = history.added_row(act, HouseRules)
    house_rules.save(rules.pk, olga, rules=HARBOUR, note="Shorter evenings")
    house_rules.save(rules.pk, olga, rules=Rules.make(HARBOUR, {"stock_out": "end"}))
    return rules


def versions(rules):
    return {version.number: version.rules for version in rules.versions.all()}


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(user, path, **query):
    answer = browser(user).get(path, query)
    assert answer.status_code == 200, path
    return answer.content.decode()


# Versions


def test_each_save_is_a_version_and_the_earlier_ones_stay(harbour):
    assert versions(harbour) == {1: DRAWN, 2: HARBOUR, 3: Rules.make(HARBOUR, {"stock_out": "end"})}
    assert [(version.preset, version.note) for version in harbour.versions.all()] == [
        ("standard", ""),
        ("standard", "Shorter evenings"),
        ("standard", ""),
    ]


def test_nothing_writes_to_a_version_that_is_there(harbour, olga):
    before = list(harbour.versions.values())
    house_rules.rename(harbour.pk, olga, name="Quay rules", about="New words")
    house_rules.archive(harbour.pk, olga)
    house_rules.restore(harbour.pk, olga)
    house_rules.save(harbour.pk, olga, rules=DRAWN, note="Back again")
    assert list(harbour.versions.values())[:3] == before
    with pytest.raises(IntegrityError), transaction.atomic():
        RulesVersion.objects.create(house_rules=harbour, number=3, preset="bga", rules_json=DRAWN.write())


def test_the_same_form_sent_twice_makes_one_version(harbour, olga):
    for _ in range(2):
        house_rules.save(harbour.pk, Actor(olga, "once"), rules=DRAWN, newest=3)
    assert harbour.versions.count() == 4
    for _ in range(2):
        house_rules.make(harbour.club_id, Actor(olga, "twice"), name="Others", rules=DRAWN)
    assert harbour.club.house_rules.count() == 2


def test_who_edits_a_version_that_was_overtaken_is_told(harbour, olga, staff):
    house_rules.save(harbour.pk, staff["owner"], rules=DRAWN, newest=3)
    with pytest.raises(Stale) as caught:
        house_rules.save(harbour.pk, olga, rules=HARBOUR, newest=3)
    assert caught.value.sentence.startswith("Version 4 has just been saved.")
    assert harbour.versions.count() == 4


@pytest.mark.parametrize(
    ("name", "about", "sentence"),
    [
        ("  ", "", "Give the house rules a name."),
        ("harbour RULES", "", "The club already has house rules called harbour RULES."),
        ("Fine", "x" * 301, "Describe them in at most 300 characters."),
    ],
)
def test_names_that_cannot_be(harbour, olga, name, about, sentence):
    with pytest.raises(Refused) as caught:
        house_rules.make(harbour.club_id, olga, name=name, about=about, rules=DRAWN)
    assert caught.value.sentence == sentence
    assert HouseRules.objects.count() == 1


def test_the_same_rules_again_are_no_version(harbour, olga):
    with pytest.raises(Refused) as caught:
        house_rules.save(harbour.pk, olga, rules=harbour.versions.last().rules)
    assert caught.value.sentence == "These rules are the same as version 3. Change something first."


def test_addresses_are_free_and_leave_room_for_pages(club, olga):
    for name in ("New", "Sheet!", "Bring in", "Ñandú", "你好", "Harbour", "Harbour."):
        house_rules.make(club.pk, olga, name=name, rules=DRAWN)
    slugs = dict(HouseRules.objects.values_list("name", "slug"))
    assert slugs == {
        "New": "new-2",
        "Sheet!": "sheet-2",
        "Bring in": "bring-in-2",
        "Ñandú": "nandu",
        "你好": "rules",
        "Harbour": "harbour",
        "Harbour.": "harbour-2",
    }


def test_rules_that_name_no_published_ruleset_are_said_of_the_nearest():
    for name in PRESETS:
        changed = Rules.make(name, {"draw_count": 5})
        unnamed = Rules.read({"name": "Grandma’s", "options": changed.write_options()})
        assert house_rules.assign_preset(unnamed) == changed
        assert house_rules.assign_preset(unnamed).name == name


def test_a_new_name_and_putting_away_can_be_undone(harbour, olga):
    act = house_rules.rename(harbour.pk, olga, name="Quay rules")
    history.undo(act.pk, by=olga)
    put = house_rules.archive(harbour.pk, olga)
    history.undo(put.pk, by=olga)
    harbour.refresh_from_db()
    assert (harbour.name, harbour.about, harbour.is_archived) == ("Harbour rules", "As on Thursdays", False)


# Rights


@pytest.mark.parametrize("role", ["scorer", "member", "guest", "stranger", "elsewhere"])
def test_only_owners_and_organisers_make_and_change(harbour, staff, person, role):
    user = staff.get(role) or person("Eve")
    if role == "elsewhere":
        make_club("Other", owner=user)
    version = harbour.versions.first()
    acts = [
        lambda: house_rules.make(harbour.club_id, user, name="Mine", rules=DRAWN),
        lambda: house_rules.save(harbour.pk, user, rules=DRAWN),
        lambda: house_rules.rename(harbour.pk, user, name="Mine"),
        lambda: house_rules.archive(harbour.pk, user),
        lambda: house_rules.restore(harbour.pk, user),
        lambda: house_rules.make(harbour.club_id, user, name="Mine", **house_rules.copy_values(version)),
    ]
    before = Act.objects.count()
    for act in acts:
        with pytest.raises(NotAllowed):
            act()
    client = browser(user)
    base = "/clubs/harbour/rules/"
    for path in ("new/", "bring-in/", "harbour-rules/change/"):
        assert client.get(base + path).status_code == 403
        assert client.post(base + path, {"do": "save", "preset": "bga", "base": "bga", "name": "x"}).status_code == 403
    for path in ("sheet/", "harbour-rules/name/", "harbour-rules/archive/"):
        assert client.post(base + path, {"preset": "bga", "name": "x"}).status_code == 403
    assert client.post(f"/clubs/rules/{version.token}/copy/", {"club": "harbour", "name": "x"}).status_code == 403
    assert (Act.objects.count(), HouseRules.objects.count(), RulesVersion.objects.count()) == (before, 1, 3)


def test_everyone_reads(harbour, staff):
    for user in (None, staff["member"]):
        assert "The nearest published ruleset is Standard, with 4 differences." in page(user, "/clubs/harbour/rules/")
        assert "Shorter evenings" in page(user, "/clubs/harbour/rules/harbour-rules/")
        assert 'href="/clubs/harbour/rules/new/"' not in page(user, "/clubs/harbour/rules/")
        assert "harbour-rules/change/" not in page(user, "/clubs/harbour/rules/harbour-rules/")


def test_an_archived_club_changes_nothing(harbour, staff):
    from django.utils import timezone

    Club.objects.update(archived_at=timezone.now())
    with pytest.raises(Refused) as caught:
        house_rules.save(harbour.pk, staff["owner"], rules=DRAWN)
    assert caught.value.code == "archived"
    assert "Practise these rules" in page(None, "/clubs/harbour/rules/harbour-rules/")


# Pages


def test_a_version_says_what_changed_since(harbour):
    markup = page(None, "/clubs/harbour/rules/harbour-rules/1/")
    since = markup.partition('id="since-h"')[2].partition("</section>")[0]
    assert "Version 3" in since
    for title, was, now in (
        ("Bonus for going out", "100", "200"),
        ("The match ends", "after 4 deals", "after 2 deals"),
        ("When the stock runs out", "play continues without", "the deal ends"),
    ):
        change = since.partition(f"<dt>{title}</dt>")[2].partition("</dd>")[0]
        assert was in change.partition("</s>")[0]
        assert now in change.partition("</s>")[2]
    newest = squeezed(browser(None).get("/clubs/harbour/rules/harbour-rules/"))
    assert 'id="since-h"' not in newest
    assert newest.count("<details><summary>Changes (") == 2


@pytest.mark.parametrize(
    "path",
    [
        "/clubs/harbour/rules/no-such/",
        "/clubs/harbour/rules/harbour-rules/4/",
        "/clubs/harbour/rules/harbour-rules/0/",
        "/clubs/rules/" + "x" * 32 + "/",
        "/clubs/rules/" + "x" * 32 + "/file/",
    ],
)
def test_what_is_not_there(harbour, path):
    assert browser().get(path).status_code == 404


def test_the_pages_cost_the_same_for_many(harbour, olga, django_assert_max_num_queries):
    for number in range(4):
        house_rules.make(harbour.club_id, olga, name=f"More {number}", rules=DRAWN)
        house_rules.save(harbour.pk, olga, rules=Rules.make(DRAWN, {"out_bonus": 300 + number}))
    for path in ("", "harbour-rules/", "harbour-rules/2/"):
        with django_assert_max_num_queries(8):
            page(None, f"/clubs/harbour/rules/{path}")


# The editor


NEW = "/clubs/harbour/rules/new/"
CHANGE = "/clubs/harbour/rules/harbour-rules/change/"


def form_of(user, path, **query):
    """The fields of an editor as a browser has them, before anything is typed."""
    return _form(page(user, path, **query), path)


def _form(markup, path):
    return next(form for form in Forms(markup).forms if form["action"] == path)["fields"]


def sent(user, path, fields, **typed):
    return browser(user).post(path, {**fields, "do": "save", **typed})


def test_rules_are_made_in_the_editor(club, olga):
    fields = form_of(olga, NEW, **{"from": "family"})
    assert fields["preset"] == ["family"]
    answer = sent(
        olga, NEW, fields, **{"name": "Quay", "about": "For evenings", "note": "First", "rule-draw_count": "4"}
    )
    assert (answer.status_code, answer.url) == (302, "/clubs/harbour/rules/quay/")
    version = RulesVersion.objects.get()
    assert (version.number, version.preset, version.note, version.by) == (1, "family", "First", olga)
    assert version.rules == Rules.make("family", {"draw_count": 4})
    assert (version.house_rules.name, version.house_rules.about) == ("Quay", "For evenings")


def test_the_editor_continues_from_any_version(harbour, olga):
    first = public.ref_of(harbour.versions.first())
    fields = form_of(olga, CHANGE, **{"from": first})
    assert (fields["preset"], fields["base"], fields["newest"]) == ([first], [first], ["3"])
    answer = sent(olga, CHANGE, fields, **{"rule-out_bonus": "50", "note": "From the first"})
    assert answer.status_code == 302
    assert harbour.versions.last().rules == Rules.make(DRAWN, {"out_bonus": 50})


def test_another_start_keeps_what_was_changed(harbour, olga):
    fields = form_of(olga, CHANGE)
    typed = {"preset": "bain", "rule-out_bonus": "70"}
    markup = browser(olga).post(CHANGE, {**fields, **typed, "do": "look"}).content.decode()
    assert _form(markup, CHANGE)["base"] == ["bain"]
    sent(olga, CHANGE, _form(markup, CHANGE))
    assert harbour.versions.last().rules == Rules.make("bain", {"out_bonus": 70})


def test_back_to_the_start_throws_what_was_typed_away(harbour, olga):
    fields = form_of(olga, CHANGE)
    answer = browser(olga).post(CHANGE, {**fields, "rule-out_bonus": "70", "note": "Kept", "do": "reset"})
    form = _form(answer.content.decode(), CHANGE)
    assert (form["rule-out_bonus"], form["note"]) == (["200"], ["Kept"])


def test_contradictions_stand_at_their_options_and_nothing_is_lost(club, olga):
    fields = form_of(olga, NEW)
    typed = {"name": "Quay", "note": "Why not", "rule-wild_melds": "no", "rule-draw_count": "4"}
    answer = sent(olga, NEW, fields, **typed)
    assert (answer.status_code, HouseRules.objects.count()) == (422, 0)
    markup = answer.content.decode()
    sentence = "The contract asks for a wild book, but melds of wild cards are not allowed."
    assert [name for name in KINDS_OF_OPTION if sentence in option_text(markup, name)] == ["wild_melds", "contract"]
    form = _form(markup, NEW)
    assert {name: form[name] for name in typed} == {name: [value] for name, value in typed.items()}


def option_text(markup, option):
    """The message next to an option of the editor."""
    return markup.partition(f'id="said-{option}"')[2].partition("</div>")[0]


def test_an_open_editor_is_told_at_once(harbour, olga):
    fields = form_of(olga, CHANGE)
    typed = {**fields, "rule-out_bonus": "70", "rule-upcard": "no"}
    part = browser(olga).post("/clubs/harbour/rules/sheet/", typed).content.decode()
    assert "No rule sheet, because the chosen rules do not fit together." in part
    assert "Up-cards are buried, but no card is turned up." in option_text(part, "upcard")
    assert "was 200" in option_text(part, "out_bonus")
    assert "house rule" not in option_text(part, "draw_count")
    mended = browser(olga).post("/clubs/harbour/rules/sheet/", typed | {"rule-upcard_bury": ""}).content.decode()
    assert option_text(mended, "upcard").count("error") == 0
    assert "Changes from version 3 (3)" in mended
    assert "The nearest published ruleset is Standard, with 5 differences." in mended
    assert 'id="house-rules"' not in mended
    other = browser(olga).post("/clubs/harbour/rules/sheet/", typed | {"preset": "solo"}).content.decode()
    assert 'id="house-rules" hx-swap-oob="true"' in other


def test_a_version_names_the_nearest_published_ruleset_whatever_it_started_from(club, olga):
    near_solo = Rules.preset("solo").changes_from(Rules.preset("standard")) | {"out_bonus": 70}
    house_rules.make(club.pk, olga, name="Quay rules", rules=Rules.make("standard", near_solo))
    for path in ("/clubs/harbour/rules/", "/clubs/harbour/rules/quay-rules/"):
        assert "The nearest published ruleset is Solo, with 1 difference." in page(None, path)
    markup = squeezed(page(None, "/clubs/harbour/rules/quay-rules/"))
    assert "<p>Going out earns 70 points.</p>" in markup
    assert "Solo: Going out earns 100 points." in markup
    shared = RulesVersion.objects.get().token
    assert "The nearest published ruleset is Solo, with 1 difference." in page(None, f"/clubs/rules/{shared}/")


def test_an_open_editor_compares_rules_that_contradict_each_other_too(club, olga):
    typed = {**form_of(olga, NEW), "rule-wild_melds": "no", "rule-wild_on_top": "never", "rule-out_bonus": "70"}
    part = browser(olga).post("/clubs/harbour/rules/sheet/", typed).content.decode()
    assert "The nearest published ruleset is Standard, with 3 differences." in part
    assert "Going out earns 70 points." in part
    beside = part.partition('id="rules-wrong"')[0]
    assert "These rules cannot be played, because they contradict each other:" in beside
    assert "The contract asks for a wild book, but melds of wild cards are not allowed." in beside
    unread = browser(olga).post("/clubs/harbour/rules/sheet/", {**typed, "rule-out_bonus": "many"}).content.decode()
    assert "The nearest published ruleset" not in unread


def test_the_editor_begins_with_ten_questions_and_every_option_is_there_once(club, olga):
    markup = page(olga, NEW)
    questions = markup.partition("All other rules")[0]
    assert [text for question in QUESTIONS if (text := question.text) not in unescape(questions)] == []
    for name in KINDS_OF_OPTION:
        assert markup.count(f'id="said-{name}"') == 1, name
    above = [name for name in KINDS_OF_OPTION if f'id="said-{name}"' in questions]
    assert sorted(above) == sorted(name for question in QUESTIONS for name in question.options)
    assert "<details" not in questions.partition('class="ten-questions"')[2]
    assert questions.count('class="rule-question"') == len(QUESTIONS) + 1


def test_the_first_question_is_which_published_rules_and_the_sheet_says_what_they_change(club, olga):
    markup = page(olga, NEW)
    first = markup.partition('class="rule-question"')[2].partition("</fieldset>")[0]
    assert "Which published rules come nearest to yours?" in first
    assert 'name="preset"' in first
    assert "Changes of" not in markup
    sheet = browser(olga).post("/clubs/harbour/rules/sheet/", form_of(olga, NEW) | {"preset": "family"})
    assert "Changes of Family from Standard (" in squeezed(sheet.content.decode())


def test_a_search_without_script_filters_and_loses_nothing(club, olga):
    typed = form_of(olga, NEW) | {"rule-out_bonus": "275", "name": "Ours", "find": "bonus going", "do": "find"}
    markup = browser(olga).post(NEW, typed).content.decode()
    assert "2 rules found" in markup or "1 rule found" in markup
    options = markup.partition('id="house-rules"')[2].split('<fieldset class="rule"')[1:]
    shown = [option for option in options if "hidden" not in option.partition(">")[0]]
    assert any("Bonus for going out" in option.partition("</legend>")[0] for option in shown)
    assert 0 < len(shown) < 5
    assert 'value="275"' in markup
    assert 'value="Ours"' in markup
    assert RulesVersion.objects.count() == 0
    none = browser(olga).post(NEW, typed | {"find": "zebra"}).content.decode()
    assert "No rules found" in none


def test_each_answer_says_what_it_changes_in_the_rule_sheet(club, olga):
    fields = form_of(olga, NEW)
    typed = {**fields, "rule-red_threes": "held", "rule-permission": "none", "rule-out_bonus": "70"}
    part = browser(olga).post("/clubs/harbour/rules/sheet/", typed).content.decode()
    changed = {question.name: changed_by_answer(part, question.name) for question in QUESTIONS}
    assert "Red threes stay in the hand." in changed.pop("red_threes")
    assert "Nobody is asked for permission to go out." in changed.pop("permission")
    assert [name for name, text in changed.items() if "Changed in the rule sheet" in text] == []
    assert "3 changed" in part
    start = browser(olga).post("/clubs/harbour/rules/sheet/", typed | {"preset": "family"}).content.decode()
    assert "Red threes stay in the hand." in changed_by_answer(start, "red_threes")


def test_a_ready_answer_is_how_published_rulesets_play_and_outweighs_the_fields_it_was_not_filled_from(club, olga):
    fields = form_of(olga, NEW)
    assert fields["answer-permission"] == fields["answered-permission"] == ["standard"]
    sent(olga, NEW, fields, **{"name": "Quay", "answer-permission": "family", "answer-black_threes": "bain"})
    rules = RulesVersion.objects.get().rules
    assert rules == Rules.make("standard", {"permission": "none", "black_three_meld": "going_out"})


def test_otherwise_stays_open_with_what_was_typed(club, olga):
    typed = form_of(olga, NEW) | {"answer-cards": "otherwise", "do": "look"}
    fields = _form(browser(olga).post(NEW, typed).content.decode(), NEW)
    assert fields["answer-cards"] == ["otherwise"]
    unread = browser(olga).post(NEW, typed | {"rule-length.number": "many"}).content.decode()
    assert _form(unread, NEW)["answer-length"] == ["otherwise"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_each_question_has_two_to_four_ready_answers_with_that_of_the_start(question):
    for start in PRESETS:
        answers = ready_answers(question, start)
        assert 2 <= len(answers) <= 4
        assert len({answer.label for answer in answers}) == len(answers)
        values_of_start = {name: Rules.preset(start).write_option(name) for name in question.options}
        assert values_of_start in [answer.values for answer in answers]


def changed_by_answer(markup, question):
    """What an answer changes, as the editor says it."""
    return markup.partition(f'id="asked-{question}"')[2].partition("</div>")[0]


def test_a_name_that_is_taken_comes_back_with_all_that_was_typed(harbour, olga):
    answer = sent(olga, NEW, form_of(olga, NEW), **{"name": "Harbour rules", "rule-draw_count": "4"})
    assert answer.status_code == 422
    markup = answer.content.decode()
    assert "The club already has house rules called Harbour rules." in markup
    assert _form(markup, NEW)["rule-draw_count"] == ["4"]


def test_an_editor_that_was_overtaken_is_told_and_may_save_all_the_same(harbour, olga, staff):
    fields = form_of(olga, CHANGE)
    house_rules.save(harbour.pk, staff["owner"], rules=DRAWN)
    answer = sent(olga, CHANGE, fields, **{"rule-out_bonus": "70"})
    assert (answer.status_code, harbour.versions.count()) == (409, 4)
    form = _form(answer.content.decode(), CHANGE)
    assert (form["newest"], form["rule-out_bonus"]) == (["4"], ["70"])
    assert sent(olga, CHANGE, form).status_code == 302
    assert harbour.versions.last().number == 5


@pytest.mark.parametrize("start", ["poker", "rules:999999", "rules:x", "club:1", ":", "rules:" + "9" * 40])
def test_a_start_that_is_not_there(club, olga, start):
    assert browser(olga).get(NEW, {"from": start}).status_code == 404
    answer = browser(olga).post(NEW, {"preset": start, "base": start, "do": "save", "name": "Quay"})
    assert (answer.status_code, HouseRules.objects.count()) == (422, 0)
    assert "Quay" in answer.content.decode()


# Names and putting away, on the page


def test_renamed_and_put_away_on_the_page(harbour, olga):
    client, base = browser(olga), "/clubs/harbour/rules/harbour-rules/"
    assert client.post(base + "name/", {"name": "Quay rules", "about": "New"}).url == base
    assert client.post(base + "archive/").url == base
    harbour.refresh_from_db()
    assert (harbour.name, harbour.about, harbour.is_archived) == ("Quay rules", "New", True)
    markup = page(None, "/clubs/harbour/rules/")
    assert "Quay rules" in markup.partition("Archived (1)")[2]
    assert "Quay rules" not in markup.partition("Archived (1)")[0]
    client.post(base + "archive/", {"back": "yes"})
    harbour.refresh_from_db()
    assert not harbour.is_archived
    refused = client.post(base + "name/", {"name": " ", "about": "Kept words"})
    assert refused.status_code == 422
    assert "Give the house rules a name." in refused.content.decode()
    assert "Kept words" in refused.content.decode()


# Practice


def test_a_practice_deal_in_one_click_from_a_version(harbour, client):
    markup = page(None, "/clubs/harbour/rules/harbour-rules/1/")
    form = next(form for form in Forms(markup).forms if form["action"] == "/practice/")
    client.post("/practice/", form["fields"])
    table = Table.objects.get()
    assert (table.rules, table.is_practice, table.status) == (DRAWN, True, "playing")
    assert table.rules_ref == public.ref_of(harbour.versions.first())


def test_a_practice_deal_from_the_editor_as_it_stands(harbour, olga):
    fields = form_of(olga, CHANGE) | {"rule-out_bonus": ["70"]}
    browser(olga).post("/practice/", fields)
    table = Table.objects.get()
    assert table.rules == Rules.make(versions(harbour)[3], {"out_bonus": 70})
    refused = browser(olga).post("/practice/", fields | {"rule-upcard": "no"})
    assert (refused.status_code, Table.objects.count()) == (422, 1)
    assert "Up-cards are buried, but no card is turned up." in refused.content.decode()


# Links and files


@pytest.fixture
def quay(in_club):
    """Another club, of which Vera is the owner."""
    club = make_club("Quay")
    in_club(club, "Vera", "owner")
    return club


def vera():
    return Membership.objects.get(name="Vera").user


def test_a_link_shows_the_version_to_anyone(harbour):
    second = harbour.versions.get(number=2)
    markup = page(None, f"/clubs/rules/{second.token}/")
    assert "Harbour rules</bdi>, version 2" in markup
    assert "Copy to your club" not in markup
    forms = {form["action"]: form["fields"] for form in Forms(markup).forms}
    assert forms["/practice/"]["ruleset"] == [public.ref_of(second)]
    assert f'href="/tables/new/?rules={public.ref_of(second)}"' in markup


def test_a_table_is_made_by_rules_behind_a_link(harbour, person):
    second = harbour.versions.get(number=2)
    client = browser(person("Eve"))
    markup = client.get(f"/tables/new/?rules={public.ref_of(second)}").content.decode()
    fields = next(form for form in Forms(markup).forms if "preset" in form["fields"])["fields"]
    assert client.post("/tables/new/", fields).status_code == 302
    table = Table.objects.get()
    assert (table.rules, table.rules_ref) == (HARBOUR, public.ref_of(second))


def test_rules_are_copied_to_an_own_club(harbour, quay):
    second = harbour.versions.get(number=2)
    address = f"/clubs/rules/{second.token}/"
    markup = page(vera(), address)
    fields = next(form for form in Forms(markup).forms if form["action"] == address + "copy/")["fields"]
    assert (fields["club"], fields["name"]) == (["quay"], ["Harbour rules"])
    answer = browser(vera()).post(address + "copy/", fields)
    assert answer.url == "/clubs/quay/rules/harbour-rules/"
    copy = RulesVersion.objects.get(house_rules__club=quay)
    assert (copy.number, copy.rules) == (1, HARBOUR)
    assert copy.note == "Copied from Harbour Hand and Foot: Harbour rules, version 2"
    # The same form again is the same copy; a new one needs a new name, and keeps the typed fields.
    assert browser(vera()).post(address + "copy/", fields).status_code == 302
    refused = browser(vera()).post(address + "copy/", fields | {"key": "other"})
    assert (refused.status_code, quay.house_rules.count()) == (422, 1)
    assert "The club already has house rules called Harbour rules." in refused.content.decode()


def test_who_is_not_signed_in_copies_nothing(harbour, quay):
    token = harbour.versions.first().token
    answer = browser().post(f"/clubs/rules/{token}/copy/", {"club": "quay"})
    assert answer.url == f"/accounts/login/?next=/clubs/rules/{token}/"


def test_a_file_goes_from_club_to_club(harbour, quay):
    answer = browser().get(f"/clubs/rules/{harbour.versions.get(number=2).token}/file/")
    assert answer["Content-Disposition"] == 'attachment; filename="harbour-rules-2.json"'
    assert house_rules.read_import(answer.content) == (HARBOUR, "Harbour rules", "As on Thursdays", "Shorter evenings")
    fields = imported_form(answer.content.decode())
    assert (fields["name"], fields["about"], fields["preset"]) == (["Harbour rules"], ["As on Thursdays"], ["standard"])
    assert sent(vera(), "/clubs/quay/rules/new/", fields).status_code == 302
    assert RulesVersion.objects.get(house_rules__club=quay).rules == HARBOUR


def imported_form(text):
    """The editor as it is after this text was brought in by Vera of Quay."""
    answer = browser(vera()).post("/clubs/quay/rules/bring-in/", {"text": text})
    assert answer.status_code == 200, answer.content.decode()
    return _form(answer.content.decode(), "/clubs/quay/rules/new/")


@pytest.mark.parametrize("name", PRESETS)
def test_every_ruleset_comes_back_from_a_file_as_it_was(quay, name):
    changed = Rules.make(name, {"length": {"target": 12345}, "out_bonus": 0, "stock_out": "end", "ask_wilds": True})
    fields = imported_form(json.dumps(changed.write()))
    sent(vera(), "/clubs/quay/rules/new/", fields, name="Back")
    assert RulesVersion.objects.get().rules == changed


def test_the_rules_of_a_link_are_imported(harbour, quay):
    token = harbour.versions.get(number=2).token
    for text in (token, f"http://localhost/clubs/rules/{token}/", f"  http://localhost/clubs/rules/{token}/file/ "):
        assert house_rules.read_import(text).rules == HARBOUR
    assert imported_form(token)["name"] == ["Harbour rules"]


def test_an_uploaded_file_may_have_a_byte_order_mark(harbour, quay):
    from django.core.files.uploadedfile import SimpleUploadedFile

    text = "\ufeff" + json.dumps(house_rules.as_json(harbour.versions.first()))
    upload = SimpleUploadedFile("rules.json", text.encode(), content_type="application/json")
    answer = browser(vera()).post("/clubs/quay/rules/bring-in/", {"file": upload, "text": ""})
    assert _form(answer.content.decode(), "/clubs/quay/rules/new/")["name"] == ["Harbour rules"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Choose a file, or paste its text or a link."),
        ("{", "This is not JSON. Perhaps part of the file is missing."),
        ("[" * 50_000, "This is neither a house rules file nor a link to rules shared here."),
        ('{"rules":' * 9_000, "This is not JSON. Perhaps part of the file is missing."),
        ("x" * 32, "This is neither a house rules file nor a link to rules shared here."),
        ("{} " * 50_000, "This is too long for house rules. Choose another file."),
        (b"\xff\xfe{", "This is not a text file."),
        ('"poker"', "Ruleset 'poker' not found. Use one of these: "),
        (
            '{"base": "standard", "set": {"draw_count": 99}}',
            "The option draw_count must be a whole number from 1 to 10.",
        ),
        ('{"base": "standard", "set": {"colour": 1}}', "Option 'colour' not found."),
        ('{"base": "standard", "set": {"wild_melds": false}}', "The contract asks for a wild book, but melds of wild"),
        ('{"name": "x", "options": {"draw_count": NaN}}', "This is not JSON. Perhaps part of the file is missing."),
        ('{"rules": 7}', "Rules are written as a preset's name"),
    ],
)
def test_what_is_no_file_of_rules_is_refused_in_words(quay, text, sentence):
    with pytest.raises(Refused) as caught:
        house_rules.read_import(text)
    assert caught.value.sentence.startswith(sentence)
    if isinstance(text, str):
        answer = browser(vera()).post("/clubs/quay/rules/bring-in/", {"text": text})
        assert answer.status_code == 422
        assert HouseRules.objects.count() == 0


def test_words_of_a_file_are_cut_to_what_can_be_shown(quay):
    written = {"rules": DRAWN.write(), "name": "a\x00b\ud800\n c" + "x" * 99, "about": 7, "note": ["no"]}
    rules = house_rules.read_import(json.dumps(written))
    assert (rules.name, rules.about, rules.note) == ("ab c" + "x" * 56, "", "")


# Tables and seasons that pin them


def test_the_newest_versions_of_ones_clubs_are_offered(harbour, quay, olga, staff):
    put_away = history.added_row(house_rules.make(harbour.club_id, olga, name="Old", rules=DRAWN), HouseRules)
    house_rules.archive(put_away.pk, olga)
    house_rules.make(quay.pk, vera(), name="Quay", rules=DRAWN)
    offered = rule_sources.offered_to(staff["member"])
    assert [(item.title, item.keeper) for item in offered] == [("Harbour rules, version 3", "Harbour Hand and Foot")]
    assert [version.title for version in rule_sources.offered_to(vera())] == ["Quay, version 1"]


def test_the_offer_costs_the_same_for_many(harbour, olga, staff, django_assert_num_queries):
    for number in range(3):
        house_rules.make(harbour.club_id, olga, name=f"More {number}", rules=DRAWN)
    with django_assert_num_queries(1):
        assert len(rule_sources.offered_to(staff["member"])) == 4


def test_the_page_for_a_new_event_asks_for_them_once(harbour, staff, client):
    client.force_login(staff["organiser"])
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/events/new/?from=groups_knockout").content.decode()
    assert page.count("Harbour rules, version 3") > 2
    assert len([each for each in queries.captured_queries if 'FROM "clubs_rulesversion"' in each["sql"]]) == 1


def test_what_a_table_pinned_is_told_with_what_changed_since_and_before(harbour):
    second = harbour.versions.get(number=2)
    source = origin(public.ref_of(second), HARBOUR)
    assert (source.title, source.version.url) == ("Harbour rules, version 2", "/clubs/harbour/rules/harbour-rules/2/")
    assert source.changes.are_none
    assert source.newest.title == "Harbour rules, version 3"
    assert [change.title for change in source.since.options] == ["When the stock runs out"]
    (step,) = source.earlier
    assert (step.version.number, [change.title for change in step.changes.options]) == (
        2,
        ["Bonus for going out", "The match ends"],
    )
    changed = origin(public.ref_of(second), Rules.make(HARBOUR, {"draw_count": 1}))
    assert changed.title == "Harbour rules, version 2, with changes"


@pytest.mark.parametrize("ref", ["", "rules:", "rules:0", "rules:x", "other:1", "rules:" + "9" * 30])
def test_what_nobody_keeps_has_no_origin(db, ref):
    assert origin(ref, DRAWN) is None


def test_a_season_says_what_it_is_played_by(club, harbour, django_assert_max_num_queries):
    first = harbour.versions.first()
    league = League.objects.create(club=club, name="Winter", slug="winter")
    season = Season.objects.create(
        league=league,
        number=1,
        name="2026",
        slug="2026",
        rules_version=first,
        rules_json=first.rules_json,
        starts_on="2026-01-01",
    )
    with django_assert_max_num_queries(2):
        source = public.origin_of(season)
    assert (source.title, source.newest.number, len(source.since.options)) == ("Harbour rules, version 1", 3, 3)
    assert "Winter, 2026" in page(None, "/clubs/harbour/rules/harbour-rules/1/")
    season.rules_version = None
    assert public.origin_of(season) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told_of_the_other(harbour, staff):
    def save(user, bonus):
        rules = Rules.make(HARBOUR, {"out_bonus": bonus})
        return lambda: house_rules.save(harbour.pk, user, rules=rules, newest=3)

    results = at_once(save(staff["owner"], 1), save(staff["organiser"], 2))
    assert sorted(type(result).__name__ for result in results) == ["Act", "Stale"]
    assert [version.number for version in harbour.versions.all()] == [1, 2, 3, 4]


def test_another_description_alone_is_told_as_that(harbour, olga):
    act = house_rules.rename(harbour, olga, name=harbour.name, about="For Thursdays")
    assert act.sentence == "Description of Harbour rules changed."
    harbour.refresh_from_db()
    assert harbour.about == "For Thursdays"


def test_a_club_has_so_many_house_rules_and_no_more(harbour, olga, monkeypatch, refuses):
    monkeypatch.setattr(house_rules, "MOST_RULES", 1)
    with refuses("too_many"):
        house_rules.make(harbour.club_id, olga, name="Quay rules", rules=Rules.make("standard"))
    assert harbour.club.house_rules.count() == 1


def test_sheets_of_house_rules_show_cards_for_their_rules(harbour, olga, new_event):
    version = harbour.versions.latest("number")
    event = new_event("swiss", 4)
    for path in (
        harbour.get_absolute_url(),
        reverse("clubs:shared_rules", args=[version.token]),
        NEW,
        f"/events/{event.slug}/rules/",
    ):
        markup = page(olga, path)
        assert markup.count('<span class="rulepic" aria-hidden="true">') > 8, path
        assert 'id="i-s"' in markup, path
        assert "css/rules" in markup, path
    part = browser(olga).post("/clubs/harbour/rules/sheet/", form_of(olga, NEW)).content.decode()
    assert part.count('<span class="rulepic" aria-hidden="true">') > 8


def test_a_version_is_a_pdf_whose_name_says_which(harbour):
    address = f"{harbour.get_absolute_url()}2/sheet.pdf"
    answer = browser().get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"] == 'inline; filename="harbour-rules-2.pdf"'
    assert browser().get(f"{harbour.get_absolute_url()}4/sheet.pdf").status_code == 404
    assert address in browser().get(f"{harbour.get_absolute_url()}2/").content.decode()
