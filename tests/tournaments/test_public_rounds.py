"""Schedules, results, crosstables, entries' ways and the rules of an event as pages show them."""

import pytest

from engine.play.rules import Rules
from gameplay.models import Table
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


def test_a_small_event_has_all_its_rounds_on_one_page(event, olga):
    made = event("round_robin", 5, started=True)
    driving.play_round(made, olga)
    shown = chosen(made)
    assert [one.name for one in shown.rounds] == ["Round 1", "Round 2", "Round 3", "Round 4", "Round 5"]
    assert [one.remark for one in shown.rounds[:2]] == ["finished", "2 tables"]
    assert shown.numbers == ()
    assert [(out.words, len(out.entrants)) for out in shown.rounds[0].out] == [("Zero-point bye", 1)]


def test_a_big_event_shows_one_round_at_a_time_the_current_first(event, olga, monkeypatch, client):
    monkeypatch.setattr(schedule, "AT_ONCE", 4)
    made = event("round_robin", 6, started=True)
    driving.play_round(made, olga)
    assert [one.number for one in chosen(made).rounds] == [2]
    assert [one.number for one in chosen(made, 1).rounds] == [1]
    assert [one.number for one in chosen(made, 99).rounds] == [2]
    markup = page(client, made, "schedule/", round="1")
    assert f'href="/events/{made.slug}/schedule/?stage=1&amp;round=2"' in markup
    assert "Round 1</h2>" in markup
    assert "Round 2</h2>" not in markup


def test_byes_stand_below_their_round(event, olga):
    made = event("swiss", 5, rounds=3, started=True)
    byes.request_bye(Entry.objects.get(tournament=made, number=1).pk, olga, round_number=2)
    driving.play_round(made, olga)
    second = chosen(made).rounds[1]
    assert {out.words: [one.name for one in out.entrants] for out in second.out} == {"Half-point bye": ["Player 1"]}


def test_the_rounds_of_a_bracket_have_their_titles(event):
    made = event("double_elimination", 4, started=True)
    names = [one.name for one in chosen(made).rounds]
    assert sorted(names) == [
        "Decider", "Final", "Last two", "Second chance, round 1", "Second chance, round 2", "Semi-finals",
    ]  # fmt: skip


def test_the_schedule_opens_with_the_stage_under_way(event, olga, client):
    plans = [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]
    made = event(entries=8, plans=plans, started=True)
    assert schedule.current_stage(list(made.stages.all())).number == 1
    driving.play_round(made, olga)
    driving.play_round(made, olga)
    driving.play_round(made, olga)
    assert schedule.current_stage(list(made.stages.all())).number == 2
    assert "Semi-finals</h2>" in page(client, made, "schedule/")
    assert "Round 1</h2>" in page(client, made, "schedule/", stage="1")
    assert "Semi-finals</h2>" in page(client, made, "schedule/", stage="77")


@pytest.mark.parametrize("value", ["x", "-1", "99999999999", "²", "1; DROP"])
def test_numbers_that_are_none_are_passed_over(event, client, value):
    made = event("swiss", 4, started=True)
    for path, name in (("schedule/", "round"), ("schedule/", "stage"), ("results/", "page")):
        assert client.get(f"/events/{made.slug}/{path}", {name: value}).status_code == 200


# Results


def test_results_come_the_latest_first_and_page_by_page(event, olga, client, monkeypatch):
    monkeypatch.setattr(schedule, "A_PAGE", 3)
    made = event("round_robin", 4, started=True)
    driving.play_out(made, olga)
    found, listed = schedule.results(made, links_of(made), "1")
    assert [one.match.pairing.round.number for one in listed] == [3, 3, 2]
    assert found.paginator.count == 6
    assert "Earlier results" in page(client, made, "results/")
    assert "Later results" in page(client, made, "results/", page="2")


# Crosstable


