"""Results, fixtures and tables as people write them in a letter, a German sheet, and with the same match twice."""

import pytest

from clubs.bring_in import child
from clubs.bring_in import open as lists
from clubs.bring_in.lines import match_line
from clubs.bring_in.reading import Context, Known


def read(text, what):
    source = child.read_file(text) if isinstance(text, bytes) else child.read_text(text)
    return lists.read(source, what, Context(members=[Known(1, "Edith Clark")]))


@pytest.mark.parametrize(
    ("text", "sides", "scores", "when"),
    [
        ("Lund / Arai v Okafor / Bell 8720-7940", ("Lund / Arai", "Okafor / Bell"), (8720, 7940), ""),
        ("Smith 3 Jones 1", ("Smith", "Jones"), (3, 1), ""),
        ("Smith 3 - 1 Jones", ("Smith", "Jones"), (3, 1), ""),
        ("3 Sep 2025: Lund v Okafor 8,720 : 7,940", ("Lund", "Okafor"), (8720, 7940), "3 Sep 2025"),
        ("Lund gegen Okafor", ("Lund", "Okafor"), None, ""),
    ],
)
def test_a_match_on_one_line(text, sides, scores, when):
    line = match_line(text)
    assert ((line.home, line.away), line.scores, line.when) == (sides, scores, when)


@pytest.mark.parametrize("text", ["Committee", "TOTAL 59", "3 September 2025", "Bring 2 cakes", ""])
def test_a_line_without_a_match(text):
    assert match_line(text) is None


def test_lines_between_say_which_matchday_comes_next_and_are_no_matches():
    text = "Division One\n\nRound 1 - 3 September 2025\nLund v Okafor 8720-7940\n\nRound 2 - 10 September 2025\nLund v Vik 1-9\n"
    matches = read(text, "results").matches
    assert [(m.home, m.away, str(m.day), m.matchday) for m in matches] == [
        ("Lund", "Okafor", "2025-09-03", 1),
        ("Lund", "Vik", "2025-09-10", 2),
    ]


def test_german_fixtures_of_one_column():
    text = "Spieltag 1 (03.09.2026)\nMüller - Groß\nWeiß - Klein\nSpieltag 2 (10.09.2026)\nMüller - Weiß\nspielfrei: Groß\n"
    reading = read(text, "fixtures")
    assert [(m.home, m.away, str(m.day)) for m in reading.matches] == [
        ("Müller", "Groß", "2026-09-03"),
        ("Weiß", "Klein", "2026-09-03"),
        ("Müller", "Weiß", "2026-09-10"),
    ]
    assert [aside_row.cells for aside_row in reading.kept_aside] == [("spielfrei: Groß",)]


def test_a_match_that_is_listed_twice_is_asked_about():
    text = "Date,Home,Away,Score\n1 Mar 2026,Lund,Okafor,2:0\n1 Mar 2026,Lund,Okafor,2:0\n8 Mar 2026,Lund,Okafor,2:0\n"
    reading = read(text, "results")
    assert [match.row for match in reading.matches] == [2, 4]
    assert [(question.row, question.kind, question.guess) for question in reading.questions] == [
        (3, "same_match", "one")
    ]
    assert [aside_row.row for aside_row in reading.kept_aside] == [3]


def test_a_final_table_as_lines_and_with_signs_for_titles():
    lines = read("1. Lund / Arai 22 pts\n2. Okafor / Bell 18,5 pts\nTotal 40\n", "table").places
    assert [(p.place, p.name, p.numbers["points"]) for p in lines] == [
        (1, "Lund / Arai", 22),
        (2, "Okafor / Bell", 18.5),
    ]
    signs = read(";Pair;P;+/-;Punkte\n1;Lund;10;110;17:3\n2;Okafor;10;-20;12:8\n", "table").places
    assert [(p.place, p.numbers["difference"], p.numbers["points"]) for p in signs] == [(1, 110, 17), (2, -20, 12)]


def test_a_letter_with_commas_is_one_column_and_its_end_is_nobody():
    reading = read(
        "Dear Nora,\nhere are the members:\n- Ann Lee (07700 900101)\n- Bob & Carol Ross, bob@example.org\n"
        "- Smith, J.\n- John Smith\nTotal: 5\nBest, Tom\n",
        "members",
    )
    assert [(person.name, person.phone) for person in reading.people] == [
        ("Ann Lee", "07700 900101"),
        ("Bob Ross", ""),
        ("Carol Ross", ""),
        ("John Smith", ""),
    ]
    assert {(question.row, question.guess) for question in reading.questions} >= {(8, "aside"), (7, "aside")}


