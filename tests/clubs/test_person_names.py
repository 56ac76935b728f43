"""Names of people without an account: corrected and forgotten in every row, page, file, feed, history and archive."""

import io
import zipfile
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from django.urls import NoReverseMatch
from django.utils import timezone

from accounts.display_names import FORMER
from clubs.coming import links, occasions, replies
from clubs.models import (
    Act,
    Appearance,
    Fixture,
    Invitation,
    KeptAside,
    Meeting,
    Membership,
    News,
    Newsletter,
    Question,
    Season,
    Series,
    Team,
)
from clubs.organiser.traces import traces_of
from clubs.series import services as series
from clubs.services import club_archive, history
from clubs.services.leagues import leagues, teams
from clubs.services.members import forgetting, membership
from clubs.services.publications import meetings, news, newsletters
from clubs.services.seasons import season_draw, season_setup
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import services as score_sheets
from tests.clubs import leagues as makers
from tests.clubs.test_series import evening
from tests.makers import make_event
from tests.security.site_map import STREAMS, addresses, body_of
from tests.tournaments.driving import by_lot, lines_of, open_pairings
from tournaments.models import Entry, Member, Pairing, Place, Tournament
from tournaments.plan import standard
from tournaments.services.entries import bulk_entry, enrolment
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.matches import point_adjustments, results
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
NAME, RIGHT, WORDS = "Edyt Quillfether", "Edith Quillfeather", ("Edyt", "Quillfether")
OTHER, OTHERS = "Bodo Lundqvist", ("Bodo", "Lundqvist")
BOTH = f"{NAME} and {OTHER}"


@pytest.fixture
def full(club, owner, in_september):
    """A club where Edyt, who has no account, has played everything there is; the owner wrote about her."""
    membership.add_names(
        club.pk, owner, lines=[f"{NAME} <one@example.org>", f"{OTHER} <bodo@example.org>", "Ina", "Joy", "Kit", "Lea"]
    )
    people = {member.name: member for member in Membership.objects.filter(club=club, user=None)}
    edth = people[NAME]
    league = leagues.make(club.pk, owner, name="Monday League", about=f"Founded by {BOTH}.")
    season = season_setup.make(
        league.pk, owner, name="Autumn", divisions=[("Premier", 4)], starts_on=makers.FIRST_DAY, preset="standard"
    )
    pairs = [(NAME, OTHER), ("Ina", "Joy"), ("Kit", "Lea")]
    four_pairs = [teams.add(league.pk, owner, members=[people[name].pk for name in pair]) for pair in pairs]
    four_pairs.append(makers.pair(league, owner, 4))
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk for team in four_pairs]})
    season_setup.add_blackout(
        season.pk, owner, first_day=makers.FIRST_DAY, last_day=makers.FIRST_DAY, reason=f"{BOTH} are away"
    )
    season_draw.draw(season.pk, owner)
    match = Pairing.objects.filter(places__entry__name=f"{NAME} / {OTHER}").first()
    results.decide(match.pk, lines_of(match, by_lot), by=owner, reason=f"{BOTH} rang.")
    teams.change(four_pairs[0].pk, owner, name=four_pairs[0].name, venue=f"At {BOTH}’s")
    Fixture.objects.get_or_create(pairing=match, defaults={"venue": f"At {BOTH}’s"})
    # Evenings, whose names are typed: alone, in a pair, in boards that are shared, and one that was undone.
    alone = evening(club, owner, 0, (4000, 3000, 2000, 1000), names=(NAME, OTHER, "Joy", "Kit"))
    stage = alone.stages.get()
    point_adjustments.adjust(stage.pk, owner, entry_id=alone.entries.first().pk, points=1, reason=f"{BOTH} helped.")
    typed = make_event(
        owner, standard("howell"), name="Duplicate", kind="partnership", entries=0, setting="face", status="open",
        circle=club.circle, starts_at=timezone.now(), about=f"By {BOTH}.",
    )  # fmt: skip
    lines = [Names((NAME.lower(), OTHER)), Names(("Ina", "Joy")), Names(("Kit", "Lea")), Names(("Max", "Nia"))]
    entered = bulk_entry.enter_names(typed.pk, owner, lines=lines)
    enrolment.rename(Entry.objects.get(tournament=typed, number=2).pk, owner, name=f"Not {BOTH}")
    from tournaments.services import history as event_history
    from tournaments.services.events import lifecycle

    planned = make_event(owner, name="Planned", entries=0, setting="face", status="open", circle=club.circle)
    undone = bulk_entry.enter_names(planned.pk, owner, lines=[Names((NAME,)), Names((OTHER,))])
    event_history.undo(undone.pk, by=owner)
    lifecycle.start(typed.pk, owner, anyway=True)
    first = open_pairings(typed)[0]
    results.decide(first.pk, lines_of(first, by_lot), by=owner, reason=f"{BOTH} rang.")
    series.make(club, owner, name="Autumn series", first_day=alone.starts_at.date())
    # Texts, and people coming.
    news.write(club.pk, owner, title=f"{BOTH} win", body=f"Well played, {BOTH}.")
    newsletters.draft(club.pk, owner, about=[(season.pk, 1)])
    Newsletter.objects.create(
        club=club, by=owner, subject=f"{BOTH} again", status="sent", sent_at=timezone.now(),
        body=f"{BOTH} won: https://testserver/clubs/harbour/leagues/monday-league/players/{edth.pk}/",
    )  # fmt: skip
    meetings.add(
        club.pk, owner, title=f"{BOTH}’s night", starts_at=timezone.now() + timedelta(days=3), words=f"Ask {BOTH}."
    )
    question = Question.objects.create(club=club, meeting=Meeting.objects.get())
    for person in (edth, people[OTHER]):
        replies.answer(question.pk, person, "yes", way="own")
    membership.edit(edth.pk, owner, name=NAME, email="two@example.org")
    cache.clear()
    return SimpleNamespace(
        club=club, owner=owner, edth=edth, other=people[OTHER], season=Season.objects.get(), team=four_pairs[0], match=match,
        alone=alone, typed=typed, question=question, entered=entered,
    )  # fmt: skip


