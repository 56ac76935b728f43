"""Past seasons imported from a spreadsheet: previewed, made in one act, and undone completely."""

import unicodedata
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.imports.season import SPECIMEN, Absent, Order, read_season
from clubs.models import (
    Act,
    Appearance,
    Division,
    Fixture,
    Honour,
    League,
    Membership,
    Season,
    SeasonEntry,
    Team,
    TeamMember,
)
from clubs.services import history
from clubs.services.seasons import past_seasons
from clubs.services.seasons.past_seasons import Wishes
from tests.clubs.seasons import HEAD, PAIRS, round_robin, sheet, tally
from tournaments import stage_standings
from tournaments.models import Pairing, Result, Stage, Tournament
from tournaments.public import recent_form
from tournaments.services.events import imported_events
from tournaments.services.matches import results
from tournaments.services.stages import progress
from tournaments.stage_state import load
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
NEW = Wishes(league_name="Harbour League")


@pytest.fixture
def bring(club, owner):
    def act(text, wishes=NEW, **how):
        return past_seasons.import_seasons(club.pk, owner, sheet=read_season(text), wishes=wishes, **how)

    return act


def everything():
    """Counts of all rows that an import makes."""
    models = (Act, Appearance, Division, Fixture, Honour, League, Membership, Season, SeasonEntry, Team, TeamMember)
    return [model.objects.count() for model in (*models, Tournament, Pairing, Result)]


def problems(text, **how):
    return [(problem.line, problem.sentence) for problem in read_season(text, **how).problems]


# Reading


def test_the_specimen_can_be_read():
    reading = read_season(SPECIMEN)
    assert reading.problems == ()
    first, second = reading.seasons[0].divisions[0].matches
    assert (first.day, first.home, first.scores, first.venue) == (
        date(2024, 9, 12),
        "Okafor / Bell",
        (8720, 7940),
        "Harbour Hall",
    )
    assert (second.scores, second.absent, second.note) == (None, Absent.AWAY, "Brandt was ill")


def test_an_organisers_file():
    """Windows-1252, a mark of another kind, accents, quotes, thousands, empty lines, columns in another order."""
    text = (
        "Datum;Heim;Gast;Score 1;Score 2;Saison;Div.;Spieltag;Remarks;Tel\r\n"
        "12.09.2024;Zoë / Åsa;“Bud” Müller / José;8.720;−120;2024;Première;Spieltag 1;;x\r\n"
        ";;;;;;;;;\r\n"
        '2024-09-13 00:00:00;"O\'Neil; Ann";Renée;1 240;"1,250.0";2024;première;1;late;\r\n'
    )
    reading = read_season(text.replace("−", "-").encode("cp1252"))
    assert reading.problems == ()
    assert (reading.encoding, reading.lines, reading.unknown) == ("windows-1252", 2, ("Tel",))
    (division,) = reading.seasons[0].divisions
    assert [(match.line, match.home, match.scores) for match in division.matches] == [
        (2, "Zoë / Åsa", (8720, -120)),
        (4, "O'Neil; Ann", (1240, 1250)),
    ]
    assert read_season(b"\xef\xbb\xbf" + text.encode()).seasons == reading.seasons


@pytest.mark.parametrize(
    ("dates", "order", "days"),
    [
        (["21/11/2026", "03/04/2026"], Order.UNKNOWN, [date(2026, 11, 21), date(2026, 4, 3)]),
        (["11/21/2026", "03/04/2026"], Order.UNKNOWN, [date(2026, 11, 21), date(2026, 3, 4)]),
        (["01/02/2026", "03/04/2026"], Order.DAY_FIRST, [date(2026, 2, 1), date(2026, 4, 3)]),
        (["01/02/2026", "03/04/2026"], Order.MONTH_FIRST, [date(2026, 1, 2), date(2026, 3, 4)]),
        (["2026-11-21", "3.4.26"], Order.UNKNOWN, [date(2026, 11, 21), date(2026, 4, 3)]),
    ],
)
def test_dates_in_either_form(dates, order, days):
    lines = [["S", "D", str(at), day, "A", "B", "1", "2", "", "", ""] for at, day in enumerate(dates, 1)]
    reading = read_season(sheet(lines), order=order)
    assert reading.problems == ()
    assert [match.day for match in reading.seasons[0].divisions[0].matches] == days


