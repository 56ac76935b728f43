"""A whole club taken away as a file, and brought in again: nothing lost, nothing that is secret, nothing believed."""

import hashlib
import io
import json
import re
import shlex
import zipfile
from datetime import time, timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone
from PIL import Image

from clubs.exports.archive import LIST, VERSION
from clubs.exports.archive_rows import CARRIED
from clubs.house_rules.page import ref_of
from clubs.imports import archive as reading
from clubs.imports.season import read_season
from clubs.models import (
    Act,
    Club,
    Copy,
    Invitation,
    League,
    LeagueClub,
    Meeting,
    MeetingGuest,
    MeetingReserve,
    Membership,
    News,
    Newsletter,
    RepeatingMeeting,
    RulesVersion,
    Season,
    Team,
    TeamMember,
)
from clubs.services import club_archive, club_lifecycle, history
from clubs.services.members import membership
from clubs.services.seasons import past_seasons
from clubs.services.seasons.past_seasons import Wishes
from engine.play.rules import Rules
from gameplay.models import SheetPhoto
from gameplay.score_sheets import photo_services
from tests.clubs.seasons import PAIRS, round_robin, sheet
from tests.makers import make_club, make_event
from tournaments import stage_standings
from tournaments.models import Entry, Member, Organiser, Pairing, Round, Stage, Tournament
from tournaments.plan import Plan, standard
from tournaments.services import history as events_history
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import point_adjustments, results
from tournaments.services.stages import first_draw
from tournaments.stage_state import load
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
STAYING = {
    "clubs.joinrequest": "asked by accounts",
    "clubs.keptaside": "for a month only",
    "clubs.newsplace": "of no use without its address",
    "clubs.newsaddress": "a secret",
    "clubs.newschange": "news still to be written",
    "clubs.newsdelivery": "what went out from here",
    "clubs.personalmessage": "whom organisers told, for a few months",
    "clubs.remark": "about accounts",
    "clubs.question": "secret links, and answers of a few months",
    "clubs.reply": "answers of a few months",
    "clubs.replyletter": "letters that were sent from here",
    "tournaments.organiser": "accounts alone",
    "tournaments.hall": "a secret link, and the timer of an evening",
    "tournaments.letter": "counted for accounts",
    "tournaments.rating": "of accounts",
    "tournaments.remark": "about accounts",
    "tournaments.ratingpool": "of the site",
    "tournaments.ratingstep": "of accounts",
    "tournaments.ratedgame": "of accounts",
    "tournaments.ratedtournament": "of ratings",
    "tournaments.typedscores": "not published yet",
}
"""Models of clubs and events whose rows stay behind, and why."""
STAYING_FIELDS = {
    *("user", "by", "created_by", "entered_by", "answered_by", "confirmed_by", "added_by"),
    *("token", "join_token", "claim_token", "letters_token", "request_key", "version", "look_at", "due_at"),
    *("table", "image", "sheet", "slug", "email"),
}
"""Fields that stay behind in some models: accounts, secrets, facts about one site."""


@pytest.fixture
def full(club, owner, staff):
    """A club with something of everything: its file."""
    fill(club, owner, staff["organiser"])
    return take(club, owner)


FILES = []


def test_the_command_in_the_docs_imports_its_sample(person, capsys):
    person("Nora")
    page = (ROOT / "docs/club-files.md").read_text()
    (words,) = re.findall(r"^python manage\.py (bring_club docs/samples/.*)$", page, re.MULTILINE)
    name, file, *more = shlex.split(words)
    call_command(name, str(ROOT / file), *more)
    assert capsys.readouterr().out == "Harbour Hand and Foot was imported: /clubs/harbour/\n"
    club = Club.objects.get()
    assert club.memberships.get(user__username="nora").name == "Nora Whitlock"
    assert (Season.objects.count(), Meeting.objects.count(), News.objects.get().title) == (1, 1, "Welcome")


@pytest.fixture
def file(request):
    """Such a file, of a club that need not be here."""
    if not FILES:
        FILES.append(request.getfixturevalue("full"))
    return FILES[0]


