"""Leagues of a club: created, renamed, archived, and opened to other clubs."""

from typing import Unpack

from django.db.models import Max, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from clubs import access
from clubs.models import Act, Club, League, LeagueClub, Membership, Season, SeasonEntry, Team
from clubs.public.page_context import address
from clubs.roles import ROLES
from clubs.services import lookups, naming, notifications
from clubs.services.history import ActionRequest, ByRow, Never, Record, Rows, added_row, declare, perform, row_of
from clubs.services.leagues import titles
from web.errors import NotAllowed, Refused

LONGEST = 80
LONGEST_ABOUT = 2000
MOST = 50
"""Leagues of one club."""


# A league


LEAGUE = declare("league", needs="leagues", undo=Never("Archive the league instead."))


def make(
    club_id: int, by: User, *, name: str, kind: str = League.Kind.PAIR, about: str = "", **how: Unpack[ActionRequest]
) -> League:
    """Create a league of people, pairs or teams (`League.Kind`). Raises `Refused` (fields `name`, `kind`)."""

    def do(record: Record) -> str:
        if kind not in League.Kind.values:
            raise Refused("bad_kind", gettext("A league is for people, pairs or teams."), field="kind")
        if League.objects.filter(club=record.club).count() >= MOST:
            raise Refused("too_many", gettext("A club can have at most %(most)s leagues.") % {"most": MOST})
        title = _free_name(record, name)
        slugs = set(League.objects.filter(club=record.club).values_list("slug", flat=True))
        slug = titles.free_slug(title, slugs, 50, otherwise="league")
        league = League(club=record.club, name=title, slug=slug, kind=kind, about=_about(about))
        record.create(league)
        return gettext("The league %(row)s was created.") % {"row": league}

    return added_row(perform(club_id, do, LEAGUE, by=by, **how), League)


LEAGUE_CHANGE = declare("league_change", needs="leagues", undo=Rows())


def change(league_id: int, by: User, *, name: str, about: str, **how: Unpack[ActionRequest]) -> Act:
    """Change the name or description of a league; its address stays. Raises `Refused`."""

    def do(record: Record) -> str:
        league = row_of(record, League, league_id)
        was = league.name
        if not record.change(league, name=_free_name(record, name, league.pk), about=_about(about)):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        return (
            gettext("The league %(was)s is now called %(row)s.") % {"was": was, "row": league}
            if league.name != was
            else gettext("The description of %(row)s was changed.") % {"row": league}
        )

    return perform(lookups.club_of(League, league_id), do, LEAGUE_CHANGE, by=by, **how)


def _check_rests(record: Record, act: Act) -> None:
    """Raise if undoing would archive a league during a season."""
    for change in act.changes:
        running = Season.objects.filter(league=change["pk"], status=Season.Status.RUNNING)
        if (change["was"] or {}).get("is_archived") and running.exists():
            raise Refused("running", gettext("A season is under way. Close it first."))


LEAGUE_ARCHIVE = declare("league_archive", needs="leagues", undo=Rows(first=_check_rests))


