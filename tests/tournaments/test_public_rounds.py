"""Schedules, results, crosstables, entries' ways and the rules of an event as pages show them."""

import pytest

from engine.play.rules import Rules
from gameplay.models import Table
from tests.pages import squeezed
from tests.tournaments import driving
from tournaments.models import Entry, Pairing, Round, Stage
from tournaments.plan import standard
from tournaments.public import crosstable, entry_path, format_text, schedule
from tournaments.public.names import entrants_of, links_of, match_title
from tournaments.round_names import round_words
from tournaments.services.entries import byes
from tournaments.services.matches import results
from tournaments.stage_state import load


def state_of(event, number=1):
    return load(Stage.objects.get(tournament=event, number=number), event)


def page(client, event, path, **query):
    return client.get(f"/events/{event.slug}/{path}", query).content.decode()


# Schedule


def chosen(event, number=None):
    state, links = state_of(event), links_of(event)
    return schedule.schedule(state, entrants_of(state, links), links, live={}, number=number)


def test_a_small_event_has_all_its_rounds_on_one_page(new_event, olga):
    event = new_event("round_robin", 5, started=True)
    driving.play_round(event, olga)
    shown_rounds = chosen(event)
    assert [round_.name for round_ in shown_rounds.rounds] == ["Round 1", "Round 2", "Round 3", "Round 4", "Round 5"]
    assert [round_.remark for round_ in shown_rounds.rounds[:2]] == ["finished", "2 tables"]
    assert shown_rounds.numbers == ()
    assert [(out.words, len(out.entrants)) for out in shown_rounds.rounds[0].out] == [("Zero-point bye", 1)]


def test_a_big_event_shows_one_round_at_a_time_the_current_first(new_event, olga, monkeypatch, client):
    monkeypatch.setattr(schedule, "AT_ONCE", 4)
    event = new_event("round_robin", 6, started=True)
    driving.play_round(event, olga)
    assert [round_.number for round_ in chosen(event).rounds] == [2]
    assert [round_.number for round_ in chosen(event, 1).rounds] == [1]
    assert [round_.number for round_ in chosen(event, 99).rounds] == [2]
    markup = page(client, event, "schedule/", round="1")
    assert f'href="/events/{event.slug}/schedule/?stage=1&amp;round=2"' in markup
    assert "Round 1</h2>" in markup
    assert "Round 2</h2>" not in markup


def test_byes_stand_below_their_round(new_event, olga):
    event = new_event("swiss", 5, rounds=3, started=True)
    byes.request_bye(Entry.objects.get(tournament=event, number=1).pk, olga, round_number=2)
    driving.play_round(event, olga)
    second = chosen(event).rounds[1]
    assert {out.words: [entry.name for entry in out.entrants] for out in second.out} == {"Half-point bye": ["Player 1"]}


def test_the_rounds_of_a_bracket_have_their_titles(new_event):
    event = new_event("double_elimination", 4, started=True)
    names = [round_.name for round_ in chosen(event).rounds]
    assert sorted(names) == [
        "Decider", "Final", "Last two", "Second chance, round 1", "Second chance, round 2", "Semi-finals",
    ]  # fmt: skip


def test_the_schedule_opens_with_the_stage_under_way(new_event, olga, client):
    plans = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]
    event = new_event(entries=8, plans=plans, started=True)
    assert schedule.current_stage(list(event.stages.all())).number == 1
    driving.play_round(event, olga)
    driving.play_round(event, olga)
    driving.play_round(event, olga)
    assert schedule.current_stage(list(event.stages.all())).number == 2
    assert "Semi-finals</h2>" in page(client, event, "schedule/")
    assert "Round 1</h2>" in page(client, event, "schedule/", stage="1")
    assert "Semi-finals</h2>" in page(client, event, "schedule/", stage="77")


@pytest.mark.parametrize("value", ["x", "-1", "99999999999", "²", "1; DROP"])
def test_numbers_that_are_none_are_passed_over(new_event, client, value):
    event = new_event("swiss", 4, started=True)
    for path, name in (("schedule/", "round"), ("schedule/", "stage"), ("results/", "page")):
        assert client.get(f"/events/{event.slug}/{path}", {name: value}).status_code == 200


# Results


def test_results_come_the_latest_first_and_page_by_page(new_event, olga, client, monkeypatch):
    monkeypatch.setattr(schedule, "A_PAGE", 3)
    event = new_event("round_robin", 4, started=True)
    driving.play_out(event, olga)
    results_page, lines = schedule.results(event, links_of(event), "1")
    assert [line.match.pairing.round.number for line in lines] == [3, 3, 2]
    assert results_page.paginator.count == 6
    assert "Earlier results" in page(client, event, "results/")
    assert "Later results" in page(client, event, "results/", page="2")


# Crosstable