def fill(club, owner, organiser):
    lines = round_robin(PAIRS) + round_robin([f"Una{at} / Vic{at}" for at in range(4)], division="First")
    lines[1][6:8], lines[1][9], lines[1][8] = ["", ""], "home", "Harbour Hall"
    wishes = Wishes(league_name="Harbour League")
    past_seasons.import_seasons(club.pk, owner, sheet=read_season(sheet(lines)), wishes=wishes)
    membership.add_names(club.pk, organiser, lines=["=Ann Lee <ann@example.org>", "-Zoë Müller"])
    gone = membership.add_names(club.pk, organiser, lines=["Gone Again"])
    history.undo(gone.pk, by=organiser)
    owners = Membership.objects.get(club=club, user=owner)
    Membership.objects.filter(pk=owners.pk).update(is_listed=True, contact="+31 20 555", wants_letters=True)
    house = club.house_rules.create(name="Harbour rules", slug="harbour-rules")
    for number, preset in enumerate(("standard", "family"), 1):
        house.versions.create(number=number, preset=preset, rules_json=Rules.make(preset).write(), note=f"No {number}")
    now = timezone.now()
    News.objects.create(club=club, title="-Hello", body="We play.", by=owner, name="Owner", published_at=now)
    repeating = RepeatingMeeting.objects.create(
        club=club, title="Club night", weekday=1, starts_at=time(19), first_day=now.date(), skipped=["2030-01-01"]
    )
    MeetingReserve.objects.create(repeating=repeating, membership=owners, position=0)
    meeting = Meeting.objects.create(
        club=club, title="General meeting", starts_at=now + timedelta(days=9), repeating=repeating, day=now.date()
    )
    MeetingGuest.objects.create(meeting=meeting, name="Sam Field", note="I am new.", request_key="k1")
    season = Season.objects.get()
    Season.objects.update(rules_version=RulesVersion.objects.first())
    letter = Newsletter.objects.create(club=club, season=season, matchday=2, subject="Matchday 2", body="So it went.")
    Newsletter.objects.filter(pk=letter.pk).update(status="sending")
    Copy.objects.create(newsletter=letter, membership=owners, due_at=now)
    Invitation.objects.create(club=club, email="new@example.org", by=owner, due_at=now)
    guests = make_club("Lighthouse")
    ida = Membership.objects.create(club=guests, name="Ida", email="ida@example.org", contact="secret")
    league = League.objects.get()
    LeagueClub.objects.create(league=league, club=guests, agreed_at=now)
    team = Team.objects.create(league=league, club=guests, name="Ida / Jo", number=99)
    TeamMember.objects.create(team=team, membership=ida, role="captain")
    pairing = Pairing.objects.order_by("pk").first()
    corrected = [{"entry": place.entry_id, "score": 4000 + place.number} for place in pairing.places.all()]
    results.decide(pairing.pk, corrected, by=owner, reason="Misread")
    stage = Stage.objects.order_by("pk").first()
    entry = Entry.objects.order_by("pk").first()
    point_adjustments.adjust(stage.pk, owner, entry_id=entry.pk, points="-1/2", reason="Late")
    photo_services.add(f"match:{pairing.pk}", photograph(), by=owner)
    cup(club, owner)


def cup(club, owner):
    """A knockout that is under way, with a result that was corrected so that the draw changed."""
    settings = {"circle": club.circle, "setting": "face", "entry_kind": "person", "side_size": 1}
    event = lifecycle.make_event(owner, name="Harbour Cup", starter="league_cup", settings=settings)
    lifecycle.publish(event.pk, owner)
    for name in ("Ina", "Joy", "Kit", "Lea", "Max"):
        enrolment.enter_for(event.pk, owner, members=[name])
    dropped = enrolment.enter_for(event.pk, owner, members=["Nobody Else"])
    act = event.acts.filter(kind="enter").order_by("-pk").first()
    assert dropped.pk in [change["pk"] for change in act.changes]
    events_history.undo(act.pk, by=owner)
    lifecycle.start(event.pk, owner, anyway=True)
    for score in ((8000, 7000), (6000, 6500)):
        pairing = Pairing.objects.filter(round__stage__tournament=event, status="ready").order_by("pk").first()
        results.decide(pairing.pk, lines_of(pairing, score), by=owner)
    played = Pairing.objects.filter(round__stage__tournament=event, status="done").order_by("pk").first()
    results.decide(played.pk, lines_of(played, (1, 2)), by=owner, reason="Wrong way round")


