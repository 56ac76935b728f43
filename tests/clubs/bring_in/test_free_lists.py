"""Members in letters, mails and lists without columns, and in tables of odd shapes."""

import pytest

from clubs.bring_in import child, texts
from clubs.bring_in.open import read
from clubs.bring_in.reading import Context


def reading(text, **answers):
    book = child.read_text(text) if isinstance(text, str) else texts.split(texts.decode(text))
    return read(book, "members", Context(answers={key.replace("_", "-"): answer for key, answer in answers.items()}))


def people(text):
    """Name, email, phone, role of each."""
    return [(person.name, person.email, person.phone, person.role) for person in reading(text).people]


def test_a_line_has_name_address_number_and_role():
    assert people(
        "Tom Hale 020 7946 0018 tom@x.org\nGwen Ash, 12 Mill Lane, 01234 567890\nAnn Bly (chair) – ann@x.org\n"
    ) == [
        ("Tom Hale", "tom@x.org", "020 7946 0018", ""),
        ("Gwen Ash", "", "01234 567890", ""),
        ("Ann Bly", "ann@x.org", "", "chair"),
    ]


def test_the_address_of_a_line_is_read():
    lines = "Ann Bly, The Old Forge, Church Lane, Wickham, 01329 123456\nHale, Bob, 9 Park Road, Leeds LS1 4AB\nUna Vale, u@x.org"
    assert [person.address for person in reading(lines).people] == [
        "The Old Forge\nChurch Lane\nWickham",
        "9 Park Road\nLeeds LS1 4AB",
        "",
    ]


def test_roles_stand_before_names():
    text = "Chair: Gwen Ash\nSecretary - Ann Bly\nCommittee: A. Dunn, C. Fox\nTom Hale, no email\nBob Ross\n"
    result = reading(text)
    assert [(person.name, person.role) for person in result.people] == [
        *(("Gwen Ash", "Chair"), ("Ann Bly", "Secretary"), ("A. Dunn", "Committee"), ("C. Fox", "Committee")),
        *(("Tom Hale", ""), ("Bob Ross", "")),
    ]
    assert result.people[4].note == "no email"
    assert [question.kind for question in result.questions] == ["two_people"]
    assert not result.kept_aside


def test_people_of_a_mails_head():
    text = 'To: Tom Hale <tom@x.org>; "Dunn, Carl" <carl@x.org>, una@x.org\nCc: Bob Ross <bob@x.org>\n'
    result = reading(text)
    assert [(person.name, person.email) for person in result.people] == [
        *(("Tom Hale", "tom@x.org"), ("Carl Dunn", "carl@x.org"), ("Bob Ross", "bob@x.org"))
    ]
    assert [(question.kind, question.shown) for question in result.questions] == [("no_name", "una@x.org")]


def test_two_people_have_two_numbers_and_two_addresses():
    rows = "Ann & Bob Jones\t020 7946 0001 / 020 7946 0002\tbob@x.org, ann@x.org\nGil & Mo Dean\t020 7946 0003\t\n"
    assert people(f"Name\tPhone\tEmail\n{rows}") == [
        ("Ann Jones", "ann@x.org", "020 7946 0001", ""),
        ("Bob Jones", "bob@x.org", "020 7946 0002", ""),
        ("Gil Dean", "", "020 7946 0003", ""),
        ("Mo Dean", "", "020 7946 0003", ""),
    ]


def test_numbers_with_names_are_theirs():
    row = "Gil & Mo Dean\t07700 900144 (Mo) / 020 7946 0009 (Gil)"
    assert [(item[0], item[2]) for item in people(f"Name\tPhone\n{row}\n")] == [
        ("Gil Dean", "020 7946 0009"),
        ("Mo Dean", "07700 900144"),
    ]


def test_a_partner_keeps_what_stands_beside_the_name():
    assert people("Name\tPartner\tEmail\nHale, Tom\tUna Bly (una@x.org)\ttom@x.org\n") == [
        ("Tom Hale", "tom@x.org", "", ""),
        ("Una Bly", "una@x.org", "", ""),
    ]