def test_everybody_against_everybody(new_event, olga):
    event = new_event("round_robin", 4, started=True)
    driving.play_out(event, olga)
    state, links = state_of(event), links_of(event)
    (table,) = crosstable.crosstables(state, entrants_of(state, links), links)
    assert [[cell.text or cell.kind for cells in line.cells for cell in cells] for line in table.lines] == [
        ["self", "2", "2", "2"],
        ["0", "self", "2", "2"],
        ["0", "0", "self", "2"],
        ["0", "0", "0", "self"],
    ]
    assert table.lines[0].cells[1][0].words.endswith(": 2 against Player 2, 4,990 card points")
    assert table.lines[0].cells[1][0].url.startswith(f"/events/{event.slug}/1/R")


def test_round_by_round(new_event, olga):
    event = new_event("swiss", 5, rounds=3, started=True)
    driving.play_round(event, olga)
    state, links = state_of(event), links_of(event)
    (table,) = crosstable.crosstables(state, entrants_of(state, links), links)
    assert table.by_round
    first = {line.entrant.name: [cell.text for cell in line.cells[0]] for line in table.lines}
    assert first["Player 1"][0].startswith("W")
    assert first["Player 5"] == ["bye"]
    assert {cell.text for line in table.lines for cell in line.cells[1]} == {"·", "bye"}


# An entry's way


def test_the_way_of_an_entry(new_event, olga, client):
    event = new_event("swiss", 8, rounds=3, started=True)
    driving.play_round(event, olga)
    state, links = state_of(event), links_of(event)
    entry = Entry.objects.get(tournament=event, number=1)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert [(row.round, row.outcome, row.points) for row in way.steps] == [("Round 1", "won", "2"), ("Round 2", "", "")]
    assert way.steps[0].score.startswith("4,990 – ")
    assert (way.points, way.rank != "") == ("2", True)
    assert entry_path.next_step([way]) == way.steps[1]
    markup = page(client, event, "entries/1/")
    assert "<b>Next:</b>" in markup
    assert "Can still finish in places " in markup or "Can still finish in any place." in markup


def test_the_way_through_a_bracket(new_event, olga, client):
    event = new_event("double_elimination", 4, started=True)
    driving.play_out(event, olga)
    state, links = state_of(event), links_of(event)
    entry = Entry.objects.get(tournament=event, number=2)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert [step.outcome for step in way.steps] == ["won", "lost", "won", "lost"]
    assert way.steps[-1].round == "Final"
    assert way.range == "Finished in place 2."


def test_where_card_points_add_up_a_way_has_no_match_points(new_event, olga):
    event = new_event("swiss", 3, rounds=2, started=True, counts="total")
    driving.play_round(event, olga)
    state, links = state_of(event), links_of(event)
    ways = [
        entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
        for entry in Entry.objects.filter(tournament=event)
    ]
    assert sorted(way.steps[0].outcome for way in ways) == ["", "lost", "won"]
    assert {step.points for way in ways for step in way.steps} == {""}


def test_at_bigger_tables_a_way_has_places(new_event, olga):
    event = new_event("swiss_pods", 8, rounds=2, started=True)
    driving.play_round(event, olga)
    state, links = state_of(event), links_of(event)
    entry = Entry.objects.get(tournament=event, number=1)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert way.steps[0].outcome == "1st of 4"


def test_partners_of_a_match_are_named(new_event, olga):
    event = new_event("rotating_partners", 4, started=True)
    state, links = state_of(event), links_of(event)
    way = entry_path.stretch(
        state, Entry.objects.get(tournament=event, number=1), entrants_of(state, links), links, live={}
    )
    assert {step.partners for step in way.steps} == {"Player 2", "Player 3", "Player 4"}
    assert all(" / " in step.against for step in way.steps)


def test_entries_are_listed_by_how_they_stand(new_event, client):
    event = new_event("swiss", 4, kind="partnership")
    Entry.objects.filter(tournament=event, number=4).update(status="waiting")
    Entry.objects.filter(tournament=event, number=3).update(status="withdrawn")
    Entry.objects.filter(tournament=event, number=2).update(status="forming")
    markup = squeezed(page(client, event, "entries/"))
    order = [
        markup.index(words)
        for words in ("1 pair", "Pair 1<", "Waiting list", "Pair 4<", "partner’s answer", "Pair 2<", "Pair 3<")
    ]
    assert order == sorted(order)
    assert "<bdi>Player 1</bdi>,<bdi>Player 2</bdi>" in markup


# Names


def test_names_of_matches_and_rounds():
    names = {
        name: match_title(Pairing(round=Round(name="Semi-finals"), name=name, number=3))
        for name in ("R2.3", "WB1.1", "GF1.1", "GF2.1", "TP1.1", "C7", "A12")
    }
    assert names == {
        "R2.3": "Table 3",
        "WB1.1": "Semi-final 1",
        "GF1.1": "Final",
        "GF2.1": "Decider",
        "TP1.1": "Third place",
        "C7": "Challenge 7",
        "A12": "Table 12",
    }
    assert [round_words(name) for name in ("WB2", "LB3", "GF1", "Round 4", "Level 1")] == [
        "round 2", "second chance, round 3", "final", "round 4", "round 1",
    ]  # fmt: skip


