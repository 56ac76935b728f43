"""Readers of another language: stored in English, translated for the reader, and cached."""

import pytest
from django.core.cache import cache
from django.utils import translation

from accounts.models import Notice
from engine.play.rules import Rules
from tests.tournaments import driving
from tournaments import plan_checks
from tournaments.forms import stage as stage_forms
from tournaments.forms.result import ScoreField
from tournaments.forms.stage import StageForm, add_plan_errors
from tournaments.models import Stage, Tournament
from tournaments.organiser import next_action
from tournaments.plan import standard
from tournaments.round_names import round_name, round_words
from tournaments.services.events import lifecycle
from tournaments.services.matches import match_scheduling
from tournaments.services.stages import progress
from tournaments.stage_state import load


@pytest.mark.parametrize(
    ("stored", "english", "german"),
    [
        ("Round 3", "Round 3", "Runde 3"),
        ("Second chance, round 2", "Second chance, round 2", "Zweite Chance, Runde 2"),
        ("Final", "Final", "Finale"),
        ("WB2", "Round 2", "Runde 2"),
    ],
)
def test_a_round_that_is_stored_in_english_is_called_as_the_reader_says(stored, english, german):
    assert round_name(stored) == english
    with translation.override("de"):
        assert round_name(stored) == german


def test_within_a_sentence_nouns_keep_their_capital_in_german():
    assert round_words("Round 3") == "round 3"
    with translation.override("de"):
        assert round_words("Round 3") == "Runde 3"


def test_who_is_told_reads_it_in_their_own_language_whoever_does_it(new_event, olga):
    cup = new_event("swiss", 4, started=True)
    match = cup.stages.get().rounds.get().pairings.first()
    german, english = [place.entry.members.get().user for place in match.places.all()]
    german.language = "de"
    german.save()
    Notice.objects.all().delete()
    with translation.override("de"):
        match_scheduling.ask_for_result(match.pk, olga)
    titles = dict(Notice.objects.values_list("user", "title"))
    assert titles[german.pk] == "Harbour Cup: Die Turnierleitung wartet auf das Ergebnis von Runde 1, Tisch 1"
    assert titles[english.pk] == "Harbour Cup: the organisers wait for the result of round 1, table 1"


def test_what_the_next_round_would_be_is_kept_for_each_language(new_event):
    cache.clear()
    state = load(Stage.objects.get(tournament=new_event("swiss", 4, started=True, waits_for_go=True)))
    assert next_action._ready(state, 1)[0] == "2 tables, nobody meets again."
    with translation.override("de"):
        assert next_action._ready(state, 1)[0] == "2 Tische, keine erneuten Begegnungen."
    assert next_action._ready(state, 1)[0] == "2 tables, nobody meets again."


def test_why_a_stage_cannot_go_on_is_told_to_its_maker_and_only_once(new_event, olga):
    olga.language = "de"
    olga.save()
    two = [standard("round_robin"), standard("single_elimination", take=2, by_hand=True)]
    cup = new_event(entries=4, plans=two, started=True)
    driving.play_out(cup, olga)
    for language in ("en", "de", "en"):
        with translation.override(language):
            progress.advance(cup.pk)
        trouble = cup.stages.get(number=2).trouble
        assert trouble.endswith("wartet darauf, dass die Turnierleitung wählt, wer weiterkommt.")
    assert Notice.objects.filter(kind="event_trouble").count() == 1


def test_what_cannot_work_stands_at_its_stage_in_every_language():
    def wrong(plans):
        return plan_checks.plan_problems(
            Tournament(entry_kind="person", side_size=1, rules_json=Rules.make("standard").write()), plans, None
        )

    for language in ("en", "de"):
        with translation.override(language):
            plans = [standard("swiss"), standard("single_elimination", take=8, carries=True)]
            stages = [StageForm(_sent(number, plan), number=number, plan=plan) for number, plan in enumerate(plans, 1)]
            assert all(stage.is_valid() for stage in stages)
            assert len(add_plan_errors(stages, wrong)) == 1
            assert not stages[0].errors
            assert list(stages[1].errors) == ["carries"]


def _sent(number, plan):
    values = {name: value for name, value in stage_forms._initial(plan, plan.title).items() if value is not False}
    return {f"stage-{number}-{name}": value for name, value in values.items()}


def test_points_are_read_with_either_mark_between_thousands():
    assert [ScoreField().to_python(text) for text in ("4,210", "4.210", "−350")] == [4210, 4210, -350]


def test_an_event_made_in_german_has_stages_with_german_names(olga):
    with translation.override("de"):
        cup = lifecycle.make_event(olga, name="Pokal", starter="groups_knockout")
    assert [stage.name for stage in cup.stages.all()] == ["Gruppen", "K.-o."]