def stored(words):
    """(model, field, value) of everything stored that holds one of the words."""
    for model in apps.get_models():
        texts = [text for text in model._meta.get_fields() if isinstance(text, (CharField, TextField, JSONField))]
        for row in model._default_manager.values_list("pk", *(text.name for text in texts)):
            for field, value in zip(texts, row[1:], strict=True):
                if any(word.casefold() in str(value).casefold() for word in words):
                    yield model._meta.label, field.name, str(value)[:90]


def as_read(rows):
    """The same whatever capitals somebody typed: a name comes from one row."""
    return {(model, field, value.casefold()) for model, field, value in rows}


def paths_of(full):
    """Every address of the site that this club and its events can fill."""
    club, season, match = full.club, full.season, full.match
    shared = {
        "club": club.slug,
        "league": season.league.slug,
        "season": season.slug,
        "level": 1,
        "match": match.pk,
        "membership": full.edth.pk,
        "news": News.objects.get().pk,
        "newsletter": Newsletter.objects.filter(status="sent").get().pk,
        "meeting": Meeting.objects.get().pk,
        "series": Series.objects.get().slug,
        "team": 1,
        "member": full.team.roster.first().pk,
        "token": links.own_path(occasions.questions().get(pk=full.question.pk), full.edth.pk).split("/")[-2],
        "question": full.question.pk,
        "number": 1,
        "stage": 1,
        "entry": 1,
    }
    events = (full.typed, open_pairings(full.typed)[0]), (season.divisions.get().tournament, match)
    filled = [
        {**shared, "slug": event.slug, "event": event.slug, "pairing": row.pk, "table": row.number}
        for event, row in events
    ]
    for address in addresses():
        if address.name not in STREAMS and not address.name.endswith((":forget_person", "logout")):
            for arguments in filled:
                if set(address.arguments) <= set(arguments):
                    with suppress(NoReverseMatch):  # a token of another kind
                        yield address.path(arguments)
    yield full.alone.get_absolute_url()


def signed_in(user):
    desk = Client()
    desk.force_login(user)
    return desk


def read(full, paths, *clients):
    """(path, text) of the addresses that these readers can read, and of the files in the club's archive."""
    for path in paths:
        for client in clients:
            answer = client.get(path)
            assert answer.status_code < 500, path
            if answer.status_code == 200:
                yield path, body_of(answer).decode(errors="replace")
    file = io.BytesIO()
    club_archive.export_club(full.club.pk, full.owner, file)
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            yield f"archive/{name}", archive.read(name).decode(errors="replace")


