"""Pictures of cards next to the sentences of a rule sheet."""

import re

import pytest
from django.urls import reverse

from engine.play.rule_sheet.sheet import rule_sheet
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules.rule_pictures import add_pictures
from tests.makers import make_table


def pictures(rules):
    """Pictures by the first words of their sentences: cards as rank and suit, words under them."""

    def card(markup):
        rank, suit = re.sub("<.*?>", "", markup), re.search(r'class="mini (\w+)', markup)[1]
        return suit if suit == "back" else f"{rank}{suit}"

    return {
        sentence.text: [
            (
                [card(mini) for mini in re.findall(r'<i class="mini.*?</i>', fan)],
                "".join(re.findall("<small>(.*?)<", fan)),
            )
            for fan in sentence.picture.split('class="fan"')[1:]
        ]
        for section in add_pictures(rule_sheet(rules), rules)
        for sentence in section.sentences
        if sentence.picture
    }


def picture(rules, begin):
    return next(fans for text, fans in pictures(rules).items() if text.startswith(begin))


@pytest.mark.parametrize("name", PRESETS)
def test_every_ruleset_has_pictures_and_its_sentences_as_they_were(name):
    rules = Rules.preset(name)
    sections = add_pictures(rule_sheet(rules), rules)
    assert [[sentence[:2] for sentence in section.sentences] for section in sections] == [
        [*section.sentences] for section in rule_sheet(rules)
    ]
    assert len(pictures(rules)) >= 8


def test_a_meld_is_drawn_with_as_many_wild_cards_as_the_rules_allow():
    few, many = Rules.make("standard", {}), Rules.make("standard", {"wild_limits": [1, 1, 2, 3, 3]})
    assert picture(few, "A meld of three, four or five")[1] == (["Ks", "Kh", "Kd", "Kc", "Ks", "2s", "2h"], "")
    assert picture(many, "A meld of three or four")[1] == (["Ks", "Kh", "Kd", "Kc", "2s", "2h", "2d"], "")


def test_books_are_drawn_with_their_bonus():
    fans = picture(Rules.preset("standard"), "In addition to the values of its cards, a clean book earns")
    assert [words for _, words in fans] == ["+500", "+300", "+1,500"]
    assert [len(cards) for cards, _ in fans] == [7, 7, 7]


def test_threes_of_clubs_and_spades_and_red_threes_are_drawn():
    assert picture(Rules.preset("standard"), "Threes of clubs and spades") == [(["3s", "3c"], "")]
    assert picture(Rules.preset("standard"), "Red threes are never melded") == [(["3h", "3d"], "")]


def test_stacks_lie_face_down_with_their_sizes():
    assert picture(Rules.preset("standard"), "Each player gets two face-down stacks") == [(["back"] * 3, "13")] * 2


def test_the_pages_of_rules_show_pictures_which_readers_do_not_hear(client, four):
    table = make_table(four)
    client.force_login(four[0])
    for address in (reverse("gameplay:ruleset", args=["standard"]), reverse("gameplay:rules", args=[table.slug])):
        page = client.get(address).content.decode()
        assert page.count('<span class="rulepic" aria-hidden="true">') > 8
        assert 'id="i-s"' in page
