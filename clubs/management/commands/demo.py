"""Sample data: the people of a club, and tables in every state that a newcomer may want to see."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from accounts.models import Absence, Notice, User
from clubs.demo import events, turns
from clubs.demo.turns import Clock
from clubs.models import Club, Membership
from clubs.services.leagues import leagues, teams
from clubs.services.members import membership
from clubs.services.publications import meetings
from clubs.services.seasons import season_draw, season_setup
from engine.play.rules import Rules
from gameplay.models import ChatMessage, Table
from gameplay.services import phrases, seating, tables
from gameplay.services.sitting import Sitting
from tournaments.models import Pairing

CLUB = "Harbour Hand and Foot"
SLUG = "harbour"
PASSWORD = "seven-of-a-rank"  # noqa: S105  for sample accounts, and printed
PEOPLE = (
    ("Nora Whitlock", "Europe/London"),
    ("Piet Vermeer", "Europe/Amsterdam"),
    ("Asha Menon", "Asia/Kolkata"),
    ("Gil Castellano", "America/Argentina/Buenos_Aires"),
    ("Maeve Doyle", "Europe/Dublin"),
    ("Oskar Lund", "Europe/Oslo"),
    ("Tilde Brandt", "Europe/Copenhagen"),
    ("Hugh Penrose", "America/St_Johns"),
    ("Yuki Arai", "Asia/Tokyo"),
    ("Salma Haddad", "Africa/Casablanca"),
)

NAMES = ("Ida Falk", "Tom Averill", "Birgit Sommer", "Luis Pardo", "Wendy Marsh", "Joan Keel")
"""Members without an account."""


class Command(BaseCommand):
    help = "Creates sample people and tables once, and prints how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            if not Club.objects.filter(slug=SLUG).exists():
                Demo().make()
        names = ", ".join(_email(name) for name, _ in PEOPLE[1:4])
        self.stdout.write(f"Sign in as {_email(PEOPLE[0][0])} with the password {PASSWORD}. It is your turn.")
        self.stdout.write(f"Others, with the same password: {names} and so on.")


def _email(name: str) -> str:
    return f"{name.split()[0].lower()}@example.org"


class Demo:
    """Create the whole sample, through the same services as everything else."""

    def __init__(self) -> None:
        self.now = timezone.now()
        self.people = self._people()

    def make(self) -> None:
        """The club, and its tables."""
        club = Club.objects.create(
            name=CLUB,
            slug=SLUG,
            line="On the quay. Thursdays at half past six, Harbour Hall.",
            about="Four tables on a quiet evening, nine on a loud one. Newcomers sit with somebody who knows the way.",
            venue="Harbour Hall, Quay Street",
            time_zone="Europe/London",
            crest=Club.Crest.WAVE,
            created_by=self.people[0],
        )
        Membership.objects.bulk_create(Membership(club=club, user=person, name=str(person)) for person in self.people)
        Membership.objects.filter(user=self.people[0]).update(role=Membership.Role.OWNER)
        self._away(self.people[8], starts_in=timedelta(days=2), days=5)
        self._finished(club)
        self._visitors_turn()
        self._others_turn(club.circle)
        self._open()
        events.make_cup(club, self.people, self.now)
        self._meetings(club)
        events.make_evening(club, self.people, self.now)
        events.make_club_night(club, self.people, _thursday(club, self.now + timedelta(days=7)))
        self._league(club)
        Notice.objects.filter(subject__startswith="event:", settled_at=None).update(settled_at=self.now)

    def _people(self) -> list[User]:
        # One hash for all: each takes a noticeable time to work out.
        password = make_password(PASSWORD)
        people = User.objects.bulk_create(
            User(
                username=_email(name).partition("@")[0],
                display_name=name,
                email=_email(name),
                password=password,
                time_zone=zone,
                time_zone_is_guess=False,
            )
            for name, zone in PEOPLE
        )
        EmailAddress.objects.bulk_create(
            EmailAddress(user=person, email=person.email, verified=True, primary=True) for person in people
        )
        return people

    def _away(self, person: User, *, starts_in: timedelta, days: int) -> None:
        starts = self.now + starts_in
        Absence.objects.create(user=person, starts_at=starts, ends_at=starts + timedelta(days=days))

    def _table(self, seats: list[int], name: str, rules: Rules, at: datetime, **terms: Any) -> Sitting:
        """A table of these people, started at that time."""
        people = [self.people[number] for number in seats]
        table = tables.make_table(people[0], rules, name=name, seat_count=4, team_size=2, terms=terms, now=at)
        Table.objects.filter(pk=table.pk).update(created_at=at)
        for person in people[1:]:
            seating.join(table.pk, person, now=at + timedelta(hours=1))
        return tables.start(table.pk, people[0], now=at + timedelta(hours=2))

    def _finished(self, club: Club) -> None:
        """A cup that is over, all deals of which can be replayed."""
        *_, final = played = events.make_finished_cup(club, self.people, self.now)
        speaker = next(seat.user for seat in final.seats.order_by("number") if seat.user is not None)
        self._say(final, speaker, "Well played, that last foot came at the right moment.", final.ended_at or self.now)
        for table in played:
            self._settle(table)

    def _visitors_turn(self) -> None:
        """The visitor to draw at the climax of a match."""
        table = None
        while table is None:  # some matches end without one
            begun = self.now - timedelta(days=9)
            rules = Rules.make("standard", {"length": {"deals": 2}})
            with transaction.atomic():
                sitting = self._table([0, 2, 6, 3], "Lighthouse Four", rules, begun, watching=Table.Watching.ANYBODY)
                clock = Clock(begun + timedelta(hours=3), step=timedelta(hours=2), latest=self.now - timedelta(hours=3))
                table = turns.play_until(sitting, clock, lambda table, _: turns.is_at_its_climax(table, 0))
                transaction.set_rollback(table is None)
        self._say(table, self.people[3], "Good morning from Buenos Aires.", self.now - timedelta(days=2))
        self._say(table, self.people[2], "And good evening from Kochi!", self.now - timedelta(days=2))
        self._settle(table)

    def _others_turn(self, club: str) -> None:
        """A club table in mid-game that waits for another player; one of its players will be away."""
        begun = self.now - timedelta(days=6)
        terms = {"joining": Table.Joining.CLUB, "watching": Table.Watching.CLUB, "audience": club}
        bank = {"clock": Table.Clock.BANK, "clock_hours": 72, "increment_hours": 12, "cap_hours": 120}
        rules = Rules.preset("saskatchewan")
        sitting = self._table([7, 0, 8, 9], "Breakwater", rules, begun, **terms, **bank)
        clock = Clock(begun + timedelta(hours=3), step=timedelta(hours=4), latest=self.now - timedelta(hours=1))
        table = turns.play_until(sitting, clock, lambda table, count: count >= 20 and turns.is_to_draw(table, 2))
        if table is not None:
            self._settle(table)

    def _open(self) -> None:
        """Tables to join: one for everyone, one that waits for its last player."""
        rules = Rules.preset("family")
        terms = {"joining": Table.Joining.OPEN, "watching": Table.Watching.ANYBODY, "free_weekends": True}
        table = tables.make_table(
            self.people[4], rules, name="Come and try Family", seat_count=4, team_size=2, terms=terms
        )
        seating.join(table.pk, self.people[6])
        phrases.set_phrase(table.pk, self.people[4], "fair winds")

    def _say(self, table: Table, speaker: User, text: str, at: datetime) -> None:
        seat = table.seats.get(user=speaker)
        line = ChatMessage.objects.create(table=table, user=speaker, seat=seat.number, name=str(speaker), text=text)
        ChatMessage.objects.filter(pk=line.pk).update(at=at)

    def _meetings(self, club: Club) -> None:
        """A meeting each week."""
        first = _thursday(club, self.now)
        ends = first + timedelta(hours=3)
        meetings.add(club.pk, self.people[0], title="Club evening", starts_at=first, ends_at=ends, weeks=4)

    def _league(self, club: Club) -> None:
        """A league of eight pairs in two divisions after its second matchday; some of the people are names alone."""
        nora, begun = self.people[0], self.now - timedelta(days=17)
        membership.add_names(club.pk, nora, lines=NAMES, now=begun)
        ids = dict(club.memberships.values_list("name", "pk"))
        league = leagues.make(club.pk, nora, name="Harbour League", now=begun)
        season = season_setup.make(
            league.pk,
            nora,
            name=f"Season {begun:%Y}",
            starts_on=(begun + timedelta(days=2)).date(),
            preset="family",
            divisions=[("Quay", 4), ("Pier", 4)],
            up=[1],
            down=[1],
            now=begun,
        )
        names = [name for name, _ in PEOPLE] + list(NAMES)
        pairs = [
            teams.add(league.pk, nora, members=[ids[first], ids[second]], now=begun).pk
            for first, second in zip(names[::2], names[1::2], strict=True)
        ]
        divisions = dict(zip(season.divisions.values_list("pk", flat=True), (pairs[:4], pairs[4:]), strict=True))
        season_setup.place(season.pk, nora, divisions=divisions, now=begun)
        season_draw.draw(season.pk, nora, now=begun)
        scores = iter(
            [
                (8420, 7655),
                (6980, 7115),
                (9240, 8030),
                (7305, 7305),
                (8105, 6890),
                (7760, 8215),
                (6640, 9020),
                (8875, 8120),
            ]
        )
        played = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number__lte=2)
        events.enter_results(played.order_by("round__number", "pk"), scores, nora)

    def _settle(self, table: Table) -> None:
        """Settle notices from the sample’s past, so that they are not sent."""
        Notice.objects.filter(subject=f"table:{table.pk}", settled_at=None).update(settled_at=self.now)


def _thursday(club: Club, earliest: datetime) -> datetime:
    """The first Thursday at half past six by the club's clock."""
    at = earliest.astimezone(club.zone).replace(hour=18, minute=30, second=0, microsecond=0)
    at += timedelta(days=(3 - at.weekday()) % 7)
    return at if at > earliest else at + timedelta(days=7)