def showing(pages, *words):
    """The doors whose content holds any of these words."""
    return {path for path, content in pages if any(word.casefold() in content.casefold() for word in words)}


def played():
    return list(Place.objects.order_by("pk").values_list("score", "points", "rank", "entry"))


@pytest.mark.slow
def test_a_corrected_name_and_a_forgotten_one_are_nowhere(full):
    for words in (WORDS, OTHERS):
        fields = {row[:2] for row in stored(words)}
        assert len(fields) > 20, sorted(fields)
    # What the site itself depends on does not run here.
    pages = list(read(full, sorted(set(paths_of(full)) - {"/readyz"}), signed_in(full.owner)))
    paths, matches = sorted({path for path, _ in pages if not path.startswith("archive/")}), played()
    shown = showing(pages, NAME)
    assert (len(shown), len(showing(pages, OTHER))) > (60, 60), len(paths)
    membership.edit(full.edth.pk, full.owner, name=RIGHT, email="three@example.org")
    forgetting.forget(full.other.pk, full.owner, reason=f"{OTHER} asked.")
    assert sorted(stored(OTHERS)) == []
    # The correction alone knows the name before, so that it can be undone.
    assert sorted({row[:2] for row in stored(WORDS)}) == [("clubs.Act", "changes")]
    assert [act.kind for act in Act.objects.all() if NAME in str(act.changes)] == ["rename"]
    pages = list(read(full, paths, Client(), signed_in(full.owner)))
    assert showing(pages, *WORDS, *OTHERS) == set()
    # The front page shows one league for a while, and then perhaps another one.
    assert shown - showing(pages, RIGHT) <= {"/"}
    assert played() == matches
    full.team.refresh_from_db()
    assert full.team.name == f"{RIGHT} / {FORMER}"
    assert Entry.objects.filter(tournament=full.typed, name=f"{RIGHT} / {FORMER}").exists()


# Correcting


def test_undoing_a_correction_brings_the_name_back_everywhere(full):
    before = as_read(stored(WORDS))
    act = membership.edit(full.edth.pk, full.owner, name=RIGHT)
    assert act.sentence == f"The name of {RIGHT} was corrected."
    undone = history.undo(act.pk, by=full.owner)
    assert undone.sentence == f"Undone: The name of {NAME} was corrected."
    assert not before - as_read(stored(WORDS))
    assert {row[:2] for row in stored(("Quillfeather",))} == {("clubs.Act", "changes")}
    with pytest.raises(Refused):
        history.undo(act.pk, by=full.owner)


def test_a_correction_is_undone_in_order_and_not_into_anothers_name(full):
    first = membership.edit(full.edth.pk, full.owner, name=RIGHT)
    second = membership.edit(full.edth.pk, full.owner, name="Edith Penrose")
    with pytest.raises(Refused) as refused:
        history.undo(first.pk, by=full.owner)
    assert refused.value.code == "changed_since"
    assert Team.objects.get(pk=full.team.pk).name == f"Edith Penrose / {OTHER}"
    history.undo(second.pk, by=full.owner)
    membership.add_names(full.club.pk, full.owner, lines=[NAME])
    with pytest.raises(Refused) as refused:
        history.undo(first.pk, by=full.owner)
    assert refused.value.code == "name_taken"
    assert Team.objects.get(pk=full.team.pk).name == f"{RIGHT} / {OTHER}"


def test_what_was_done_before_a_correction_can_still_be_undone(club, owner):
    added = membership.add_names(club.pk, owner, lines=["Edyt"])
    membership.edit(Membership.objects.get(name="Edyt").pk, owner, name="Edith")
    history.undo(added.pk, by=owner)
    assert not Membership.objects.filter(name="Edith").exists()


def test_a_single_word_is_left_in_what_people_wrote(club, owner):
    membership.add_names(club.pk, owner, lines=["May"])
    news.write(club.pk, owner, title="In May", body="On 3 May.")
    membership.edit(Membership.objects.get(name="May").pk, owner, name="Maya Reed")
    assert (News.objects.get().title, News.objects.get().body) == ("In May", "On 3 May.")
    assert Act.objects.filter(sentence="Maya Reed was added.").exists()


def test_longer_names_of_others_stay(club, owner):
    membership.add_names(club.pk, owner, lines=["Zora", "Zora Lund"])
    membership.edit(Membership.objects.get(name="Zora").pk, owner, name="Sora")
    assert Membership.objects.filter(name="Zora Lund").exists()


