"""Ties at every cut: settled by the chosen rule and by nothing else, with the same champion everywhere."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from engine.compete import lots
from tests.tournaments import driving
from tournaments import cuts, level_cuts, outcome, ties
from tournaments.exports import feed, json_export, pdf, source, tabular
from tournaments.lookups import stages_of
from tournaments.models import Pairing, Stage, Tournament
from tournaments.organiser import overview as desk
from tournaments.plan import standard
from tournaments.public import link_cards
from tournaments.services import history
from tournaments.services.matches import results
from tournaments.services.stages import stage_decisions
from tournaments.stage_state import load
from web.errors import Refused

TITLES = ("Champion", "Champions")
LEVEL = {"Entry 1": 5000, "Entry 2": 5000}


def level(names):
    """The first two entries tie at the top; the others are behind, each with less."""
    return [LEVEL.get(name, 1000 - 10 * int(name.split()[-1])) for name in names]


def books_of(pairing, books):
    """Lines of a tied result with the books of entries by name."""
    names = {place.entry_id: place.entry.name for place in pairing.places.select_related("entry")}
    return [{**line, "books": books.get(names[line["entry"]], 0)} for line in driving.lines_of(pairing, level)]


@pytest.fixture
def tied_final(make, olga):
    """A final at one table that ends 5,000 to 5,000, by a rule."""

    def play(rule, entries=4, **choices):
        event = make(entries, standard("pod_knockout", seats=4, cut_tie=rule, **choices))
        driving.play_out(event, olga, level)
        event.refresh_from_db()
        return event

    return play


def pdf_words(event, part):
    """Everything that the standings of a stage say as a PDF, in order."""
    words = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdf.Paper, "put", lambda self, x, y, width, text, **how: words.append(text))
        pdf.standings(event, part)
    return words


def champions_everywhere(event):
    """The names of the champions in every output."""
    stages = stages_of(event)
    parts = source.parts(event, stages)
    data = json.loads(json_export.write(event, parts, source.entries(event)))
    names = {entry["number"]: entry["name"] for entry in data["entries"]}
    head, lines = tabular.standings(event, parts[-1])
    rows = list(csv.DictReader(io.StringIO(tabular.write(event, head, lines).decode())))
    page = Client().get(event.get_absolute_url()).content.decode()
    api = Client().get(f"/api/v1/events/{event.slug}/").json()
    items = [item.title for item in feed.items(event, False) if item.mark.startswith("won-")]
    stage = Client().get(f"{event.get_absolute_url()}{stages[-1].number}/").content.decode()
    printed = pdf_words(event, parts[-1])
    return {
        "pdf": [words.removeprefix("Won by ") for words in printed if words.startswith("Won by ")],
        "json": [names[number] for number in data["champions"]],
        "csv": [row["entry"] for row in rows if row["place"] == "1"],
        "api": api["champions"],
        "feed": items,
        "picture": [
            word.text for word in link_cards.draw_event(event).words if word.text in {*names.values(), *TITLES}
        ],
        "desk": desk.desk(event, event.created_by, event.created_at).champions,
        "page": [name for name in names.values() if f"<bdi>{name}</bdi></a>" in page.split('<div class="split">')[0]],
        "stage": stage.count('class="on">★'),
    }


@pytest.mark.parametrize("rule", ["lot", "share", "all"])
def test_a_tied_final_has_the_same_champions_in_every_output(tied_final, rule):
    event = tied_final(rule)
    assert event.status == Tournament.Status.OVER
    won = [entry.name for entry in outcome.of(event).champions]
    assert len(won) == (1 if rule == "lot" else 2)
    names = outcome.of(event).names
    title = "Champion" if len(won) == 1 else "Champions"
    assert champions_everywhere(event) == {
        "pdf": [names],
        "json": won,
        "csv": won,
        "api": won,
        "feed": [f"{names} won."],
        "picture": [*won, title],
        "desk": names,
        "page": won,
        "stage": len(won),
    }


@pytest.mark.parametrize("rule", ["tiebreaks", "playoff", "total", "books", "between"])
def test_where_no_rule_decides_the_organisers_are_asked(tied_final, rule):
    event = tied_final(rule)
    question = "Entry 1 and Entry 2 are tied for first place. The organisers decide."
    assert event.status == Tournament.Status.RUNNING
    assert outcome.of(event).champions == ()
    assert event.stages.get().trouble == question
    shown = champions_everywhere(event)
    assert (shown["json"], shown["api"], shown["feed"], shown["desk"], shown["page"]) == ([], [], [], "", [])
    assert shown["stage"] == 0, "nobody has a star"
    assert question in Client().get(event.get_absolute_url()).content.decode()
    shown_desk = desk.desk(event, event.created_by, event.created_at)
    assert (shown_desk.dock.head, shown_desk.dock.act) == (question, "tie")
    assert next(each.figure for each in shown_desk.counters if each.anchor == "queue") == 1


def test_an_answer_ends_the_event_and_undoing_it_asks_again(tied_final, olga):
    event = tied_final("tiebreaks")
    stage = event.stages.get()
    ids = [event.entries.get(number=number).pk for number in (2, 1)]
    act = stage_decisions.decide_tie(stage.pk, "playoff", ids, by=olga)
    event.refresh_from_db()
    assert event.status == Tournament.Status.OVER
    assert outcome.of(event).sentence == "Entry 2 won, ahead after a deciding deal."
    history.undo(act.pk, by=olga)
    event.refresh_from_db()
    assert event.status == Tournament.Status.RUNNING


def test_an_answer_holds_for_exactly_this_tie(tied_final, olga):
    event = tied_final("tiebreaks")
    stage_decisions.decide_tie(event.stages.get().pk, "share", by=olga)
    final = Pairing.objects.get(round__stage__tournament=event)
    same = {"Entry 1": 5000, "Entry 2": 4000, "Entry 3": 5000, "Entry 4": 10}
    other = driving.lines_of(final, lambda names: [same[name] for name in names])
    results.decide(final.pk, other, by=olga, reason="Misread.")
    assert cuts.open_tie(load(event.stages.get()), None).tied == (1, 3)


@pytest.mark.parametrize(
    ("by", "numbers"), [("playoff", (1, 3)), ("playoff", (1,)), ("playoff", (1, 1)), ("all", ()), ("nonsense", ())]
)
def test_an_answer_that_does_not_fit_is_refused(tied_final, olga, by, numbers):
    event = tied_final("tiebreaks")
    ids = [event.entries.get(number=number).pk for number in numbers]
    with pytest.raises(Refused):
        stage_decisions.decide_tie(event.stages.get().pk, by, ids, by=olga)
    assert event.stages.get().ties_json == []


def test_without_a_tie_there_is_nothing_to_decide(make, olga):
    event = make(4, standard("pod_knockout", seats=4))
    with pytest.raises(Refused, match="no tie to decide"):
        stage_decisions.decide_tie(event.stages.get().pk, "lot", by=olga)


def test_a_lot_can_be_checked_by_anyone(tied_final):
    event = tied_final("lot")
    state = load(event.stages.get())
    number, key = ties.lot_number(state, ties.END), ties.lot_key(state, ties.END)
    assert lots.fits(key, number, ties.lot_commitment(event))
    first = min((1, 2), key=lambda entry: lots.place(key, entry))
    assert outcome.of(event).sentence == f"Entry {first} won, ahead by lot."
    page = Client().get(f"{event.get_absolute_url()}1/").content.decode()
    assert key in page
    assert ties.lot_commitment(event) in page
    assert event.lot_seed not in page


def test_the_commitment_to_lots_is_public_before_the_start(new_event):
    event = new_event("swiss", 4)
    page = Client().get(f"{event.get_absolute_url()}rules/").content.decode()
    assert ties.lot_commitment(event) in page
    assert event.lot_seed not in page


def test_more_books_win_a_tied_final(make, olga):
    event = make(4, standard("pod_knockout", seats=4, cut_tie="books"))
    final = driving.open_pairings(event)[0]
    results.decide(final.pk, books_of(final, {"Entry 2": 3, "Entry 1": 2}), by=olga)
    assert outcome.of(event).sentence == "Entry 2 won, ahead by books."


def tied_at_the_line(names):
    """At every table of the first level the second and the third tie."""
    order = sorted(names, key=lambda name: int(name.split()[-1]))
    return [{0: 900, 1: 500, 2: 500}.get(order.index(name), 100) for name in names]


def test_who_goes_on_from_a_table_is_asked_not_taken_by_order_of_entry(make, olga):
    event = make(16, standard("pod_knockout", seats=4, advance=2))
    driving.play_round(event, olga, tied_at_the_line)
    stage = event.stages.get()
    assert stage.rounds.count() == 1
    assert stage.trouble.startswith("Tied at the cut: ")
    for _ in range(4):
        stage = event.stages.get()
        stage_decisions.decide_tie(stage.pk, "lot", by=olga)
    assert event.stages.get().trouble == ""
    assert event.stages.get().rounds.count() == 2


def test_where_levels_wait_for_the_organisers_a_tie_is_the_next_act_and_open_tables_come_before_it(make, olga):
    event = make(16, standard("pod_knockout", seats=4, advance=2, waits_for_go=True))
    stage = event.stages.get()

    def dock():
        event.refresh_from_db()
        shown = desk.desk(event, olga, event.created_at).dock
        return shown.act, shown.head.partition(":")[0], bool(shown.why_not)

    stage_decisions.start_round(stage.pk, 1, by=olga)
    driving.play_round(event, olga, tied_at_the_line)
    assert (dock(), event.stages.get().trouble) == (("tie", "Tied at the cut", False), "")
    assert "Tied at the cut: " in Client().get(f"{event.get_absolute_url()}1/").content.decode()
    for _ in range(4):
        stage_decisions.decide_tie(stage.pk, "lot", by=olga)
    assert dock() == ("go", "Round 2 is ready.", False)
    stage_decisions.start_round(stage.pk, 2, by=olga)
    first, second = driving.open_pairings(event)
    driving.decide(first, olga, tied_at_the_line)
    assert dock() == ("go", "Final waits", True)
    driving.decide(second, olga, tied_at_the_line)
    assert dock() == ("tie", "Tied at the cut", False)
    with pytest.raises(Refused, match="Tied at the cut"):
        stage_decisions.start_round(stage.pk, 3, by=olga)


def test_at_a_table_a_lot_decides_who_goes_on(make, olga):
    event = make(16, standard("pod_knockout", seats=4, advance=2, cut_tie="lot"))
    driving.play_round(event, olga, tied_at_the_line)
    state = load(event.stages.get())
    key = ties.lot_key(state, 1)
    for table in state.rounds[0].tables:
        tied = [at for at, place in zip(table.entries, table.places, strict=True) if place.score == 500]
        drawn = min(tied, key=lambda at: lots.place(key, state.entries[at].entry.number))
        through = [at for round_ in state.rounds[1:] for each in round_.tables for at in each.known]
        assert (drawn in through, len(set(tied) & set(through))) == (True, 1)


def test_everyone_tied_goes_on_where_that_is_the_rule_and_one_final_is_left(make, olga):
    event = make(16, standard("pod_knockout", seats=4, advance=2, cut_tie="all"))
    driving.play_round(event, olga, tied_at_the_line)
    state = load(event.stages.get())
    assert len(level_cuts.level_cut(state, 1).through) == 12
    driving.play_out(event, olga)
    assert len(event.stages.get().rounds.last().pairings.all()) == 1
    assert len(outcome.of(event).champions) == 1


@pytest.mark.parametrize("rule", ["lot", "total"])
def test_a_drawn_match_of_a_bracket_follows_the_rule(make, olga, rule):
    event = make(2, standard("single_elimination", cut_tie=rule))
    final = driving.open_pairings(event)[0]
    if rule == "total":
        with pytest.raises(Refused, match="cannot end in a tie"):
            results.decide(final.pk, driving.lines_of(final, level), by=olga)
        return
    results.decide(final.pk, driving.lines_of(final, level), by=olga)
    event.refresh_from_db()
    key = ties.lot_key(load(event.stages.get()), 1)
    assert event.status == Tournament.Status.OVER
    assert [entry.number for entry in outcome.of(event).champions] == [min((1, 2), key=lambda at: lots.place(key, at))]


def test_groups_ask_about_a_tie_at_their_line(make, olga):
    event = make(6, standard("groups", groups=2), standard("single_elimination", take=4, take_each=2))
    driving.play_out(event, olga, lambda names: [100] * len(names))
    second = Stage.objects.get(tournament=event, number=2)
    assert second.trouble.startswith("Tied at the cut: ")
    first = event.stages.get(number=1)
    while second.status == Stage.Status.WAITING:
        stage_decisions.decide_tie(first.pk, "lot", by=olga)
        second.refresh_from_db()
    assert second.entries.count() == 4


def test_best_others_of_groups_are_not_taken_by_order_of_entry(make, olga):
    event = make(6, standard("groups", groups=2), standard("single_elimination", take=3, take_each=1))
    driving.play_out(event, olga)
    assert "Tied at the cut" in Stage.objects.get(tournament=event, number=2).trouble


@pytest.mark.parametrize("format", ["pod_knockout", "swiss_pods"])
def test_the_pdf_names_the_same_champion_and_why(make, olga, format):
    event = make(4, standard(format, seats=4, cut_tie="lot", **({"rounds": 1} if format == "swiss_pods" else {})))
    driving.play_out(event, olga, level)
    event.refresh_from_db()
    texts = pdf_words(event, source.parts(event, stages_of(event))[0])
    assert f"Won by {outcome.of(event).names}" in texts
    assert outcome.of(event).sentence in texts


def test_undoing_an_answer_at_a_table_takes_the_next_round_back(make, olga):
    event = make(8, standard("pod_knockout", seats=4, advance=2))
    driving.play_round(event, olga, tied_at_the_line)
    stage = event.stages.get()
    first = stage_decisions.decide_tie(stage.pk, "lot", by=olga)
    last = stage_decisions.decide_tie(stage.pk, "lot", by=olga)
    assert event.stages.get().rounds.count() == 2
    history.undo(last.pk, by=olga)
    assert (event.stages.get().rounds.count(), event.stages.get().trouble[:16]) == (1, "Tied at the cut:")
    history.undo(first.pk, by=olga)
    assert event.stages.get().ties_json == []


def test_the_page_asks_and_takes_the_answer(tied_final, olga, desk_of):
    event = tied_final("tiebreaks")
    path = reverse("tournaments:organise_tie", args=[event.slug, 1])
    desk = desk_of(olga)
    assert path in desk.get(reverse("tournaments:organise", args=[event.slug]))
    assert "Entry 1 and Entry 2 are tied for first place." in desk.get(path)
    desk.send(path, "/tie/", by="share")
    assert outcome.of(event).sentence == "Entry 1 and Entry 2 share first place."
    assert "No tie to decide." in desk.get(path)


def test_the_api_asks_and_takes_the_answer(tied_final, olga, program):
    event = tied_final("tiebreaks")
    bot, of = program(olga, "events_read", "events_organise"), f"events/{event.slug}"
    assert bot.get(f"{of}/stages/1/standings/")["question"].startswith("Entry 1 and Entry 2 are tied")
    assert bot.get(f"{of}/")["status"] == "running"
    bot.post(f"{of}/stages/1/tie/", 422, by="playoff", entries=[1, 4])
    bot.post(f"{of}/stages/1/tie/", by="playoff", entries=[2, 1])
    detail = bot.get(f"{of}/")
    assert (detail["champions"], detail["outcome"]) == (["Entry 2"], "Entry 2 won, ahead after a deciding deal.")
    lines = bot.get(f"{of}/stages/1/standings/")["tables"][0]["lines"]
    assert [(line["entry"], line["rank"], line["by"]) for line in lines[:2]] == [
        (2, 1, "ahead after a deciding deal"),
        (1, 2, ""),
    ]
