"""Names in any order, with titles, remarks and several people, as lists have them."""

import pytest

from clubs.bring_in import names, values, words
from clubs.bring_in.workbook import NUMBER, Cell

ONE = {
    "Smith, J.": "J. Smith",
    "SMITH John (sub)": "John Smith",
    "Mrs. P. Penrose": "P. Penrose",
    "Penrose, Mrs. P.": "P. Penrose",
    "Prof. Dr. Hans Müller": "Hans Müller",
    "VAN DER BERG Jan": "Jan van der Berg",
    "McDONALD Ian": "Ian McDonald",
    "Smith J.R.": "J.R. Smith",
    "Brown-Smith, A. B.": "A. B. Brown-Smith",
    "Smith, John, Jr.": "John Smith Jr.",
    "1. Ann Lee": "Ann Lee",
    "Mary Guest": "Mary Guest",
    "June": "June",
    "Sum Lee": "Sum Lee",
    "Sir Tom Finney": "Tom Finney",
    "ann o'neill": "Ann O'Neill",
    "VAN DER BERG, JAN": "Jan van der Berg",
    "IAN McDONALD": "Ian McDonald",
    "ANGUS MACLEOD": "Angus MacLeod",
    "TED MACKIE": "Ted Mackie",
    "MacDONALD, Fiona": "Fiona MacDonald",
    "MARIA DE LA CRUZ": "Maria de la Cruz",
    "UTE ZIEGLER-MÜLLER": "Ute Ziegler-Müller",
    "SEAN O’CONNOR": "Sean O’Connor",
    "Prof Ann Bly, MBE": "Ann Bly",
    "Dr. med. Hans Weiß": "Hans Weiß",
    "Sam Lee PhD": "Sam Lee",
    "John Smith III": "John Smith III",
}
SEVERAL = {
    "Ann & Bob Jones": ("Ann Jones", "Bob Jones"),
    "Ann Jones and Bob Smith": ("Ann Jones", "Bob Smith"),
    "Jones, Ann & Bob": ("Ann Jones", "Bob Jones"),
    "Ann, Bob & Carl Jones": ("Ann Jones", "Bob Jones", "Carl Jones"),
    "Ann + Bob van der Berg": ("Ann van der Berg", "Bob van der Berg"),
    "SMITH John & Mary": ("John Smith", "Mary Smith"),
    "Ann Jones\nBob Smith": ("Ann Jones", "Bob Smith"),
    "Ann und Bob Müller": ("Ann Müller", "Bob Müller"),
    "Ann Jones, Bob Smith": ("Ann Jones", "Bob Smith"),
    "Mr & Mrs Jones": ("Mr Jones", "Mrs Jones"),
    "Mr & Mrs Tom Hale": ("Tom Hale", "Mrs Hale"),
}
NOBODY = {
    names.TOTAL: [
        "TOTAL",
        "Total: 59",
        "Gesamt",
        "Summe",
        "Average",
        "TOTAL 59 members",
        "Anzahl Mitglieder",
        "Ø 12,5",
    ],
    names.HEADING: ["Committee", "Guests:", "Thursday group", "Mitglieder 2026", "Vorstand", "Waiting list"],
    names.NOTE: ["new lady, Thursdays", "Please update!", "* not paid", "Stand: 1.3.2026", "Dear Tom,", "Viele Grüße"],
    names.DOUBT: ["The Smith Family", "Familie Berger", "von der Heide Anna"],
    names.NOTHING: ["-", "n/a", "", "keine", "59"],
}


@pytest.mark.parametrize(("typed", "name"), ONE.items())
def test_one_person(typed, name):
    hit = names.read(typed)
    assert (hit.kind, hit.names) == (names.ALONE, (name,))


@pytest.mark.parametrize(("typed", "people"), SEVERAL.items())
def test_several_people(typed, people):
    hit = names.read(typed)
    assert (hit.kind, hit.names) == (names.SEVERAL, people)


@pytest.mark.parametrize(("kind", "typed"), [(kind, typed) for kind, every in NOBODY.items() for typed in every])
def test_what_is_no_person(kind, typed):
    assert names.read(typed).kind == kind