def archive(league_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Archive a league: readable, without new seasons. Raises `Refused` while a season is under way."""

    def do(record: Record) -> str:
        league = row_of(record, League, league_id)
        if Season.objects.filter(league=league, status=Season.Status.RUNNING).exists():
            raise Refused("running", gettext("A season of %(row)s is under way. Close it first.") % {"row": league})
        if not record.change(league, is_archived=True):
            raise Refused("archived", gettext("%(row)s is already archived.") % {"row": league})
        return gettext("The league %(row)s was archived.") % {"row": league}

    return perform(lookups.club_of(League, league_id), do, LEAGUE_ARCHIVE, by=by, **how)


def restore(league_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Restore an archived league."""

    def do(record: Record) -> str:
        league = row_of(record, League, league_id)
        if not record.change(league, is_archived=False):
            raise Refused("not_archived", gettext("%(row)s is not archived.") % {"row": league})
        return gettext("The league %(row)s was restored.") % {"row": league}

    return perform(lookups.club_of(League, league_id), do, LEAGUE_ARCHIVE, by=by, **how)


def _free_name(record: Record, name: str, besides: int | None = None) -> str:
    title = naming.clean(name, LONGEST, field="name")
    names = League.objects.filter(club=record.club).exclude(pk=besides or 0).values_list("name", flat=True)
    if titles.is_taken(title, names):
        raise Refused(
            "name_taken", gettext("A league called %(wished)s already exists.") % {"wished": title}, field="name"
        )
    return title


def _about(text: str) -> str:
    return naming.clean_text(text, LONGEST_ABOUT, gettext("The description of a league"), field="about")


def check_alive(league: League) -> None:
    """Raise `Refused` if a league is archived."""
    if league.is_archived:
        raise Refused("archived", gettext("%(league)s is archived. Restore it first.") % {"league": league})


# Other clubs


def clubs_of(league: League) -> QuerySet[Club]:
    """The clubs whose teams take part: the league's own, and those that agreed."""
    host, agreed = Club.objects.filter(pk=league.club_id), LeagueClub.objects.filter(league=league)
    return host | Club.objects.filter(pk__in=agreed.exclude(agreed_at=None).values("club"))


GUEST_CLUB = declare("league_club", needs="leagues", undo=Rows())


def invite_club(league_id: int, by: User, *, club: str, **how: Unpack[ActionRequest]) -> LeagueClub:
    """Invite another club (its slug) and notify its owners and organisers. Raises `Refused` (field `club`)."""

    def do(record: Record) -> str:
        league = row_of(record, League, league_id)
        check_alive(league)
        other = Club.objects.alive().filter(slug=club.strip().lower()).first()
        if other is None:
            raise Refused("no_such_club", gettext("Club not found."), field="club")
        if other.pk == record.club.pk:
            raise Refused("own_club", gettext("%(other)s runs this league itself.") % {"other": other}, field="club")
        if LeagueClub.objects.filter(league=league, club=other).exists():
            raise Refused(
                "asked_already", gettext("%(other)s has already been invited.") % {"other": other}, field="club"
            )
        record.create(LeagueClub(league=league, club=other))
        _tell(
            record,
            other,
            lambda: (
                gettext("%(club)s invites %(other)s to take part in %(league)s")
                % {"club": record.club, "other": other, "league": league}
            ),
            f"asked:{league.pk}:{other.pk}",
        )
        return gettext("%(other)s was invited to take part in %(league)s.") % {"other": other, "league": league}

    return added_row(perform(lookups.club_of(League, league_id), do, GUEST_CLUB, by=by, **how), LeagueClub)


def _check_answers(by: User, guest: LeagueClub) -> None:
    access.check(by, guest.club, "leagues")


GUEST_ANSWER = declare(
    "league_answer", needs=ByRow(_check_answers), undo=Never("The club was told. Ask it again instead.")
)


def answer_club(league_club_id: int, by: User, *, agrees: bool, **how: Unpack[ActionRequest]) -> Act:
    """Accept or decline for the invited club; the inviting club is notified."""

    def do(record: Record) -> str:
        guest = _guest_of(record, league_club_id)
        check_alive(guest.league)
        record.ask(guest)
        if guest.agreed_at is not None:
            raise Refused(
                "agreed",
                gettext("%(club)s already takes part in %(league)s.") % {"club": guest.club, "league": guest.league},
            )
        values = {"club": guest.club, "league": guest.league}

        def words() -> str:
            if agrees:
                return gettext("%(club)s takes part in %(league)s") % values
            return gettext("%(club)s will not take part in %(league)s") % values

        if agrees:
            record.change(guest, agreed_at=record.now)
        else:
            record.delete(guest)
        _tell(record, record.club, words, f"answered:{league_club_id}")
        return f"{words()}."

    return perform(_host_of(league_club_id), do, GUEST_ANSWER, by=by, **how)


def _check_either(by: User, guest: LeagueClub) -> None:
    if not any(access.may(by, club, "leagues") for club in (guest.league.club, guest.club)):
        raise NotAllowed("not_your_part", gettext("Only an organiser of either club can do that."))


GUEST_DEPARTURE = declare("league_part", needs=ByRow(_check_either), undo=Never("Ask the club again instead."))


def remove_club(league_club_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a club from the league, by either club. Its teams keep their results. Refused while one of them is in a
    season that is not closed."""

    def do(record: Record) -> str:
        guest = _guest_of(record, league_club_id)
        record.ask(guest)
        league, other = guest.league, guest.club
        entries = SeasonEntry.objects.filter(season__league=league, team__club=other)
        if entries.exclude(season__status=Season.Status.CLOSED).exists():
            raise Refused(
                "playing", gettext("Teams of %(other)s are in a season that is not closed yet.") % {"other": other}
            )
        for team in Team.objects.filter(league=league, club=other, left_at=None):
            record.change(team, left_at=record.now)
        record.delete(guest)
        return gettext("%(other)s no longer takes part in %(league)s.") % {"other": other, "league": league}

    return perform(_host_of(league_club_id), do, GUEST_DEPARTURE, by=by, **how)


def open_invitations(user: User) -> QuerySet[LeagueClub]:
    """Invitations by other clubs that the person may answer, the oldest first; with league and its club."""
    may = [role for role, acts in ROLES.items() if "leagues" in acts]
    clubs = Membership.objects.filter(user__pk=user.pk, left_at=None, role__in=may).values("club")
    invitations = LeagueClub.objects.filter(club__in=clubs, agreed_at=None, league__is_archived=False)
    return invitations.select_related("club", "league__club")


def next_number(league: League) -> int:
    """The number of the next team of a league; numbers of undone teams may be used again."""
    return (Team.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0) + 1


def _host_of(league_club_id: int) -> int:
    return lookups.existing(
        LeagueClub.objects.filter(pk=league_club_id).values_list("league__club_id", flat=True).first()
    )


def _guest_of(record: Record, league_club_id: int) -> LeagueClub:
    rows = LeagueClub.objects.filter(pk=league_club_id, league__club=record.club)
    return lookups.existing(rows.select_related("league__club", "club").first())


def _tell(record: Record, club: Club, words: notifications.Words, key: str) -> None:
    """Notify the owners and organisers of a club, except the person who acts."""
    for organiser in lookups.organisers(club):
        if organiser.user is not None and organiser.user != record.by:
            notifications.tell(record, organiser.user, words, key=key, url=address("clubs:leagues", club.slug))
