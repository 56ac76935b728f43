"""The engine's own errors: each carries a closed code and one sentence that a person understands."""

from __future__ import annotations


class EngineError(Exception):
    """Something the engine will not do. `sentence` is fit to show; `code` is for programs."""

    code = "error"

    def __init__(self, sentence: str, *, code: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if code is not None:
            self.code = code


class BadInput(EngineError):
    """Text or JSON that cannot be read, such as a card, a move, a position, a record."""

    code = "bad_input"


class BadRules(BadInput):
    """Options that no ruleset can have; `sentences` are the faults, and `options` the names that each is about."""

    code = "bad_rules"

    def __init__(self, sentences: list[str], options: list[tuple[str, ...]]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences, self.options = sentences, options

    def __reduce__(self) -> tuple[type[BadRules], tuple[list[str], list[tuple[str, ...]]]]:
        """Rebuild the exception from its arguments when it crosses processes."""
        return type(self), (self.sentences, self.options)