def test_first_names_beside_a_column_called_name_are_not_lost():
    """A list of cp1252 as German clubs keep it, where the column of last names is called “Name”."""
    text = "Nr;Name;Vorname;Bemerkung\r\n1;Müller;Jürgen;Kassenwart\r\n2;Groß, Käthe;;\r\n3;Weiß;Anna und Bernd;\r\nSumme;4;;\r\n"
    reading = read(text.encode("cp1252"), "members")
    assert [person.name for person in reading.people] == ["Jürgen Müller", "Käthe Groß", "Anna Weiß", "Bernd Weiß"]
    assert [question.kind for question in reading.questions] == ["two_people", "total"]


@pytest.mark.parametrize(
    ("text", "scores", "when", "remark"),
    [
        ("Ax v By w/o", None, "", "w/o"),
        ("Ax v By (walkover)", None, "", "walkover"),
        ("Ax v By: 6,420–5,110", (6420, 5110), "", ""),
        ("Ax - By 3:1", (3, 1), "", ""),
        ("Ax bt By 3-1", (3, 1), "", ""),
        ("Ax beat By", None, "", ""),
        ("Ax lost to By 3-1", (1, 3), "", ""),
        ("Ax drew with By 1½-1½", (1.5, 1.5), "", ""),
        ("Ax – By verlegt", None, "", "verlegt"),
        ("7.9. Ax - By", None, "7.9.", ""),
        ("Ax v By, 7 Sep 19:30", None, "7 Sep 19:30", ""),
        ("Ax v By (17/9)", None, "17/9", ""),
    ],
)
def test_what_stands_beside_a_match_on_one_line(text, scores, when, remark):
    line = match_line(text)
    assert (line.home, line.away, line.scores, line.when, line.remark) == ("Ax", "By", scores, when, remark)


def test_lines_of_results_with_remarks():
    text = "Ax v By w/o\nCe v De: 6,420–5,110\nAx - Ce 3:1\nBy bt De 3-1\nAx beat De\nBye: De\nCe spielfrei\n"
    reading = read(text, "results")
    assert [(m.home, m.away, m.home_score, m.walkover) for m in reading.matches] == [
        ("Ax", "By", None, "away"),
        ("Ce", "De", 6420, ""),
        ("Ax", "Ce", 3, ""),
        ("By", "De", 3, ""),
    ]
    assert [question.kind for question in reading.questions] == ["walkover"]
    assert [(aside.row, aside.why) for aside in reading.kept_aside] == [
        (5, "The winner, but no score."),
        (6, "A bye is no match."),
        (7, "A bye is no match."),
    ]


def test_thousands_with_commas_are_no_columns():
    reading = read("Ax v By: 6,420–5,110\nCe v De: 7,000–5,110\n", "results")
    assert [(m.home, m.away, m.home_score, m.away_score) for m in reading.matches] == [
        ("Ax", "By", 6420, 5110),
        ("Ce", "De", 7000, 5110),
    ]


def test_numbers_that_count_lines_or_sides_are_no_part_of_names():
    matches = read("1. Lund v Okafor 3-1\n2. Arai v Bell 2-2\n", "results").matches
    assert [(m.home, m.away) for m in matches] == [("Lund", "Okafor"), ("Arai", "Bell")]
    seeded = read("Home;Away;Score\n1. Lund;2. Arai;3:1\n3. Bell;1. Lund;2:2\n2. Arai;3. Bell;1:0\n", "results").matches
    assert [(m.home, m.away) for m in seeded] == [("Lund", "Arai"), ("Bell", "Lund"), ("Arai", "Bell")]
    matches = read("Home;Away;Score\n1. FC Köln;1. FC Nürnberg;3:1\nTSV 1860;1. FC Köln;2:2\n", "results").matches
    assert [(m.home, m.away) for m in matches] == [("1. FC Köln", "1. FC Nürnberg"), ("TSV 1860", "1. FC Köln")]
    places = read("Team,Pts\n1. Lund / Arai,22\n2. Okafor / Bell,18\n", "table").places
    assert [(place.place, place.name) for place in places] == [(1, "Lund / Arai"), (2, "Okafor / Bell")]


def test_a_match_that_was_put_off_is_a_fixture_and_no_result():
    text = "Home,Away,Score\nLund,Okafor,postponed\nArai,Bell,3:1\nBYE,Vik,\n"
    assert [(m.home, m.note) for m in read(text, "fixtures").matches] == [("Lund", "postponed"), ("Arai", "")]
    reading = read(text, "results")
    assert [m.home for m in reading.matches] == ["Arai"]
    assert [aside.why for aside in reading.kept_aside] == ["No result yet.", "A bye is no match."]


def test_greetings_with_a_dash_are_no_matches():
    text = "Hi Gil - fixtures for next month:\nHale - Bell\nRay - Doe\nBest wishes - Ann\n"
    assert [match.home for match in read(text, "fixtures").matches] == ["Hale", "Ray"]


