"""Lists as clubs have them, with what must be read in each."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.clubs.bring_in.workbooks import Formula, Tab, ods, xlsx

TITLES = ["No.", "Member", "E mail adress", "Tel", "Paid 26?", "Job"]


@dataclass(frozen=True)
class Sample:
    """A file, and what is read in it."""

    name: str
    data: bytes
    expected: list[Any]
    """Names of people, home and away of matches, places and names; in their order."""
    what: str = "members"
    heading: int | None = 1
    sheet: str = ""
    asked: list[tuple[int, str]] = field(default_factory=list)
    """Rows and kinds of all questions."""
    aside: list[int] = field(default_factory=list)
    """Rows of which nothing is used, below the titles."""
    also: dict[str, Any] = field(default_factory=dict)
    """Fields of items: by name, `name.field`."""


def text(content: str, encoding: str = "utf-8") -> bytes:
    return content.encode(encoding)


MESSY = xlsx(
    Tab("Fees 2025", [["Name", "Paid"], *([f"Person {letter}", 20] for letter in "ABCDEFGHIJ")]),
    Tab(
        "Members",
        [
            ["HARBOUR HAND & FOOT"],
            ["Members 2026 (as of 1 March)"],
            TITLES,
            [1, "Menon, Asha", "asha@example.org", "07700 900101", "yes", "Treasurer"],
            [2, "AVERILL Tom (sub)", "no email", 7700900117, "yes", None],
            [3, "Ann & Bob Jones", "jones@example.org", 447700900123, "yes", "Committee"],
            [4, "Mrs. P. Penrose", "-", "n/a", "no", None],
            [None, "Committee"],
            [5, "J. Smith", "j.smith@example.org", None, "yes", None],
            [6, "Smith, John", None, "07700 900130", "yes", "sub"],
            [7, "Edth Clark", None, "07700 900122", "no", None],
            [8, "Gil Castellano\nMaria Castellano", "gil@example.org; maria@example.org", None, "yes"],
            [9, "new lady, Thursdays"],
            [10, None, None, "07700 900144"],
            [11, "Zoë Öde", "zoe(at)example.org", None, None, "Members' rep"],
            [12, Formula("A2")],
            [None, "TOTAL", Formula("COUNTA(B4:B14)"), None, 59],
            [None, "Average", None, None, 12.5],
            ["Please tell Nora about changes!"],
        ],
        merged=["A1:F1"],
    ),
    Tab("Old members", [["Name"], ["Old Joe"]], hidden=True),
)

SAMPLES = [
    Sample(
        "messy.xlsx",
        MESSY,
        [
            *("Asha Menon", "Tom Averill", "Ann Jones", "Bob Jones", "P. Penrose", "John Smith", "Edith Clark"),
            *("Gil Castellano", "Maria Castellano", "Zoë Öde"),
        ],
        heading=3,
        sheet="Members",
        asked=[
            *((5, "phone"), (6, "two_people"), (10, "same_person"), (11, "near_name"), (12, "two_people")),
            *((13, "name"), (14, "no_name"), (15, "email"), (17, "total"), (18, "total")),
        ],
        aside=[8, 13, 14, 16, 17, 18, 19],
        also={
            "Tom Averill.phone": "07700900117",
            "Tom Averill.role": "sub",
            "Tom Averill.email": "",
            "Ann Jones.phone": "+447700900123",
            "Bob Jones.email": "jones@example.org",
            "John Smith.email": "j.smith@example.org",
            "John Smith.phone": "07700 900130",
            "Maria Castellano.email": "maria@example.org",
            "Zoë Öde.email": "zoe@example.org",
            "Zoë Öde.role": "Members' rep",
        },
    ),
    Sample(
        "cp1252.csv",
        text(
            "Mitgliederliste;;\r\nName;E-Mail;Telefon\r\nMüller, Jürgen;jm@example.org;0171 2345678\r\nGroß, Änne;keine;\r\n",
            "cp1252",
        ),
        ["Jürgen Müller", "Änne Groß"],
        heading=2,
        also={"Jürgen Müller.phone": "0171 2345678", "Änne Groß.email": ""},
    ),
    Sample(
        "utf16.txt",
        text("Smith, John\nJones, Ann\nvan der Berg, Jan\n", "utf-16"),
        ["John Smith", "Ann Jones", "Jan van der Berg"],
        heading=None,
    ),
    Sample("bom.tsv", text("Name\tTel\nZoë Öde\t07700 900101\n", "utf-8-sig"), ["Zoë Öde"]),
    Sample("utf16be.csv", b"\xfe\xff" + text("Name;Mail\nŽaneta Černá;z@example.org\n", "utf-16-be"), ["Žaneta Černá"]),
    Sample(
        "mac.csv",
        text("Vorname|Nachname|Handy\nJosé|García|+34 600 000 000\nZoë|Ødegård|\n", "mac_roman"),
        ["José García", "Zoë Ødegård"],
    ),
    Sample(
        "cp1250.csv",
        text("Name;Note\nŁukasz Wójcik;\nZażółć Gęś;\nŚwietlana Ćma;\n", "cp1250"),
        ["Łukasz Wójcik", "Zażółć Gęś", "Świetlana Ćma"],
    ),
    Sample(
        "unquoted.csv",
        text("Name,Email\nSmith, John,js@example.org\nJones, Ann,aj@example.org\nLee, Bo,\n"),
        ["John Smith", "Ann Jones", "Bo Lee"],
        also={"Ann Jones.email": "aj@example.org"},
    ),
    Sample(
        "letter.txt",
        text(
            "Dear Tom,\n\nhere are the members:\n\n1. Ann Lee, ann@example.org\n2. Bob Ross, 07700 900122\n- Carl Young\n\nBest wishes\nNora\n"
        ),
        ["Ann Lee", "Bob Ross", "Carl Young"],
        heading=None,
        asked=[(1, "name"), (3, "name"), (9, "name"), (10, "name")],
        aside=[1, 3, 9, 10],
        also={"Ann Lee.email": "ann@example.org", "Bob Ross.phone": "07700 900122"},
    ),
    Sample(
        "no titles.tsv",
        text("Tom Averill\tta@example.org\t07700 900101\nAnn Lee\t\t07700 900102\n"),
        ["Tom Averill", "Ann Lee"],
        heading=None,
        also={"Ann Lee.phone": "07700 900102"},
    ),
    Sample(
        "first and last.ods",
        ods(
            Tab(
                "Liste",
                [
                    ["Nachname", "Vorname", "E-Mail-Adresse"],
                    ["MÜLLER", "Jürgen", "keine"],
                    ["von Arnim", "Bettina", None],
                ],
            )
        ),
        ["Jürgen Müller", "Bettina von Arnim"],
        sheet="Liste",
    ),
    Sample(
        "couples.xlsx",
        xlsx(
            Tab(
                "Tabelle1",
                [
                    ["Mitglied", "Telefon"],
                    ["Ann und Bob Müller", "030 123456"],
                    ["Mr & Mrs Jones", None],
                    ["Smith, J & M", None],
                    ["SMITH-LEE John + Mary", None],
                    ["Carl Young / Una Vale", None],
                ],
            )
        ),
        [
            *(
                "Ann Müller",
                "Bob Müller",
                "Mr Jones",
                "Mrs Jones",
                "J Smith",
                "M Smith",
                "John Smith-Lee",
                "Mary Smith-Lee",
            ),
            *("Carl Young", "Una Vale"),
        ],
        sheet="Tabelle1",
        asked=[(row, "two_people") for row in (2, 3, 4, 5, 6)],
        also={"Bob Müller.phone": "030 123456"},
    ),
    Sample(
        "merged.xlsx",
        xlsx(
            Tab(
                "Members",
                [
                    ["Our members"],
                    ["Name", "Phone", "Email"],
                    ["Ann Lee", "07700 900101", "ann@example.org"],
                    ["Bob Lee", None, None],
                    ["Carl Young", "07700 900102", None],
                    [None, "020 7946 0000", None],
                ],
                merged=["A1:C1", "B3:B4", "A5:A6"],
            )
        ),
        ["Ann Lee", "Bob Lee", "Carl Young"],
        heading=2,
        sheet="Members",
        also={"Bob Lee.phone": "07700 900101", "Carl Young.phone": "07700 900102 / 020 7946 0000"},
    ),
    Sample(
        "formulas.xlsx",
        xlsx(
            Tab(
                "Members",
                [
                    ["First name", "Last name", "Full name", "Age"],
                    ["Ann", "Lee", Formula('A2&" "&B2'), Formula("YEAR(1)", 71)],
                    ["Bob", "Ross", Formula('A3&" "&B3', "Bob Ross"), 70],
                    [None, None, "Total", Formula("COUNTA(A2:A3)", 2)],
                ],
            )
        ),
        ["Ann Lee", "Bob Ross"],
        sheet="Members",
        asked=[(4, "total")],
        aside=[4],
    ),
    Sample(
        "twice.csv",
        text(
            "Name;Phone;Email\nJ. Smith;;\nSmith, John;0123 456789;\nJ. Smith;;jane@example.org\nAnn Lee;;a@example.org\nLee Ann;;b@example.org\nAnn Lee;;a@example.org\n"
        ),
        ["John Smith", "Ann Lee", "Lee Ann"],
        asked=[(3, "same_person"), (4, "same_person"), (6, "same_person"), (7, "same_person")],
        also={"John Smith.email": "jane@example.org"},
    ),
    Sample(
        "no names.csv",
        text("Name,E-mail,Telephone\n-,x@example.org,\n,,07700 900144\nn/a,,\nAnn Lee,none,-\n"),
        ["Ann Lee"],
        asked=[(2, "no_name"), (3, "no_name")],
        aside=[2, 3, 4],
    ),
    Sample(
        "pages.csv",
        text("Name,Role\nAnn Lee,Chair\n\nName,Role\nBob Ross,\nCommittee,\nGuests:,\nCarl Young,Guest\nGesamt: 3,\n"),
        ["Ann Lee", "Bob Ross", "Carl Young"],
        asked=[(9, "total")],
        aside=[4, 6, 7, 9],
        also={"Ann Lee.role": "Chair", "Carl Young.role": "Guest"},
    ),
    Sample(
        "honorifics.csv",
        text(
            "Member\nProf. Dr. Hans Weiß\nRev. T. Carter\nPenrose, Mrs. P.\nO'BRIEN Pat\nLee, Ann (Treasurer)\nJohn Smith Jr.\nann lee-ross\nVAN DER BERG Jan\n"
        ),
        [
            "Hans Weiß",
            "T. Carter",
            "P. Penrose",
            "Pat O'Brien",
            "Ann Lee",
            "John Smith Jr.",
            "Ann Lee-Ross",
            "Jan van der Berg",
        ],
        also={"Ann Lee.role": "Treasurer"},
    ),
    Sample(
        "phones.xlsx",
        xlsx(
            Tab(
                "Kontakte",
                [
                    ["Name", "Handy"],
                    ["Ann Lee", 1712345678],
                    ["Bob Ross", "4.47E+11"],
                    ["Carl Young", 491712345678],
                    ["Una Vale", "+49 171 2345679"],
                ],
            )
        ),
        ["Ann Lee", "Bob Ross", "Carl Young", "Una Vale"],
        sheet="Kontakte",
        asked=[(2, "phone"), (3, "phone")],
        also={"Ann Lee.phone": "01712345678", "Bob Ross.phone": "", "Carl Young.phone": "+491712345678"},
    ),
    Sample(
        "crossed committee.csv",
        text("Name;Committee;Notes\nAnn Lee;x;sits near the door\nBob Ross;;\n"),
        ["Ann Lee", "Bob Ross"],
        also={"Ann Lee.role": "Committee", "Ann Lee.note": "sits near the door"},
    ),
    Sample(
        "partners.csv",
        text("Player 1;Player 2\nAnn Lee;Bob Ross\nCarl Young;Una Vale\n"),
        ["Ann Lee", "Bob Ross", "Carl Young", "Una Vale"],
    ),
    Sample("sep.csv", text("sep=;\nName;Email\nAnn Lee;ann@example.org\n"), ["Ann Lee"], heading=2),
    Sample(
        "results.xlsx",
        xlsx(
            Tab(
                "Results",
                [
                    ["Results 2025/26"],
                    [],
                    ["Date", "Home", "Away", "Score", None, "Venue"],
                    ["Matchday 1"],
                    ["13/4/2026", "Okafor / Bell", "Lund / Arai", "8,720", "7.940", "Hall"],
                    ["10/4/2026", "Haddad & Penrose", "Doyle / Brandt", "w/o", None, None],
                    ["Week 2 – 17 April 2026"],
                    [None, "Lund / Arai", "Haddad & Penrose", 6310, 5200],
                    [None, "Doyle / Brant", "Okafor / Bell", 5200, 5205],
                    [None, "Okafor / Bell", "Haddad & Penrose", None, None],
                    ["Total", None, None, 12, 13],
                ],
            )
        ),
        [
            *(
                ("Okafor / Bell", "Lund / Arai"),
                ("Haddad & Penrose", "Doyle / Brandt"),
                ("Lund / Arai", "Haddad & Penrose"),
            ),
            ("Doyle / Brandt", "Okafor / Bell"),
        ],
        what="results",
        heading=3,
        sheet="Results",
        asked=[(6, "walkover"), (9, "near_name"), (11, "total")],
        aside=[10, 11],
        also={
            "0.date": "2026-04-13",
            "0.home_score": 8720,
            "0.away_score": 7940,
            "1.date": "2026-04-10",
            "1.walkover": "home",
            "2.date": "2026-04-17",
            "2.matchday": 2,
            "2.season": "2025/26",
        },
    ),
    Sample(
        "open dates.csv",
        text(
            "Date;Home;Away;Home points;Away points\n3/4/2026;Ann Lee;Bob Ross;1200;900\n4/4/26;Una Vale;Ann Lee;10,5;9,5\n"
        ),
        [("Ann Lee", "Bob Ross"), ("Una Vale", "Ann Lee")],
        what="results",
        asked=[(2, "date")],
        also={"0.date": "2026-04-03", "1.date": "2026-04-04", "1.home_score": 10.5},
    ),
    Sample(
        "american.csv",
        text("date,home,away,score\n12/31/2025,Ann Lee,Bob Ross,1200-900\n1/2/2026,Bob Ross,Ann Lee,7:5\n"),
        [("Ann Lee", "Bob Ross"), ("Bob Ross", "Ann Lee")],
        what="results",
        also={"0.date": "2025-12-31", "1.date": "2026-01-02", "1.away_score": 5},
    ),
    Sample(
        "spielplan.ods",
        ods(
            Tab(
                "Spielplan",
                [
                    ["Spieltag", "Datum", "Uhrzeit", "Begegnung", "Ort"],
                    [1, date(2026, 9, 3), "19:30", "Müller / Groß – Weiß / Lange", "Vereinsheim"],
                    [1, "3. September 2026", "19.30 Uhr", "Hahn / Koch gegen Beck / Roth", None],
                    [2, "Do, 10.9.2026", None, "Spielfrei - Beck / Roth", None],
                ],
            )
        ),
        [("Müller / Groß", "Weiß / Lange"), ("Hahn / Koch", "Beck / Roth")],
        what="fixtures",
        sheet="Spielplan",
        aside=[4],
        also={"0.date": "2026-09-03", "0.time": "19:30", "1.date": "2026-09-03", "0.venue": "Vereinsheim"},
    ),
    Sample(
        "table.csv",
        text(
            "Abschlusstabelle Saison 2024/25;;;;;;\nPlatz;Team;Spiele;S;U;N;Punkte\n1.;Müller / Groß;14;10;2;2;22,5\n2.;Weiß / Lange;14;9;1;4;19\n;Summe;28;;;;\n"
        ),
        [(1, "Müller / Groß"), (2, "Weiß / Lange")],
        what="table",
        heading=2,
        asked=[(5, "total")],
        aside=[5],
        also={"0.points": 22.5, "0.won": 10, "1.lost": 4, "0.season": "2024/25"},
    ),
    Sample(
        "divisions.xlsx",
        xlsx(
            Tab(
                "Final table",
                [
                    ["Pos", "Pair", "P", "W", "D", "L", "Pts"],
                    ["Premier Division"],
                    [1, "Lund / Arai", 4, 3, 0, 1, 6],
                    [2, "Okafor / Bell", 4, 2, 0, 2, 4],
                    ["Division Two"],
                    [1, "Doyle / Brandt", 4, 4, 0, 0, 8],
                ],
            )
        ),
        [(1, "Lund / Arai"), (2, "Okafor / Bell"), (1, "Doyle / Brandt")],
        what="table",
        sheet="Final table",
        also={"0.division": "Premier Division", "2.division": "Division Two"},
    ),
]