def test_everybody_against_everybody(event, olga):
    made = event("round_robin", 4, started=True)
    driving.play_out(made, olga)
    state, links = state_of(made), links_of(made)
    (table,) = crosstable.crosstables(state, entrants_of(state, links), links)
    assert [[cell.text or cell.kind for cells in line.cells for cell in cells] for line in table.lines] == [
        ["self", "2", "2", "2"],
        ["0", "self", "2", "2"],
        ["0", "0", "self", "2"],
        ["0", "0", "0", "self"],
    ]
    assert table.lines[0].cells[1][0].words.endswith(": 2 against Player 2, 4,990 card points")
    assert table.lines[0].cells[1][0].url.startswith(f"/events/{made.slug}/1/R")


def test_round_by_round(event, olga):
    made = event("swiss", 5, rounds=3, started=True)
    driving.play_round(made, olga)
    state, links = state_of(made), links_of(made)
    (table,) = crosstable.crosstables(state, entrants_of(state, links), links)
    assert table.by_round
    first = {line.entrant.name: [cell.text for cell in line.cells[0]] for line in table.lines}
    assert first["Player 1"][0].startswith("W")
    assert first["Player 5"] == ["bye +2"]
    assert {cell.text for line in table.lines for cell in line.cells[1]} == {"·", "bye +2"}


# An entry's way


def test_the_way_of_an_entry(event, olga, client):
    made = event("swiss", 8, rounds=3, started=True)
    driving.play_round(made, olga)
    state, links = state_of(made), links_of(made)
    entry = Entry.objects.get(tournament=made, number=1)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert [(one.round, one.outcome, one.points) for one in way.steps] == [("Round 1", "won", "2"), ("Round 2", "", "")]
    assert way.steps[0].score.startswith("4,990 – ")
    assert (way.points, way.rank != "") == ("2", True)
    assert entry_path.next_step([way]) == way.steps[1]
    markup = page(client, made, "entries/1/")
    assert "<b>Next:</b>" in markup
    assert "Can still finish in places " in markup or "Can still finish in any place." in markup


def test_the_way_through_a_bracket(event, olga, client):
    made = event("double_elimination", 4, started=True)
    driving.play_out(made, olga)
    state, links = state_of(made), links_of(made)
    entry = Entry.objects.get(tournament=made, number=2)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert [one.outcome for one in way.steps] == ["won", "lost", "won", "lost"]
    assert way.steps[-1].round == "Final"
    assert way.range == "Place 2 is certain."


def test_at_bigger_tables_a_way_has_places(event, olga):
    made = event("swiss_pods", 8, rounds=2, started=True)
    driving.play_round(made, olga)
    state, links = state_of(made), links_of(made)
    entry = Entry.objects.get(tournament=made, number=1)
    way = entry_path.stretch(state, entry, entrants_of(state, links), links, live={})
    assert way.steps[0].outcome == "1st of 4"


def test_partners_of_a_match_are_named(event, olga):
    made = event("rotating_partners", 4, started=True)
    state, links = state_of(made), links_of(made)
    way = entry_path.stretch(
        state, Entry.objects.get(tournament=made, number=1), entrants_of(state, links), links, live={}
    )
    assert {one.partners for one in way.steps} == {"Player 2", "Player 3", "Player 4"}
    assert all(" / " in one.against for one in way.steps)


def test_entries_are_listed_by_how_they_stand(event, client):
    made = event("swiss", 4, kind="partnership")
    Entry.objects.filter(tournament=made, number=4).update(status="waiting")
    Entry.objects.filter(tournament=made, number=3).update(status="withdrawn")
    Entry.objects.filter(tournament=made, number=2).update(status="forming")
    markup = page(client, made, "entries/")
    order = [
        markup.index(words)
        for words in ("1 pair", "Pair 1<", "Waiting list", "Pair 4<", "partner’s answer", "Pair 2<", "Pair 3<")
    ]
    assert order == sorted(order)
    assert "<bdi>Player 1</bdi>, <bdi>Player 2</bdi>" in markup


# Names