def test_dates_that_can_be_read_in_two_ways_are_asked_about():
    lines = [["S", "D", "1", "03/04/2026", "A", "B", "1", "2", "", "", ""]]
    reading = read_season(sheet(lines))
    assert reading.is_ambiguous
    assert [problem.line for problem in reading.problems] == [0]
    assert "03/04/2026" in reading.problems[0].sentence


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({0: ""}, "The season is missing."),
        ({2: "x"}, "“x” does not contain a matchday number."),
        ({3: "31.2.2026"}, "31.2.2026 is not a real date."),
        ({3: "soon"}, "“soon” is not a date. Enter it as 2026-11-21 or 21.11.2026."),
        ({4: "A", 5: "a"}, "A cannot play against themselves."),
        ({5: ""}, "The away side is missing."),
        ({6: "8.5"}, "The home score “8.5” is not a whole number of points."),
        ({7: ""}, "The away score is missing. Enter walkovers in the column walkover."),
        ({7: "9999999"}, "The away score 9999999 is too high or too low for a match."),
        (
            {9: "perhaps"},
            "In the column walkover, enter the side that did not come: home, away or both, not “perhaps”.",
        ),
        ({4: "Ann\u202eBo"}, "invisible"),
        ({8: "x" * 201}, "The venue is too long. The limit is 200 characters."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(change, expected):
    good = ["S", "D", "1", "2026-11-21", "A", "B", "1", "2", "", "", ""]
    bad = [change.get(at, cell) for at, cell in enumerate(["S", "D", "2", *good[3:]])]
    ((line, sentence),) = problems(sheet([good, bad]))
    assert line == 3
    assert expected in sentence


def test_a_team_plays_once_a_matchday_and_in_one_division():
    lines = [
        ["S", "D1", "1", "2026-11-21", "A", "B", "1", "2", "", "", ""],
        ["S", "D1", "1", "2026-11-21", "C", "a", "1", "2", "", "", ""],
        ["S", "D2", "1", "2026-11-21", "B", "E", "1", "2", "", "", ""],
    ]
    assert problems(sheet(lines)) == [
        (3, "a plays twice on matchday 1. See line 2."),
        (4, "B is in D2 here, but in D1 on line 2."),
    ]


def test_divisions_are_ranked_by_number_or_as_one_says():
    lines = [
        ["S", name, "1", "2026-11-21", f"A{name}", f"B{name}", "1", "2", "", "", ""]
        for name in ("Division 2", "Division 10", "Division 1")
    ]
    names = [division.name for division in read_season(sheet(lines)).seasons[0].divisions]
    assert names == ["Division 1", "Division 2", "Division 10"]
    divisions = read_season(sheet(lines), levels=["Division 10"]).seasons[0].divisions
    assert [division.name for division in divisions] == ["Division 10", "Division 1", "Division 2"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("Ann;Bo\n1;2\n", "no_titles"),
        (HEAD, "empty"),
        (HEAD.replace("away score;", ""), "no_column"),
        (b"PK\x03\x04rest", "no_text"),
        (b"x" * 1_000_001, "too_large"),
        (sheet([["S"] * 11] * 2001), "too_many"),
    ],
)
def test_what_is_no_table_of_matches_is_refused(text, code):
    with pytest.raises(Refused) as caught:
        read_season(text)
    assert caught.value.code == code
    assert caught.value.sentence.endswith(".")


# Making


def test_a_look_writes_nothing_and_shows_what_would_be(club, owner):
    before = everything()
    preview = past_seasons.preview_import(club.pk, owner, sheet=read_season(sheet(round_robin(PAIRS))), wishes=NEW)
    assert everything() == before
    assert (preview.matches, preview.known) == (6, ())
    assert preview.new == tuple(sorted(PAIRS))
    assert len(preview.people) == 8
    (name, ((division, rows),)) = preview.seasons[0]
    assert (name, division, [row.place for row in rows]) == ("2024/25", "Premier", ["1", "2", "3", "4"])


