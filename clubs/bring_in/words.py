"""Words that lists of clubs use, in English and German: titles of columns, totals, remarks, ways to say “none”."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

MEMBER_TITLES: Mapping[str, Sequence[str]] = {
    "name": (
        *(
            "name",
            "names",
            "full name",
            "member",
            "members",
            "member name",
            "player",
            "players",
            "player name",
            "person",
        ),
        *("people", "who", "name of member", "player 1", "player 2", "partner", "partner name", "surname first name"),
        *("surname and first name", "last name first name", "name surname", "mitglied", "mitglieder", "mitgliedsname"),
        *(
            "spieler",
            "spielername",
            "name vorname",
            "nachname vorname",
            "vor und nachname",
            "vorname name",
            "nom",
            "naam",
        ),
        *("nombre", "wer", "teilnehmer", "participant", "participants", "spieler 1", "spieler 2", "contact name"),
    ),
    "first_name": (
        *("first name", "first names", "given name", "given names", "forename", "forenames", "firstname"),
        *("christian name", "christian names", "vorname", "vornamen", "rufname", "prenom", "first", "given", "fname"),
    ),
    "last_name": (
        *("last name", "surname", "family name", "lastname", "nachname", "familienname", "zuname", "last", "surnames"),
        *("second name", "nom de famille", "family", "familie", "lname", "last names", "family names"),
    ),
    "email": (
        *("email", "e mail", "mail", "email address", "e mail address", "emails", "e mails", "email adress"),
        *("e mail adresse", "mailadresse", "email adresse", "mail address", "e post", "electronic mail"),
    ),
    "phone": (
        *("phone", "telephone", "tel", "tel no", "tel nr", "phone no", "phone number", "phone numbers", "telephone no"),
        *("telephone number", "mobile", "mobile no", "mobile number", "mobile phone", "mob", "cell", "cell phone"),
        *("home phone", "home tel", "landline", "contact number", "contact no", "whatsapp", "handy", "handynummer"),
        *(
            "telefon",
            "telefonnummer",
            "telefon nr",
            "rufnummer",
            "festnetz",
            "mobil",
            "mobilnummer",
            "phones",
            "tel number",
        ),
    ),
    "role": (
        *("role", "roles", "job", "position", "office", "status", "function", "funktion", "rolle", "amt", "aufgabe"),
        *("committee", "committee role", "duty", "duties", "kind", "type", "member type", "vorstand", "category"),
    ),
    "note": (
        *("note", "notes", "remark", "remarks", "comment", "comments", "bemerkung", "bemerkungen", "notiz", "notizen"),
        *("anmerkung", "anmerkungen", "kommentar", "info", "information", "other", "sonstiges", "hinweis"),
    ),
    "number": (
        *("no", "nr", "number", "member no", "member number", "membership number", "membership no", "mitgliedsnummer"),
        *("mitglieds nr", "mitgl nr", "lfd nr", "id", "member id", "nummer", "index", "row", "s no", "sr no"),
    ),
    "address": (
        *("address", "home address", "postal address", "street", "street address", "address 1", "address 2"),
        *("adresse", "anschrift", "strasse", "postanschrift", "postcode", "post code", "zip", "zip code", "plz"),
        *("town", "city", "ort", "wohnort", "county", "country", "land"),
    ),
    "leave_out": (
        *("paid", "fee", "fees", "subs", "subscription", "beitrag"),
        *("bezahlt", "amount", "betrag", "joined", "member since", "mitglied seit", "eintritt", "birthday", "dob"),
        *("date of birth", "geburtstag", "geburtsdatum", "title", "anrede", "mr mrs", "salutation", "titel", "age"),
        *("gender", "geschlecht", "sex", "attendance", "points", "punkte", "date", "datum", "emergency contact"),
    ),
}
MATCH_TITLES: Mapping[str, Sequence[str]] = {
    "season": ("season", "year", "saison", "spielzeit", "seizoen", "temporada"),
    "division": ("division", "div", "group", "class", "tier", "league", "staffel", "liga", "gruppe", "divisie"),
    "matchday": (
        *(
            "matchday",
            "match day",
            "round",
            "week",
            "md",
            "day number",
            "rd",
            "spieltag",
            "runde",
            "woche",
            "speelronde",
        ),
        *("wk", "week no", "round no", "game week"),
    ),
    "date": (
        "date",
        "day",
        "played",
        "played on",
        "when",
        "datum",
        "tag",
        "fecha",
        "match date",
        "spieldatum",
        "termin",
    ),
    "time": ("time", "start", "start time", "uhrzeit", "zeit", "beginn", "kick off"),
    "home": (
        *("home", "home team", "home side", "home pair", "side 1", "team 1", "pair 1", "heim", "heimteam", "thuis"),
        *("heimmannschaft", "player 1", "north south", "ns", "team a", "pair a", "player a", "heimpaar", "paar 1"),
        *("spieler 1", "mannschaft 1"),
    ),
    "away": (
        *("away", "away team", "away side", "away pair", "visitors", "visitor", "guest", "guests", "side 2", "team 2"),
        *("pair 2", "gast", "gastteam", "gastmannschaft", "uit", "player 2", "east west", "ew", "team b", "pair b"),
        *("opponent", "opponents", "gegner", "player b", "gaeste", "gastpaar", "paar 2", "spieler 2", "mannschaft 2"),
    ),
    "home_score": (
        *("home score", "home points", "score home", "score 1", "points 1", "home result", "pts 1", "punkte heim"),
        *("heimpunkte", "ergebnis heim", "punkte 1", "hs", "home pts", "score a", "points a"),
    ),
    "away_score": (
        *("away score", "away points", "score away", "score 2", "points 2", "away result", "pts 2", "punkte gast"),
        *("gastpunkte", "ergebnis gast", "punkte 2", "as", "away pts", "score b", "points b"),
    ),
    "score": ("score", "scores", "result", "results", "ergebnis", "erg", "resultat", "final score", "points", "punkte"),
    "match": ("match", "fixture", "game", "teams", "begegnung", "partie", "spiel", "paarung", "pairing", "who plays"),
    "venue": ("venue", "place", "where", "location", "hall", "ort", "spielort", "plaats", "halle"),
    "walkover": ("walkover", "wo", "forfeit", "absent", "did not come", "no show", "kampflos", "nicht angetreten"),
    "note": (*MEMBER_TITLES["note"], "reason"),
    "number": ("no", "nr", "match no", "game no", "id", "table", "tisch", "board", "spiel nr", "match number"),
    "leave_out": ("winner", "sieger", "margin", "differenz", "difference", "diff", "total", "referee", "umpire"),
}
PLACE_TITLES: Mapping[str, Sequence[str]] = {
    "season": MATCH_TITLES["season"],
    "division": MATCH_TITLES["division"],
    "place": ("place", "pos", "position", "rank", "platz", "rang", "no", "nr", "plz", "pl"),
    "name": (
        *(
            "team",
            "teams",
            "pair",
            "pairs",
            "name",
            "names",
            "player",
            "players",
            "side",
            "mannschaft",
            "paar",
            "spieler",
        ),
        *("member", "club", "verein", "entry", "paare", "mannschaften"),
    ),
    "played": ("played", "pld", "p", "pl", "games", "matches", "spiele", "sp", "gespielt", "gp", "mp"),
    "won": ("won", "w", "wins", "siege", "s", "gewonnen", "g", "win"),
    "drawn": ("drawn", "d", "draws", "draw", "ties", "unentschieden", "u", "remis", "tied"),
    "lost": ("lost", "l", "losses", "niederlagen", "n", "v", "verloren", "loss"),
    "for": ("for", "points for", "pf", "f", "plus", "kartenpunkte", "scored", "card points for"),
    "against": ("against", "points against", "pa", "a", "minus", "conceded", "card points against"),
    "difference": ("difference", "diff", "gd", "pd", "differenz", "margin"),
    "points": ("points", "pts", "total", "punkte", "pkt", "score", "gesamt", "league points"),
    "note": MATCH_TITLES["note"],
    "leave_out": ("form", "movement", "average", "schnitt", "quotient"),
}
TITLES = {"members": MEMBER_TITLES, "results": MATCH_TITLES, "fixtures": MATCH_TITLES, "table": PLACE_TITLES}
"""Titles of columns by what they hold, for each kind of list."""
SHEET_NAMES = {
    "members": "member mitglied people player spieler liste list person adress kontakt contact roster names",
    "results": "result ergebnis score match spiel played round runde",
    "fixtures": "fixture spielplan schedule termin match programme program plan calendar",
    "table": "table tabelle standing final stand rang league place",
}
"""Words in the names of the right sheet."""
OTHER_SHEETS = (
    "old alt former ehemalig archive archiv note notiz fee beitrag paid template vorlage backup copy kopie waiting"
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


HONORIFICS = _set(
    "mr mrs ms miss mx dr prof professor rev revd reverend sir dame lady lord herr herrn frau fr hr mme mlle mag"
    " ing dipl capt captain col major sgt hon madam pfarrer med"
)
SALUTATIONS = _set("mr mrs ms miss mx herr herrn frau hr fr mme mlle madam")
"""Titles that everybody has; the others are worth a note."""
SUFFIXES = _set("jr sr jun sen jnr snr ii iii iv junior senior")
LETTERS_LIKE_NAMES = _set("ma ba md jp dl kc qc")
LETTERS_BEHIND = LETTERS_LIKE_NAMES | _set(
    "obe mbe cbe kbe dbe bem gbe kcb cb cvo lvo mvo esq phd dphil bsc msc mba llb frcs frcp frs fca fcca rn rip mp"
)
"""Degrees and honours. Those that may be a last name count behind two words or a comma."""
AFTER_MAC = _set(
    "allister alister arthur aulay beth bride callum carthy cormack cormick dermott donald donell donnell dougall"
    " duff dowell fadyen farlane gill gillivray ginnis gowan gregor grath innes intosh intyre ivor kay kenna kenzie"
    " kinlay kinley kinnon lachlan laren lauchlan lean lellan lennan leod lure mahon manus master millan murray nab"
    " nair namara naughton neil neill neish niven phail phee pherson quarrie queen rae ritchie rury sween swiney"
    " taggart tavish vicar whinnie william"
)
"""What is written large behind “Mac” in a name all in capitals."""

PARTICLES = _set(
    "van von vom zu zum zur der den de del della di da dos das do du la le las los ter ten op te bin ibn al el y"
    " e af av und und zu mac mc st"
)
NEVER_SMALL = _set("st mac mc")
"""Words of `PARTICLES` that are written large."""
GIVEN = _set(
    "ada adam adrian agnes aisha alan albert alex alexander alexandra alice alison allan amanda amber amelia amy"
    " ana andrea andreas andrew angela angelika anita anja ann anna anne annette anthony antje anton antonio april"
    " arthur asha astrid audrey barbara barry beate beatrice ben benjamin bernard bernd bert beryl beth betty"
    " bettina bill birgit bob bob brenda brian bridget brigitte bruce bruno carl carla carlos carol caroline"
    " catherine cathy cecilia charles charlotte chloe chris christa christian christiane christina christine"
    " christopher claire clara claudia claus colin connie craig daisy dan daniel daniela dave david dawn deborah"
    " denis denise dennis derek diana diane dick dieter dirk don donald donna doreen doris dorothea dorothy doug"
    " douglas eberhard eddie edgar edith edward edwin eileen elaine eleanor elisabeth elizabeth elke ella ellen"
    " elli elsie emil emily emma eric erica erich erika ernst esther eva evelyn felix fiona florence frances"
    " francis frank franz fred frederick friedrich fritz gabriele gareth gary gavin geoff geoffrey georg george"
    " gerald gerd gerda gertrud gil gillian gisela gladys glenn gloria gordon grace graham greg greta gudrun"
    " guenter guenther gunter gwen gwyn hannah hanna hannelore hans harald harold harry hazel heather heidi heike heinrich"
    " heinz helen helene helga helmut henry herbert hermann hilary hilda hilde holger horst howard hugh ian ilse"
    " inge ingrid irene irma isabel iris ivan ivy jack jacqueline jake james jamie jan jane janet janice jason"
    " jean jeff jennifer jenny jeremy jessica jill jim jo joachim joan joanna joanne joe joerg johanna johannes"
    " john jonas jonathan joseph josephine joy joyce juergen judith judy julia julian julie june jutta karen karin"
    " karl karla katharina katherine kathleen kathy katrin keith ken kenneth kerstin kevin kim kirsten klaus kurt"
    " lars laura lena leo leonard lesley leslie lewis lilian lily linda lisa liz lorna lothar louis louise lucy"
    " ludwig luise luke lutz lydia lynn magda malcolm manfred marc margaret margarete margit maria marianne marie"
    " marion marina mario mark markus marlene marta martha martin martina mary mathias matthew matthias maureen"
    " maurice max mavis megan mel melanie mia michael michelle mike mildred miriam moira molly monica monika"
    " muriel nancy natalie neil nick nicola nicole nigel nina noel nora norbert norma norman oliver olga olive"
    " oscar oskar otto pam pamela pat patricia patrick paul paula pauline peggy penny peter petra phil philip"
    " phyllis pia polly priya rachel ralf ralph raymond rebecca regina reinhard renate richard rita rob robert"
    " robin roger roland rolf ron ronald rosa rose rosemary rosie roy rudolf ruth ryan sabine sally sam samuel"
    " sandra sara sarah sean sebastian sharon sheila shirley siegfried sigrid silke simon simone sofia sonja"
    " sophia sophie stan stefan stefanie stephan stephen steve steven stella stewart stuart sue susan susanne"
    " suzanne sven sylvia tanja ted terence teresa terry thea thelma theo theresa thomas thorsten tim tina tobias"
    " tom tony tracy trevor ulrich ulrike una ursula ute uwe val valerie vanessa vera vernon veronica victor"
    " victoria vincent viola violet virginia vivian volker walter waltraud wanda wendy werner wilfried wilhelm"
    " will william wilma winifred wolfgang yvonne zoe"
)
"""Common first names, to tell which of two words is the first name. It never decides whether somebody is a person."""
NONE = _set(
    "- -- --- – — . .. / ? n/a na n.a. none no nil null noemail keine keins kein nein unknown unbekannt k.a. ka"
    " entfällt tbc tba tbd nobody niemand nn n.n. vacant vakant spare xxx"
) | {
    *("no email", "no e-mail", "no mail", "no phone", "no tel", "no telephone", "keine mail", "keine e-mail"),
    *("keine email", "kein telefon", "kein handy", "keine angabe", "not known", "none given", "not given"),
    *("no email address", "doesn't have email", "does not have email", "has no email", "no computer", "no internet"),
    *("no number", "no mobile", "not on email", "no e-mail address", "k. a.", "n. a.", "keine e-mail-adresse"),
}
SOMEBODY = _set("partner guest wife husband spouse friend gast frau mann ehefrau ehemann begleitung")
"""Words for somebody without a name, beside a name: `Tom Hale + partner`."""
ROLE_WORDS = _set(
    "committee sub subs substitute substitutes treasurer secretary chair chairman chairwoman chairperson"
    " president captain vice-captain vice president reserve reserves guest guests member members player players"
    " organiser scorer owner life honorary junior juniors senior seniors new friend friends helper librarian"
    " auditor trustee director vorstand vorsitzender vorsitzende kassenwart kassier kassierer kassiererin"
    " schriftführer schriftführerin gast gäste ersatz ersatzspieler mitglied mitglieder ehrenmitglied"
    " ehrenmitglieder beisitzer kapitän spielleiter spieler visitor visitors welfare officer publicity membership"
    " webmaster hon hon. match fixtures fixture social press assistant deputy acting joint past minutes minute co-chair"
    " vice-chair vice-president co-opted umpire referee coordinator co-ordinator convenor convener trustees officers"
    " directors auditors helpers stellvertretender stellvertretende stellvertreter kassenwartin kassenprüfer"
    " kassenprüferin schriftwart spielwart sportwart ehrenvorsitzender präsident präsidentin jugendwart web it"
)
_HEADING_WORDS = ROLE_WORDS | _set(
    "monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays"
    " sunday sundays montag dienstag mittwoch donnerstag freitag samstag sonntag evening afternoon morning group"
    " gruppe division team active inactive aktive passive aktiv passiv beginners advanced anfänger waiting list"
    " warteliste full associate social former ex leavers joiners section table pairs singles and und & paid unpaid"
    " the our all others other men women ladies gentlemen damen herren club league first second season names"
    " people non-playing playing new"
)
_TOTAL = re.compile(
    r"(?:grand|sub|club|overall)?[- ]?(?:totals?|sums?|summen?|gesamt\w*|insgesamt|averages?|avg|mean|durchschnitt|"
    r"mittelwert|anzahl|count|zwischensummen?|schnitt|ø|Σ|balance|saldo|subtotal|number of \w+|no\.? of \w+|"
    r"total (?:number )?(?:of )?\w+|anzahl \w+|summe \w+|gesamt \w+|total \w+)"
    r"(?: members| mitglieder| players| spieler| paid)?"
    r"\s*[:=.(]*\s*[-\d.,% €£$)]*",
    re.IGNORECASE,
)
_NOTE_WORDS = _set(
    "a about above after all also are as at bad be been below but by can cannot contact could did do does each"
    " every for from had has have her here his how if in is it its lady left list loaned longer make me more moved"
    " must my needs never new no not now of off on only or our paid pay pays phone please see send she should"
    " someone somebody still than that the their them there they this those to unless until up updated us wants"
    " was we were what when where which who whose will with without yes you your ab am an auch auf aus bei bezahlt"
    " bis bitte das dem den des die diese diesen ein eine einen er es für hat ich im ist mit nach neu nicht noch"
    " nur ob oder seit siehe sie sind so stand über unbekannt vom von wer wir wird zu zahlt list liste version"
    " printed confidential vertraulich ring rings guy man woman chap gentleman dame neue neuer friend's wife"
    " husband husband's"
)
_NOTHING = re.compile(
    r"(?:(?:has|have|hat|there is|with)?\s*(?:no|not on|not got|without|kein|keine|keinen|ohne)|(?:hasn|doesn|don)['’]?t "
    r"(?:have|use|got|do)|is not on|isn['’]?t on|not (?:on|online))\s*(?:any |an |a |eine? |einen )?"
    r"(?:(?:e-?mails?|mails?|(?:tele)?phones?|tel|telefon|mobiles?|handy|handynummer|computer|internet|address|adresse|"
    r"number|nummer|e-?mail-?adresse|whatsapp|smartphone|pc)(?: (?:address|adresse|number|or|and|oder|und|/|no) ?)*)*",
    re.IGNORECASE,
)
_UNITS = re.compile(r"[^\w]+", re.UNICODE)


def folded(text: str) -> str:
    """A text for comparing: small letters and digits, umlauts and accents plain, single spaces between words."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ø", "oe"), ("æ", "ae"), ("ł", "l"), ("đ", "d")):
        plain = plain.replace(umlaut, letters)
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    return " ".join(word for word in _UNITS.split(plain.replace("'", "").replace("’", "")) if word)


