"""Rules saved under a name by the apps above: offered, pinned by tables, and shown with their changes since."""

import pytest
from django.urls import reverse

from engine.errors import BadInput
from engine.play import rulesets
from engine.play.rule_sheet.sheet import differences
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_changes, rule_origin, rule_sources
from gameplay.house_rules.editor import edit, editor_of
from gameplay.house_rules.rule_sources import RuleVersion
from gameplay.models import Table
from gameplay.services.rematch import ask_rematch
from tests.makers import make_table
from tests.tournaments.organising import Forms

THREE = Rules.make("standard", {"draw_count": 3})
FOUR = Rules.make("standard", {"draw_count": 4})


class Shelf:
    """A source with two versions of one set of rules, which offers the newest to everyone."""

    rule_versions = [
        RuleVersion("shelf:1", "Quay rules", 1, "Quay", THREE, "/quay/1/"),
        RuleVersion("shelf:2", "Quay rules", 2, "Quay", FOUR, "/quay/2/", "One more"),
    ]

    def offered(self, user):
        return [self.rule_versions[-1]]

    def versions(self, ref):
        return list(self.rule_versions) if ref in ("shelf:1", "shelf:2") else []

    def find_all(self, refs):
        return [version for version in self.rule_versions if version.ref in refs]


@pytest.fixture(autouse=True)
def _shelf(monkeypatch):
    monkeypatch.setitem(rule_sources._sources, "shelf", Shelf())


# Changes


def test_every_option_says_its_value_in_every_ruleset():
    for preset in PRESETS:
        for name in KINDS_OF_OPTION:
            words = rule_changes.value(name, Rules.preset(preset))
            assert words, (preset, name)
            assert not any(mark in words for mark in "{}[]_'"), words


def test_changes_say_something_of_every_option_that_differs_and_of_no_other():
    for first in PRESETS:
        for second in PRESETS:
            was, now = Rules.preset(first), Rules.preset(second)
            changes = rule_changes.changes(was, now)
            assert [change.name for change in changes.options] == now.differences(was)
            assert all(change.was != change.now for change in changes.options), (first, second)
            assert all(both.was != both.now for both in changes.sentences), (first, second)
            assert [both.now for both in changes.sentences if both.now] == [
                sentence.text for sentence in differences(now, was)
            ]
            assert [both.options for both in changes.sentences if both.was] == [
                sentence.options for sentence in differences(was, now)
            ]


@pytest.mark.parametrize(
    ("changes", "title", "was", "now"),
    [
        ({"draw_count": 3}, "Cards drawn from the stock", "2", "3"),
        ({"pile_take": "all"}, "Taken from the pile", "7", "the whole pile"),
        (
            {"books_grow": {"clean": "keeps"}},
            "A complete book can grow",
            "clean no",
            "clean any cards, and it stays clean",
        ),
        ({"draw_count": {"by_deal": [2, 3]}}, "Cards drawn from the stock", "2", "2; 3 by the number of the deal"),
        ({"stacks": [11, 12, 13]}, "Cards in each stack", "13 + 13", "11 + 12 + 13"),
        (
            {"lift": {"by": "dealer", "within": [[0, 9], [2, 5]]}},
            "Points for lifting",
            "nobody lifts",
            "the dealer, for everyone 0: 9, 2: 5",
        ),
        (
            {"decks": {"by_seats": {str(seats): 7 for seats in range(2, 4)} | {"4": 5, "5": 6, "6": 7}}},
            "Decks of 52",
            None,
            "7 for 2 players, 7 for 3 players, 5 for 4 players, 6 for 5 players, 7 for 6 players",
        ),
        ({"red_three_sets": {"size": 7, "points": 1000}}, "Sets of red threes", "none", "1,000 for 7"),
        ({"final_turns": "always"}, "One more turn for the others", "no", "always"),
        ({"upcard": 3}, "Cards turned up", "1", "3"),
        (
            {"opening": {"by_deal": [50, "clean_book"]}},
            "Opening minimum",
            None,
            "50, clean book by the number of the deal",
        ),
        ({"upcard_bury": []}, "Turned up and replaced", "red threes, wild cards", "none"),
        ({"shapes": [[2, 1], [4, 2]]}, "Tables", None, "2 alone, 4 in teams of 2"),
        ({"decks": 6}, "Decks of 52", "one for each seat and 1 more", "6"),
        ({"decks": {"seats_plus": 0}}, "Decks of 52", "one for each seat and 1 more", "one for each seat"),
        ({"wild_limits": [1, 1, 1, 2, 3]}, "Most wild cards in a meld", "in 7 cards 2", "in 7 cards 3"),
        ({"opening": "none"}, "Opening minimum", "50, 90, 120, 150 by the number of the deal", "none"),
        (
            {"opening": {"by_score": [[None, 15], [0, 50], [1500, 90]]}},
            "Opening minimum",
            None,
            "by the score so far: 15 below, 50 from 0, 90 from 1,500",
        ),
        ({"contract": {"wild": 0}}, "Books needed to go out", "wild 1", "wild 0"),
        (
            {"special_books": {"7": {"points": 1500, "needed": 1}}},
            "Books that count separately",
            "none",
            "sevens 1,500, 1 to go out",
        ),
        (
            {"special_books": {"5": {"points": 9, "mixed": True}}},
            "Books that count separately",
            "none",
            "fives 9, with wild cards too",
        ),
        ({"values": {"X": 100}}, "Points of the cards", "jokers 50", "jokers 100"),
        ({"red_three": {"held": -500}}, "A red three", "in hand or foot −100", "in hand or foot −500"),
        ({"red_three_all": 1000}, "All red threes together", "none", "1,000"),
        ({"length": {"target": 20000}}, "The match ends", "after 4 deals", "at 20,000 points"),
        (
            {"penalties": {"out_refused": -100, "asked_not_out": -50, "wrong_claim": 0}},
            "Penalties",
            "none",
            "went out after a no −100, asked, not gone out −50, pile taken wrongly 0",
        ),
    ],
)
def test_a_change_is_said_in_words(changes, title, was, now):
    (change,) = rule_changes.changes(Rules.preset("standard"), Rules.make("standard", changes)).options
    assert (change.title, change.now) == (title, now)
    assert was is None or change.was == was


