"""Teams of a league: the list, quick entry, a team's own page, and its roster."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import permissions as sides
from clubs.models import Act, Blackout, Club, League, Season, Team, TeamMember
from clubs.organiser import league as desk
from clubs.organiser import team_names
from clubs.organiser.team_names import TypedName
from clubs.organiser.typed_fields import day_of
from clubs.public import fixtures as matches
from clubs.public import league_link_cards, page_context
from clubs.public import team as public
from clubs.public.league import league_of, stamp, team_of
from clubs.public.league import teams as teams_of
from clubs.public.page_context import Visit
from clubs.services import history
from clubs.services.leagues import leagues, team_entries
from clubs.services.leagues import teams as service
from clubs.services.seasons import season_setup
from gameplay.access import is_member
from web.errors import NotAllowed, Refused
from web.sent_numbers import read_ids

_FORM = ["GET", "HEAD", "POST"]
MOST_CHOSEN = 12
"""Most players or reserves in the form of a team."""


@require_safe
def teams(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The teams of a league."""
    visit = page_context.visit(request, club)
    this_league = league_of(visit.club, league)
    context = {
        "league": this_league,
        "teams": teams_of(this_league),
        "left": teams_of(this_league, has_left=True),
        "rosters": _rosters(this_league),
        "may_add": bool(_clubs_to_add_for(visit, this_league)),
    }
    return page_context.page(
        request,
        visit,
        "clubs/league/teams.html",
        context,
        tab="leagues",
        title=gettext("Teams of %(league)s") % {"league": this_league},
    )


def _rosters(league: League) -> dict[int, str]:
    """The names of the players of each team, by its id."""
    rosters: dict[int, list[str]] = {}
    members = TeamMember.objects.filter(team__league=league, left_at=None).exclude(role=TeamMember.Role.RESERVE)
    for member in members.select_related("membership").order_by("role", "position", "pk"):
        rosters.setdefault(member.team_id, []).append(member.membership.name)
    return {pk: ", ".join(names) for pk, names in rosters.items()}


# Adding


def _clubs_to_add_for(visit: Visit, league: League) -> list[Club]:
    """The clubs for which the reader can add teams to a league."""
    if visit.club.archived_at or not is_member(visit.player):
        return []
    clubs = list(leagues.clubs_of(league).order_by("name"))
    if "leagues" in visit.may:
        return clubs
    return [club for club in clubs if "leagues" in Visit(visit.player, club).may]