def is_none(text: str) -> bool:
    """Whether a cell says that there is nothing: `-`, `n/a`, `no email`."""
    bare = " ".join(text.casefold().split()).strip("()[] ")
    return bare in NONE or bool(_NOTHING.fullmatch(bare))


def is_total(text: str) -> bool:
    """Whether a cell labels a sum, a count or an average."""
    return bool(_TOTAL.fullmatch(text.strip()))


_LETTER = re.compile(
    r"(?:dear|hi|hello|hey|liebe[rs]?|hallo|sehr geehrte[rs]?|guten tag)\b.*|(?:with )?(?:best|kind|warm|many|kindest) "
    r"(?:wishes|regards|thanks)\b.*|(?:yours|regards|cheers|thanks|thank you|love|best)(?: \w+)?[,.!]*|"
    r"(?:viele|liebe|beste|"
    r"herzliche|mit freundlichen|schöne) gr(?:ü|ue)(?:ß|ss)en?\b.*|danke.*|mfg|lg",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"^(?:dear|hi|hello|hey|liebe[rs]? \w+,?$|hallo|sehr|guten)\b", re.IGNORECASE)


def is_letter(text: str) -> bool:
    """Whether a line is the greeting or the end of a letter."""
    return bool(_LETTER.fullmatch(text.strip()))


