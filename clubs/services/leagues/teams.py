"""Teams of a league and their rosters; changes during a season are made in its entries too."""

from collections.abc import Sequence
from typing import Unpack

from django.db.models import Max, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from clubs import access
from clubs.league import permissions
from clubs.models import Act, Club, League, Membership, Season, SeasonEntry, SeasonEventEntry, Team, TeamMember
from clubs.services import lookups, naming
from clubs.services.history import ActionRequest, ByRow, Never, Record, Rows, added_row, declare, perform
from clubs.services.leagues import leagues, team_entries, titles
from clubs.services.seasons import season_setup
from tournaments.models import Entry, Member
from tournaments.services.entries import enrolment as event_entries
from tournaments.services.entries import entry_members as event_members
from tournaments.services.entries import substitutes
from tournaments.services.entries.waiting_list import MOST_RESERVES
from web.errors import NotAllowed, Refused

Role = TeamMember.Role

LONGEST = 80
LONGEST_VENUE = 200
MOST = 500
"""Teams of one league, former ones included."""
LEAST_PLAYERS = {League.Kind.PERSON: 1, League.Kind.PAIR: 2, League.Kind.TEAM: 2}
MOST_PLAYERS = {League.Kind.PERSON: 1, League.Kind.PAIR: 2, League.Kind.TEAM: 12}


# Teams


def _check_adds(by: User, clubs: tuple[Club, Club]) -> None:
    """Raise `NotAllowed` unless the person runs leagues of the league's club, or of the team's."""
    if not any(access.may(by, club, "leagues") for club in clubs):
        raise NotAllowed(
            "not_your_part",
            gettext("Only an organiser of %(club)s or of %(club2)s can add this team.")
            % {"club": clubs[0], "club2": clubs[1]},
        )


def _check_unused(record: Record, act: Act) -> None:
    """Raise if an added team has been in a season since then."""
    added = [change["pk"] for change in act.changes if change["model"] == "team" and change["was"] is None]
    used = SeasonEntry.objects.filter(team__in=added), SeasonEventEntry.objects.filter(team__in=added)
    if any(rows.exists() for rows in used):
        raise Refused("used_since", gettext("This team is now in a season. It can leave the league instead."))


TEAM = declare("team", needs=ByRow(_check_adds), undo=Rows("leagues", first=_check_unused))


def add(
    league_id: int,
    by: User,
    *,
    members: Sequence[int],
    reserves: Sequence[int] = (),
    name: str = "",
    venue: str = "",
    club_id: int | None = None,
    **how: Unpack[ActionRequest],
) -> Team:
    """Create a team of these memberships (ids), the captain first: one person, two of a pair, or players of a team.

    `club_id` is the club it plays for, by default the league's own; organisers of that club may add it too. The default
    name is made from its players. Raises `Refused` (fields `name`, `members`, `reserves`, `club`).
    """

    def do(record: Record) -> str:
        league = _league(record, league_id)
        club = _club(league, club_id)
        record.ask((record.club, club))
        leagues.check_alive(league)
        if Team.objects.filter(league=league).count() >= MOST:
            raise Refused("too_many", gettext("A league can have at most %(most)s teams.") % {"most": MOST})
        first = _memberships(club, members, "members")
        bench = _memberships(club, reserves, "reserves")
        _check_numbers(league, len(first), len(bench))
        if {member.pk for member in first} & {member.pk for member in bench}:
            raise Refused("twice", gettext("Nobody can be a player and a reserve of the same team."), field="reserves")
        for member in first:
            _check_free(league, member, field="members")
        team = Team(
            league=league,
            club=club,
            name=_name(league, name, first),
            number=leagues.next_number(league),
            venue=_venue(venue),
        )
        record.create(team)
        roles = [Role.CAPTAIN, *[Role.PLAYER] * (len(first) - 1), *[Role.RESERVE] * len(bench)]
        record.create_all(
            [
                TeamMember(team=team, membership=member, role=role, position=at)
                for at, (member, role) in enumerate(zip([*first, *bench], roles, strict=True))
            ]
        )
        return gettext("%(team)s was added to %(league)s.") % {"team": team, "league": league}

    return added_row(perform(lookups.club_of(League, league_id), do, TEAM, by=by, **how), Team)


