"""Moves as text and as JSON: anything else is refused in a sentence."""

import pytest

from engine.errors import BadInput
from engine.play.moves import move_from_json, parse_move

NO_JSON = {
    "not a move": [[], {"move": 7}, {"move": "shuffle"}, {"move": "discard", "card": "5♠", "groups": []}],
    "true or false": [{"move": "answer", "yes": "perhaps"}],
    "a list of objects": [{"move": "meld", "groups": "5♠ 5♥ 5♦"}, {"move": "meld", "groups": []}],
    "an object with a list of cards": [
        {"move": "meld", "groups": [["5♠"]]},
        {"move": "meld", "groups": [{"cards": []}]},
    ],
    "a rank, wild or garbage": [{"move": "meld", "groups": [{"cards": ["5♠"], "name": 5}]}],
}
"""Texts that are not moves, by words of the sentence that refuses them."""


@pytest.mark.parametrize("words", NO_JSON)
def test_json_that_is_no_move_is_refused_in_a_sentence(words):
    for data in NO_JSON[words]:
        with pytest.raises(BadInput, match=words):
            move_from_json(data)


@pytest.mark.parametrize("text", [None, 7, "discard 5♠" + " " * 100_000])
def test_what_is_no_line_of_text_is_no_move(text):
    with pytest.raises(BadInput, match="one line of text"):
        parse_move(text)


def test_a_move_is_written_as_it_is_read():
    assert str(parse_move("draw")) == "draw"