def test_the_day_on_which_a_list_was_written_is_that_of_no_match():
    text = "Results;;;Last change;5.1.2026\nHome;Away;Score\nHale;Bell;3:1\n"
    assert [match.day for match in read(text, "results").matches] == [None]


def test_the_title_of_a_table_with_its_season_is_no_division():
    places = read("League 2024/25 Final Table\nPos;Team;Pts\n1;Hale;8\n2;Bell;4\n", "table").places
    assert [(place.season, place.division) for place in places] == [("2024/25", "")] * 2


def test_what_stands_behind_the_time_of_a_line_is_the_place():
    text = "Ray v Doe 7.30pm Church Hall\nFox v Ash 10 Sep 2026 20:00 at The Anchor\n"
    assert [(m.home, m.away, m.clock, m.venue, str(m.day)) for m in read(text, "fixtures").matches] == [
        ("Ray", "Doe", "19:30", "Church Hall", "None"),
        ("Fox", "Ash", "20:00", "The Anchor", "2026-09-10"),
    ]


def test_an_encoding_in_doubt_is_asked_of_matches_as_well():
    text = "Home;Away;Score\nHale;Zoë Bly;3:1\nZoë Bly;Ray;2:2\n".encode("cp850")
    [question] = read(text, "results").questions
    answer = next(value for value, label in question.choices if label.startswith("Zoë Bly"))
    reading = lists.read(child.read_file(text), "results", Context(answers={question.key: answer}))
    assert [match.home for match in reading.matches] == ["Hale", "Zoë Bly"]


@pytest.mark.parametrize(
    ("row", "guess"),
    [
        ("Lund,Okafor,,Okafor did not come", "away"),
        ("Lund / Arai,Okafor,,Arai didn't turn up", "home"),
        ("Lund,Okafor,,no show", "away"),
        ("Lund,Okafor,,beide nicht angetreten", "both"),
        ("Lund,Okafor,Lund nicht erschienen,", "home"),
    ],
)
def test_a_remark_that_somebody_did_not_come_is_a_walkover_that_is_asked(row, guess):
    reading = read(f"Home,Away,Score,Remark\n{row}\nDoyle,Vik,3-1,\n", "results")
    assert [(question.kind, question.guess) for question in reading.questions] == [("walkover", guess)]
    assert reading.matches[0].walkover == guess
    assert not reading.kept_aside


def test_a_remark_beside_a_score_leaves_it_until_that_is_answered():
    text = "Home,Away,Score,Remark\nLund,Okafor,2-0,Okafor no show\nDoyle,Vik,3-1,\n"
    reading = read(text, "results")
    assert [(question.kind, question.guess) for question in reading.questions] == [("walkover", "played")]
    assert (reading.matches[0].home_score, reading.matches[0].walkover) == (2, "")


def test_who_did_not_come_is_no_part_of_the_name():
    assert [
        (m.home, m.away, m.walkover) for m in read("Lund v Okafor - Lund no show\nDoyle v Vik 3-1\n", "results").matches
    ] == [("Lund", "Okafor", "home"), ("Doyle", "Vik", "")]


@pytest.mark.parametrize(
    "text",
    [
        "Lund\nOkafor 3-1\n\nDoyle\nVik 2-2\n",
        "Lund v\nOkafor 3-1\nDoyle v\nVik 2-2\n",
        "Home,Away,Score\nLund,,\n,Okafor,3-1\nDoyle,,\n,Vik,2-2\n",
    ],
)
def test_matches_on_two_lines_are_read(text):
    reading = read(text, "results")
    assert [(m.home, m.away, m.home_score, m.away_score) for m in reading.matches] == [
        ("Lund", "Okafor", 3, 1),
        ("Doyle", "Vik", 2, 2),
    ]
    assert not reading.kept_aside


def test_one_side_a_row_is_set_aside_with_its_reason():
    reading = read("Date,Team,Score\n7.9.2026,Lund,3\n,Okafor,1\n", "results")
    assert not reading.matches
    assert [entry.why for entry in reading.kept_aside] == [
        "Only one side in this row. A match needs both sides in one row."
    ] * 2


def test_h_and_a_are_home_and_away_or_their_scores():
    assert [
        (m.home, m.away, m.home_score) for m in read("Date,H,A,H,A\n7.9.2026,Lund,Vik,3,1\n", "results").matches
    ] == [("Lund", "Vik", 3)]
    assert [(m.home, m.away) for m in read("Date,A,H\n7.9.2026,Vik,Lund\n", "fixtures").matches] == [("Lund", "Vik")]


def test_what_stands_beside_a_walkover_is_kept_aside():
    reading = read("Date,Home,Points,Away,Points\n3 April 2026,Lund,4000,Okafor,w/o\n", "results")
    assert (reading.matches[0].walkover, reading.matches[0].home_score) == ("away", None)
    assert ["4000"] in [list(aside.cells) for aside in reading.kept_aside]