def test_lines_of_a_longer_name_are_not_counted(club, owner):
    membership.add_names(club.pk, owner, lines=["Ann Lee", "Ann Leeman", "Jo-Ann Lee", "Lady Ann Lee"])
    membership.edit(Membership.objects.get(name="Ann Leeman").pk, owner, name="Ann Leeman", note="Away in May.")
    ann = Membership.objects.get(name="Ann Lee")
    assert (traces_of(ann).lines, traces_of(ann).corrected) == (1, "1 line of a history"), (
        "the line that added all four"
    )
    membership.edit(ann.pk, owner, name="Ann Lee", note="Says hello.")
    assert traces_of(ann).lines == 2


def test_a_name_of_ones_own_follows_too(club, owner, in_club):
    zora = in_club(club, "Zora Blix")
    member = Membership.objects.get(user=zora)
    [bo] = makers.names(club, "Bo")
    league = leagues.make(club.pk, owner, name="L")
    team = teams.add(league.pk, owner, members=[member.pk, bo.pk])
    membership.edit_own(club.pk, zora, name="Zora Lund", contact="", is_listed=False, wants_letters=False)
    assert Team.objects.get(pk=team.pk).name == "Zora Lund / Bo"


def test_long_names_of_pairs_are_made_again(club, owner):
    long_ones = ["Anneliese Wilhelmine van der Hoeven-Brandt", "Bartholomew Maximilian Okafor-Penrose"]
    people = makers.names(club, *long_ones)
    league = leagues.make(club.pk, owner, name="L")
    team = teams.add(league.pk, owner, members=[person.pk for person in people])
    assert len(team.name) <= 80
    membership.edit(people[1].pk, owner, name="Bart Okafor")
    assert Team.objects.get(pk=team.pk).name == f"{long_ones[0]} / Bart Okafor"


# Forgetting


def test_a_former_name_is_forgotten_too(full):
    membership.edit(full.edth.pk, full.owner, name=RIGHT)
    forgetting.forget(full.edth.pk, full.owner)
    assert sorted(stored((*WORDS, "Edith", "Quillfeather"))) == []


def test_somebody_removed_long_ago_is_forgotten(full):
    for team in Team.objects.filter(roster__membership=full.edth):
        team.roster.filter(membership=full.edth).update(left_at=timezone.now())
    membership.remove(full.edth.pk, full.owner)
    forgetting.forget(full.edth.pk, full.owner)
    assert sorted(stored(WORDS)) == []


def test_of_two_of_one_name_only_the_rows_of_one_change(club, owner):
    first_ann, second_ann = makers.names(club, "Ann Lee", "Ann Lee")
    [bo, cy] = makers.names(club, "Bo", "Cy")
    league = leagues.make(club.pk, owner, name="L")
    first = teams.add(league.pk, owner, members=[first_ann.pk, bo.pk])
    second = teams.add(league.pk, owner, members=[second_ann.pk, cy.pk])
    news.write(club.pk, owner, title="Ann Lee wins", body="x")
    forgetting.forget(first_ann.pk, owner)
    names = dict(Team.objects.values_list("pk", "name"))
    assert (names[first.pk], names[second.pk]) == (f"{FORMER} / Bo", "Ann Lee / Cy")
    assert News.objects.get().title == "Ann Lee wins"


def test_a_score_sheet_that_somebody_keeps_for_themselves_stays_as_typed_and_the_page_says_so(club, owner, client):
    ann = Membership.objects.create(club=club, name="Ann Lee")
    names = ["Ann Lee", "Ben", "Cem", "Dee"]
    sheet = score_sheets.make(Rules.preset("standard"), Shape(4, 2), names, owner=owner)
    client.force_login(owner)
    page = client.get(f"/clubs/harbour/people/{ann.pk}/forget/").content.decode()
    assert "people’s own score sheets keep the name" in page
    forgetting.forget(ann.pk, owner)
    sheet.refresh_from_db()
    assert sheet.names == names


def test_people_with_an_account_forget_themselves(club, owner, in_club):
    zora = in_club(club, "Zora")
    with pytest.raises(Refused) as refused:
        forgetting.forget(Membership.objects.get(user=zora).pk, owner)
    assert refused.value.code == "has_account"


