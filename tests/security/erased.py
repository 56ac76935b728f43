"""Someone with traces everywhere, to see what remains after deletion."""

from datetime import timedelta

from django.utils import timezone

from accounts.services import tokens
from clubs.house_rules import services as house_rules
from clubs.models import JoinRequest, Membership, Newsletter
from clubs.services import settings
from clubs.services.leagues import leagues, teams
from clubs.services.members import joining, member_invitations, membership
from clubs.services.publications import meetings, news
from clubs.services.seasons import season_setup
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.conversation import services as conversation
from gameplay.models import Deal
from gameplay.score_sheets import services as score_sheets
from gameplay.services import invitations, pauses, tables
from tests.clubs import leagues as made
from tests.makers import make_club, make_table
from tests.tournaments import driving
from tournaments.models import Tournament
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import point_adjustments, results

NAME, FIRST, ADDRESS = "Zora Quillfeather", "Zora", "zora.quill@example.org"
WORDS = ("Zora", "Quillfeather", "zora.quill")
"""Nothing of this may be left."""


def known_everywhere(person, driver):
    """Zora, known by name to tables, events, clubs, score sheets and other people’s notifications; the other people."""
    zora = person("Zora", last_name="Quillfeather")
    type(zora).objects.filter(pk=zora.pk).update(email=ADDRESS, display_name=NAME)
    zora.refresh_from_db()
    ben, cem, dee, olive = (person(name) for name in ("Ben", "Cem", "Dee", "Olive"))
    tokens.create(zora, name="Zora’s bot", scopes=["read"], days=None)
    day = timezone.now() + timedelta(days=3)
    zora.absences.create(starts_at=day, ends_at=day + timedelta(days=2))
    _tables(zora, (ben, cem, dee), driver)
    club = _club(zora, ben, olive)
    event = _event(zora, ben, cem, dee)
    return zora, {"ben": ben, "cem": cem, "olive": olive}, club, event


def _tables(zora, people, driver):
    ben = people[0]
    table = make_table([zora, *people], begun=False, name=f"{NAME}’s four")
    conversation.say(table.pk, zora, text=f"This is {NAME}")
    conversation.say(table.pk, ben, text=f"Hello {NAME}")
    tables.start(table.pk, zora)
    Deal.objects.filter(table=table).update(phrases=[f"{FIRST} was here", "", "", ""])
    table.seats.filter(user=zora).update(note=f"{NAME} thinks that Ben has aces")
    for _ in range(4):
        driver.act(table)
    pauses.propose_pause(table.pk, zora)
    waiting = make_table([zora], begun=False, name="Waiting")
    invitations.invite_person(waiting.pk, zora, ben)
    other = make_table([ben], begun=False, name="Ben’s four")
    invitations.invite(other.pk, ben, ADDRESS)
    sheet = score_sheets.make(
        Rules.make("standard"), Shape(4, 2), [NAME, "Ben", "Cem", "Dee"], title=f"{NAME} and Ben", owner=zora
    )
    return table, sheet


def _club(zora, ben, olive):
    club = make_club("Harbour", owner=olive)
    club.has_directory = True
    club.save()
    member_invitations.invite(club.pk, olive, addresses=ADDRESS)
    joining.ask(club.pk, zora, words=f"I am {NAME}")
    joining.accept(JoinRequest.objects.get(user=zora).pk, olive)
    own_membership = Membership.objects.get(club=club, user=zora)
    membership.give_role(own_membership.pk, olive, role="organiser")
    membership.edit_own(club.pk, zora, name=NAME, contact=f"Ask for {FIRST}", is_listed=True, wants_letters=True)
    news.write(club.pk, zora, title=f"{NAME} tells", body=f"{NAME} says hello.")
    Newsletter.objects.create(club=club, subject=f"{NAME} wins", body=f"{NAME} won.", by=olive, status="sent")
    words = f"Ask {NAME}."
    settings.change(club.pk, olive, fields={"line": words, "about": words, "venue": words})
    meetings.add(club.pk, olive, title=f"{NAME}’s night", starts_at=timezone.now() + timedelta(days=3), words=words)
    house_rules.make(club.pk, olive, name="House", rules=Rules.preset("family"), about=words, note=words)
    leagues.make(club.pk, olive, name="Spare", about=words)
    season = made.make_season(club, olive, (4,), name="Autumn")
    season_setup.add_blackout(
        season.pk, olive, first_day=made.FIRST_DAY, last_day=made.FIRST_DAY, reason=f"{NAME} is away"
    )
    team = made.team(season, "Pair 1")
    teams.replace_member(team.roster.first().pk, olive, membership_id=own_membership.pk)
    teams.change(team.pk, olive, name=f"{NAME} and Ben 1", venue=f"At {NAME}’s")
    season = made.draw(season, olive)
    pairing = made.match(season, f"{NAME} and Ben 1", "Pair 2")
    results.decide(pairing.pk, driving.lines_of(pairing, driving.by_lot), by=olive, reason=f"{NAME} rang.")
    return club


def _event(zora, *people):
    chosen = {"rules": Rules.make("standard"), "setting": "face", "entry_kind": "person", "side_size": 1}
    event = lifecycle.make_event(
        zora, name=f"{NAME}’s cup", settings={**chosen, "about": f"By {NAME}."}, plans=[standard("swiss")]
    )
    lifecycle.publish(event.pk, zora)
    for user in (zora, *people):
        enrolment.enter_for(event.pk, zora, members=[user], has_agreed=True)
    lifecycle.start(event.pk, zora, anyway=True)
    first = driving.open_pairings(event)[0]
    results.report(first.pk, driving.lines_of(first, driving.by_lot), by=first.places.first().entry.members.get().user)
    stage = event.stages.get()
    point_adjustments.adjust(stage.pk, zora, entry_id=event.entries.first().pk, points=1, reason=f"{NAME} helped.")
    return Tournament.objects.get(pk=event.pk)