def test_a_season_of_three_divisions_comes_to_what_an_independent_tally_says(club, bring):
    lines = []
    for level in (1, 2, 3):
        teams = [f"Ann{level}{at} / Bo{level}{at}" for at in range(8)]
        lines += round_robin(teams, division=f"Division {level}", legs=2)
    lines[3][6:8], lines[3][9] = ["", ""], "away"
    lines[9][6:8], lines[9][9] = ["", ""], "both"
    lines[70][6:8] = ["6000", "6000"]
    bring(sheet(lines))
    season = Season.objects.get()
    assert (season.status, season.starts_on, season.league.kind) == ("closed", date(2024, 9, 12), "pair")
    for division in season.divisions.all():
        state = load(division.tournament.stages.get())
        names = {at: row.entry.name for at, row in state.entries.items()}
        rows = stage_standings.table(state)
        assert {names[row.entry]: row.points for row in rows} == tally(lines)["2024/25", division.name]
        ranks = {entry.entry.name: entry.final_rank for entry in division.entries.select_related("entry")}
        assert ranks == {names[row.entry]: row.rank for row in rows}
        winner = next(names[row.entry] for row in rows if row.rank == 1)
        assert Honour.objects.get(division=division, place=1).team.name == winner
        assert division.tournament.status == "over"
        assert not division.tournament.is_rated
    assert Pairing.objects.filter(status="done").count() == len(lines)
    assert Result.objects.filter(kind="forfeit").count() == 1
    assert Result.objects.filter(kind="double_forfeit").count() == 1


@pytest.fixture
def bring_watched(bring, monkeypatch):
    """Import a file; its events as they were made."""
    created = []

    def watched(*args, **how):
        created.extend(make(*args, **how))
        return list(created)

    make = imported_events.import_events
    monkeypatch.setattr(imported_events, "import_events", watched)

    def act(text):
        bring(text)
        return created

    return act


def test_events_are_as_they_are_read_afterwards_and_nothing_is_left_to_work_out(bring_watched):
    lines = round_robin(PAIRS, legs=2) + round_robin(("Ina / Joy", "Kit / Lea"), division="Two")
    lines[3][6:8], lines[3][9], lines[3][10] = ["", ""], "away", "Ill"
    lines[5][6:8], lines[5][9] = ["", ""], "both"
    lines[7][6:8] = ["6000", "6000"]
    del lines[1]  # two of them sit out
    events = bring_watched(sheet(lines))
    assert [len(list(event.pairings)) for event in events] == [11, 1]
    for event in events:
        loaded = load(Stage.objects.get(tournament=event.tournament))
        assert stage_standings.table(event.state) == stage_standings.table(loaded)
        assert [vars(tally) for tally in recent_form.tallies(event.state).values()] == [
            vars(tally) for tally in recent_form.tallies(loaded).values()
        ]
        assert [row.pk for row in event.pairings] == [table.row.pk for each in loaded.rounds for table in each.tables]
        assert [[row.entry_id for row in each.sit_outs] for each in event.state.rounds] == [
            [row.entry_id for row in each.sit_outs] for each in loaded.rounds
        ]
        assert event.state.lots == loaded.lots
        assert not progress.advance(event.tournament.pk)


def test_the_clubs_staff_runs_the_events_from_the_start(club, staff, bring):
    bring(sheet(round_robin(PAIRS)))
    organisers = Tournament.objects.get().organisers.values_list("user__username", "role")
    assert set(organisers) == {("owner", "owner"), ("organiser", "director"), ("scorer", "scorer")}
    assert set(Tournament.objects.get().acts.values_list("kind", flat=True)) == {"brought"}


def test_many_matches_take_no_more_statements_than_few(bring):
    counts = []
    for at, (teams, legs) in enumerate(((4, 1), (12, 2))):
        names = [f"Ann {number} / Ben {number}" for number in range(teams)]
        with CaptureQueriesContext(connection) as captured:
            bring(sheet(round_robin(names, legs=legs)), Wishes(league_name=f"League {at}"))
        counts.append(len(captured))
    assert counts[1] <= counts[0] + 3  # each more where a statement would be too long


