"""Entering results and undoing: only what was previewed, and only once."""

import pytest

from tests.assistants.conftest import sentence
from tests.tournaments.driving import decide, open_pairings
from tournaments.models import Act, Result

pytestmark = pytest.mark.django_db

SCORES = [{"entry": 1, "score": 4210}, {"entry": 2, "score": 3985}]


@pytest.fixture
def event(new_event):
    """A match of two."""
    return new_event("round_robin", entries=2, started=True)


@pytest.fixture
def match(event):
    """The arguments that name it, with scores."""
    return {"event": event.slug, "stage": 1, "match": "R1.1", "scores": SCORES}


@pytest.fixture
def organiser(assistant, olga):
    return assistant(olga)


def previewed(name, arguments, preview="preview_result"):
    """Calls that preview an action and do it."""
    return (preview, arguments), lambda answers: repeated(answers, arguments, name)


def test_a_preview_says_what_it_would_do_and_changes_nothing(organiser, match):
    acts = Act.objects.count()
    preview = organiser.ask("preview_result", **match)
    result = "Player 1 4210, Player 2 3985. Result of round 1, table 1: 4,210 to 3,985."
    assert preview["sentence"] == result
    assert {effect["sign"] for effect in preview["effects"]} <= {"moves", "redrawn", "kept", "falls"}
    assert (Act.objects.count(), Result.objects.count()) == (acts, 0)


def test_a_result_is_entered_with_the_key_of_its_preview(organiser, match):
    _, done = organiser.call(*previewed("enter_result", match))
    assert done.structured_content["act"] == Act.objects.latest("pk").pk
    result = Result.objects.get()
    assert ([line["score"] for line in result.lines], result.status) == ([4210, 3985], "confirmed")


def test_sent_twice_it_is_entered_once(organiser, match):
    _, first, other = organiser.call(*previewed("enter_result", match), lambda answers: repeated(answers, match))
    assert first.structured_content == other.structured_content
    assert Result.objects.count() == 1


def repeated(answers, arguments, name="enter_result"):
    """A call with the key of the first answer."""
    return name, arguments | {"key": answers[0].structured_content["key"]}


@pytest.mark.parametrize("key", ["", "decide-0-" + "0" * 32, "x", "decide-" + "9" * 40 + "-a"])
def test_a_key_cannot_be_invented(organiser, match, key):
    assert organiser.refusal("enter_result", **match, key=key).startswith("This key does not belong")
    assert Result.objects.count() == 0


def test_a_key_is_for_what_was_previewed(organiser, match):
    other = match | {"scores": [SCORES[0], {"entry": 2, "score": 1}]}
    _, refused = organiser.call(("preview_result", match), lambda answers: repeated(answers, other))
    assert sentence(refused).startswith("This key does not belong")
    assert Result.objects.count() == 0


def test_a_key_of_an_earlier_start_is_refused(organiser, match):
    key = organiser.ask("preview_result", **match)["key"]
    assert organiser.refusal("enter_result", **match, key=key).startswith("This key does not belong")


def test_a_result_that_somebody_else_entered_since_the_preview_is_not_replaced(organiser, match, event, olga):
    def meanwhile(answers):
        decide(open_pairings(event)[0], olga)
        return repeated(answers, match)

    _, refused = organiser.call(("preview_result", match), meanwhile)
    assert sentence(refused)
    assert Result.objects.count() == 1


def test_a_correction_needs_a_reason_and_replaces_the_result(organiser, match):
    organiser.call(*previewed("enter_result", match))
    right = match | {"scores": [SCORES[0], {"entry": 2, "score": 4985}]}
    assert "Enter a reason" in organiser.refusal("preview_result", **right)
    organiser.call(*previewed("enter_result", right | {"reason": "Miscounted"}))
    counting = Result.objects.exclude(status="replaced").get()
    assert ([line["score"] for line in counting.lines], counting.reason) == ([4210, 4985], "Miscounted")


def test_a_correction_is_refused_once_anything_changed_since_its_preview(assistant, olga, new_event):
    event = new_event("round_robin", entries=4, started=True)
    match, other = open_pairings(event)[:2]
    decide(match, olga)
    numbers = list(match.places.values_list("entry__number", flat=True))
    scores = [{"entry": number, "score": 100 * number} for number in numbers]
    arguments = {"event": event.slug, "stage": 1, "match": match.name, "scores": scores, "reason": "Miscounted"}

    def meanwhile(answers):
        decide(other, olga)
        return repeated(answers, arguments)

    _, refused = assistant(olga).call(("preview_result", arguments), meanwhile)
    assert sentence(refused)
    assert not Result.objects.filter(reason="Miscounted").exists()


def test_an_absent_entry_loses_without_a_score(organiser, match):
    organiser.call(*previewed("enter_result", match | {"scores": [SCORES[0], {"entry": 2, "absent": True}]}))
    assert Result.objects.get().kind == "forfeit"


def test_a_player_reports_and_the_other_side_confirms(assistant, players, match):
    first, other = (assistant(user) for user in players(2))
    preview = first.ask("preview_result", **match)
    scores = "Player 1 4210, Player 2 3985."
    words = f"{scores} Player 1 entered a result for round 1, table 1 (Player 1 – Player 2): 4,210 to 3,985."
    nothing_lost = [{"sign": "falls", "sentence": "No result is lost."}]
    assert (preview["sentence"], preview["effects"]) == (words, nothing_lost)
    assert not Result.objects.exists()
    first.call(*previewed("enter_result", match))
    assert Result.objects.get().status == "reported"
    before = other.ask("preview_result", **match)["sentence"]
    same = "Player 2 entered the same result for round 1, table 1 (Player 1 – Player 2)."
    assert before == f"{scores} {same} Entered before: {scores}", "this would confirm it"
    assert Result.objects.get().status == "reported"
    other.call(*previewed("enter_result", match))
    assert Result.objects.filter(status="confirmed").exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"scores": SCORES[:1]}, "A result has one line for each entry of the match."),
        ({"winner": 1}, "Only organisers can choose a winner or enter a reason. Leave both out."),
        (
            {"scores": [SCORES[0], {"entry": 2, "absent": True}]},
            "Enter the score of each entry. Only organisers can mark one as absent.",
        ),
    ],
)
def test_a_report_is_one_score_for_each_entry(assistant, players, match, change, sentence):
    assert assistant(players(1)[0]).refusal("preview_result", **match | change) == sentence


def test_a_stranger_enters_nothing(assistant, person, match):
    eve = assistant(person("Eve"))
    assert eve.refusal("preview_result", **match) == "Only players of this match can do that."
    assert Result.objects.count() == 0


def test_an_action_is_undone_after_its_preview_and_once(organiser, match, event):
    organiser.call(*previewed("enter_result", match))
    act = organiser.ask("list_actions", event=event.slug, limit=1)["acts"][0]
    assert act["can_undo"]
    undoing = {"event": event.slug, "action": act["id"]}
    assert organiser.refusal("undo_action", **undoing, key="undo-1-x").startswith("This key does not belong")
    undo = previewed("undo_action", undoing, "preview_undo")
    _, first, other = organiser.call(*undo, lambda answers: repeated(answers, undoing, "undo_action"))
    assert first.structured_content == other.structured_content
    assert organiser.ask("read_match", event=event.slug, stage=1, match="R1.1")["status"] == "ready"
