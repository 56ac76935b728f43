"""Teams of a league: the list, quick entry, a team's own page, and its roster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.league import permissions as sides
from clubs.models import Act, Blackout, Club, League, Season, Team, TeamMember
from clubs.organiser import league as desk
from clubs.organiser.season_form import day_of
from clubs.public import fixtures as matches
from clubs.public import page_context
from clubs.public import team as public
from clubs.public.league import league_of, stamp, team_of
from clubs.public.league import teams as teams_of
from clubs.services.leagues import leagues, team_entries
from clubs.services.leagues import teams as service
from clubs.services.seasons import season_setup
from gameplay.access import is_member
from web.errors import NotAllowed, Refused

_FORM = ["GET", "HEAD", "POST"]
MOST_CHOSEN = 12
"""Players and reserves that the form of one team takes."""


@require_safe
def teams(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Who takes part in a league."""
    seen = page_context.seen(request, club)
    row = league_of(seen.club, league)
    context = {
        "league": row,
        "teams": teams_of(row),
        "left": teams_of(row, left=True),
        "rosters": _rosters(row),
        "may_add": bool(_clubs_to_add_for(seen, row)),
    }
    return page_context.page(
        request,
        seen,
        "clubs/league/teams.html",
        context,
        tab="leagues",
        title=gettext("Teams of %(league)s") % {"league": row},
    )


def _rosters(league: League) -> dict[int, str]:
    """The names of those who play, by id of the team."""
    found: dict[int, list[str]] = {}
    own = TeamMember.objects.filter(team__league=league, left_at=None).exclude(role=TeamMember.Role.RESERVE)
    for one in own.select_related("membership").order_by("role", "position", "pk"):
        found.setdefault(one.team_id, []).append(one.membership.name)
    return {pk: ", ".join(names) for pk, names in found.items()}


# Adding


def _clubs_to_add_for(seen: page_context.Seen, league: League) -> list[Club]:
    """The clubs for which the reader may add teams to a league."""
    if seen.club.archived_at or not is_member(seen.player):
        return []
    found = list(leagues.clubs_of(league).order_by("name"))
    if "leagues" in seen.may:
        return found
    return [one for one in found if "leagues" in page_context.Seen(seen.player, one).may]