def test_promotion_is_seen_in_the_next_season(bring):
    ups = ("Ina / Joy", "Kit / Lea", "Max / Nia", "Oz / Pam")
    lines = round_robin(PAIRS, season="2023", division="One") + round_robin(ups, season="2023", division="Two")
    first, second = (ups[0], *PAIRS[:3]), (PAIRS[3], *ups[1:])
    for teams, division in ((first, "One"), (second, "Two")):
        lines += round_robin(teams, season="2024", division=division, first=date(2025, 1, 9))
    bring(sheet(lines))
    moved = Honour.objects.filter(title__contains="ted to").values_list("season__name", "team__name", "title")
    assert set(moved) == {("2023", ups[0], "Promoted to One"), ("2023", PAIRS[3], "Relegated to Two")}


def test_people_are_found_by_name_and_added_where_the_club_does_not_know_them(club, bring, in_club):
    okafor = in_club(club, "Okafor")
    Membership.objects.create(club=club, name="Lund")
    Membership.objects.create(club=club, name="lund")
    bring(sheet(round_robin(PAIRS)))
    appearance = Appearance.objects.get(membership__user=okafor)
    assert (appearance.member.name, appearance.member.user) == ("Okafor", okafor)
    assert Membership.objects.filter(club=club, name__iexact="lund").count() == 2
    assert not Appearance.objects.filter(member__name="Lund").exists()
    roster = TeamMember.objects.filter(team__name="Okafor / Bell").values_list("membership__name", "role")
    assert list(roster) == [("Okafor", "captain"), ("Bell", "player")]


def test_people_are_left_alone_where_one_wishes(club, bring):
    before = Membership.objects.count()
    bring(sheet(round_robin(PAIRS)), Wishes(league_name="Old", adds_people=False))
    assert Membership.objects.count() == before


def test_seasons_come_before_those_that_the_league_has(club, bring):
    bring(sheet(round_robin(PAIRS, season="2024", first=date(2024, 9, 1))))
    league = League.objects.get()
    lines = round_robin(PAIRS, season="2023", first=date(2023, 9, 1))
    lines += round_robin(("New / Team", *PAIRS[1:]), season="2025", first=date(2025, 9, 1))
    bring(sheet(lines), Wishes(league_id=league.pk))
    assert list(Season.objects.values_list("number", "name").order_by("number")) == [
        (1, "2023"),
        (2, "2024"),
        (3, "2025"),
    ]
    assert Team.objects.count() == 5
    assert SeasonEntry.objects.filter(team__name=PAIRS[1]).count() == 3


def test_a_season_of_the_same_name_is_refused(club, bring):
    bring(sheet(round_robin(PAIRS)))
    before = everything()
    with pytest.raises(Refused, match="has a season called 2024/25"):
        bring(sheet(round_robin(PAIRS)), Wishes(league_id=League.objects.get().pk))
    assert everything() == before


def test_nothing_is_made_while_a_line_is_wrong(club, bring):
    lines = round_robin(PAIRS)
    lines[2][3] = "soon"
    before = everything()
    with pytest.raises(Refused, match=r"^Line 4: “soon” is not a date"):
        bring(sheet(lines))
    assert everything() == before


def test_sent_twice_it_is_made_once(bring):
    first = bring(sheet(round_robin(PAIRS)), request_key="one")
    assert bring(sheet(round_robin(PAIRS)), request_key="one") == first
    assert Season.objects.count() == 1


def test_only_owners_import(club, staff):
    text = read_season(sheet(round_robin(PAIRS)))
    for role in ("organiser", "scorer", "member", "guest"):
        with pytest.raises(NotAllowed):
            past_seasons.import_seasons(club.pk, staff[role], sheet=text, wishes=NEW)