def lines_of(pairing, score):
    places = zip(pairing.places.order_by("number"), score, strict=True)
    return [{"entry": place.entry_id, "score": points} for place, points in places]


def photograph():
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(file, "JPEG")
    file.seek(0)
    return file


def take(club, by):
    """The file of a club."""
    file = io.BytesIO()
    club_archive.export_club(club.pk, by, file)
    return file.getvalue()


def inside(data):
    """The files within, but for the list."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != LIST}


def rows(data, label):
    return json.loads(inside(data)[f"data/{label}.json"])


def repack(data, change=None, *, extra=None, checksums=True):
    """The same file with something changed in it; its list is updated by default."""
    files = inside(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        manifest = json.loads(archive.read(LIST))
    if change:
        change(files)
    if checksums:
        manifest["files"] = {
            name: {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()} for name, raw in files.items()
        }
    manifest |= extra or {}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
        archive.writestr(LIST, json.dumps(manifest))
    return out.getvalue()


def with_row(label, which, /, **values):
    """A change of one row in a file."""

    def change(files):
        name = f"data/{label}.json"
        rows = json.loads(files[name])
        rows[which - 1] |= values
        files[name] = json.dumps(rows).encode()

    return change


def bring(data, by, **how):
    return club_archive.import_club(by, io.BytesIO(data), **how)


def tables(club):
    """The standings of every stage of a club's events, by names."""
    standings = {}
    for stage in Stage.objects.filter(tournament__circle=club.circle).select_related("tournament"):
        state = load(stage)
        ranking = stage_standings.ranking(state)
        standings[stage.tournament.name, stage.number] = [
            (state.entries[place.entry].entry.name, place.rank) for place in ranking
        ]
    return standings


def empty():
    """Take everything away but the people with accounts."""
    for label in ("clubs.Act", "clubs.Appearance", "clubs.SeasonEntry", "clubs.Honour", "clubs.Season"):
        apps.get_model(label).objects.all().delete()
    Tournament.objects.all().delete()
    League.objects.all().delete()
    Club.objects.all().delete()
    SheetPhoto.objects.all().delete()


# Models and fields


def test_every_model_and_field_is_carried_or_stays_behind_on_purpose():
    models = {
        model._meta.label_lower: model
        for app in ("clubs", "tournaments")
        for model in apps.get_app_config(app).get_models()
    }
    assert set(models) == {label for label in CARRIED if not label.startswith("gameplay.")} | set(STAYING)
    for label, carried in CARRIED.items():
        names = {field.name for field in carried.model._meta.concrete_fields}
        assert carried.without <= names & STAYING_FIELDS, label
        for field in carried.fields:
            if field.is_relation:
                assert field.related_model._meta.label_lower in CARRIED, (label, field.name)
            assert not ("token" in field.name or "key" in field.name) or label == "tournaments.board", (
                label,
                field.name,
            )


def test_nothing_secret_is_in_it(full, club):
    text = b"".join(inside(full).values()).decode("utf-8", "replace")
    for user in ("owner@", "organiser@", "ida@example.org", "secret"):
        assert user not in text.lower()
    secrets = [club.join_token]
    for member in Membership.objects.all():
        secrets += [member.claim_token, member.letters_token]
    secrets += Member.objects.values_list("token", flat=True)
    secrets += Pairing.objects.values_list("token", flat=True)
    secrets += RulesVersion.objects.values_list("token", flat=True)
    assert not [secret for secret in secrets if secret in text]
    assert "user_id" not in text
    assert "ann@example.org" in text, "what the club itself keeps is its own"