def test_remarks_addresses_and_numbers_beside_a_name():
    assert names.read("Lee, Ann (Treasurer)").role == "Treasurer"
    assert names.read("Ann Lee - captain").role == "captain"
    hit = names.read("Ann Lee <Ann@Example.org> 07700 900123")
    assert (hit.names, hit.emails, hit.phones) == (("Ann Lee",), ("ann@example.org",), ("07700 900123",))


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("Tom Hale OBE", "OBE"),
        ("Prof Ann Bly, MBE", "Prof MBE"),
        ("Dr. med. Hans Weiß", "Dr. med."),
        ("Mrs P. Lee", ""),
    ],
)
def test_degrees_and_honours_are_a_note(typed, note):
    assert names.read(typed).note == note


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("020 7946 0001 / 07700 900102", ["020 7946 0001", "07700 900102"]),
        ("020 1 / 020 2", ["020 1", "020 2"]),
        ("0171 / 2345678", ["0171 / 2345678"]),
        ("(020) 7946 0018", ["(020) 7946 0018"]),
        ("+49 (0)171 2345678", ["+49 (0)171 2345678"]),
        ("020 7946 0009 (home) 07700 900144 (mob)", ["020 7946 0009 (home)", "07700 900144 (mob)"]),
    ],
)
def test_several_numbers_of_a_cell(typed, numbers):
    assert values.phones_of(typed) == numbers


@pytest.mark.parametrize("text", ["no email", "no phone or email", "doesn't have email", "keine E-Mail", "not online"])
def test_ways_to_say_that_there_is_nothing(text):
    assert words.is_none(text)


@pytest.mark.parametrize(
    ("text", "is_address"),
    [
        *(("12 Mill Lane", True), ("Church Lane", True), ("Oxford OX1 2AB", True), ("Hauptstr. 12", True)),
        *(("10115 Berlin", True), ("Flat 2", True), ("Ann Lane", False), ("12 March 1950", False), ("Wickham", False)),
    ],
)
def test_lines_of_addresses(text, is_address):
    assert words.is_address(text) is is_address


@pytest.mark.parametrize(
    ("item", "other", "is_same"),
    [
        *(("Edth Clark", "Edith Clark", True), ("J. Smith", "John Smith", True), ("Tom Averil", "Tom Averill", True)),
        *(("Hans Mueller", "Müller Hans", True), ("Joan Smith", "John Smith", False), ("Anna Lee", "Anne Lee", False)),
        *(("Ann Carter", "Tom Carter", False), ("Ann Lee", "Ann Marie Lee", True), ("Bob Roß", "Bob Ross", True)),
    ],
)
def test_names_that_may_be_the_same(item, other, is_same):
    assert names.may_be_same(item, other) is is_same


@pytest.mark.parametrize(
    ("typed", "kind", "phone", "is_guess"),
    [
        *((("7700900117"), NUMBER, "07700900117", True), ("447700900117", NUMBER, "+447700900117", False)),
        *(("07700 900117", "t", "07700 900117", False), ("4.47700900123E+11", "t", "+447700900123", True)),
        *(("123456", NUMBER, "123456", False), ("4.47E+11", "t", "", False)),
    ],
)
def test_numbers_that_were_telephone_numbers(typed, kind, phone, is_guess):
    hit = values.phone(Cell(typed, kind), leading_zero=True)
    assert (hit.text, hit.is_guess) == (phone, is_guess)


@pytest.mark.parametrize(
    ("typed", "day", "other"),
    [
        *(("2026-04-03", "2026-04-03", None), ("3.4.2026", "2026-04-03", None), ("3/4/26", "2026-04-03", "2026-03-04")),
        *(("13/4/2026", "2026-04-13", None), ("4/13/2026", "2026-04-13", None), ("3rd April 2026", "2026-04-03", None)),
        *(("Tue 3 Apr 2026, 19:30", "2026-04-03", None), ("April 3, 2026", "2026-04-03", None)),
        *(("Do, 3. September 2026", "2026-09-03", None), ("3.4.", "2026-04-03", None), ("soon", None, None)),
        *(("31/2/2026", None, None), ("8720", None, None)),
    ],
)
def test_days(typed, day, other):
    hit = values.day(Cell(typed), year=2026)
    assert (str(hit.day) if hit.day else None, str(hit.other) if hit.other else None) == (day, other)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("8,720", 8720), ("8.720", 8720), ("8 720", 8720), ("8'720", 8720), ("12,5", 12.5), ("12.50", 12.5)),
        *(("1.234,5", 1234.5), ("−435", -435), ("0", 0), ("w/o", None), ("", None), ("12:3", None)),
    ],
)
def test_numbers(typed, number):
    assert values.number(Cell(typed)) == number


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ann(at)example.org", "ann@example.org"),
        ("ann@example,org", "ann@example.org"),
        ("by post", ""),
        ("see Tom", ""),
    ],
)
def test_addresses_with_a_slip(typed, meant):
    assert values.mended_email(typed) == meant
