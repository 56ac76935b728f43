"""Lists in sentences."""

from engine.words import either, join_words


def test_lists_of_any_length():
    parts = ["a", "b", "c"]
    assert [join_words(parts[:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [either(parts[:count]) for count in range(4)] == ["", "a", "a or b", "a, b or c"]