# Contradictions at their options


def test_a_contradiction_stands_at_every_option_that_it_is_about():
    from django.http import QueryDict

    data = QueryDict(mutable=True)
    data.update({"base": "standard", "rule-upcard": "no"})
    editor = edit("standard", data)
    assert {o.name: o.errors for group in editor.groups for o in group.options if o.errors} == {
        "upcard": ["Up-cards are buried, but no card is turned up."],
        "upcard_bury": ["Up-cards are buried, but no card is turned up."],
    }
    assert [(o.name, o.was) for group in editor.groups for o in group.options if o.is_changed] == [("upcard", "1")]


# The editor


def test_the_editor_starts_from_a_kept_version():
    editor = edit("shelf:1")
    assert (editor.rules, editor.ref, editor.state, editor.start.title) == (
        THREE,
        "shelf:1",
        "as saved",
        "Quay rules, version 1",
    )
    assert edit("standard").ref == ""


@pytest.mark.parametrize("start", ["shelf:3", "attic:1", "whist"])
def test_a_start_that_nobody_keeps_is_refused(start):
    editor = edit(start)
    assert (editor.rules, len(editor.sentences)) == (None, 1)
    with pytest.raises(BadInput):
        rule_sources.start(start)


@pytest.mark.parametrize("start", ["", "bain", "shelf:2", "shelf:9"])
def test_an_editor_is_filled_with_rules_as_they_are(start):
    for preset in PRESETS:
        rules = Rules.make(preset, {"out_bonus": 1, "tie": "extra_deals"})
        assert editor_of(rules, start).rules == rules


# Forms


def test_what_is_kept_is_offered_beside_the_published(four):
    groups = rule_sources.choices(four[0])
    assert groups == [*rulesets.choices(), ("Quay", [("shelf:2", "Quay rules, version 2")])]
    # A reader with the link may choose its rules.
    assert rule_sources.choices(four[0], "shelf:1")[-1][1] == [
        ("shelf:2", "Quay rules, version 2"),
        ("shelf:1", "Quay rules, version 1"),
    ]


def new_table_form(client, start):
    markup = client.get(reverse("gameplay:new_table"), {"rules": start}).content.decode()
    return markup, next(form["fields"] for form in Forms(markup).forms if "preset" in form["fields"])