def test_undone_whole(club, owner, bring):
    bring(sheet(round_robin(PAIRS, season="2024")))
    before = everything()
    names = list(Season.objects.values_list("number", "name"))
    lines = round_robin(PAIRS, season="2020", first=date(2020, 1, 9))
    lines += round_robin(("Ina / Joy", "Kit / Lea"), season="2020", division="First", first=date(2020, 1, 9))
    lines[0][8] = "Harbour Hall"
    act = bring(sheet(lines), Wishes(league_id=League.objects.get().pk))
    assert Fixture.objects.get().venue == "Harbour Hall"
    history.undo(act.pk, by=owner)
    after = everything()
    assert after[1:] == before[1:]
    assert list(Season.objects.values_list("number", "name")) == names


def test_not_undone_once_something_was_built_on_it(club, owner, bring):
    act = bring(sheet(round_robin(PAIRS)))
    pairing = Pairing.objects.order_by("pk").first()
    lines = [{**line, "score": 1} for line in pairing.result.lines]
    results.decide(pairing.pk, lines, by=owner, reason="Misread")
    with pytest.raises(Refused) as caught:
        history.undo(act.pk, by=owner)
    assert caught.value.code == "changed_since"
    assert Season.objects.count() == 1


def test_a_result_is_corrected_as_any_other(club, owner, bring):
    bring(sheet(round_robin(PAIRS)))
    pairing = Pairing.objects.order_by("pk").first()
    lines = [{"entry": place.entry_id, "score": 9000 - 100 * place.number} for place in pairing.places.all()]
    results.decide(pairing.pk, lines, by=owner, reason="Misread")
    pairing.refresh_from_db()
    assert pairing.places.get(number=0).score == 9000
    assert Tournament.objects.get().status == "over"
    assert Pairing.objects.count() == 6


def test_final_places_follow_a_correction_when_one_says_so(club, owner, bring):
    bring(sheet(round_robin(PAIRS)))
    season = Season.objects.get()
    assert past_seasons.corrected_seasons(club) == []
    with pytest.raises(Refused, match="do not change"):
        past_seasons.recalculate_places(season.pk, owner)
    last = SeasonEntry.objects.get(final_rank=4)
    for pairing in Pairing.objects.filter(places__entry=last.entry):
        lines = [
            {"entry": place.entry_id, "score": 9999 if place.entry == last.entry else 1}
            for place in pairing.places.select_related("entry")
        ]
        results.decide(pairing.pk, lines, by=owner, reason="Misread")
    assert past_seasons.corrected_seasons(club) == [season]
    before = list(Honour.objects.values_list("title", "team__name").order_by("title"))
    act = past_seasons.recalculate_places(season.pk, owner)
    assert past_seasons.corrected_seasons(club) == []
    last.refresh_from_db()
    assert last.final_rank == 1
    assert Honour.objects.get(title="Champion of Premier").team == last.team
    history.undo(act.pk, by=owner)
    assert list(Honour.objects.values_list("title", "team__name").order_by("title")) == before


def test_a_team_is_the_same_however_its_accents_are_written(club, owner, bring):
    lines = round_robin(("Zoë / Åsa", "José / Ann", "Müller / Bo", "Renée / Cy"))
    for line in lines[::2]:
        line[4:6] = [unicodedata.normalize("NFD", name).upper() for name in line[4:6]]
    lines.insert(2, [""] * 11)
    reading = read_season(sheet(lines).encode("utf-8-sig"))
    assert reading.problems == ()
    before = everything()
    assert len(past_seasons.preview_import(club.pk, owner, sheet=reading, wishes=NEW).new) == 4
    assert everything() == before
    bring(sheet(lines).encode())
    assert Team.objects.count() == 4
    assert Membership.objects.filter(club=club, user=None).count() == 8


def test_a_line_that_stands_there_twice_is_told(bring):
    lines = round_robin(PAIRS)
    assert problems(sheet([*lines, lines[0]])) == [
        (8, f"{name} plays twice on matchday 1. See line 2.") for name in (PAIRS[0], PAIRS[3])
    ]


def test_formulas_in_cells_stay_text(club, bring):
    lines = [["S", "D", "1", "2026-11-21", "'=cmd() / Bo", "@Ann / Cy", "1", "2", "=1+1", "", "+x"]]
    bring(sheet(lines))
    assert set(Team.objects.values_list("name", flat=True)) == {"=cmd() / Bo", "@Ann / Cy"}