# How it is decided


def sentences(event, number=1):
    return format_text.stages(list(event.stages.all()))[number - 1]


def test_every_format_is_told_in_words(new_event):
    for format in format_text.FORMATS:
        choices = {"groups": {"groups": 2}}.get(format, {})
        plan = standard(format, **choices)
        event = new_event(entries=2, plans=[plan])
        text = sentences(event)
        assert text.sentences[0] == format_text.FORMATS[format].sentence
        assert all(sentence.endswith((".", "!")) and not sentence.startswith(" ") for sentence in text.sentences), text
        assert format_text.short(plan).startswith(plan.title)


def test_points_byes_and_ties_are_told(new_event):
    event = new_event(
        "swiss", 8, rounds=5, win="3", draw="1", loss="1/2", tiebreaks=["buchholz", "best_rounds"], best_rounds=3
    )
    text = sentences(event)
    assert "Win 3 points, draw 1, loss ½." in text.sentences
    assert "It has 5 rounds." in text.sentences
    assert [tiebreak.title for tiebreak in text.tiebreaks] == ["Buchholz", "Best rounds: 3"]
    assert any(sentence.startswith("For tie-breaks by opponents: ") for sentence in text.sentences)


def test_who_goes_on_is_told(new_event):
    event = new_event(
        entries=8,
        plans=[standard("groups", groups=2, cut_tie="all"), standard("single_elimination", take=6, take_each=2)],
    )
    first, second = list(event.stages.all())
    assert (
        "The first 2 of each group or table go through to this stage. The best others fill it up to 6."
        in sentences(event, 2).sentences
    )
    assert format_text.cut_sentence(first, second) == (
        "Everyone tied at a cut goes through. Entries tied for first place share it."
    )
    assert format_text.cut_sentence(second, None) == ""


def test_the_rules_page_has_the_sheet_that_tables_show(new_event, client):
    event = new_event(
        "swiss", 4, setting="mixed", no_show="walkover", confirm_hours=36, rules_json=Rules.make("family").write()
    )
    markup = page(client, event, "rules/")
    assert "If you have not played by the deadline, you lose by walkover." in markup
    assert "If the other side does not object within 36 hours, the result becomes final." in markup
    assert "Family</h2>" in markup
    assert event.lots not in markup
    assert Round.objects.count() == 0


def test_the_seed_of_lots_is_public_once_the_event_has_begun(new_event, client):
    event = new_event("swiss", 4, started=True, lots="5ca1ab1e")
    assert "<code>5ca1ab1e</code>" in page(client, event, "rules/")


# A match


def test_the_history_of_a_result_names_who_entered_it(new_event, olga, client):
    event = new_event("swiss", 4, started=True)
    pairing = Pairing.objects.get(name="R1.1")
    first, second = list(pairing.places.select_related("entry"))
    lines = [{"entry": first.entry_id, "score": 7105}, {"entry": second.entry_id, "score": 6400}]
    results.report(pairing.pk, lines, by=first.entry.members.get().user)
    markup = page(client, event, "1/R1.1/")
    assert "The other side has not confirmed the result yet." in markup
    assert f"Entered by {first.entry}" in markup
    changed = [{"entry": first.entry_id, "score": 7100}, {"entry": second.entry_id, "score": 6400}]
    results.decide(pairing.pk, changed, by=olga)
    markup = page(client, event, "1/R1.1/")
    assert "Entered by Olga, organiser" in markup
    assert "replaced before it was final" in markup
    assert "✎ corrected" not in markup


# Watching


@pytest.mark.parametrize(
    ("watching", "is_sealed", "may"),
    [("anybody", False, True), ("link", False, True), ("nobody", False, False), ("link", True, False)],
)
def test_a_table_may_be_watched_where_it_would_let_one_in(new_event, seated, client, watching, is_sealed, may):
    event = new_event("swiss", 4, started=True)
    table = seated(watching=watching)
    Table.objects.filter(pk=table.pk).update(move_count=3, is_sealed=is_sealed)
    Pairing.objects.filter(name="R1.1").update(table=table, is_online=True)
    markup = page(client, event, "1/R1.1/")
    assert (table.get_absolute_url() in markup) == may
    for path in ("", "1/R1.1/"):
        markup = page(client, event, path)
        assert ("deal 1 of 4" in markup) == may
    assert "It is being played" in markup
    client.force_login(table.creator)
    assert f'href="{table.get_absolute_url()}">Watch' not in page(client, event, "1/R1.1/")
