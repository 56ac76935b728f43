"""Terms of a stage and of its last round: how long a match is, by which rules, clock and minutes, everywhere."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.urls import reverse
from django.utils import timezone, translation

from engine.compete.pairing import knockout_pods
from engine.compete.records import CannotPair
from engine.play.rules import Rules
from tests.makers import make_event
from tests.tournaments import driving
from tests.tournaments.organising import refusal
from tests.tournaments.reading import TWO_DEALS, fresh
from tournaments import forecast, plan_checks, rules_text, terms
from tournaments.deadline_text import deadline_text
from tournaments.event_templates import FROM_SCRATCH, STARTERS
from tournaments.exports import pdf, sheets, source
from tournaments.forms.stage import StageForm, usual
from tournaments.lookups import stages_of
from tournaments.models import Act, Pairing, Round, Stage, Tournament
from tournaments.plan import FORMATS, Plan, standard
from tournaments.public import rule_sheets
from tournaments.public.names import links_of
from tournaments.score_sheets import services as score_sheets
from tournaments.services import history
from tournaments.services.events import lifecycle
from tournaments.services.matches import online_tables, typed_scores
from tournaments.services.stages import progress, stage_plans
from tournaments.stage_state import load
from web.errors import Refused

EIGHT = {"final_terms": {"deals": 8}}


def cup(**choices):
    return standard("single_elimination", **{**EIGHT, **choices})


def unsaved(**fields):
    return Tournament(**{"rules_json": Rules.make("standard").write(), "length_json": {"deals": 4}} | fields)


def deals(event, plan, *, is_last=False, name=""):
    return terms.resolve(event, plan, terms.Part(is_last, name)).rules.length


@pytest.fixture
def final(make, olga):
    """The final of a knockout of four that is eight deals, drawn after both semi-finals."""

    def play(**choices):
        event = make(4, cup(**choices), setting="face", length_json={"deals": 2})
        driving.play_round(event, olga)
        return Pairing.objects.select_related("round__stage__tournament").get(round__name="Final")

    return play


# One function


def test_terms_are_those_of_the_event_then_of_the_stage_then_of_its_last_round():
    event, plan = unsaved(length_json={"deals": 2}), cup()
    assert deals(event, plan) == ("deals", 2)
    assert deals(event, plan, is_last=True) == ("deals", 8)
    assert deals(event, cup(own_terms={"target": 5000})) == ("target", 5000)
    assert deals(event, cup(own_terms={"target": 5000}, final_terms={}), is_last=True) == ("target", 5000)


def test_other_rules_bring_their_own_length():
    bain = Rules.make("bain")
    plan = cup(own_terms={"rules": "bain"}, final_terms={"deals": 1})
    assert terms.resolve(unsaved(length_json={"deals": 2}), plan).rules == bain
    assert deals(unsaved(), plan, is_last=True) == ("deals", 1)


def test_the_last_round_is_the_final_or_the_one_with_the_last_number():
    swiss = standard("swiss", rounds=3, final_terms={"deals": 8})
    assert [terms.is_last(swiss, Round(number=at, name=f"Round {at}")) for at in (1, 2, 3)] == [False, False, True]
    names = ("Semi-finals", "Third place", "Final", "Decider")
    assert [terms.is_last(cup(), Round(number=3, name=name)) for name in names] == [False, False, True, True]
    assert not terms.is_last(standard("ladder"), Round(number=1, name="Ladder"))


def test_a_plan_without_own_terms_is_read_as_before():
    old = {name: value for name, value in standard("swiss").write().items() if not name.endswith("_terms")}
    del old["round_minutes"]
    assert Plan.read(old) == standard("swiss")


def test_terms_are_written_and_read():
    plan = cup(own_terms={"rules": {"base": "bain", "set": {"draw_count": 3}}, "clock": "day"}, round_minutes=40)
    assert Plan.read(plan.write()) == plan
    assert plan.write()["final_terms"] == {"deals": 8}


# Refused


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"final_terms": {"deals": 8, "target": 5000}}, "Choose a number of deals or a target, not both."),
        ({"final_terms": {"deals": 0}}, "Enter a whole number from 1, not “0”."),
        ({"final_terms": {"deals": True}}, "Enter a whole number from 1, not “True”."),
        ({"final_terms": {"deals": 101}}, "A match has at most 100 deals."),
        ({"final_terms": {"minutes": 601}}, "A round has at most 600 minutes."),
        ({"final_terms": {"clock": "evening"}}, "Choose one of the clocks."),
        ({"final_terms": {"colour": 3}}, "“colour” is not one of the terms."),
        ({"final_terms": [8]}, "Terms are values by name, such as 8 for “deals”."),
        ({"own_terms": {"rules_ref": "rules:1"}}, "Choose the rules again."),
        ({"own_terms": {"minutes": 30}}, "The minutes of all rounds are “round_minutes” of the stage."),
        ({"own_terms": {"seats": 4}}, "The entries at a table are “seats” of the stage."),
        (
            {"final_terms": {"seats": 4}},
            "Only the last round at bigger tables can have its own number of entries at a table.",
        ),
        ({"round_terms": {"Final": {"deals": 8}}}, "“Final” is not a round of this stage before the last."),
        ({"round_terms": {"Semi-finals": {"deals": 0}}}, "Enter a whole number from 1, not “0”."),
        (
            {"round_terms": {"Semi-finals": {"seats": 4}}},
            "Only the last round can have its own number of entries at a table.",
        ),
        ({"round_terms": [8]}, "Terms of rounds go by their names, such as “Semi-finals”."),
        (
            {"format": "swiss", "rounds": 3, "round_terms": {"Round 3": {"deals": 8}}},
            "Round 3 is not before the last round.",
        ),
        ({"format": "round_robin"}, "In this format no round can be played differently."),
        ({"format": "swiss"}, "Enter the number of rounds, so that the last one is known."),
    ],
)
def test_terms_that_a_plan_cannot_have_are_refused_with_a_sentence(plan, sentence):
    with pytest.raises(Refused) as refused:
        standard(**{"format": "single_elimination", **EIGHT, **plan})
    assert refused.value.sentence == sentence


@pytest.mark.parametrize(
    ("setting", "plan", "sentence"),
    [
        ("face", cup(final_terms={"clock": "day"}), "At real tables there is no clock for turns."),
        ("online", cup(final_terms={"minutes": 90}), "Only an event face to face has minutes for a round."),
        (
            "face",
            standard("swiss", rounds=3, counts="average", final_terms={"target": 5000}),
            "An average of card points needs matches of a set number of deals.",
        ),
        (
            "face",
            standard("swiss", rounds=3, shares_deals=True, final_terms={"deals": 8}),
            "Where all tables play the same deals, no round can have other rules.",
        ),
    ],
)
def test_terms_that_an_event_cannot_have_are_refused_with_a_sentence(setting, plan, sentence):
    (problem,) = plan_checks.plan_problems(unsaved(setting=setting, side_size=1), [plan])
    assert problem.startswith(sentence)


def test_rules_of_a_final_that_do_not_allow_its_table_are_refused():
    plan = standard("pod_knockout", seats=6, most=6, advance=2, final_terms={"rules": "bain"})
    (problem,) = plan_checks.plan_problems(unsaved(side_size=1, entry_kind="person"), [plan], 54)
    assert problem.startswith(Rules.make("bain").title)


# A final with its own number of entries


def test_a_final_has_its_own_number_of_entries():
    plan = standard("pod_knockout", seats=6, most=6, advance=2, final_terms={"seats": 4})
    levels = plan.levels(54)
    assert [level.sizes for level in levels] == [(6,) * 9, (6,) * 3, (4,)]
    assert [(level.advance, level.best_others) for level in levels] == [(2, 0), (1, 1), (1, 0)]


@pytest.mark.parametrize(("entries", "final"), [(54, 2), (54, 18), (6, 4)])
def test_seats_that_the_tables_before_cannot_fill_are_refused(entries, final):
    with pytest.raises(CannotPair) as refused:
        knockout_pods.levels(entries, 6, 2, most=6, final=final)
    assert refused.value.sentence.startswith(f"A final of {final} cannot be filled from")


@pytest.mark.django_db
def test_a_final_of_three_is_drawn_with_three(make, olga):
    event = make(12, standard("pod_knockout", seats=4, most=4, advance=2, final_terms={"seats": 3}))
    driving.play_out(event, olga)
    assert Pairing.objects.get(round__name="Final").places.count() == 3
    event.refresh_from_db()
    assert event.status == "over"


# Everywhere


@pytest.mark.django_db
def test_the_score_sheet_of_the_final_has_eight_deals(final):
    match = score_sheets.read(final())
    assert match.terms.rules.length == ("deals", 8)
    total = score_sheets.paper_scoring.reckon(match.terms, [{"points": [100, 50]}] * 2)
    assert not total.is_over
    words = "2 of 8 deals are entered. Enter the others, or confirm that you stopped here."
    assert score_sheets.early_text(match.terms, [{"points": [100, 50]}] * 2, total) == words


@pytest.mark.django_db
def test_scores_are_checked_by_the_deals_of_the_round(final):
    pairing = final()
    before = Pairing.objects.filter(round__name="Semi-finals").select_related("round__stage__tournament").first()
    (doubt,) = typed_scores.doubts(before, [30_000, 0])
    assert doubt.sentence == "30,000 is more than two deals usually make.".replace("two", "2")
    assert typed_scores.doubts(pairing, [30_000, 0]) == []


@pytest.mark.django_db
def test_printouts_say_and_have_the_deals_of_the_final(final, client, olga):
    pairing = final()
    event = pairing.round.stage.tournament
    chosen = sheets.choose(event, stages_of(event), 1, pairing.round.number)
    (blank,) = sheets.blanks(event, chosen)
    assert sum(len(block) for block in blank.blocks) == 8
    client.force_login(olga)
    pages = [client.get(f"/events/{event.slug}/print/{page}/?round=2").content.decode() for page in ("cards", "scores")]
    assert "The final is eight deals." in pages[0]
    assert "Standard rules, eight deals." in pages[1]
    assert "The final is eight deals." in source.rounds(source.parts(event, stages_of(event))[0])[-1].terms
    assert pdf.schedule(event, source.parts(event, stages_of(event))).startswith(b"%PDF")


@pytest.mark.django_db
def test_the_public_pages_say_it(final, client):
    pairing = final()
    event = pairing.round.stage.tournament
    at = event.get_absolute_url()
    paths = (at, f"{at}schedule/", f"{at}rules/", links_of(event).stage(1), pairing.get_absolute_url())
    silent = [path for path in paths if "The final is eight deals." not in client.get(path).content.decode()]
    assert silent == []


@pytest.mark.django_db
def test_the_pages_of_the_round_say_it(final, desk_of, olga):
    event, desk = final().round.stage.tournament, desk_of(olga)
    for page in ("rounds/", "1/rounds/2/"):
        assert "The final is eight deals." in desk.get(f"/events/{event.slug}/organise/{page}")


@pytest.mark.django_db
def test_it_is_said_in_german(final):
    round_ = final().round
    with translation.override("de"):
        assert rules_text.round_sentence(round_) == "Das Finale geht über acht Spiele."


@pytest.mark.django_db
def test_a_round_that_is_played_like_the_event_says_nothing(final):
    final()
    assert rules_text.round_sentence(Round.objects.select_related("stage__tournament").get(name="Semi-finals")) == ""


@pytest.mark.django_db
def test_an_online_table_of_the_final_has_its_deals_and_its_clock(new_event, olga):
    plan = {"final_terms": {"deals": 8, "clock": "day"}}
    event = new_event("single_elimination", 2, kind="partnership", setting="online", started=True, **plan)
    table = fresh(Pairing.objects.get(round__stage__tournament=event)).table
    assert (table.rules.length, table.clock, table.clock_hours) == (("deals", 8), "move", 24)


@pytest.mark.django_db
def test_an_average_counts_the_deals_of_each_round(make, olga):
    plan = standard("swiss", rounds=2, counts="average", final_terms={"deals": 8})
    event = make(4, plan, length_json={"deals": 2})
    driving.play_out(event, olga)
    state = load(event.stages.get())
    assert [table.deals for round_ in state.played() for table in round_.tables] == [2, 2, 8, 8]


@pytest.mark.django_db
def test_the_forecast_counts_the_deals_of_the_final():
    (course,) = forecast.forecast([("Cup", cup())], 8, forecast.Pace(Rules.make("standard"), 10))
    assert course.length == timedelta(minutes=10 * (4 + 4 + 8))
    (timed,) = forecast.forecast([("Cup", cup(round_minutes=60))], 8, forecast.Pace(Rules.make("standard"), 10))
    assert timed.length == timedelta(minutes=180)


@pytest.mark.django_db
def test_a_rule_sheet_of_the_final_is_one_press_away(make, client):
    event = make(4, cup(final_terms={"rules": "bga"}))
    markup = client.get(f"/events/{event.slug}/rules/").content.decode()
    assert "Rules of the final: " in markup
    assert 'href="?sheet=2"' in markup
    assert Rules.make("bga").title in client.get(f"/events/{event.slug}/rules/?sheet=2").content.decode()


@pytest.mark.django_db
def test_the_timer_of_the_hall_starts_from_the_minutes_of_the_round(make, desk_of, olga):
    event, desk = make(4, cup(round_minutes=45, final_terms={"minutes": 90})), desk_of(olga)
    desk.send(page := f"/events/{event.slug}/organise/hall/", "hall/open/")
    assert 'list="times"\n              value="45"' in desk.get(page) or 'value="45"' in desk.get(page)
    driving.play_round(event, olga)
    assert 'value="90"' in desk.get(page)


@pytest.mark.django_db
def test_the_next_edition_keeps_the_terms(final, olga):
    event = final().round.stage.tournament
    copy = lifecycle.copy_event(event.pk, olga, name="Next")
    assert (copy.length_json, Plan.read(copy.stages.get().plan_json)) == ({"deals": 2}, cup())


# Time for a round


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("setting", "choices", "time"),
    [
        ("face", {"round_minutes": 100}, timedelta(minutes=100)),
        ("face", {"round_minutes": 100, "round_hours": 48}, timedelta(hours=48)),
        ("online", {"round_minutes": 100}, None),
        ("mixed", {"round_minutes": 100, "round_hours": 48}, timedelta(hours=48)),
        ("mixed", {"round_minutes": 100}, None),
    ],
)
def test_a_round_ends_by_its_minutes_at_real_tables_and_by_its_hours_elsewhere(new_event, setting, choices, time):
    event = new_event("swiss", 4, setting=setting, kind="partnership", started=True, rounds=2, **choices)
    round_ = Round.objects.get(stage__tournament=event)
    assert (round_.deadline_at - round_.opened_at if round_.deadline_at else None) == time


@pytest.mark.django_db
def test_the_final_has_its_own_minutes(make, olga):
    event = make(4, cup(round_minutes=45, final_terms={"minutes": 90}), setting="face")
    driving.play_round(event, olga)
    final = Round.objects.get(name="Final")
    assert final.deadline_at - final.opened_at == timedelta(minutes=90)


def test_a_deadline_at_real_tables_is_said_by_the_clock_of_the_event():
    event = Tournament(setting="face", time_zone="Europe/Berlin")
    opened = datetime(2026, 11, 26, 17, 0, tzinfo=UTC)
    round_ = Round(opened_at=opened, deadline_at=opened + timedelta(minutes=100))
    morning = Round(opened_at=opened - timedelta(hours=9), deadline_at=opened - timedelta(hours=7))
    with timezone.override(event.zone):
        assert deadline_text(event, round_) == "19:40 (100 minutes)"
        assert deadline_text(event, round_, opened) == "19:40 this evening"
        assert deadline_text(event, round_, opened + timedelta(days=1)) == "19:40 (100 minutes)"
        assert deadline_text(event, morning, opened) == "11:00 today"
        in_a_week = Round(opened_at=opened, deadline_at=opened + timedelta(days=7))
        assert deadline_text(event, in_a_week) == "Thu 3 Dec 18:00"
        assert deadline_text(event, Round()) == ""
    with timezone.override("Asia/Kolkata"):
        assert deadline_text(event, round_) == "19:40 (100 minutes) Berlin (CET)"


def test_an_event_from_scratch_is_played_at_tables_in_minutes():
    (_, plan), = FROM_SCRATCH.stages  # fmt: skip
    assert (FROM_SCRATCH.settings["setting"], plan.round_hours, plan.round_minutes) == ("face", 0, 100)


@pytest.mark.django_db
def test_an_event_made_from_scratch_has_no_week_for_a_round(desk_of, olga):
    desk = desk_of(olga)
    form = desk.form("/events/new/?from=else", "/events/new/", "draft")
    assert form["fields"]["stage-1-round_minutes"] == ["100"]
    desk.post(form, name="Evening")
    event = Tournament.objects.get()
    plan = Plan.read(event.stages.get().plan_json)
    assert (event.setting, plan.round_hours, plan.round_minutes) == ("face", 0, 100)


# The number of deals is no house rule


@pytest.mark.django_db
@pytest.mark.parametrize("name", list(STARTERS))
def test_the_deals_of_a_template_are_no_house_rule(olga, name):
    event = lifecycle.make_event(olga, name="Evening", starter=name)
    assert event.ruleset == Rules.preset("standard")
    assert event.rules.length == ("deals", STARTERS[name].deals)
    assert not rules_text.are_house_rules(event)
    assert rules_text.rules_title(event).startswith("Standard, ")


@pytest.mark.django_db
def test_the_form_of_a_template_calls_its_rules_published(desk_of, olga):
    markup = desk_of(olga).get("/events/new/?from=swiss_weekend")
    assert '<span class="muted small" id="house-count">as published</span>' in markup


def test_the_length_is_said_with_the_rules():
    assert rules_text.rules_title(unsaved()) == "Standard, four deals"
    assert rules_text.rules_phrase(unsaved()) == "Standard rules"
    assert rules_text.rules_phrase(unsaved(length_json={"deals": 2})) == "Standard rules, two deals"
    assert rules_text.rules_title(unsaved(length_json={"target": 10_000})) == "Standard, to 10,000 points"
    house = Rules.make("standard", {"draw_count": 3}).write()
    assert rules_text.rules_title(unsaved(rules_json=house)) == "Standard with house rules, four deals"


@pytest.mark.django_db
def test_older_events_whose_rules_differ_in_their_length_alone_are_by_the_published_rules(olga):
    module = import_module("tournaments.migrations.0008_match_length")
    house = Rules.make("standard", {"draw_count": 3, "length": {"deals": 2}}).write()
    short = make_event(olga, rules_json=TWO_DEALS)
    others = [make_event(olga, rules_json=rules) for rules in (house, Rules.make("standard").write(), {"x": 1})]
    pinned = make_event(olga, rules_json=TWO_DEALS, terms={"rules_ref": "rules:1"})
    editor = SimpleNamespace(connection=connection)
    module.take_out_lengths(apps, editor)
    short.refresh_from_db()
    assert (short.rules_json, short.length_json) == (Rules.preset("standard").write(), {"deals": 2})
    assert short.rules == Rules.read(TWO_DEALS)
    for event in (*others, pinned):
        before = event.rules_json
        event.refresh_from_db()
        assert (event.rules_json, event.length_json) == (before, {})
    module.put_lengths_back(apps, editor)
    short.refresh_from_db()
    assert Rules.read(short.rules_json) == Rules.read(TWO_DEALS)


@pytest.mark.django_db
def test_the_length_alone_is_changed_and_said_in_the_history(olga):
    event = make_event(olga, status="open")
    act = lifecycle.change_settings(event.pk, olga, changes={"length": {"deals": 6}})
    assert act.sentence == "Changed: length of a match."
    event.refresh_from_db()
    assert (event.rules.length, event.ruleset) == (("deals", 6), Rules.preset("standard"))
    lifecycle.change_settings(event.pk, olga, changes={"length": {}})
    event.refresh_from_db()
    assert event.length_json == {}
    for length in ({"deals": 0}, {"deals": 2, "target": 500}, {"hours": 2}, 7):
        with pytest.raises(Refused):
            lifecycle.change_settings(event.pk, olga, changes={"length": length})


@pytest.mark.django_db
def test_the_length_is_fixed_by_play(make, olga):
    event = make(4, standard("swiss"))
    with pytest.raises(Refused) as refused:
        lifecycle.change_settings(event.pk, olga, changes={"length": {"deals": 6}})
    assert refused.value.sentence == "The event has started, so you cannot change the length of a match."


# Changing


@pytest.mark.django_db
def test_the_final_is_changed_until_its_players_are_called(make, olga):
    event = make(4, cup(), setting="face")
    stage = event.stages.get()
    act = stage_plans.change_stage_plan(stage.pk, olga, plan=cup(final_terms={"deals": 6}))
    assert act.sentence == "Knockout was changed: Knockout, Knockout. The final is six deals."
    driving.play_round(event, olga)
    with pytest.raises(Refused) as refused:
        stage_plans.change_stage_plan(stage.pk, olga, plan=cup())
    assert refused.value.sentence == "Players were called to the last round, so its terms stay as they are."
    with pytest.raises(Refused) as refused:
        history.undo(act.pk, by=olga)
    assert refused.value.code == "has_begun"


@pytest.mark.django_db
def test_a_change_of_the_final_is_undone(make, olga):
    event = make(4, cup(), setting="face")
    act = stage_plans.change_stage_plan(event.stages.get().pk, olga, plan=cup(final_terms={}))
    assert act.sentence.endswith("It is played like the rest of the event.")
    history.undo(act.pk, by=olga)
    assert Plan.read(event.stages.get().plan_json) == cup()


@pytest.mark.django_db
def test_the_terms_of_a_stage_are_fixed_when_it_starts(make, olga):
    event = make(4, standard("swiss", rounds=2))
    with pytest.raises(Refused) as refused:
        stage_plans.change_stage_plan(
            event.stages.get().pk, olga, plan=standard("swiss", rounds=2, own_terms={"deals": 2})
        )
    assert refused.value.code == "has_begun"


@pytest.mark.django_db
def test_the_organiser_says_it_in_the_form_of_the_stage(new_event, desk_of, olga):
    event, desk = new_event("single_elimination", 4, setting="face"), desk_of(olga)
    page = f"/events/{event.slug}/organise/stages/1/"
    answer = desk.send(page, "stages/1/", "save", **{"stage-1-final_deals": "8", "stage-1-final_rules": "bga"})
    assert answer.status_code == 302, refusal(answer)
    new = Plan.read(event.stages.get().plan_json).final_terms
    assert (new.deals, new.rules, new.rules_ref) == (8, Rules.make("bga"), "")
    answer = desk.send(page, "stages/1/", "save", **{"stage-1-final_deals": "", "stage-1-final_rules": ""})
    assert Plan.read(event.stages.get().plan_json).final_terms.write() == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"final_deals": "0"}, "Enter 1 or more."),
        ({"final_deals": "8", "final_target": "9000"}, "Choose a number of deals or a target, not both."),
        ({"final_rules": "rules:99"}, "These rules no longer exist. Choose others."),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_lost(new_event, desk_of, olga, typed, sentence):
    event, desk = new_event("single_elimination", 4, setting="face"), desk_of(olga)
    fields = {f"stage-1-{name}": value for name, value in typed.items()}
    answer = desk.send(f"/events/{event.slug}/organise/stages/1/", "stages/1/", "save", **fields)
    markup = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in markup
    assert all(f'value="{value}"' in markup for name, value in typed.items() if name.endswith("deals"))
    assert Plan.read(event.stages.get().plan_json).final_terms.write() == {}


@pytest.mark.django_db
def test_real_tables_have_no_clock_to_choose_and_online_tables_no_minutes(new_event, desk_of, olga):
    for setting, absent in (("face", "final_clock"), ("online", "final_minutes")):
        event = new_event("single_elimination", 4, name=setting, setting=setting, kind="partnership")
        markup = desk_of(olga).get(f"/events/{event.slug}/organise/stages/1/")
        assert f"stage-1-{absent}" not in markup
        assert "stage-1-final_deals" in markup


@pytest.mark.django_db
def test_the_length_is_said_after_the_rules_where_an_event_is_named(client, olga):
    event = make_event(olga, standard("swiss"), status="open", length_json={"deals": 2})
    markup = client.get(event.get_absolute_url()).content.decode()
    assert "Swiss, by the Standard rules of Hand and Foot, two deals" in markup


def test_every_format_offers_the_terms_that_it_can_have():
    with_last = {name for name in FORMATS if StageForm(number=1, plan=usual(name)).final_fields}
    assert with_last == {
        *("single_elimination", "double_elimination", "pod_knockout"),
        *("swiss", "swiss_pods", "social", "rotating_partners"),
    }
    assert all(StageForm(number=1, plan=usual(name)).own_fields for name in FORMATS)


def test_rules_that_have_no_name_stay_when_the_form_is_saved():
    plan = cup(final_terms={"rules": {"base": "standard", "set": {"draw_count": 3}}, "deals": 8})
    form = StageForm(number=1, plan=plan)
    data = {f"stage-1-{name}": str(form[name].value() or "") for name in form.fields}
    bound = StageForm(data | {"stage-1-reset": ""}, number=1, plan=plan)
    assert bound.is_valid(), bound.errors
    assert bound.plan().final_terms == plan.final_terms


# By program


@pytest.mark.django_db
def test_programs_plan_and_read_terms(program, olga, new_event):
    event, bot = new_event("single_elimination", 4, setting="face", status="open"), program(olga)
    at = f"events/{event.slug}"
    bot.post(f"{at}/stages/1/change/", 200, choices=EIGHT)
    seen = bot.get(f"{at}/", 200)
    assert seen["stages"][0]["plan"]["final_terms"] == {"deals": 8}
    assert "The final is eight deals." in seen["stages"][0]["sentences"]
    bot.post(f"{at}/settings/", 200, length={"deals": 2})
    assert bot.get(f"{at}/", 200)["length"] == {"deals": 2}
    assert bot.post(f"{at}/stages/1/change/", 422, choices={"final_terms": {"deals": 0}})["code"] == "bad_plan"
    lifecycle.start(event.pk, olga)
    lengths = [match["length"] for match in bot.get(f"{at}/matches/", 200)["matches"]]
    assert lengths == [{"deals": 2}, {"deals": 2}, {"deals": 8}]
    assert bot.get(f"{at}/rules/", 200)["others"][0]["name"] == "Final"


@pytest.mark.django_db
def test_programs_plan_and_read_terms_of_a_round(program, olga, new_event):
    event, bot = new_event("single_elimination", 4, setting="face", status="open"), program(olga)
    at = f"events/{event.slug}"
    bot.post(f"{at}/stages/1/change/", 200, choices=SIX_AND_EIGHT)
    seen = bot.get(f"{at}/", 200)["stages"][0]
    assert seen["plan"]["round_terms"] == SIX_AND_EIGHT["round_terms"]
    assert "Semi-finals: A match is six deals. A match has 60 minutes." in seen["sentences"]
    wrong = bot.post(f"{at}/stages/1/change/", 422, choices={"round_terms": {"Final": {"deals": 6}}})
    assert wrong["code"] == "bad_plan"
    lifecycle.start(event.pk, olga)
    lengths = [match["length"] for match in bot.get(f"{at}/matches/", 200)["matches"]]
    assert lengths == [{"deals": 6}, {"deals": 6}, {"deals": 8}]


@pytest.mark.django_db
def test_no_table_of_a_running_final_is_touched(final, olga):
    pairing = final()
    progress.advance(pairing.round.stage.tournament_id, timezone.now())
    assert fresh(pairing).opened_at == pairing.opened_at
    assert online_tables.terms.of_round(pairing.round).rules.length.number == 8
    assert Act.objects.filter(kind="stages").count() == 0
    assert Stage.objects.get().trouble == ""


# Rounds before the last

SIX_AND_EIGHT = {"round_terms": {"Semi-finals": {"deals": 6, "minutes": 60}}, "final_terms": {"deals": 8}}


@pytest.mark.django_db
def test_the_semi_finals_are_six_deals_and_the_final_eight(make, olga):
    event = make(8, cup(**SIX_AND_EIGHT), setting="face")
    lengths = []
    for _ in range(3):
        pairing = driving.open_pairings(event)[0]
        of_round = terms.of_round(pairing.round)
        lengths.append((pairing.round.name, of_round.rules.length.number, of_round.minutes))
        driving.play_round(event, olga)
    assert lengths == [("Quarter-finals", 4, 0), ("Semi-finals", 6, 60), ("Final", 8, 0)]
    stage = event.stages.get()
    sentences = rules_text.stage_sentences(stage, Plan.read(stage.plan_json))
    assert sentences == ("Semi-finals: A match is six deals. A match has 60 minutes.", "The final is eight deals.")
    semi = stage.rounds.get(name="Semi-finals")
    assert rules_text.round_sentence(semi) == "A match is six deals. A match has 60 minutes."
    sheets = [(sheet.title, sheet.terms.rules.length.number) for sheet in rule_sheets.sheets(event, [stage])]
    assert sheets == [("Event", 4), ("Semi-finals", 6), ("Final", 8)]


def test_terms_of_a_round_are_over_those_of_its_stage():
    plan = cup(own_terms={"rules": "bain"}, final_terms={}, round_terms={"Semi-finals": {"deals": 2}})
    assert deals(unsaved(), plan, name="Semi-finals") == ("deals", 2)
    assert deals(unsaved(), plan, name="Quarter-finals") == deals(unsaved(), plan)
    assert deals(unsaved(), plan, is_last=True) == deals(unsaved(), plan)


def test_a_plan_without_terms_of_rounds_is_written_as_before():
    assert "round_terms" not in cup().write()
    plan = cup(**SIX_AND_EIGHT)
    assert plan.write()["round_terms"] == SIX_AND_EIGHT["round_terms"]
    assert Plan.read(plan.write()) == plan


@pytest.mark.django_db
def test_an_average_counts_the_deals_of_a_round_before_the_last(make, olga):
    plan = standard("swiss", rounds=2, counts="average", round_terms={"Round 1": {"deals": 2}})
    event = make(4, plan, setting="face")
    driving.play_out(event, olga)
    state = load(event.stages.get())
    played = [table.deals for round_ in state.played() for table in round_.tables]
    assert played == [2, 2, 4, 4]


@pytest.mark.django_db
def test_terms_of_a_round_change_until_its_players_are_called(make, olga):
    event = make(8, cup(**SIX_AND_EIGHT), setting="face")
    stage = event.stages.get()
    driving.play_round(event, olga)
    for plan in (
        cup(final_terms={"deals": 8}),
        cup(round_terms={"Semi-finals": {"deals": 5}}, final_terms={"deals": 8}),
    ):
        with pytest.raises(Refused) as refused:
            stage_plans.change_stage_plan(stage.pk, olga, plan=plan)
        assert refused.value.sentence == "Semi-finals: players were called, so these terms stay as they are."


@pytest.mark.django_db
def test_undo_does_not_set_back_terms_of_a_round_that_was_called(make, olga):
    event = make(8, cup(), setting="face")
    act = stage_plans.change_stage_plan(event.stages.get().pk, olga, plan=cup(**SIX_AND_EIGHT))
    driving.play_round(event, olga)
    with pytest.raises(Refused, match="Semi-finals: players were called"):
        history.undo(act.pk, by=olga)


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["swiss_pods", "social"])
def test_the_last_round_at_bigger_tables_has_its_own_tables(make, olga, format):
    plan = standard(format, seats=4, rounds=2, final_terms={"seats": 6})
    (course,) = forecast.forecast([("Evening", plan)], 12, forecast.Pace(Rules.preset("standard")))
    assert [session.sizes for session in course.sessions] == [(4, 4, 4), (6, 6)]
    event = make(12, plan, setting="face")
    sizes = []
    for _ in range(2):
        sizes.append([pairing.places.count() for pairing in driving.open_pairings(event)])
        driving.play_round(event, olga)
    assert sizes == [[4, 4, 4], [6, 6]]


def test_a_last_round_whose_tables_cannot_be_is_refused():
    rules, rounds = Rules.make("standard", {"shapes": [[4, 1]]}), {"rounds": 2}
    event = unsaved(side_size=1, entry_kind="person", rules_json=rules.write())
    assert plan_checks.plan_problems(event, [standard("social", **rounds)], 12) == []
    (problem,) = plan_checks.plan_problems(event, [standard("social", **rounds, final_terms={"seats": 6})], 12)
    assert "does not allow a table of 6" in problem


@pytest.mark.django_db
def test_the_tables_of_a_last_round_stay_once_it_is_drawn_with_the_others(make, olga):
    stage = make_event(olga, standard("social", rounds=2), entries=12, status="open").stages.get()
    changes = [standard("social", rounds=2, final_terms={"seats": seats}) for seats in (6, 3)]
    act = stage_plans.change_stage_plan(stage.pk, olga, plan=changes[0])
    lifecycle.start(stage.tournament_id, olga)
    for change in (
        lambda: stage_plans.change_stage_plan(stage.pk, olga, plan=changes[1]),
        lambda: history.undo(act.pk, by=olga),
    ):
        with pytest.raises(Refused, match="are drawn, so the entries at a table of its last round stay"):
            change()


@pytest.mark.django_db
def test_a_round_is_chosen_in_the_form_of_the_stage(make, olga, desk_of):
    event = make_event(olga, cup(), entries=8, status="open", setting="face")
    path = reverse("tournaments:organise_stage", args=[event.slug, 1])
    desk = desk_of(olga)
    typed = {"stage-1-round0_name": "Semi-finals", "stage-1-round0_deals": "6", "stage-1-final_deals": "8"}
    assert desk.send(path, "/stages/1/", "save", **typed).status_code == 302
    plan = Plan.read(event.stages.get().plan_json)
    assert (plan.terms_of("Semi-finals").deals, plan.final_terms.deals) == (6, 8)
    page = desk.get(path)
    assert '<option value="Semi-finals" selected>Semi-finals</option>' in page
    assert 'name="stage-1-round1_name"' in page
    wrong = desk.send(path, "/stages/1/", "save", **{"stage-1-round1_deals": "3"})
    assert (wrong.status_code, "Choose the round." in wrong.content.decode()) == (422, True)
    nothing = {"stage-1-round0_name": "", "stage-1-round0_deals": ""}
    assert desk.send(path, "/stages/1/", "save", **nothing).status_code == 302
    assert Plan.read(event.stages.get().plan_json).round_terms == ()


def test_a_forecast_counts_the_time_of_each_round():
    pace = forecast.Pace(rules=Rules.preset("standard"), minutes=10)
    usual, longer = (forecast.forecast([("Cup", cup(**choices))], 8, pace)[0].length for choices in ({}, SIX_AND_EIGHT))
    assert longer - usual == timedelta(minutes=60 - 40)