def test_names_of_matches_and_rounds():
    named = {
        name: match_title(Pairing(name=name, number=3))
        for name in ("R2.3", "WB1.1", "GF1.1", "GF2.1", "TP1.1", "C7", "A12")
    }
    assert named == {
        "R2.3": "Table 3",
        "WB1.1": "WB1.1",
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


def test_every_format_is_told_in_words(event):
    for format in format_text.FORMATS:
        choices = {"groups": {"groups": 2}}.get(format, {})
        plan = standard(format, **choices)
        made = event(entries=2, plans=[plan])
        told = sentences(made)
        assert told.sentences[0] == format_text.FORMATS[format].sentence
        assert all(sentence.endswith((".", "!")) and not sentence.startswith(" ") for sentence in told.sentences), told
        assert format_text.short(plan).startswith(plan.title)


def test_points_byes_and_ties_are_told(event):
    made = event(
        "swiss", 8, rounds=5, win="3", draw="1", loss="1/2", tiebreaks=["buchholz", "best_rounds"], best_rounds=3
    )
    told = sentences(made)
    assert "Win 3 points, draw 1, loss ½." in told.sentences
    assert "It has 5 rounds." in told.sentences
    assert [one.title for one in told.tiebreaks] == ["Buchholz", "Best rounds: 3"]
    assert any(sentence.startswith("For tie-breaks by opponents: ") for sentence in told.sentences)


def test_who_goes_on_is_told(event):
    made = event(
        entries=8,
        plans=[standard("groups", groups=2, cut_tie="all"), standard("single_elimination", take=6, take_each=2)],
    )
    one, other = list(made.stages.all())
    assert (
        "The first 2 of each group or table go through to this stage. The best others fill it up to 6."
        in sentences(made, 2).sentences
    )
    assert format_text.cut_sentence(one, other) == "Everyone tied at the cut goes through."
    assert format_text.cut_sentence(other, None) == ""


def test_the_rules_page_has_the_sheet_that_tables_show(event, client):
    made = event(
        "swiss", 4, setting="mixed", no_show="walkover", confirm_hours=36, rules_json=Rules.make("family").write()
    )
    markup = page(client, made, "rules/")
    assert "If you have not played by the deadline, you lose by walkover." in markup
    assert "If the other side does not object within 36 hours, the result becomes final." in markup
    assert "Family</h2>" in markup
    assert made.lots not in markup
    assert Round.objects.count() == 0


def test_the_seed_of_lots_is_public_once_the_event_has_begun(event, client):
    made = event("swiss", 4, started=True, lots="5ca1ab1e")
    assert "<code>5ca1ab1e</code>" in page(client, made, "rules/")


# A match


def test_the_history_of_a_result_names_who_entered_it(event, olga, client):
    made = event("swiss", 4, started=True)
    pairing = Pairing.objects.get(name="R1.1")
    one, other = list(pairing.places.select_related("entry"))
    lines = [{"entry": one.entry_id, "score": 7105}, {"entry": other.entry_id, "score": 6400}]
    results.report(pairing.pk, lines, by=one.entry.members.get().user)
    markup = page(client, made, "1/R1.1/")
    assert "The other side has not confirmed the result yet." in markup
    assert f"Entered by {one.entry}" in markup
    changed = [{"entry": one.entry_id, "score": 7100}, {"entry": other.entry_id, "score": 6400}]
    results.decide(pairing.pk, changed, by=olga)
    markup = page(client, made, "1/R1.1/")
    assert "Entered by Olga, organiser" in markup
    assert "replaced before it was final" in markup
    assert "✎ corrected" not in markup


# Watching


@pytest.mark.parametrize(
    ("watching", "is_sealed", "may"),
    [("anybody", False, True), ("link", False, True), ("nobody", False, False), ("link", True, False)],
)
def test_a_table_may_be_watched_where_it_would_let_one_in(event, seated, client, watching, is_sealed, may):
    made = event("swiss", 4, started=True)
    table = seated(watching=watching)
    Table.objects.filter(pk=table.pk).update(move_count=3, is_sealed=is_sealed)
    Pairing.objects.filter(name="R1.1").update(table=table, is_online=True)
    markup = page(client, made, "1/R1.1/")
    assert (table.get_absolute_url() in markup) == may
    for path in ("", "1/R1.1/"):
        markup = page(client, made, path)
        assert ("deal 1 of 4" in markup) == may
    assert "It is being played" in markup
    client.force_login(table.creator)
    assert f'href="{table.get_absolute_url()}">Watch' not in page(client, made, "1/R1.1/")