def test_lots_of_an_event_that_has_not_started_stay_behind(club, owner, person):
    event = make_event(owner, standard("swiss", rounds=3), entries=4, status="open", circle=club.circle)
    event.entries.update(seed=None)
    secrets = [event.lots]
    events_history.undo(first_draw.draw_again(event.pk, owner).pk, by=owner)
    first_draw.draw_again(event.pk, owner)
    event.refresh_from_db()
    data = take(club, owner)
    text = b"".join(inside(data).values()).decode("utf-8", "replace")
    acts = event.acts.filter(kind__in=("draw_again", "undo"))
    secrets += [change["is"]["lots"] for act in acts for change in act.changes if change["model"] == "tournament"]
    assert len(set(secrets)) == 3
    assert not [secret for secret in secrets if secret in text]

    otto = person("Otto")
    new = bring(data, otto, slug="harbour-two")
    again = Tournament.objects.get(circle=new.circle).acts.filter(kind="draw_again").first()
    assert again.sentence == "The first round was redrawn."
    assert not events_history.may_undo(otto, again, "owner")


def test_tables_for_people_hold_no_formulas(full):
    files = inside(full)
    people = files["members.csv"].decode("utf-8-sig").splitlines()
    assert people[0] == (
        "name,role,email,contact,in directory,newsletter,joined,left,phone,note,"
        "address,hears by,email in handbook,phone in handbook,address in handbook"
    )
    assert any(line.startswith("'=Ann Lee,member,ann@example.org,") for line in people)
    assert any(line.startswith("'-Zoë Müller,") for line in people)
    assert any(",'+31 20 555,yes,yes," in line for line in people)


def test_its_table_of_matches_can_be_imported_as_past_seasons(full, club, owner):
    files = inside(full)
    sheet = read_season(files["matches.csv"])
    assert sheet.problems == ()
    assert sheet.unknown == ("league",)
    outlook = past_seasons.preview_import(club.pk, owner, sheet=sheet, wishes=Wishes(league_name="Again"))
    assert outlook.matches == 12


def test_equal_clubs_make_equal_files(full, club, owner):
    assert inside(take(club, owner)) == inside(full)


def test_that_it_was_taken_is_in_the_history(full, club):
    act = Act.objects.filter(club=club).first()
    assert (act.kind, act.sentence) == ("taken", "Owner downloaded the whole club as a file.")


def test_only_owners_take_it_away(club, staff):
    for role in ("organiser", "scorer", "member", "guest"):
        with pytest.raises(NotAllowed):
            take(club, staff[role])


def test_an_archived_club_can_be_taken_away(club, owner):
    club_lifecycle.archive(club.pk, owner)
    assert rows(take(club, owner), "clubs.club")[0]["archived_at"]


# There and back


def test_imported_into_an_empty_site_it_is_the_same(full, club, owner):
    before = tables(club)
    empty()
    new = bring(full, owner, own_name="owner")
    assert new.slug == "harbour"
    assert tables(new) == before
    assert len(before) == 3
    assert inside(take(new, owner)) == inside(full)


def test_imported_next_to_itself_it_is_the_same_but_for_addresses(full, club, owner, person):
    other = person("Otto")
    new = bring(full, other, slug="harbour-two", own_name="Owner")
    assert tables(new) == tables(club)

    def plain(data):
        files = inside(data)
        for label in ("clubs.club", "tournaments.tournament"):
            rows = [{**row, "slug": ""} for row in json.loads(files[f"data/{label}.json"])]
            files[f"data/{label}.json"] = json.dumps(rows).encode()
        return files

    assert plain(take(new, other)) == plain(repack(full))
    assert Membership.objects.get(club=new, user=other).name == "Owner"
    assert not Membership.objects.filter(club=new, user=owner).exists()
    assert set(Organiser.objects.filter(tournament__circle=new.circle).values_list("user", flat=True)) == {other.pk}
    guests = Club.objects.filter(name="Lighthouse").exclude(slug="lighthouse").get()
    assert (guests.is_listed, guests.archived_at is None) == (False, False)
    assert list(guests.memberships.values_list("name", "email", "user")) == [("Ida", "", None)]
    assert Team.objects.get(club=guests).name == "Ida / Jo"
    photo = SheetPhoto.objects.order_by("-pk").first()
    assert (
        photo.ref
        == f"match:{Pairing.objects.filter(round__stage__tournament__circle=new.circle).order_by('pk').first().pk}"
    )