@pytest.mark.parametrize("mark", ["as above", "dto.", '"', "〃", "wie oben"])
def test_the_same_as_above(mark):
    rows = f"Hale\tTom\t12 Mill Lane\t020 7946 0018\nHale\tMax\t{mark}\t{mark}\nAsh\tGwen\t3 High St\t\n"
    result = reading(f"Surname\tFirst name\tAddress\tPhone\n{rows}")
    assert [(person.name, person.address, person.phone) for person in result.people] == [
        ("Tom Hale", "12 Mill Lane", "020 7946 0018"),
        ("Max Hale", "12 Mill Lane", "020 7946 0018"),
        ("Gwen Ash", "3 High St", ""),
    ]
    assert not result.kept_aside


LEFT = "Name;Status;Date left\nTom Hale;;\nGwen Ash †;;\nAnn Bly;deceased;\nCarl Dunn;;31.12.2023\nUna Vale (left 2023);;\n"


def test_who_has_left_is_asked_and_set_aside():
    result = reading(LEFT)
    assert [person.name for person in result.people] == ["Tom Hale"]
    assert [(question.row, question.kind) for question in result.questions] == [(row, "left") for row in (3, 4, 5, 6)]
    assert [row.row for row in result.rows_aside] == [3, 4, 5, 6]


def test_who_seems_to_have_left_can_stay():
    result = read(child.read_text(LEFT), "members", Context(answers={"6-left": "stays"}))
    assert [person.name for person in result.people] == ["Tom Hale", "Una Vale"]


@pytest.mark.parametrize("titles", ["Name\tPhone\tName\tPhone\n", "Name 1\tPhone 1\tName 2\tPhone 2\n", ""])
def test_a_list_that_goes_on_beside_itself(titles):
    text = f"{titles}Tom Hale\t020 7946 0018\tAnn Bly\t020 7946 0019\nGwen Ash\t020 7946 0028\tCarl Dunn\t\n"
    assert [(item[0], item[2]) for item in people(text)] == [
        *(("Tom Hale", "020 7946 0018"), ("Ann Bly", "020 7946 0019")),
        *(("Gwen Ash", "020 7946 0028"), ("Carl Dunn", "")),
    ]


def test_a_family_on_one_row():
    rows = "Hale\tTom, Ann\t020 7946 0018\nAsh\tGwen & Bob\t020 7946 0019\n"
    assert [item[0] for item in people(f"Family\tAdults\tPhone\n{rows}")] == [
        "Tom Hale",
        "Ann Hale",
        "Gwen Ash",
        "Bob Ash",
    ]


def test_capitals_in_columns_of_first_and_last_names():
    rows = "VAN DER BERG,JAN\nDE LA CRUZ,MARIA\nNG,ANN\nMcDONALD,IAN\nAsh OBE,Gwen\n"
    assert [person.name for person in reading(f"Surname,Forename\n{rows}").people] == [
        *("Jan van der Berg", "Maria de la Cruz", "Ann Ng", "Ian McDonald", "Gwen Ash")
    ]


def test_a_number_that_a_spreadsheet_has_stored_with_a_fraction_is_asked():
    result = reading("Name,Phone\nTom Hale,7700900117.0\n")
    assert (result.people[0].phone, [item.kind for item in result.questions]) == ("07700900117", ["phone"])


RUSSIAN = (
    *("Иванов Пётр", "Смирнова Анна", "Кузнецов Дмитрий", "Попова Ольга", "Соколов Андрей", "Лебедева Наталья"),
    *("Козлов Юрий", "Новикова Мария"),
)
POLISH = (
    *("Łukasz Wójcik", "Małgorzata Dąbrowska", "Zbigniew Śliwiński", "Krzysztof Kamiński", "Żaneta Woźniak"),
    *("Stanisław Gęś", "Jan Kowalski", "Agnieszka Zając"),
)
CZECH = (
    *("Jiří Dvořák", "Tomáš Černý", "Zdeněk Novák", "Kateřina Šťastná", "Ondřej Růžička", "Lukáš Procházka"),
    *("Miloš Němec", "Věra Křížová"),
)
HUNGARIAN = ("Győző Nagy", "Erzsébet Tóth", "László Szűcs", "Ödön Horváth", "Péter Szőke", "Jenő Kiss", "Ágnes Kovács")
GREEK = ("Γιώργος Παπαδόπουλος", "Μαρία Νικολάου", "Κώστας Ιωάννου", "Ελένη Γεωργίου", "Δημήτρης Οικονόμου")
WESTERN = ("Jürgen Müller", "François Dupont", "Zoë Öde", "José García", "Åse Møller", "Tom Hale", "Siân O’Neill")