def closes_letter(text: str) -> bool:
    """Whether a line is the end of a letter: a name may follow that is no entry of the list."""
    return is_letter(text) and not _CLOSING.match(text.strip())


_SIGNED = re.compile(
    r"(?:all the best|best|cheers|regards|thanks|love|yours|lg|mfg|gru(?:ß|ss)|grüße|gruesse)\s*[,!]\s*\w+(?: \w+)?\.?",
    re.IGNORECASE,
)


def signs_letter(text: str) -> bool:
    """Whether a line may be the end of a letter with its name: `Best, Tom`. It may be a person as well."""
    return bool(_SIGNED.fullmatch(text.strip()))


def is_role(text: str) -> bool:
    """Whether a text names what somebody does in a club."""
    words = text.casefold().replace(".", " ").split()
    return bool(words) and len(words) <= 3 and all(word.strip(",;:") in ROLE_WORDS for word in words)


_GROUP = _set(
    "committee members players reserves guests substitutes subs vorstand mitglieder spieler gäste beisitzer trustees"
    " officers directors auditors juniors seniors helpers new visitors ersatzspieler kassenprüfer"
)
_LABELS = _set("to cc bcc from an von kopie name names member members player mitglied player who wer kontakt contact")


_NUMBERED = re.compile(
    r"(?:table|team|pair|group|row|tisch|team|paar|gruppe|mannschaft|reihe|captain|no\.?|nr\.?)\s*(?:\d{1,3}|[A-Z])",
    re.IGNORECASE,
)