def test_events_and_stages_name_the_imported_house_rules(club, owner, person):
    version = club.house_rules.create(name="Harbour rules", slug="harbour-rules").versions.create(
        number=1, preset="family", rules_json=Rules.make("family").write()
    )
    ref = ref_of(version)
    plan = standard("single_elimination", final_terms={"rules": "family", "rules_ref": ref, "deals": 8})
    fields = {"circle": club.circle, "terms": {"rules_ref": ref}, "length_json": {"deals": 2}}
    make_event(owner, plan, kind="partnership", rules_json=version.rules_json, **fields)
    imported = bring(take(club, owner), person("Ines"), slug="other", own_name="Owner")
    event = Tournament.objects.get(circle=imported.circle)
    new_ref = ref_of(RulesVersion.objects.get(house_rules__club=imported))
    final = Plan.read(event.stages.get().plan_json).final_terms
    assert new_ref != ref
    assert (event.terms["rules_ref"], final.rules_ref, final.deals) == (new_ref, new_ref, 8)
    assert event.length_json == {"deals": 2}


def test_an_older_file_brings_its_matchdays_as_such(full, person):
    def as_it_was(files):
        events = json.loads(files["data/tournaments.tournament.json"])
        files["data/tournaments.tournament.json"] = json.dumps(
            [{**row, "has_matchdays": False} for row in events]
        ).encode()
        rounds = files["data/tournaments.round.json"].decode()
        files["data/tournaments.round.json"] = rounds.replace("Matchday ", "Round ").encode()

    new = bring(repack(full, as_it_was), person("Otto"), slug="harbour-two")
    names = Round.objects.filter(stage__tournament__circle=new.circle).values_list(
        "stage__tournament__division", "name"
    )
    kinds = {(bool(division), name.split()[0]) for division, name in names}
    assert kinds >= {(True, "Matchday"), (False, "Round")}
    assert (True, "Round") not in kinds
    divisions = Tournament.objects.filter(division__season__league__club=new)
    assert set(divisions.values_list("has_matchdays", flat=True)) == {True}


def test_the_importer_is_added_as_an_owner(full, person):
    otto = person("Otto")
    new = bring(full, otto, slug="harbour-two")
    member = Membership.objects.get(club=new, user=otto)
    assert (member.name, member.role) == ("Otto", "owner")


def test_acts_can_still_be_undone_over_there(full, club, owner, person):
    otto = person("Otto")
    new = bring(full, otto, slug="harbour-two")
    added = Act.objects.get(club=new, kind="add", undone_by=None)
    names = [change["is"]["name"] for change in added.changes]
    assert Membership.objects.filter(club=new, name__in=names).count() == 2
    history.undo(added.pk, by=otto)
    assert Membership.objects.filter(club=new, name__in=names).count() == 0
    assert Membership.objects.filter(club=club, name__in=names).count() == 2


def test_a_correction_that_changed_a_draw_can_be_undone_over_there(full, club, owner, person):
    otto = person("Otto")
    new = bring(full, otto, slug="harbour-two")
    event = Tournament.objects.get(circle=new.circle, name="Harbour Cup")
    act = event.acts.filter(kind="result").order_by("-pk").first()
    events_history.undo(act.pk, by=otto)
    old = Tournament.objects.get(circle=club.circle, name="Harbour Cup")
    events_history.undo(old.acts.filter(kind="result").order_by("-pk").first().pk, by=owner)

    def drawn(event):
        places = Pairing.objects.filter(round__stage__tournament=event).order_by(
            "round__number", "number", "places__number"
        )
        return list(places.values_list("name", "status", "places__entry__name", "places__score"))

    assert drawn(event) == drawn(old)


def test_play_continues_over_there(full, person):
    otto = person("Otto")
    new = bring(full, otto, slug="harbour-two")
    event = Tournament.objects.get(circle=new.circle, name="Harbour Cup")
    while pairing := Pairing.objects.filter(round__stage__tournament=event, status="ready").order_by("pk").first():
        lines = [{"entry": place.entry_id, "score": 10 - place.number} for place in pairing.places.all()]
        results.decide(pairing.pk, lines, by=otto)
    event.refresh_from_db()
    assert event.status == "over"