@pytest.mark.parametrize(
    ("expected", "encoding"),
    [
        *((RUSSIAN, name) for name in ("cp1251", "koi8-r", "iso8859-5", "cp866", "utf-16-le", "utf-16-be")),
        *((POLISH, name) for name in ("cp1250", "iso8859-2", "cp852", "utf-16-le")),
        *((CZECH, name) for name in ("cp1250", "iso8859-2", "cp852")),
        *((HUNGARIAN, name) for name in ("cp1250", "iso8859-2")),
        *((GREEK, name) for name in ("cp1253", "iso8859-7", "utf-16-be")),
        *((WESTERN, name) for name in ("cp1252", "mac_roman", "utf-16-le")),
    ],
)
def test_names_come_out_right_in_any_encoding(expected, encoding):
    text = "Name;Tel\r\n" + "".join(f"{name};07700 9001{at:02}\r\n" for at, name in enumerate(expected))
    assert [person.name for person in reading(text.encode(encoding)).people] == list(expected)


def test_a_text_that_was_taken_for_another_encoding_once_is_mended():
    assert texts.decode("Name\nJürgen Müller\n".encode().decode("cp1252").encode()) == "Name\nJürgen Müller\n"


def test_an_encoding_in_doubt_is_asked():
    book = child.read_file("Name\nTom Hale\nZoë Bly\n".encode("cp850"))
    result = read(book, "members", Context())
    [question] = result.questions
    assert (question.row, question.kind) == (3, "encoding")
    answer = next(value for value, label in question.choices if label.startswith("Zoë Bly"))
    result = read(book, "members", Context(answers={"3-encoding": answer}))
    assert [person.name for person in result.people] == ["Tom Hale", "Zoë Bly"]


def test_signs_alone_are_no_letters():
    text = "Name;Paid\nTom Hale;£12\nAnn Lee;£14 – cash\n"
    assert texts.decode(text.encode("cp1252")) == text


def test_a_family_with_an_article_is_a_name_in_doubt():
    result = reading("Name\tPhone\nThe Smith Family\t07700 900123\nTom Hale\t07700 900124\n")
    assert [person.name for person in result.people] == ["The Smith Family", "Tom Hale"]
    assert [question.kind for question in result.questions] == ["name"]


def test_a_total_in_a_column_of_last_names_is_nobody():
    result = reading("Name;Vorname;Tel\nHale;Tom;030 123456\nLee;Ann;030 123457\nSumme;2;\n")
    assert [person.name for person in result.people] == ["Tom Hale", "Ann Lee"]
    assert [question.kind for question in result.questions] == ["total"]


def test_an_address_in_a_column_of_numbers_is_read_and_asked_without_a_name():
    result = reading("Name;Phone\nTom Hale;tom@example.org, 07700 900123\n;ann.lee@example.org\nGil Ash;07700 900124\n")
    assert [(person.name, person.email, person.phone) for person in result.people] == [
        ("Tom Hale", "tom@example.org", "07700 900123"),
        ("Gil Ash", "", "07700 900124"),
    ]
    assert [(question.row, question.kind) for question in result.questions] == [(3, "no_name")]


def test_a_name_beside_an_address_is_offered_by_its_name():
    questions = reading('tom@example.org\nann@example.org\n"Bell, Ivy" <ivy@example.org>\n').questions
    assert questions[-1].choices == (("Ivy Bell", "Ivy Bell"), ("aside", "Set aside"))


def test_short_titles_of_names():
    assert [name for name, *_ in people("Last Name,Given,Sex\nPenrose,Pru,F\nLund,Kai,M\n")] == [
        "Pru Penrose",
        "Kai Lund",
    ]