TEAM_CHANGE = declare(
    "team_change", needs=ByRow(permissions.check_acts_for), undo=Never("Change the team again instead.")
)


def change(team_id: int, by: User, *, name: str, venue: str, **how: Unpack[ActionRequest]) -> Act:
    """Change a team's name or home venue, and the name of its running entries. For people who act for it, and
    organisers. Raises `Refused` (field `name`)."""

    def do(record: Record) -> str:
        team = _team(record, team_id)
        record.ask(team)
        was, new_name = team.name, naming.clean(name, LONGEST, field="name")
        _check_name_free(team.league, new_name, team.pk)
        if not record.change(team, name=new_name, venue=_venue(venue)):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        if was == new_name:
            if not team.venue:
                return gettext("%(team)s no longer has a home venue.") % {"team": team}
            return gettext("%(team)s has a new home venue: %(venue)s.") % {"team": team, "venue": team.venue}
        for entry in team_entries.running_entries(team):
            event_entries.rename(entry.pk, by, name=new_name, now=record.now, within=record)
        return gettext("%(was)s is now called %(team)s.") % {"was": was, "team": team}

    return perform(club_of(team_id), do, TEAM_CHANGE, by=by, **how)


TEAM_DEPARTURE = declare(
    "team_left", needs=ByRow(permissions.check_acts_for), undo=Rows("leagues", first=season_setup.check_undone)
)