def is_group(role: str) -> bool:
    """Whether a role is that of several people: a comma behind “Committee:” stands between two of them."""
    return any(word.strip(".,") in _GROUP for word in role.casefold().split())


def is_label(text: str) -> bool:
    """Whether a word in front of a colon only says that people follow, as in the head of an email."""
    return text.strip().casefold() in _LABELS or bool(_NUMBERED.fullmatch(text.strip()))


_LEAVING = re.compile(
    r"[\s,;(–—-]*(?:†.*|\+\s*\d{2,4}.*|✝.*|\b(?:deceased|died|verstorben|gestorben|has left|has died|resigned|ausgetreten|"
    r"ehemalig\w*|ex-member|former member|lapsed|moved away|r\.?i\.?p\b\.?|(?:late|left)\s+(?:in |the |club|at |on |for )?"
    r"(?:the )?(?:club|end|year|[a-z]{3,9} )?\s*(?:19|20)?\d{2}|left the club|left club)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)


def leaving(text: str) -> str:
    """The end of a text from where it says that somebody is no member any more; empty if it does not."""
    hit = _LEAVING.search(text)
    return hit[0] if hit else ""


_LEAVING_TITLES = frozenset(
    (
        *("left", "date left", "left on", "leaving date", "leaver", "resigned", "died", "deceased", "austritt"),
        *("ausgetreten", "austrittsdatum", "verstorben", "gestorben", "member until", "mitglied bis", "ausgetreten am"),
    )
)


def is_leaving_title(title: str) -> bool:
    """Whether a column says when people left."""
    return folded(title) in _LEAVING_TITLES


_MONTHS = _set(
    "jan january januar feb february februar mar march märz apr april may mai jun june juni jul july juli aug august sep"
    " sept september oct october okt oktober nov november dec december dez dezember"
)
_STREETS = (
    r"street|st|road|rd|lane|ln|avenue|ave|close|cl|drive|dr|court|ct|way|gardens|gdns|terrace|crescent|cres|place|pl|"
    r"square|sq|park|mews|row|walk|hill|green|rise|view|grove|house|cottage|cottages|farm|lodge|villas|mansions|"
    r"straße|strasse|str\.?|weg|allee|platz|gasse|ring|damm|ufer|chaussee|steig|stieg|hof"
)
_ADDRESS = re.compile(
    rf"(?:(?:flat|unit|apt\.?|apartment|suite|no\.?)\s*\d.*|(?:p\.?\s?o\.? box|postfach)\s*\d.*|\d+\s?[a-z]?(?:[-/]\d+)?,?\s+"
    rf"(?-i:[A-ZÄÖÜ])[\w.'’-]+.*|(?:[\w.'’-]+\s+)+(?:{_STREETS})|\w+(?:straße|strasse|str\.|weg|allee|platz|gasse|damm|ring)"
    rf"|.*(?:{_STREETS})\s*\d+\s?[a-z]?|(?:.*\s)?[a-z]{{1,2}}\d[\da-z]?\s*\d[a-z]{{2}}|(?:[a-z]{{1,2}}-)?\d{{4,5}}\s+(?-i:[A-ZÄÖÜ])[\w .-]+"
    r"|[A-ZÄÖÜ][\w .'-]+\s(?-i:[A-Z]{2})\s\d{5})",
    re.IGNORECASE,
)


def is_address(text: str) -> bool:
    """Whether a piece of a line is part of a postal address for sure: a street, a house, a postcode with its town."""
    bare = " ".join(text.split()).strip(" .")
    first = folded(bare).split()[:1]
    if not _ADDRESS.fullmatch(bare) or (first and first[0] in GIVEN and not any(map(str.isdecimal, bare))):
        return False
    return not any(word.strip(".,").casefold() in _MONTHS for word in bare.split())


_DITTO = _set("\" '' ” “ „ 〃 ″ ditto do. dto dto. idem id. same --\"-- -\"- -''- -„- s.o. w.o. detto same.") | {
    *("as above", "same as above", "see above", "wie oben", "siehe oben", "as husband", "as wife", "same address"),
    *("same as husband", "same as wife", "gleiche adresse", "gleiche", "same number", "same phone", "same email"),
}


def is_ditto(text: str) -> bool:
    """Whether a cell says the same as the one above it."""
    return " ".join(text.casefold().split()) in _DITTO


def is_heading(text: str) -> bool:
    """Whether a text is a heading within a list, such as “Committee” or “Thursday group”."""
    words = [word.strip(",;:.()–-") for word in text.casefold().split()]
    words = [word for word in words if word and not word.isdecimal()]
    return bool(words) and all(word in _HEADING_WORDS or len(word) == 1 for word in words)


def note_words(text: str) -> int:
    """The number of words that sentences have, and names have not."""
    return sum(
        word.casefold().strip(".,;:!?()") in _NOTE_WORDS
        for word in text.split()
        if not (len(word.strip(".,")) == 1 and word[0].isupper())
    )


@cache
def _known_titles(what: str) -> dict[str, str]:
    return {folded(word): name for name, words in TITLES[what].items() for word in (name, *words)}


@lru_cache(4000)
def title_of(text: str, what: str) -> tuple[str, int]:
    """What a column of this title holds, and how sure that is from 0 to 100; empty if the title is unknown."""
    key = folded(text)
    if not key or len(key) > 40:
        return "", 0
    known = _known_titles(what)
    if key in known:
        return known[key], 100
    if (bare := re.sub(r"\s*\b(?:19|20)?\d{2}\b|\s*\b[12]\b", "", key).strip()) in known and len(bare) > 2:
        return known[bare], 90
    if len(key) < 4:
        return "", 0
    joined = {word.replace(" ", ""): name for word, name in known.items()}
    if key.replace(" ", "") in joined:
        return joined[key.replace(" ", "")], 95
    hit = process.extractOne(key, [word for word in known if len(word) > 3], scorer=fuzz.ratio, score_cutoff=86)
    return (known[hit[0]], int(hit[1]) - 5) if hit else ("", 0)
