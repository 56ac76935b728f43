"""Clubs in German: for each reader of pages, emails and notifications in their language."""

import pytest
from django.utils import translation

from accounts.models import Notice
from clubs import honours
from clubs.imports.season import read_season
from clubs.models import Act, Copy, Honour, Membership, Newsletter
from clubs.organiser import action_diff
from clubs.services import history
from clubs.services.members import joining, member_import, membership
from clubs.services.publications import newsletter_sending, newsletters
from clubs.services.seasons import season_close
from clubs.statistics import matchday_words
from tests.clubs import leagues as makers
from tournaments.models import Pairing
from web.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]


def play(season, owner, number):
    for pairing in Pairing.objects.filter(round__number=number, round__stage__tournament__division__season=season):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        makers.decide(pairing, owner, {name: 9000 - 1000 * int(name.split()[-1]) for name in names})


def test_a_matchday_is_told_in_the_language_of_who_drafts(season, owner):
    for number in (1, 2, 3):
        play(season, owner, number)
    with translation.override("de"):
        summary = matchday_words.describe_matchday(season, 3, site="", now=makers.NOW)
    assert summary.subject == "Spieltag 3: Pair 1 blieb vorn"
    assert "Pair 1 gewann zum 3. Mal in Folge." in summary.body
    assert "Das war der letzte Spieltag: Pair 1 beendet die Saison auf Platz 1 (6 Punkte)." in summary.body
    assert not {"the", "with", "won", "and"} & set(summary.body.split())


def test_honours_are_kept_once_and_said_to_each_in_their_language(season, owner):
    for number in (1, 2, 3):
        play(season, owner, number)
    with translation.override("de"):
        act = season_close.close(season.pk, owner)
        assert "wurde abgeschlossen. Sieger: Pair 1." in act.sentence
        honour = Honour.objects.get(season=season, place=1)
        assert honour.title == "Champion of Division 1"
        assert honour.words == "Meister in Division 1"
        assert season_close.read_closed(season).divisions[0][1][0].note == "Meister"
    assert honour.words == "Champion of Division 1"
    assert season_close.read_closed(season).divisions[0][1][0].note == "champion"


@pytest.mark.parametrize("title", ["Champion of X", "Runner-up of X", "Promoted to X", "Relegated to X", "Winner of X"])
def test_a_title_stays_the_same_in_english(title):
    assert honours.title_text(title) == title


def test_a_title_of_ones_own_stays_as_it_is():
    with translation.override("de"):
        assert honours.title_text("Fairest team") == "Fairest team"
        assert honours.note_text("Fairest team") == "fairest team"


def test_news_are_in_the_language_of_who_gets_them(club, owner, person):
    asker = person("asker")
    asker.language = "de"
    asker.save(update_fields=["language"])
    owner.language = "de"
    owner.save(update_fields=["language"])
    joining.ask(club.pk, asker)
    assert Notice.objects.get(user=owner).title.endswith("möchte beitreten")
    request = club.requests.get()
    joining.decline(request.pk, owner)
    assert Notice.objects.get(user=asker).title.endswith("Deine Anfrage wurde abgelehnt")
    assert Act.objects.latest("pk").sentence.endswith("was declined.")


def test_a_newsletter_has_its_frame_in_the_language_of_its_reader(club, owner, in_club):
    user = in_club(club, "Ida", wants_letters=True)
    user.language = "de"
    user.save(update_fields=["language"])
    reader = Membership.objects.get(club=club, user=user)
    letter = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
    with translation.override("en"):
        body = newsletter_sending.message(Copy(newsletter=letter, membership=reader), "ida@example.org").body
        assert translation.get_language() == "en"
    assert f"{club.name}: http" in body


def test_refusals_and_the_history_are_said_in_german(club, owner):
    with translation.override("de"):
        act = membership.add_names(club.pk, owner, lines=["Ann Lee"])
        assert act.sentence == "Ann Lee wurde hinzugefügt."
        line = action_diff.describe(act, action_diff.names_of([act])).lines[0]
        assert line.became == "hinzugefügt als Mitglied"
        with pytest.raises(Refused, match="Ann Lee ist schon im Verein"):
            membership.add_names(club.pk, owner, lines=["Ann Lee"])
    line = action_diff.describe(act, action_diff.names_of([act])).lines[0]
    assert line.became == "added as member"


def test_tables_with_german_titles_and_words_are_read(club, owner):
    table = "Vorname;Nachname;E-Mail-Adresse;Rolle\nAnna;Weiß;;Gast\nBen;Groß;;Mitglied\n"
    member_import.import_members(club.pk, owner, data=table)
    assert set(Membership.objects.filter(club=club, user=None).values_list("name", "role")) == {
        ("Anna Weiß", "guest"),
        ("Ben Groß", "member"),
    }
    table = (
        "Saison;Staffel;Spieltag;Datum;Heim;Gast;Heimpunkte;Gastpunkte;kampflos;Bemerkung\n"
        "2024/25;Eins;1;12.09.2024;Ada;Bob;8720;7940;;\n"
        "2024/25;Eins;1;12.09.2024;Cem;Dee;;;Gast;krank\n"
    )
    reading = read_season(table)
    assert not reading.problems
    assert reading.unknown == ()
    assert [match.absent for match in reading.seasons[0].divisions[0].matches] == ["", "away"]