def test_twice_does_no_harm(club, owner):
    [ann] = makers.names(club, "Ann")
    act = forgetting.forget(ann.pk, owner, request_key="once")
    assert forgetting.forget(ann.pk, owner, request_key="once") == act
    with pytest.raises(Refused) as refused:
        forgetting.forget(ann.pk, owner)
    assert refused.value.code == "forgotten"


def test_forgetting_cannot_be_undone_and_has_no_reason(club, owner):
    [ann] = makers.names(club, "Ann Lee")
    act = forgetting.forget(ann.pk, owner, reason="Ann Lee asked.")
    assert (act.sentence, act.reason, act.changes) == ("A person was forgotten. Their results stay.", "", [])
    with pytest.raises(Refused):
        history.undo(act.pk, by=owner)


@pytest.mark.parametrize("role", ["scorer", "member", "guest"])
def test_only_organisers_forget(club, staff, role):
    [ann] = makers.names(club, "Ann")
    with pytest.raises(NotAllowed):
        forgetting.forget(ann.pk, staff[role])
    ann.refresh_from_db()
    assert ann.name == "Ann"


def test_the_page_shows_what_changes_and_asks(full, browser_of):
    desk = browser_of(full.owner)
    page = desk.get(f"/clubs/harbour/people/{full.edth.pk}/")
    assert "A new name is also shown in files and in 1 pair or team, 3 events and " in " ".join(page.split())
    path = f"/clubs/harbour/people/{full.edth.pk}/forget/"
    page = desk.get(path)
    assert "1 pair or team and 3 events" in page
    assert "This is final. Nobody can undo it." in page
    answer = desk.press(path, "forget")
    assert answer.status_code == 422
    assert "Tick the box to forget Edyt Quillfether." in answer.content.decode()
    assert desk.submit(path, "forget", sure="yes") == "/clubs/harbour/people/"
    full.edth.refresh_from_db()
    assert (full.edth.name, full.edth.email, full.edth.left_at is None) == (FORMER, "", False)
    assert desk.client.get(path).status_code == 404


@pytest.mark.parametrize("count", [1, 3])
def test_it_takes_as_many_queries_for_many_events(club, owner, count, django_assert_max_num_queries):
    [ann] = makers.names(club, "Ann Lee")
    for number in range(count):
        event = make_event(
            owner, name=f"Evening {number}", entries=0, setting="face", status="open", circle=club.circle
        )
        bulk_entry.enter_names(event.pk, owner, lines=[Names(("Ann Lee",)), Names(("Bo Lund",))])
    with django_assert_max_num_queries(85):
        membership.edit(ann.pk, owner, name="Anna Lee")
    assert Entry.objects.filter(name="Anna Lee").count() == count
    with django_assert_max_num_queries(85):
        forgetting.forget(ann.pk, owner)
    assert not Member.objects.filter(name="Anna Lee").exists()


def test_the_league_of_another_club_follows(club, quay, owner, in_club):
    quinn = in_club(quay, "Quinn", "owner")
    league = leagues.make(club.pk, owner, name="Town League")
    leagues.invite_club(league.pk, owner, club=quay.slug)
    request = league.league_clubs.get()
    leagues.answer_club(request.pk, quinn, agrees=True)
    people = makers.names(quay, "Zora Quill", "Bo")
    team = teams.add(league.pk, owner, members=[person.pk for person in people], club_id=quay.pk)
    version = type(club).objects.get(pk=club.pk).version
    membership.edit(people[0].pk, quinn, name="Zora Quills")
    assert Team.objects.get(pk=team.pk).name == "Zora Quills / Bo"
    assert type(club).objects.get(pk=club.pk).version > version
    forgetting.forget(people[0].pk, quinn)
    assert sorted(stored(("Zora",))) == []


def test_an_event_has_a_new_version_if_it_mentions_the_name(club, owner):
    other = make_event(owner, name="Other evening", circle=club.circle)
    event = make_event(owner, name="Evening", entries=0, setting="face", status="open", circle=club.circle)
    bulk_entry.enter_names(event.pk, owner, lines=[Names(("Ann Lee",))])
    [ann] = makers.names(club, "Ann Lee")
    version = Tournament.objects.get(pk=event.pk).version
    membership.edit(ann.pk, owner, name="Anna Lee")
    assert Tournament.objects.get(pk=event.pk).version == version + 1
    assert Tournament.objects.get(pk=other.pk).version == other.version
    assert Appearance.objects.get().membership == ann