def test_sent_twice_it_is_brought_once(full, person):
    otto = person("Otto")
    first = bring(full, otto, slug="harbour-two", request_key="one")
    assert bring(full, otto, slug="harbour-two", request_key="one") == first
    assert Club.objects.filter(name=first.name).count() == 2


# Refusals


def refused(data, by, **how):
    before = [model.objects.count() for model in (Club, Membership, Tournament, Pairing, Act, SheetPhoto)]
    with pytest.raises(Refused) as caught:
        bring(data, by, **{"slug": "harbour-two", **how})
    assert [model.objects.count() for model in (Club, Membership, Tournament, Pairing, Act, SheetPhoto)] == before
    assert caught.value.sentence.endswith(".")
    return caught.value


def test_an_address_that_is_taken(file, club, owner):
    refusal = refused(file, owner, slug="")
    assert (refusal.code, refusal.details["field"]) == ("slug_taken", "slug")


def test_a_name_that_nobody_has(file, owner):
    refusal = refused(file, owner, own_name="Nemo")
    assert (refusal.code, refusal.details["field"]) == ("no_such_name", "own_name")
    assert refusal.sentence == "Nobody in the club is called Nemo. The club’s owners are: Owner."


def test_a_guest_of_the_site(file, person):
    assert refused(file, person("Gast", is_guest=True)).code == "guest"


@pytest.mark.parametrize("data", [b"", b"name,mail\n", b"PK\x03\x04" + b"x" * 500])
def test_what_is_no_archive(data, owner):
    assert refused(data, owner).code == "no_archive"


def test_another_zip(owner):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("hello.txt", "hello")
    assert refused(out.getvalue(), owner).code == "no_archive"


def test_a_newer_version(file, owner):
    assert refused(repack(file, extra={"version": VERSION + 1}), owner).code == "newer"


def test_a_changed_byte(file, owner):
    def change(files):
        files["data/clubs.news.json"] = files["data/clubs.news.json"].replace(b"We play", b"We stay")

    refusal = refused(repack(file, change, checksums=False), owner)
    assert refusal.code == "damaged"
    assert "data/clubs.news.json was changed after the export" in refusal.sentence