@never_cache
@require_http_methods(_FORM)
def add_teams(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The forms that bring teams in: a line each, or one by choosing its people."""
    seen = page_context.seen(request, club)
    row = league_of(seen.club, league)
    clubs = _clubs_to_add_for(seen, row)
    if not clubs:
        raise NotAllowed("not_your_part", gettext("Only organisers of a club in this league can add teams."))
    if request.method != "POST":
        return _add(request, seen, row, clubs)
    wish = request.POST.get("act", "")

    def do() -> str:
        usual = next((one for one in clubs if one.pk == row.club_id), clubs[0])
        sent = request.POST.get("club") or str(usual.pk)
        found = next((one for one in clubs if str(one.pk) == sent), None)
        if found is None:
            raise Refused("no_such_club", gettext("That club is not in this league. Choose another."))
        person, asked = acting.person(request), acting.how(request)
        if wish == "one":
            fields = {name: request.POST.get(name, "")[:300] for name in ("name", "venue")}
            people, others = _chosen(request, "player"), _chosen(request, "reserve")
            made = service.add(row.pk, person, members=people, reserves=others, club_id=found.pk, **fields, **asked)
            return gettext("%(made)s was added to %(league)s.") % {"made": made, "league": row}
        return desk.add_teams(row, person, text=request.POST.get("lines", "")[:60000], club=found, asked=asked)

    at = "members" if wish == "one" else "lines"
    to = reverse("clubs:add_teams", args=[seen.club.slug, row.slug])
    return acting.act(request, at, do, lambda refusal: _add(request, seen, row, clubs, refusal), to)


def _chosen(request: HttpRequest, name: str) -> list[int]:
    typed = [request.POST.get(f"{name}_{at}", "") for at in range(MOST_CHOSEN)]
    return [int(one) for one in typed if one.isdecimal() and len(one) < 10]


def _add(
    request: HttpRequest, seen: page_context.Seen, league: League, clubs: list[Club], refusal: Refusal | None = None
) -> HttpResponse:
    own = next((one for one in clubs if str(one.pk) == request.POST.get("club", "")), clubs[0])
    if not request.POST:
        own = next((one for one in clubs if one.pk == league.club_id), clubs[0])
    players = {League.Kind.PERSON: 1, League.Kind.PAIR: 2}.get(League.Kind(league.kind), 6)
    context = {
        "league": league,
        "clubs": clubs if len(clubs) > 1 else [],
        "own_club": own,
        "teams": teams_of(league),
        "rosters": _rosters(league),
        "free": desk.free_people(league, own),
        "people": desk.people(own),
        "players": [(f"player_{at}", request.POST.get(f"player_{at}", "")) for at in range(players)],
        "reserves": [(f"reserve_{at}", request.POST.get(f"reserve_{at}", "")) for at in range(2)],
        "typed": {name: request.POST.get(name, "")[:60000] for name in ("lines", "name", "venue")} if refusal else {},
        "has_draft": Season.objects.filter(league=league, status=Season.Status.DRAFT).first(),
        "may_run": "leagues" in seen.may,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    title = gettext("Add teams to %(league)s") % {"league": league}
    return page_context.page(
        request, seen, "clubs/league/add_teams.html", context, tab="leagues", title=title, status=status
    )


# A team


@require_safe
def team(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """A team: who plays, what is next, what it played and won."""
    seen = page_context.seen(request, club)
    row = team_of(league_of(seen.club, league), number)
    main = page_context.part(
        seen.club,
        stamp(row.league),
        "clubs/league/team_part.html",
        lambda: {**public.overview(row), "zone_words": matches.zone_words(seen.club)},
        timed=True,
        key=str(row.pk),
    )
    may_act = is_member(seen.player) and sides.may_act_for(seen.player, row)
    context = {"league": row.league, "team": row, "main_part": main, "may_act": may_act and not seen.club.archived_at}
    return page_context.page(request, seen, "clubs/league/team.html", context, tab="leagues", title=str(row))


@never_cache
@require_http_methods(_FORM)
def roster(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """The forms of a team: its name and venue, its people, its days off; for who acts for it and organisers."""
    seen = page_context.seen(request, club)
    row = team_of(league_of(seen.club, league), number)
    sides.check_acts_for(seen.player, row)
    if request.method != "POST":
        return _roster(request, seen, row)
    wish = request.POST.get("act", "")
    member = acting.number(request, "member") or 0
    at = f"{wish}-{member}" if member else wish or "team"

    def do() -> Act | str:
        return _do(request, row, wish, member)

    to = reverse("clubs:roster", args=[seen.club.slug, row.league.slug, row.number])
    return acting.act(request, at, do, lambda refusal: _roster(request, seen, row, _beside(refusal, at)), to)


def _beside(refusal: Refusal, at: str) -> Refusal:
    """A refusal at the form that was used, since several forms of the page have fields of one name."""
    is_own = refusal.at in ("name", "venue", "first_day", "last_day", "reason")
    return refusal if is_own else Refusal(at, refusal.sentence, refusal.status, refusal.code)


def _do(request: HttpRequest, team: Team, wish: str, member: int) -> Act | str:
    person, asked = acting.person(request), acting.how(request)
    membership = acting.number(request, "membership") or 0
    if wish == "edit":
        values = {name: request.POST.get(name, "")[:300] for name in ("name", "venue")}
        return service.change(team.pk, person, **values, **asked)
    if wish == "leave":
        return service.leave(team.pk, person, **asked)
    if wish == "come_back":
        return service.come_back(team.pk, person, **asked)
    if wish == "add":
        if not membership:
            raise Refused("nobody", gettext("Choose a person."), field="membership")
        role = request.POST.get("role", TeamMember.Role.PLAYER)[:10]
        found = service.add_member(team.pk, person, membership_id=membership, role=role, **asked)
        return gettext("%(name)s was added to %(team)s.") % {"name": found.membership, "team": team}
    if wish == "off":
        return _day_off(request, team)
    if wish == "on":
        row = Blackout.objects.filter(pk=acting.number(request, "blackout") or 0, team=team).first()
        if row is None:
            raise Refused("no_such_row", gettext("These are no longer days off."))
        return season_setup.remove_blackout(row.pk, person, **asked)
    _check_member(team, member)
    if wish == "drop":
        return service.drop_member(member, person, **asked)
    if wish == "role":
        return service.set_role(member, person, role=request.POST.get("role", "")[:10], **asked)
    if wish == "replace":
        if not membership:
            raise Refused("nobody", gettext("Choose a replacement."), field="membership")
        came = service.replace_member(member, person, membership_id=membership, **asked)
        return gettext("%(name)s was added to %(team)s.") % {"name": came.membership, "team": team}
    raise Refused("no_act", gettext("Choose an action."))


def _check_member(team: Team, member: int) -> None:
    if not TeamMember.objects.filter(pk=member, team=team).exists():
        raise Refused("no_such_row", gettext("They are no longer in this team."))


def _day_off(request: HttpRequest, team: Team) -> str:
    season = _open_seasons(team).filter(pk=acting.number(request, "season") or 0).first()
    if season is None:
        raise Refused("no_season", gettext("Choose the season."))
    first = day_of(request.POST.get("first_day", ""), "first_day", gettext("Enter a start date."))
    typed = request.POST.get("last_day", "")
    last = day_of(typed, "last_day", "") if typed else first
    reason = request.POST.get("reason", "")[:200]
    season_setup.add_blackout(
        season.pk,
        acting.person(request),
        first_day=first,
        last_day=last,
        reason=reason,
        team_id=team.pk,
        request_key=acting.how(request).get("request_key"),
    )
    return gettext("Days off saved. The draw and proposals will avoid them.")


def _open_seasons(team: Team) -> Any:
    return Season.objects.filter(entries__team=team).exclude(status=Season.Status.CLOSED).order_by("-number")


def _roster(request: HttpRequest, seen: page_context.Seen, team: Team, refusal: Refusal | None = None) -> HttpResponse:
    wish = request.POST.get("act", "")
    values: Mapping[str, str] = {"name": team.name, "venue": team.venue}
    if refusal is not None and wish == "edit":
        values = {name: request.POST.get(name, "")[:300] for name in values}
    own = team_entries.roster(team)
    names = ("membership", "role", "first_day", "last_day", "reason", "season")
    context = {
        "league": team.league,
        "team": team,
        "roster": own,
        "may_grow": team.league.kind == League.Kind.TEAM,
        "could_join": list(service.could_join(team)),
        "values": values,
        "typed": {name: request.POST.get(name, "")[:200] for name in names} if refusal else {},
        "seasons": list(_open_seasons(team)),
        "off": Blackout.objects.filter(team=team).exclude(season__status="closed").select_related("season"),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    title = gettext("Roster of %(team)s") % {"team": team}
    return page_context.page(
        request, seen, "clubs/league/roster.html", context, tab="leagues", title=title, status=status
    )
