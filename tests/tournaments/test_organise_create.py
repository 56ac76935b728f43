"""A new event: from a template to its announcement, with the schedule next to the form and errors at the fields."""

import re

import pytest

from engine.play.rules import Rules
from gameplay.house_rules.editor import editor_of
from tests.pages import squeezed
from tests.tournaments.organising import pressed
from tournaments.event_templates import STARTERS
from tournaments.forecast import Pace, forecast, in_all
from tournaments.forms.stage import usual
from tournaments.models import Act, Stage, Tournament
from tournaments.plan import FORMATS, Plan, standard

NEW = "/events/new/"


def form_of(desk, starter="championship"):
    return desk.form(f"{NEW}?from={starter}", NEW, "publish")


def wrong_at(markup, field):
    match = re.search(rf'<div id="{field}_wrong"[^>]*>(.*?)</div>', markup, re.DOTALL)
    return re.findall(r"<li>(.*?)</li>", match[1]) if match else None


@pytest.mark.parametrize("name", STARTERS)
def test_every_template_becomes_an_event_that_says_what_it_will_be(olga, desk_of, name):
    desk, starter = desk_of(olga), STARTERS[name]
    answer = desk.post(form_of(desk, name), name="Our Event")
    event = Tournament.objects.get()
    assert (answer.status_code, answer.url) == (302, f"/events/{event.slug}/organise/")
    assert (event.status, event.name, event.created_by) == ("open", "Our Event", olga)
    assert event.rules == starter.rules
    settings = {field: getattr(event, field) for field in starter.settings if field != "rules"}
    assert settings == {field: value for field, value in starter.settings.items() if field != "rules"}
    stages = [(stage.name, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    assert stages == [(title, plan) for title, plan in starter.stages]
    assert starter.title in desk.get(NEW)


def test_a_draft_is_kept_from_others(olga, desk_of):
    desk = desk_of(olga)
    desk.post(desk.form(f"{NEW}?from=swiss_weekend", NEW, "draft"), name="Quiet")
    assert Tournament.objects.get().status == "draft"


def test_the_same_form_sent_twice_makes_one_event(olga, desk_of):
    desk = desk_of(olga)
    form = form_of(desk)
    answers = [desk.post(form, name="Once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert (Tournament.objects.count(), Act.objects.filter(kind="announce").count()) == (1, 1)


def test_who_has_no_account_is_asked_to_sign_in(desk_of):
    assert desk_of().client.get(f"{NEW}?from=ladder").status_code == 302


# The schedule


def test_the_championship_is_simulated_before_anything_is_sent(olga, desk_of):
    markup = desk_of(olga).get(f"{NEW}?from=championship")
    assert "54 entries. 3 rounds, 9 tables at once, 13 matches, no bye." in squeezed(markup)
    assert "<td>9 tables of 6</td>" in markup


def test_the_schedule_follows_what_is_filled_in_without_a_script(olga, desk_of):
    desk = desk_of(olga)
    form = desk.form(f"{NEW}?from=swiss_weekend", NEW, "look")
    answer = desk.post(form, expected="9", name="")
    markup = answer.content.decode()
    assert answer.status_code == 200
    assert "9 entries. 6 rounds, 4 tables at once, 24 matches, 6 byes." in squeezed(markup)
    assert "loss 0. A bye counts as much as the entry’s other rounds on average." in squeezed(markup)
    assert "✎ house rule" not in markup, "the number of deals is none"
    assert not Tournament.objects.exists()


def test_an_open_page_is_sent_the_schedule_and_what_is_wrong_at_which_field(olga, desk_of):
    desk = desk_of(olga)
    form = form_of(desk, "swiss_weekend")
    part = desk.client.post("/events/new/schedule/", {**form["fields"], "expected": "5", "name": ""}).content.decode()
    sentence = "5 entries can play 5 rounds without meeting twice, not 6."
    assert f"<li>{sentence}</li>" in part.partition("hx-swap-oob")[0]
    assert wrong_at(part, "id_stage-1-rounds") == [sentence]
    # Empty fields are no errors while the form is being filled in.
    assert wrong_at(part, "id_name") == []
    mended = desk.client.post("/events/new/schedule/", {**form["fields"], "expected": "8"}).content.decode()
    assert "8 entries. 6 rounds" in squeezed(mended)
    assert wrong_at(mended, "id_stage-1-rounds") == []


def test_another_format_brings_its_own_fields(olga, desk_of):
    desk = desk_of(olga)
    form = form_of(desk, "swiss_weekend")
    typed = form["fields"] | {"stage-1-format": "single_elimination"}
    part = desk.client.post("/events/new/schedule/", typed).content.decode()
    assert '<fieldset class="step stage" id="stage-1" hx-swap-oob="true">' in part
    assert 'name="stage-1-third_place"' in part
    assert 'name="stage-1-rounds"' not in part
    assert "16 entries. 4 rounds, 8 tables at once, 15 matches, no bye." in squeezed(part)
    # Sent as it is, without a look at the new fields, it comes back once with them.
    answer = desk.post({**form, "fields": typed}, name="Cup")
    assert (answer.status_code, Tournament.objects.count()) == (200, 0)
    assert desk.post(pressed(answer.content.decode(), NEW, "publish")).status_code == 302
    assert Stage.objects.get().plan_json["format"] == "single_elimination"


def test_other_rules_bring_their_house_rules(olga, desk_of):
    desk = desk_of(olga)
    form = form_of(desk, "swiss_weekend")
    part = desk.client.post("/events/new/schedule/", {**form["fields"], "preset": "family"}).content.decode()
    assert '<div id="event-rules" class="form" hx-swap-oob="true">' in part
    assert '<input type="hidden" name="base" value="family">' in part


def test_stages_are_added_and_left_out(olga, desk_of):
    desk = desk_of(olga)
    form = desk.form(f"{NEW}?from=swiss_weekend", NEW, "add_stage")
    added = desk.post(form, name="Two").content.decode()
    assert "8 entries. 3 rounds" in squeezed(added)
    third = desk.post(pressed(added, NEW, "add_stage")).content.decode()
    assert pressed(third, NEW, "publish")["fields"]["stages"] == ["3"]
    fewer = desk.post(pressed(third, NEW, "remove_stage:2")).content.decode()
    two_stages = pressed(fewer, NEW, "publish")
    assert two_stages["fields"]["stages"] == ["2"]
    assert desk.post(two_stages).status_code == 302
    assert [Plan.read(stage.plan_json).take for stage in Stage.objects.all()] == [0, 8]
    assert Tournament.objects.get().name == "Two"


# What cannot work


@pytest.mark.parametrize(
    ("starter", "typed", "field", "sentence"),
    [
        ("swiss_weekend", {"name": ""}, "id_name", "Fill in this field."),
        ("swiss_weekend", {"expected": "1"}, "id_expected", "Enter 2 or more."),
        ("swiss_weekend", {"starts_at": "soon"}, "id_starts_at", "Enter the day and the time, such as 2026-11-21 19:30."),
        ("swiss_weekend", {"time_zone": "Nowhere"}, "id_time_zone", "“Nowhere” is not a time zone. Choose one such as Europe/Paris."),
        ("swiss_weekend", {"stage-1-rounds": "30"}, "id_stage-1-rounds", "16 entries can play 15 rounds without meeting twice, not 30."),
        ("swiss_weekend", {"stage-1-win": "many"}, "id_stage-1-win", "Enter a number of points, such as 2 or 1/2."),
        ("swiss_weekend", {"stage-1-tiebreak_1": "buchholz", "stage-1-tiebreak_0": "buchholz"}, "id_stage-1-tiebreak_0",
            "A tie-break is in the list twice."),
        ("groups_knockout", {"stage-1-groups": "12"}, "id_stage-1-groups", "12 groups need at least 24 entries, two in each."),
        ("groups_knockout", {"stage-2-take": "5"}, "id_stage-2-take", "2 from each of 4 groups makes 8, more than 5 in all."),
        ("championship", {"stage-1-seats": "5", "stage-1-most": "5", "stage-1-least": "5"}, None, "54 entries cannot be seated at tables of 5."),
        ("championship", {"stage-1-advance": "6"}, "id_stage-1-advance",
            "At least one entry from each table must go through, and at least one must not."),
        ("duplicate", {"entry_kind": "person"}, "id_stage-1-format", "Howell is for pairs. Set “Entry type” to “Pairs”."),
        ("arena", {"stage-1-minutes": "5"}, "id_stage-1-minutes", "Enter 10 or more."),
        ("league_cup", {"clock_hours": "3"}, "id_clock_hours", "A turn must have at least 12 hours, so that everyone can sleep."),
        ("club_night", {"check_in_from": "2030-01-01T12:00", "check_in_until": "2030-01-01T11:00"}, "id_check_in_until", "Check-in must close after it opens."),
    ],
)  # fmt: skip
def test_what_cannot_work_is_said_beside_its_field(olga, desk_of, starter, typed, field, sentence):
    desk = desk_of(olga)
    answer = desk.post(form_of(desk, starter), **({"name": "Event"} | typed))
    markup = answer.content.decode()
    assert (answer.status_code, Tournament.objects.count()) == (422, 0)
    assert sentence in markup.replace("&#x27;", "'")
    if field is not None:
        assert sentence in wrong_at(markup, field)
    fields = pressed(markup, NEW, "publish")["fields"]
    assert {name: fields[name] for name in typed} == {name: [text] for name, text in typed.items()}


def test_the_box_of_a_schedule_says_which_field_is_wrong(olga, desk_of):
    desk = desk_of(olga)
    markup = desk.post(form_of(desk, "arena"), name="Event", **{"stage-1-minutes": "5"}).content.decode()
    box = squeezed(markup).partition("This schedule will not work.")[2].partition("</ul>")[0]
    assert "<li>Length in minutes: Enter 10 or more.</li>" in box


def test_rules_that_contradict_themselves_come_back_with_why(olga, desk_of):
    desk = desk_of(olga)
    answer = desk.post(form_of(desk), name="Event", **{"rule-decks.number": "many"})
    assert answer.status_code == 422
    assert "must be a whole number" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_house_rules_of_the_form_become_those_of_the_event(olga, desk_of):
    desk = desk_of(olga)
    desk.post(form_of(desk), name="Event", **{"rule-length.by": "target", "rule-length.number": "8500"})
    assert Tournament.objects.get().rules.length == ("target", 8500)


def test_times_are_taken_by_the_events_own_clock(olga, desk_of):
    desk = desk_of(olga)
    desk.post(form_of(desk), name="Event", time_zone="prague", starts_at="2030-07-01T19:30")
    event = Tournament.objects.get()
    assert (event.time_zone, event.starts_at.isoformat()) == ("Europe/Prague", "2030-07-01T17:30:00+00:00")


# How it would go


PACE = Pace(Rules.make("standard"), 25)


@pytest.mark.parametrize(
    ("plan", "entries", "words", "turns"),
    [
        (standard("round_robin"), 5, "5 rounds, 2 tables at once, 10 matches, 5 byes.", 5),
        (standard("round_robin", legs=2), 4, "6 rounds, 2 tables at once, 12 matches, no bye.", 6),
        (standard("groups", groups=2), 7, "3 rounds, 3 tables at once, 9 matches, 3 byes.", 3),
        (standard("single_elimination"), 6, "3 rounds, 2 tables at once, 5 matches, 2 byes.", 3),
        (standard("single_elimination", third_place=True), 8, "4 rounds, 4 tables at once, 8 matches, no bye.", 3),
        (standard("double_elimination"), 8, "8 rounds, 4 tables at once, 14 matches, no bye.", 6),
        (standard("pod_knockout", seats=6, most=6, advance=2), 54, "3 rounds, 9 tables at once, 13 matches, no bye.", 3),
        (standard("social", seats=4, rounds=3), 16, "3 rounds, 4 tables at once, 12 matches, no bye.", 3),
        (standard("rotating_partners", rounds=3), 8, "3 rounds, 2 tables at once, 6 matches, no bye.", 3),
        (standard("howell"), 8, "7 rounds, 4 tables at once, 28 matches, no bye.", 7),
    ],
)  # fmt: skip
def test_rounds_tables_and_byes_are_those_that_will_be(plan, entries, words, turns):
    (course,) = forecast([("Stage", plan)], entries, PACE)
    assert (course.words, course.turns) == (words, turns)
    assert course.length.total_seconds() == turns * 4 * 25 * 60


@pytest.mark.parametrize("entries", [128, 129, 1000])
def test_a_big_swiss_is_counted_as_a_small_one_is_played(entries):
    (course,) = forecast([("Swiss", standard("swiss", rounds=3))], entries, PACE)
    assert [(len(session.sizes), session.byes) for session in course.sessions] == [(entries // 2, entries % 2)] * 3


def test_every_format_has_a_forecast():
    for name in FORMATS:
        (course,) = forecast([("Stage", usual(name))], 16, PACE)
        assert course.words.endswith(".")


def test_time_is_counted_by_deadlines_by_tables_there_are_or_not_at_all():
    cup = [("Cup", standard("double_elimination", round_hours=24))]
    assert in_all(forecast(cup, 8, PACE)).days == 6
    at_once = [("League", standard("round_robin", round_hours=24, all_at_once=True))]
    assert in_all(forecast(at_once, 8, PACE)).days == 1
    few_tables = forecast(
        [("Swiss", standard("swiss", rounds=2))], 8, Pace(Rules.make("standard", {"length": {"deals": 1}}), 60, 2)
    )
    assert in_all(few_tables).total_seconds() == 2 * 2 * 3600
    assert in_all(forecast([("Swiss", standard("swiss", rounds=2))], 8, Pace(None))) is None
    assert in_all(forecast([("Ladder", standard("ladder"))], 8, PACE)) is None


def test_a_stage_takes_as_many_as_the_one_before_gives():
    plans = [standard("groups", groups=4), standard("single_elimination", take_each=2), standard("swiss", take=2)]
    courses = forecast([(plan.title, plan) for plan in plans], 16, PACE)
    assert [course.entries for course in courses] == [16, 8, 2]


@pytest.mark.parametrize("name", STARTERS)
def test_the_editor_of_rules_is_filled_with_the_rules_it_stands_for(name):
    rules = STARTERS[name].rules
    assert editor_of(rules).rules == rules