def test_a_table_pins_the_version_it_was_made_by(client, four):
    client.force_login(four[0])
    markup, fields = new_table_form(client, "shelf:1")
    assert '<option value="shelf:1" selected>Quay rules, version 1</option>' in markup
    assert fields["base"] == ["shelf:1"]
    table = Table.objects.get(slug=client.post("/tables/new/", fields).url.split("/")[-2])
    assert (table.rules, table.rules_ref) == (THREE, "shelf:1")
    page = client.get(reverse("gameplay:rules", args=[table.slug])).content.decode()
    assert "<h1>Quay rules, version 1</h1>" in page
    assert '<a href="/quay/2/">version 2</a>' in page
    change = page.partition("<dt>Cards drawn from the stock</dt>")[2].partition("</dd>")[0]
    assert "3</s>" in change
    assert "4</b>" in change


def test_a_table_may_change_what_it_pins_and_says_so(client, four):
    client.force_login(four[0])
    _, fields = new_table_form(client, "shelf:2")
    table = Table.objects.get(slug=client.post("/tables/new/", fields | {"rule-out_bonus": "7"}).url.split("/")[-2])
    assert (table.rules, table.rules_ref) == (Rules.make(FOUR, {"out_bonus": 7}), "shelf:2")
    page = client.get(reverse("gameplay:rules", args=[table.slug])).content.decode()
    assert "<h1>Quay rules, version 2, with changes</h1>" in page
    assert "Changed for this table (1)" in page
    assert "It is the newest version." in page
    assert "Changes in version 2 (1)" in page
    assert "Quay rules, version 2, with changes" in client.get(table.get_absolute_url()).content.decode()


def test_a_published_ruleset_pins_nothing(client, four):
    client.force_login(four[0])
    _, fields = new_table_form(client, "bain")
    client.post("/tables/new/", fields | {"rule-out_bonus": "7"})
    table = Table.objects.get()
    assert table.rules_ref == ""
    assert 'class="panel origin"' not in client.get(reverse("gameplay:rules", args=[table.slug])).content.decode()


def test_an_unknown_start_shows_standard(client, four):
    client.force_login(four[0])
    _, fields = new_table_form(client, "shelf:9")
    assert fields["preset"] == ["standard"]
    assert client.post("/tables/new/", fields | {"preset": "shelf:9"}).status_code == 422


def test_a_rematch_pins_the_same_version(seated, four):
    table = seated("standard", rules_ref="shelf:1")
    Table.objects.filter(pk=table.pk).update(status="over", ended_at=table.started_at)
    for user in four:
        ask_rematch(table.pk, user)
    assert Table.objects.get(rematch_of=table).rules_ref == "shelf:1"


def test_what_nobody_keeps_any_more_leaves_the_rules_as_they_are(client, four):
    table = make_table(four[:1], THREE, begun=False, rules_ref="shelf:77", joining="open")
    client.force_login(four[0])
    page = client.get(reverse("gameplay:rules", args=[table.slug])).content.decode()
    assert "<h1>Standard with house rules</h1>" in page


# Practice


def test_practice_by_kept_rules(db, client):
    client.post("/practice/", {"ruleset": "shelf:1"})
    assert Table.objects.get().rules_ref == "shelf:1"
    assert client.post("/practice/", {"ruleset": "shelf:9"}).status_code == 422


def test_practice_as_typed_keeps_what_was_typed_when_refused(db, client):
    typed = {"preset": "shelf:1", "base": "shelf:1", "rule-upcard": "no", "rule-out_bonus": "7"}
    refused = client.post("/practice/", typed)
    assert refused.status_code == 422
    assert "Up-cards are buried, but no card is turned up." in refused.content.decode()
    fields = next(form for form in Forms(refused.content.decode()).forms if form["action"] == "/practice/")["fields"]
    assert {name: fields[name] for name in typed} == {name: [value] for name, value in typed.items()}
    client.post("/practice/", fields | {"rule-upcard": "yes"})
    table = Table.objects.get()
    assert (table.rules, table.rules_ref) == (Rules.make(THREE, {"out_bonus": 7}), "shelf:1")


# Origins


def test_earlier_versions_are_told_the_latest_first_and_not_without_end(monkeypatch):
    many = [
        RuleVersion(f"shelf:{number}", "Quay rules", number, "Quay", Rules.make("standard", {"out_bonus": number}))
        for number in range(1, 31)
    ]
    monkeypatch.setattr(Shelf, "versions", lambda self, ref: many)
    origin = rule_origin.origin("shelf:25", many[24].rules)
    assert [step.version.number for step in origin.earlier] == list(range(25, 15, -1))
    assert (origin.newest.number, origin.since.options[0].now) == (30, "30")