# People with accounts, and rows of before


def test_the_name_of_an_account_is_followed_by_its_events_and_clubs(
    club, owner, in_club, django_capture_on_commit_callbacks
):
    zora = in_club(club, "Zora Blix")
    event = make_event(owner, entries=0, setting="face", status="open", circle=club.circle, about="Ask Zora Blix.")
    enrolment.enter_for(event.pk, owner, members=[zora], has_agreed=True)
    form = {"display_name": "Zora Lund", "time_zone": "UTC", "language": "en", "hand_order": "low"}
    with django_capture_on_commit_callbacks(execute=True):
        client = Client()
        client.force_login(zora)
        assert client.post("/you/", form).status_code == 302
    assert Entry.objects.get(tournament=event).name == "Zora Lund"
    assert Member.objects.get(user=zora).name == "Zora Lund"
    assert Membership.objects.get(user=zora).name == "Zora Lund"
    assert event.acts.get(kind="enter").sentence == "Zora Lund was entered by Owner."
    # Others wrote this, and nobody changes it by calling themselves something else.
    event.refresh_from_db()
    assert event.about == "Ask Zora Blix."


def test_who_renames_themselves_changes_no_words_of_others(club, owner, in_club):
    news.write(club.pk, owner, title="Harbour Night", body="x")
    mia = in_club(club, "Harbour Night")
    membership.edit_own(club.pk, mia, name="Rude Words", contact="", is_listed=False, wants_letters=False)
    assert News.objects.get().title == "Harbour Night"
    assert not Act.objects.filter(kind="news", sentence__contains="Rude").exists()


def test_nobody_takes_over_the_results_of_a_visitor_by_taking_their_name(club, owner, in_club, in_september):
    typed = evening(club, owner, 0, (4000, 3000, 2000, 1000), names=("Bert Falk", "Joy", "Kit", "Lea"))
    eve = in_club(club, "Eve")
    for name in ("Bert Falk", "Eve"):
        membership.edit_own(club.pk, eve, name=name, contact="", is_listed=False, wants_letters=False)
    assert typed.entries.get(number=1).name == "Bert Falk"
    assert not Appearance.objects.filter(member__tournament=typed).exists()


def test_a_name_that_holds_the_one_before_stands_once(club, owner):
    [ann] = makers.names(club, "Ann Lee")
    news.write(club.pk, owner, title="Ann Lee and Ann Lee Morgan", body="Both.")
    membership.edit(ann.pk, owner, name="Ann Lee Morgan")
    assert News.objects.get().title == "Ann Lee Morgan and Ann Lee Morgan"


def test_the_letter_to_somebody_forgotten_opens_nothing(club, owner):
    [ann] = makers.names(club, "Ann Lee")
    letter = Invitation.objects.create(club=club, membership=ann, email="ann@example.org", by=owner)
    forgetting.forget(ann.pk, owner)
    letter.refresh_from_db()
    assert (letter.email, letter.revoked_at is not None) == ("", True)


def test_rows_kept_aside_go_in_whichever_cells_the_name_stands(club, owner):
    [ann] = makers.names(club, "Ann Lee")
    KeptAside.objects.create(
        club=club, what="members", rows=[[3, ["Lee,", "ann", "1 Quay Road"], "Odd"], [4, ["Lee", "Bo"], "Odd"]]
    )
    forgetting.forget(ann.pk, owner)
    assert [row[0] for row in KeptAside.objects.get().rows] == [4]


def test_names_that_were_corrected_before_are_followed_by_the_migration(full):
    Membership.objects.filter(pk=full.edth.pk).update(name=RIGHT)
    Appearance.objects.get_or_create(membership=full.edth, member=Member.objects.get(tournament=full.alone, name=NAME))
    versions = Tournament.objects.get(pk=full.alone.pk).version
    for _ in range(2):
        import_module("clubs.migrations.0005_names_follow").follow(apps, None)
        assert Team.objects.get(pk=full.team.pk).name == f"{RIGHT} / {OTHER}"
        assert Entry.objects.get(tournament=full.alone, number=1).name == RIGHT
        assert Tournament.objects.get(pk=full.alone.pk).version == versions + 1
    assert Membership.objects.get(name=OTHER).pk == full.other.pk