@never_cache
@require_http_methods(_FORM)
def add_teams(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The forms to add teams: one per line, or one by choosing its people."""
    visit = page_context.visit(request, club)
    this_league = league_of(visit.club, league)
    clubs = _clubs_to_add_for(visit, this_league)
    if not clubs:
        raise NotAllowed("not_your_part", gettext("Only organisers of a club in this league can add teams."))
    if request.method != "POST":
        return _add(request, visit, this_league, clubs)
    wish = request.POST.get("act", "")
    if wish == "one":
        return _add_one(request, visit, this_league, clubs)
    if wish == "change":
        return _add(request, visit, this_league, clubs)
    return _add_lines(request, visit, this_league, clubs)


def _club_of(request: HttpRequest, league: League, clubs: list[Club]) -> Club:
    """The club that typed teams play for. Raises `Refused`."""
    usual = next((option for option in clubs if option.pk == league.club_id), clubs[0])
    sent = request.POST.get("club") or str(usual.pk)
    chosen_club = next((option for option in clubs if str(option.pk) == sent), None)
    if chosen_club is None:
        raise Refused("no_such_club", gettext("That club is not in this league. Choose another."))
    return chosen_club


def _add_lines(request: HttpRequest, visit: Visit, league: League, clubs: list[Club]) -> HttpResponse:
    """Add teams, one per line; before anybody new comes in, their names are looked at."""
    person, how, text = form_actions.person(request), form_actions.how(request), request.POST.get("lines", "")[:60000]
    to = reverse("clubs:add_teams", args=[visit.club.slug, league.slug])
    try:
        club = _club_of(request, league, clubs)
        lines = desk.read_lines(text, league)
        members = [member.name for member in desk.people(club)]
        compared = team_names.compare(lines, members, request.POST)
        if "looked" not in request.POST and not all(name.is_known for name in compared.values()):
            with history.rolled_back(league.club_id):
                desk.add_teams(league, person, lines=lines, club=club, how={})
            return _look(request, visit, league, club, lines, compared)
    except NotAllowed:
        raise
    except Refused as refused:
        at = str(refused.details.get("field", "lines"))
        return _add(request, visit, league, clubs, Refusal(at, refused.sentence, refused.status, refused.code))

    def do() -> str:
        return desk.add_teams(league, person, lines=team_names.corrected(lines, compared), club=club, how=how)

    def show(refusal: Refusal) -> HttpResponse:
        if "looked" in request.POST:
            return _look(request, visit, league, club, lines, compared, refusal)
        return _add(request, visit, league, clubs, refusal)

    return form_actions.act(request, "lines", do, show, to)


def _look(
    request: HttpRequest,
    visit: Visit,
    league: League,
    club: Club,
    lines: list[desk.TeamLine],
    compared: Mapping[str, TypedName],
    refusal: Refusal | None = None,
) -> HttpResponse:
    """What was read in typed teams: who is known, who is new, and who may be meant."""
    rows = [
        (line, [compared[name.casefold()] for name in line.players], [compared[n.casefold()] for n in line.reserves])
        for line in lines
    ]
    names = compared.values()
    context = {
        "league": league,
        "own_club": club,
        "teams": rows,
        "lines": request.POST.get("lines", "")[:60000],
        "known": sum(name.is_known for name in names),
        "new": sum(name.answer == team_names.NEW and not name.is_known for name in names),
        "doubts": [name for name in names if name.near],
        "refusal": refusal,
    }
    title = gettext("Add teams to %(league)s") % {"league": league}
    return page_context.page(request, visit, "clubs/league/look_at_teams.html", context, tab="leagues", title=title)


def _add_one(request: HttpRequest, visit: Visit, league: League, clubs: list[Club]) -> HttpResponse:
    def do() -> str:
        chosen_club = _club_of(request, league, clubs)
        person, how = form_actions.person(request), form_actions.how(request)
        fields: dict[str, Any] = {name: request.POST.get(name, "")[:300] for name in ("name", "venue")}
        fields |= {"members": _chosen(request, "player"), "reserves": _chosen(request, "reserve")}
        team = service.add(league.pk, person, club_id=chosen_club.pk, **fields, **how)
        return gettext("%(made)s was added to %(league)s.") % {"made": team, "league": league}

    to = reverse("clubs:add_teams", args=[visit.club.slug, league.slug])
    return form_actions.act(request, "members", do, lambda refusal: _add(request, visit, league, clubs, refusal), to)


def _chosen(request: HttpRequest, name: str) -> list[int]:
    return read_ids(request.POST.get(f"{name}_{at}", "") for at in range(MOST_CHOSEN))


def _add(
    request: HttpRequest, visit: Visit, league: League, clubs: list[Club], refusal: Refusal | None = None
) -> HttpResponse:
    chosen_club = next((option for option in clubs if str(option.pk) == request.POST.get("club", "")), clubs[0])
    if not request.POST:
        chosen_club = next((option for option in clubs if option.pk == league.club_id), clubs[0])
    players = {League.Kind.PERSON: 1, League.Kind.PAIR: 2}.get(League.Kind(league.kind), 6)
    context = {
        "league": league,
        "clubs": clubs if len(clubs) > 1 else [],
        "own_club": chosen_club,
        "teams": teams_of(league),
        "rosters": _rosters(league),
        "free": desk.free_people(league, chosen_club),
        "people": desk.people(chosen_club),
        "players": [(f"player_{at}", request.POST.get(f"player_{at}", "")) for at in range(players)],
        "reserves": [(f"reserve_{at}", request.POST.get(f"reserve_{at}", "")) for at in range(2)],
        "typed": {name: request.POST.get(name, "")[:60000] for name in ("lines", "name", "venue")},
        "has_draft": Season.objects.filter(league=league, status=Season.Status.DRAFT).first(),
        "may_run": "leagues" in visit.may,
        "refusal": refusal,
    }
    title = gettext("Add teams to %(league)s") % {"league": league}
    return page_context.page(request, visit, "clubs/league/add_teams.html", context, tab="leagues", title=title)


# A team


@require_safe
def team(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """A team: roster, matches and honours."""
    visit = page_context.visit(request, club)
    this_team = team_of(league_of(visit.club, league), number)
    version, key, content = stamp(this_team.league), str(this_team.pk), cache(lambda: public.overview(this_team))
    main = page_context.part(
        visit.club,
        version,
        "clubs/league/team_part.html",
        lambda: {**content(), "zone_words": matches.zone_words(visit.club)},
        timed=True,
        key=key,
    )
    words = page_context.card_words(visit.club, version, key, lambda: public.words(this_team, content()))
    may_act = is_member(visit.player) and sides.may_act_for(visit.player, this_team) and not visit.club.archived_at
    context = {
        "league": this_team.league,
        "team": this_team,
        "main_part": main,
        "may_act": may_act,
        "link_card": league_link_cards.team_card(this_team, words),
    }
    return page_context.page(request, visit, "clubs/league/team.html", context, tab="leagues", title=str(this_team))


@never_cache
@require_http_methods(_FORM)
def roster(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """The forms of a team: name and venue, members, days off; for its captain and organisers."""
    visit = page_context.visit(request, club)
    this_team = team_of(league_of(visit.club, league), number)
    sides.check_acts_for(visit.player, this_team)
    if request.method != "POST":
        return _roster(request, visit, this_team)
    wish = request.POST.get("act", "")
    member = form_actions.number(request, "member") or 0
    at = f"{wish}-{member}" if member else wish or "team"

    def do() -> Act | str:
        return _do(request, this_team, wish, member)

    to = reverse("clubs:roster", args=[visit.club.slug, this_team.league.slug, this_team.number])
    return form_actions.act(
        request, at, do, lambda refusal: _roster(request, visit, this_team, _beside(refusal, at)), to
    )


def _beside(refusal: Refusal, at: str) -> Refusal:
    """A refusal at the form that was used, because several forms of the page share field names."""
    is_own = refusal.at in ("name", "venue", "first_day", "last_day", "reason")
    return refusal if is_own else Refusal(at, refusal.sentence, refusal.status, refusal.code)


def _do(request: HttpRequest, team: Team, wish: str, member: int) -> Act | str:
    """Do what one of the forms of a roster asks for, with the team or with one of its members."""
    person, how = form_actions.person(request), form_actions.how(request)
    if wish == "edit":
        values = {name: request.POST.get(name, "")[:300] for name in ("name", "venue")}
        return service.change(team.pk, person, **values, **how)
    if wish == "leave":
        return service.leave(team.pk, person, **how)
    if wish == "come_back":
        return service.rejoin(team.pk, person, **how)
    if wish == "add":
        membership = _membership(request, gettext("Choose a person."))
        role = request.POST.get("role", TeamMember.Role.PLAYER)[:10]
        return _added(team, service.add_member(team.pk, person, membership_id=membership, role=role, **how))
    if wish == "off":
        return _day_off(request, team)
    if wish == "on":
        blackout = Blackout.objects.filter(pk=form_actions.number(request, "blackout") or 0, team=team).first()
        if blackout is None:
            raise Refused("no_such_row", gettext("These are no longer days off."))
        return season_setup.remove_blackout(blackout.pk, person, **how)
    return _do_with_member(request, team, wish, member)


def _do_with_member(request: HttpRequest, team: Team, wish: str, member: int) -> Act | str:
    person, how = form_actions.person(request), form_actions.how(request)
    if not TeamMember.objects.filter(pk=member, team=team).exists():
        raise Refused("no_such_row", gettext("They are no longer in this team."))
    if wish == "drop":
        return service.remove_member(member, person, **how)
    if wish == "role":
        return service.set_role(member, person, role=request.POST.get("role", "")[:10], **how)
    if wish == "replace":
        membership = _membership(request, gettext("Choose a replacement."))
        return _added(team, service.replace_member(member, person, membership_id=membership, **how))
    raise Refused("no_act", gettext("Choose an action."))


def _membership(request: HttpRequest, message: str) -> int:
    """The id of the chosen person. Raises `Refused` with the message without one."""
    membership = form_actions.number(request, "membership")
    if not membership:
        raise Refused("nobody", message, field="membership")
    return membership


def _added(team: Team, member: TeamMember) -> str:
    return gettext("%(name)s was added to %(team)s.") % {"name": member.membership, "team": team}


def _day_off(request: HttpRequest, team: Team) -> str:
    season = _open_seasons(team).filter(pk=form_actions.number(request, "season") or 0).first()
    if season is None:
        raise Refused("no_season", gettext("Choose the season."))
    first = day_of(request.POST.get("first_day", ""), "first_day", gettext("Enter a start date."))
    typed = request.POST.get("last_day", "")
    last = day_of(typed, "last_day", "") if typed else first
    reason = request.POST.get("reason", "")[:200]
    season_setup.add_blackout(
        season.pk,
        form_actions.person(request),
        first_day=first,
        last_day=last,
        reason=reason,
        team_id=team.pk,
        request_key=form_actions.how(request).get("request_key"),
    )
    return gettext("Days off saved. The draw and proposals will avoid them.")


def _open_seasons(team: Team) -> Any:
    return Season.objects.filter(entries__team=team).exclude(status=Season.Status.CLOSED).order_by("-number")


def _roster(request: HttpRequest, visit: Visit, team: Team, refusal: Refusal | None = None) -> HttpResponse:
    wish = request.POST.get("act", "")
    values: Mapping[str, str] = {"name": team.name, "venue": team.venue}
    if refusal is not None and wish == "edit":
        values = {name: request.POST.get(name, "")[:300] for name in values}
    members = team_entries.roster(team)
    names = ("membership", "role", "first_day", "last_day", "reason", "season")
    context = {
        "league": team.league,
        "team": team,
        "roster": members,
        "may_grow": team.league.kind == League.Kind.TEAM,
        "could_join": list(service.possible_members(team)),
        "values": values,
        "typed": {name: request.POST.get(name, "")[:200] for name in names} if refusal else {},
        "seasons": list(_open_seasons(team)),
        "off": Blackout.objects.filter(team=team).exclude(season__status="closed").select_related("season"),
        "refusal": refusal,
    }
    title = gettext("Roster of %(team)s") % {"team": team}
    return page_context.page(request, visit, "clubs/league/roster.html", context, tab="leagues", title=title)