def leave(team_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a team from the league, and from drafts; its seasons stay. Refused while it plays a running one."""

    def do(record: Record) -> str:
        team = _team(record, team_id)
        record.ask(team)
        if team.left_at is not None:
            raise Refused("left", gettext("%(team)s has already left.") % {"team": team})
        entries = SeasonEntry.objects.filter(team=team).select_related("season")
        running = entries.filter(season__status=Season.Status.RUNNING).first()
        if running is not None:
            raise Refused(
                "playing",
                gettext("%(team)s plays in %(season)s. Withdraw it there, or wait for the end.")
                % {"team": team, "season": running.season},
            )
        for entry in entries.filter(season__status=Season.Status.DRAFT):
            record.delete(entry)
        record.change(team, left_at=record.now)
        return gettext("%(team)s left %(league)s. Its results stay.") % {"team": team, "league": team.league}

    return perform(club_of(team_id), do, TEAM_DEPARTURE, by=by, **how)


TEAM_RETURN = declare("team_left", needs="leagues", undo=Rows(first=season_setup.check_undone))


def rejoin(team_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Return a former team to the league."""

    def do(record: Record) -> str:
        team = _team(record, team_id)
        if team.left_at is None:
            raise Refused("not_left", gettext("%(team)s has not left.") % {"team": team})
        if not leagues.clubs_of(team.league).filter(pk=team.club_id).exists():
            raise Refused(
                "not_in_league",
                gettext("%(club)s no longer takes part in %(league)s.") % {"club": team.club, "league": team.league},
            )
        _check_name_free(team.league, team.name, team.pk)
        for player in team_entries.players(team):
            _check_free(team.league, player.membership, besides=team)
        record.change(team, left_at=None)
        return gettext("%(team)s is in %(league)s again.") % {"team": team, "league": team.league}

    return perform(club_of(team_id), do, TEAM_RETURN, by=by, **how)


# Rosters


ROSTER = declare(
    "roster",
    needs=ByRow(permissions.check_acts_for),
    undo=Never("Entries of running seasons changed with it. Change the roster again instead."),
)


def add_member(
    team_id: int, by: User, *, membership_id: int, role: str = TeamMember.Role.PLAYER, **how: Unpack[ActionRequest]
) -> TeamMember:
    """Add a member of the team's club to its roster (`player` or `reserve`), and to its entries of running seasons.

    A pair or a person has no room for more players: `replace_member` there. For its captain (a pair: either) and
    organisers. Raises `Refused` (field `membership`).
    """

    def do(record: Record) -> str:
        team = _team(record, team_id)
        record.ask(team)
        if role not in (Role.PLAYER, Role.RESERVE):
            raise Refused("no_such_role", gettext("A new person can be a player or a reserve."), field="role")
        membership = _newcomer(team, membership_id)
        if role == Role.PLAYER:
            _check_free(team.league, membership, field="membership")
        roster = team_entries.roster(team)
        counts = [sum((member.role == Role.RESERVE) == is_reserve for member in roster) for is_reserve in (False, True)]
        counts[role == Role.RESERVE] += 1
        _check_numbers(team.league, *counts, field="membership")
        record.create(TeamMember(team=team, membership=membership, role=role, position=_last_position(team) + 1))
        for entry in team_entries.running_entries(team):
            team_entries.join(record, entry, by, membership, role)
        words = (
            gettext("%(person)s became a player of %(team)s.")
            if role == Role.PLAYER
            else gettext("%(person)s became a reserve of %(team)s.")
        )
        return words % {"person": membership, "team": team}

    return added_row(perform(club_of(team_id), do, ROSTER, by=by, **how), TeamMember)


def remove_member(team_member_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a member from a roster and from running entries. Refused if the team could not play any more."""

    def do(record: Record) -> str:
        member = _member(record, team_member_id)
        team = member.team
        record.ask(team)
        _check_enough_without(member)
        record.change(member, left_at=record.now, role=Role.PLAYER if member.role == Role.CAPTAIN else member.role)
        for entry in team_entries.running_entries(team):
            entry_member = team_entries.member_in(entry, member.membership)
            if entry_member is not None:
                event_members.remove_member(entry_member.pk, by, now=record.now, within=record)
        _ensure_captain(record, team, by)
        return gettext("%(membership)s left %(team)s.") % {"membership": member.membership, "team": team}

    return perform(_club_of_member(team_member_id), do, ROSTER, by=by, **how)


def replace_member(team_member_id: int, by: User, *, membership_id: int, **how: Unpack[ActionRequest]) -> TeamMember:
    """Replace a player for good by a reserve or other club member, in running seasons too. Raises `Refused`
    (`membership`)."""
    added: list[int] = []

    def do(record: Record) -> str:
        old = _member(record, team_member_id)
        team = old.team
        record.ask(team)
        if old.role == Role.RESERVE:
            raise Refused(
                "no_player",
                gettext("%(membership)s is a reserve. Remove them instead.") % {"membership": old.membership},
            )
        reserve = TeamMember.objects.filter(
            team=team, membership=membership_id, left_at=None, role=Role.RESERVE
        ).select_related("membership__user")
        new = reserve.first()
        membership = new.membership if new is not None else _newcomer(team, membership_id)
        _check_free(team.league, membership, field="membership")
        role, position = old.role, old.position
        record.change(old, left_at=record.now, role=Role.PLAYER)
        if new is None:
            new = TeamMember(team=team, membership=membership, role=role, position=position)
            record.create(new)
        else:
            record.change(new, role=role, position=position)
        added.append(new.pk)
        for entry in team_entries.running_entries(team):
            _replace_in(record, entry, by, old.membership, membership)
        return gettext("%(new)s took over for %(old)s in %(team)s.") % {
            "new": membership,
            "old": old.membership,
            "team": team,
        }

    act = perform(_club_of_member(team_member_id), do, ROSTER, by=by, **how)
    return TeamMember.objects.get(pk=added[0] if added else act.changes[-1]["pk"])


def set_role(team_member_id: int, by: User, *, role: str, **how: Unpack[ActionRequest]) -> Act:
    """Make a member captain, player or reserve (`TeamMember.Role`); a new captain takes over from the old one."""

    def do(record: Record) -> str:
        member = _member(record, team_member_id)
        membership, team = member.membership, member.team
        record.ask(team)
        if role not in Role.values or member.role == role:
            raise Refused("same_role", _is_already(member), field="role")
        if role == Role.CAPTAIN:
            if member.role == Role.RESERVE:
                raise Refused(
                    "reserve",
                    gettext("%(membership)s is a reserve. Make them a player first.") % {"membership": membership},
                    field="role",
                )
            _make_captain(record, team, member, by)
            return gettext("%(membership)s is now captain of %(team)s.") % {"membership": membership, "team": team}
        if Role.RESERVE in (role, member.role):
            _move_bench(record, member, by, role)
        else:
            raise Refused(
                "captain", gettext("A team needs a captain. Make someone else captain instead."), field="role"
            )
        words = (
            gettext("%(person)s is now a reserve of %(team)s.")
            if role == Role.RESERVE
            else gettext("%(person)s is now a player of %(team)s.")
        )
        return words % {"person": membership, "team": team}

    return perform(_club_of_member(team_member_id), do, ROSTER, by=by, **how)


def possible_members(team: Team) -> QuerySet[Membership]:
    """Members of the team's club who could be added to its roster, by name."""
    here = TeamMember.objects.filter(team=team, left_at=None).values("membership")
    return Membership.objects.filter(club=team.club_id, left_at=None).exclude(pk__in=here)


# Parts of rosters


def _is_already(member: TeamMember) -> str:
    words = {
        Role.CAPTAIN: gettext("%(person)s is already captain."),
        Role.PLAYER: gettext("%(person)s is already a player."),
        Role.RESERVE: gettext("%(person)s is already a reserve."),
    }
    return words[Role(member.role)] % {"person": member.membership}


def _make_captain(record: Record, team: Team, player: TeamMember, by: User) -> None:
    for other in team_entries.players(team):
        if other.pk != player.pk and other.role == Role.CAPTAIN:
            record.change(other, role=Role.PLAYER)
    record.change(player, role=Role.CAPTAIN)
    for entry in team_entries.running_entries(team):
        member = team_entries.member_in(entry, player.membership)
        if member is not None and not member.is_captain:
            event_members.make_captain(member.pk, by, now=record.now, within=record)


def _move_bench(record: Record, member: TeamMember, by: User, role: str) -> None:
    """Make a player a reserve, or a reserve a player."""
    team = member.team
    if team.league.kind != League.Kind.TEAM:
        raise Refused(
            "no_team",
            gettext("Only a team can change between players and reserves. Replace a player instead."),
            field="role",
        )
    if role == Role.RESERVE:
        _check_enough_without(member)
    else:
        _check_free(team.league, member.membership, field="role")
    record.change(member, role=role)
    for entry in team_entries.running_entries(team):
        entry_member = team_entries.member_in(entry, member.membership)
        target = Member.Role.RESERVE if role == Role.RESERVE else Member.Role.PLAYER
        if entry_member is not None and entry_member.role != target:
            event_members.set_role(entry_member.pk, by, role=target, now=record.now, within=record)
    _ensure_captain(record, team, by)


def _ensure_captain(record: Record, team: Team, by: User) -> None:
    """Make the first player captain if the team has lost its captain."""
    players = team_entries.players(team)
    if players and all(player.role != Role.CAPTAIN for player in players):
        _make_captain(record, team, players[0], by)


def _replace_in(record: Record, entry: Entry, by: User, old: Membership, new: Membership) -> None:
    """Replace one member of an entry by another, from now on."""
    member, reserve = team_entries.member_in(entry, old), team_entries.member_in(entry, new)
    if member is None:
        return
    if reserve is not None:
        substitutes.replace_member(member.pk, by, reserve=reserve.pk, now=record.now, within=record)
        return
    new_member = substitutes.replace_member(
        member.pk, by, person=team_entries.person_of(new), has_agreed=True, now=record.now, within=record
    )
    team_entries.link_members([new_member], [new])


def _check_enough_without(member: TeamMember) -> None:
    """Raise if a team would have too few players without this one."""
    if member.role == Role.RESERVE:
        return
    others = [other for other in team_entries.players(member.team) if other.pk != member.pk]
    if len(others) < LEAST_PLAYERS[League.Kind(member.team.league.kind)]:
        raise Refused(
            "needed",
            gettext("%(team)s cannot play without %(membership)s. Replace them first.")
            % {"team": member.team, "membership": member.membership},
        )


def _check_numbers(league: League, players: int, reserves: int, *, field: str = "members") -> None:
    least, most = LEAST_PLAYERS[League.Kind(league.kind)], MOST_PLAYERS[League.Kind(league.kind)]
    sentences = {
        League.Kind.PERSON: gettext("In this league everyone plays alone. Choose one person."),
        League.Kind.PAIR: gettext("A pair is two people."),
        League.Kind.TEAM: gettext("A team has %(least)s to %(most)s players.") % {"least": least, "most": most},
    }
    if not least <= players <= most:
        raise Refused("wrong_number", sentences[League.Kind(league.kind)], field=field)
    if reserves > MOST_RESERVES:
        raise Refused(
            "too_many",
            gettext("A team can have at most %(most)s reserves.") % {"most": MOST_RESERVES},
            field="reserves",
        )


def _check_free(league: League, person: Membership, *, field: str = "", besides: Team | None = None) -> None:
    """Raise if the person is a player of another team of the league."""
    places = TeamMember.objects.filter(membership=person, left_at=None, team__league=league, team__left_at=None)
    other = places.exclude(role=Role.RESERVE).exclude(team=besides).select_related("team").first()
    if other is not None:
        details = {"field": field} if field else {}
        words = gettext("%(one)s already plays in %(team)s.") % {"one": person, "team": other.team}
        raise Refused("plays_already", words, **details)


def _memberships(club: Club, ids: Sequence[int], field: str) -> list[Membership]:
    people = Membership.objects.filter(club=club, left_at=None).select_related("user").in_bulk(list(ids))
    if len(set(ids)) < len(ids):
        raise Refused("twice", gettext("Choose each person only once."), field=field)
    if len(people) < len(ids):
        raise Refused("not_of_club", gettext("Choose people of %(club)s.") % {"club": club}, field=field)
    return [people[pk] for pk in ids]


def _newcomer(team: Team, membership_id: int) -> Membership:
    membership = _memberships(team.club, [membership_id], "membership")[0]
    if TeamMember.objects.filter(team=team, membership=membership, left_at=None).exists():
        raise Refused(
            "in_already",
            gettext("%(found)s is already in %(team)s.") % {"found": membership, "team": team},
            field="membership",
        )
    return membership


def _last_position(team: Team) -> int:
    return TeamMember.objects.filter(team=team).aggregate(last=Max("position"))["last"] or 0


# Names and places


def _name(league: League, name: str, first: Sequence[Membership]) -> str:
    if name.strip():
        new_name = naming.clean(name, LONGEST, field="name")
        _check_name_free(league, new_name)
        return new_name
    automatic = titles.automatic(league.kind, [member.name for member in first])
    names = _names(league)
    number, candidate = 1, automatic[:LONGEST]
    while titles.is_taken(candidate, names):
        number += 1
        mark = f" ({number})"
        candidate = automatic[: LONGEST - len(mark)] + mark
    return candidate


def _names(league: League, besides: int | None = None) -> list[str]:
    here = Team.objects.filter(league=league, left_at=None).exclude(pk=besides or 0)
    return list(here.values_list("name", flat=True))


def _check_name_free(league: League, name: str, besides: int | None = None) -> None:
    if titles.is_taken(name, _names(league, besides)):
        raise Refused(
            "name_taken",
            gettext("Another team of %(league)s is called %(name)s.") % {"league": league, "name": name},
            field="name",
        )


def _venue(text: str) -> str:
    return naming.clean_text(" ".join(text.split()), LONGEST_VENUE, "A venue", field="venue")


# Lookups


def club_of(team_id: int) -> int:
    """The id of the club that runs a team's league. Raises `Refused` if there is no such team."""
    return lookups.existing(Team.objects.filter(pk=team_id).values_list("league__club_id", flat=True).first())


def _club_of_member(team_member_id: int) -> int:
    return lookups.existing(
        TeamMember.objects.filter(pk=team_member_id).values_list("team__league__club_id", flat=True).first()
    )


def _league(record: Record, league_id: int) -> League:
    return lookups.existing(League.objects.filter(pk=league_id, club=record.club).select_related("club").first())


def _club(league: League, club_id: int | None) -> Club:
    club = leagues.clubs_of(league).filter(pk=club_id or league.club_id).first()
    if club is None:
        raise Refused(
            "not_in_league", gettext("That club does not take part in %(league)s.") % {"league": league}, field="club"
        )
    return club


def _team(record: Record, team_id: int) -> Team:
    return lookups.existing(
        Team.objects.filter(pk=team_id, league__club=record.club).select_related("league__club", "club").first()
    )


def _member(record: Record, team_member_id: int) -> TeamMember:
    members = TeamMember.objects.filter(pk=team_member_id, team__league__club=record.club)
    member = lookups.existing(members.select_related("team__league__club", "team__club", "membership__user").first())
    if member.left_at is not None:
        raise Refused(
            "left",
            gettext("%(membership)s has already left %(team)s.")
            % {"membership": member.membership, "team": member.team},
        )
    return member