def test_a_cut_file(file, owner):
    assert refused(file[: len(file) // 2], owner).code in ("no_archive", "damaged")


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/passwd", "data/../x.json", "data/a.b.json/x", "photos/1.svg", "C:\\x"]
)
def test_paths_that_lead_elsewhere(file, owner, name):
    assert refused(repack(file, lambda files: files.update({name: b"[]"})), owner).code == "damaged"


def test_a_missing_file(file, owner):
    assert refused(repack(file, lambda files: files.pop("data/clubs.team.json")), owner).code == "damaged"


@pytest.mark.parametrize("bound", ["MOST_UNPACKED", "MOST_DATA", "MOST_PARTS", "MOST_FILES"])
def test_a_file_that_unpacks_into_too_much(file, owner, monkeypatch, bound):
    monkeypatch.setattr(reading, bound, 40)
    assert refused(file, owner).code == "too_large"


def test_a_bomb(file, owner):
    """A few kilobytes that unpack into a hundred megabytes are not unpacked."""

    def change(files):
        files["data/clubs.news.json"] = b"[" + b" " * 100_000_000 + b"]"

    out = io.BytesIO()
    grown = io.BytesIO(repack(file, change))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed, zipfile.ZipFile(grown) as archive:
        for name in archive.namelist():
            packed.writestr(name, archive.read(name))
    assert len(out.getvalue()) < 500_000
    assert refused(out.getvalue(), owner).code == "too_large"


def test_a_file_that_is_too_large(file, owner, monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 1000)
    assert refused(file, owner).code == "too_large"


def test_a_file_that_says_too_little_of_itself(file, owner):
    """A ZIP with a file that its own list calls smaller than it unpacks."""
    out = io.BytesIO(file)
    with zipfile.ZipFile(out) as archive:
        size = archive.getinfo("data/clubs.club.json").file_size
    lied = file.replace(size.to_bytes(4, "little"), (size - 5).to_bytes(4, "little"))
    assert lied != file
    assert refused(lied, owner).code in ("damaged", "no_archive")


@pytest.mark.parametrize(
    "change",
    [
        with_row("clubs.membership", 1, role="emperor"),
        with_row("clubs.membership", 1, name="Ann\u202eLee"),
        with_row("clubs.membership", 1, name=None),
        with_row("clubs.membership", 1, name="x" * 61),
        with_row("clubs.membership", 1, user_id=1),
        with_row("clubs.membership", 1, club_id=99),
        with_row("clubs.membership", 1, id=2),
        with_row("clubs.membership", 1, joined_at="2026-01-01T00:00:00"),
        with_row("clubs.club", 1, time_zone="Mars/Olympus"),
        with_row("clubs.season", 1, rules_json={"preset": "none"}),
        with_row("clubs.season", 1, up=5),
        with_row("clubs.act", 1, changes=[{"model": "user", "pk": 1, "was": None, "is": {}}]),
        with_row("clubs.act", 1, changes=[{"model": "club", "pk": 1, "was": {"slug": 5}, "is": {}}]),
        with_row("clubs.act", 1, changes=[{"model": "club", "pk": 10**12, "was": {}, "is": {}}]),
        with_row("clubs.act", 1, changes=[5]),
        with_row("tournaments.stage", 1, plan_json={"format": "x"}),
        with_row("tournaments.result", 1, lines=[{"entry": "1"}]),
        with_row("tournaments.result", 1, lines=[{"entry": 10**9, "score": 1}]),
        with_row("tournaments.result", 1, lines=[{"entry": 1, "score": "9"}]),
        with_row("tournaments.place", 1, number=10**9),
        with_row("tournaments.place", 1, points="1/0"),
        with_row("tournaments.place", 1, players=["1"]),
        with_row("tournaments.place", 1, number=1),
        with_row("tournaments.stageentry", 1, position=77, entry_id=2),
        with_row("tournaments.tournament", 1, circle="club:99"),
        with_row("clubs.news", 1, title="nul \u0000"),
        lambda files: files.update({"data/clubs.news.json": b"[" * 100_000}),
        lambda files: files.update({"data/clubs.news.json": b"{}"}),
        lambda files: files.update({"data/clubs.news.json": b"[1]"}),
        lambda files: files.update({"data/clubs.news.json": b"\xff"}),
        lambda files: files.update({"photos/1.jpg": b"<svg onload=alert(1)>"}),
    ],
)
def test_rows_that_cannot_be(file, owner, change):
    assert refused(repack(file, change), owner).code == "damaged"


def test_numbers_that_do_not_fit(file, owner):
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        numbers = json.loads(archive.read(LIST))["numbers"]
    for lie in (10**9, -1, "5", None):
        assert refused(repack(file, extra={"numbers": numbers | {"clubs.team": lie}}), owner).code == "damaged"
    assert refused(repack(file, extra={"files": []}), owner).code == "damaged"
    assert refused(repack(file, extra={"made_at": "now"}), owner).code == "damaged"
    assert refused(repack(file, extra={"format": "foothold.event"}), owner).code == "no_archive"


def test_ids_are_never_given_twice(file, person):
    """Rows made after an import take no id of the imported rows."""
    otto = person("Otto")
    new = bring(file, otto, slug="harbour-two")
    membership.add_names(new.pk, otto, lines=["After All"])
    Meeting.objects.create(club=new, title="After all", starts_at=timezone.now())
    assert Meeting.objects.filter(club=new).count() == 2


def test_a_large_one_is_imported_by_command(file, person, tmp_path, capsys):
    person("Otto")
    path = tmp_path / "club.zip"
    path.write_bytes(file)
    call_command("bring_club", str(path), owner="otto", slug="harbour-two", name="Owner")
    assert "/clubs/harbour-two/" in capsys.readouterr().out
    with pytest.raises(CommandError, match="is taken"):
        call_command("bring_club", str(path), owner="otto", slug="harbour-two")
    with pytest.raises(CommandError, match="Account not found: nemo"):
        call_command("bring_club", str(path), owner="nemo")
