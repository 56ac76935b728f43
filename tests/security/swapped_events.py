"""Events whose entries, people and results are sent where those of another event, or of another entry, do not belong."""

from types import SimpleNamespace
from typing import NamedTuple

from accounts.models import User
from clubs.models import Club
from tests.makers import make_club, make_event, make_person
from tests.tournaments import driving
from tournaments.models import Entry, Member, Place, Result, Tournament
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle
from tournaments.services.matches import point_adjustments, results

OWN = 2
"""The number of the entry of teams whose captain has an account."""
NOBODY = 987_654
"""The id of no row, and the number of no entry."""


class Organised(NamedTuple):
    """Events of one organiser, each of another kind, and a club of theirs."""

    by: User
    captain: User
    """A player in all of them, who organises none."""
    club: Club
    waiting: Tournament
    """Teams that wait for the start."""
    running: Tournament
    """The same under way: its first match is over, the others are not."""
    disputed: Tournament
    """A knockout of people: the two of the first match do not agree on its result."""
    ladder: Tournament
    """People may challenge one another."""
    arena: Tournament
    """Free entries play free entries."""
    tied: Tournament
    """Its two entries are tied for first place."""
    social: Tournament
    """Tables of any size: entries can be moved to another table."""

    @property
    def events(self):
        return self.waiting, self.running, self.disputed, self.ladder, self.arena, self.tied, self.social


def two_organisers():
    """Two unrelated organisers."""
    return SimpleNamespace(harbour=organise("Olga", "Harbour"), meadow=organise("Otto", "Meadow"))


def organise(name, word):
    """An organiser with events that are called by a word."""
    by = make_person(name)
    club = make_club(f"{word} club", owner=by)
    people = [make_person(f"{word}{number}") for number in range(1, 5)]
    disputed, ladder, arena = (
        _people(by, f"{word} {kind}", people if kind == "disputed" else people[::-1], format)
        for kind, format in (("disputed", "single_elimination"), ("ladder", "ladder"), ("arena", "arena"))
    )
    first = driving.open_pairings(disputed)[0]
    users = [place.entry.members.get().user for place in first.places.all()]
    for salt, user in enumerate(users):
        lines = driving.lines_of(first, lambda names, salt=salt: driving.by_lot(names, str(salt)))
        results.report(first.pk, lines, by=user)
    waiting, running = (_teams(by, users[0], f"{word} {kind}", kind == "running") for kind in ("waiting", "running"))
    social = _people(by, f"{word} social", [f"{word} {letter}" for letter in "ABCDEFGH"], "swiss_pods")
    tied = _people(by, f"{word} tied", [f"{word} I", f"{word} J"], "round_robin")
    driving.play_out(tied, by, lambda names: [100] * len(names))
    return Organised(by, users[0], club, waiting, running, disputed, ladder, arena, tied, social)


def _teams(by, captain, name, begun):
    plans = [standard("swiss"), standard("single_elimination")]
    event = make_event(by, *plans, entries=0, name=name, kind="team", status="open")
    for number in range(1, 7):
        players = [captain if number == OWN else f"{name} A{number}", f"{name} B{number}"]
        entry = enrolment.enter_for(event.pk, by, members=players, name=f"{name} {number}", has_agreed=True)
        Member.objects.create(tournament=event, entry=entry, name=f"{name} C{number}", role="reserve", position=2)
    if begun:
        lifecycle.start(event.pk, by, anyway=True)
        open_ones = driving.open_pairings(event)
        driving.decide(next(match for match in open_ones if not match.places.filter(entry__number=OWN).exists()), by)
        stage, first = event.stages.get(number=1), event.entries.first()
        point_adjustments.adjust(stage.pk, by, entry_id=first.pk, points=1, reason="For the tea.")
        late_entry = Entry.objects.create(tournament=event, number=7, name=f"{name} 7", status=Entry.Status.WAITING)
        for at, letter in enumerate("AB"):
            about = {"name": f"{name} {letter}7", "position": at, "is_captain": not at}
            Member.objects.create(tournament=event, entry=late_entry, **about)
    return Tournament.objects.get(pk=event.pk)


def _people(by, name, people, format):
    event = make_event(by, standard(format), entries=0, name=name, status="open")
    for person in people:
        enrolment.enter_for(event.pk, by, members=[person], has_agreed=True)
    lifecycle.start(event.pk, by, anyway=True)
    return Tournament.objects.get(pk=event.pk)


def foreign(organised, stranger, kind, event):
    """(owner, id) of rows of this kind that do not belong to an event, and of a missing one."""
    nobody = ("nobody", NOBODY)
    if kind == "number":
        return [nobody]
    if kind == "circle":
        return [("another club", stranger.club.circle), ("nobody", f"club:{NOBODY}")]
    another = organised.waiting if event.pk != organised.waiting.pk else organised.running
    rows = {
        "entry": Entry.objects.filter(tournament=stranger.running),
        "member": Member.objects.filter(tournament=stranger.running),
        "place": Place.objects.filter(pairing__round__stage__tournament=stranger.running),
        "result": Result.objects.filter(pairing__round__stage__tournament=stranger.disputed),
    }[kind]
    near = {
        "entry": Entry.objects.filter(tournament=another),
        "member": Member.objects.filter(tournament=event).order_by("-pk"),
        "place": Place.objects.filter(pairing__round__stage__tournament=event, pairing__status="decided"),
        "result": Result.objects.filter(pairing__round__stage__tournament=organised.running),
    }[kind]
    return [nobody, ("another organiser", rows.first().pk), *(("elsewhere", other.pk) for other in near[:1])]
