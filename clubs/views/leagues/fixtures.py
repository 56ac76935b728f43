"""Fixtures, results and the crosstable of a division; and the page of a match, where it is arranged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.league import fixtures as reading
from clubs.league import permissions as sides
from clubs.league.fixtures import Match
from clubs.models import Act, Membership, Proposal, Season, Team, TeamMember
from clubs.organiser import season as desk
from clubs.public import fixtures as public
from clubs.public import league, page_context, season
from clubs.services.leagues import matchday_edits, proposals, team_entries, teams
from gameplay.access import is_member
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]


@require_safe
def fixtures(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """Every match of a division by matchday."""
    return _listed(request, club, league, season, level, "fixtures", gettext("Fixtures"))


@require_safe
def results(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """Every result of a division, the last matchday first."""
    return _listed(request, club, league, season, level, "results", gettext("Results"))


@require_safe
def crosstable(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """Everybody against everybody."""
    return _listed(request, club, league, season, level, "season_crosstable", gettext("Crosstable"))


def _listed(request: HttpRequest, club: str, name: str, slug: str, level: int, page: str, title: str) -> HttpResponse:
    seen = page_context.seen(request, club)
    row = league.season_of(seen, name, slug)
    division = league.division_of(row, level)
    now = public.playing([division])

    def make() -> Mapping[str, Any]:
        about = {"season": row, "division": division, "page": page, "zone_words": public.zone_words(seen.club)}
        if page == "season_crosstable":
            return {**about, "cross": public.crosstable_of(division)}
        days = public.shown_days(reading.matchdays(division), now)
        if page == "results":
            days = [day for day in reversed(days) if any(one.is_done for one in day.matches)]
        return {**about, "days": days}

    stamp = season.stamp(row, now, division)
    template = "clubs/league/cross_part.html" if page == "season_crosstable" else "clubs/league/days_part.html"
    context = {
        "league": row.league,
        "season": row,
        "division": division,
        "switches": league.switches(row, page, division),
        "page": page,
        "heading": title,
        "part": page_context.part(seen.club, stamp, template, make, timed=True, key=f"{page}{division.pk}"),
    }
    words = f"{title}, {division}, {row.league} {row}"
    return page_context.page(request, seen, "clubs/league/days.html", context, tab="leagues", title=words)


# A match


@never_cache
@require_http_methods(_FORM)
def fixture(request: HttpRequest, club: str, league: str, match: int) -> HttpResponse:
    """When and where a match is played; who plays it proposes another time, an organiser sets it."""
    seen = page_context.seen(request, club)
    found = _match(seen, league, match)
    if request.method != "POST":
        return _fixture(request, seen, found)
    if not is_member(seen.player):
        return _fixture(request, seen, found, Refusal("match", gettext("Sign in first."), 403))
    wish = request.POST.get("act", "")

    def do() -> Act | str:
        return _do(request, seen, found, wish)

    to = reverse("clubs:fixture", args=[club, league, match])
    return acting.act(request, wish or "match", do, lambda refusal: _fixture(request, seen, found, refusal), to)


def _match(seen: page_context.Seen, slug: str, pairing: int) -> Match:
    own = league.league_of(seen.club, slug)
    found = reading.match(pairing)
    if found is None or found.season.league_id != own.pk:
        raise Http404(gettext("Match not found."))
    return found


def _do(request: HttpRequest, seen: page_context.Seen, match: Match, wish: str) -> Act | str:
    person, asked = acting.person(request), acting.how(request)
    proposal = acting.number(request, "proposal") or 0
    if wish == "accept":
        return proposals.accept(_own(match, proposal), person, **asked)
    if wish == "decline":
        return proposals.decline(_own(match, proposal), person, answer=request.POST.get("answer", "")[:400], **asked)
    if wish == "withdraw":
        return proposals.withdraw(_own(match, proposal), person, **asked)
    if wish == "field":
        chosen = [int(pk) for pk in request.POST.getlist("members") if pk.isdecimal() and len(pk) < 10]
        team = acting.number(request, "team") or 0
        return matchday_edits.field(match.pairing.pk, person, team_id=team, membership_ids=chosen, **asked)
    if wish == "set":
        values = desk.read_arrangement(request, seen.club)
        values.pop("words")
        deadline = desk.read_time(request, seen.club, "deadline_at")
        return matchday_edits.set_match(match.pairing.pk, person, deadline_at=deadline, **values, **asked)
    if wish in ("propose", "counter"):
        values = desk.read_arrangement(request, seen.club)
        if values["starts_at"] is None:
            raise Refused("no_time", gettext("Enter the day and time you propose."), field="starts_at")
        if wish == "counter":
            proposals.counter(_own(match, proposal), person, **values, **asked)
        else:
            team = acting.number(request, "team") or 0
            proposals.propose(match.pairing.pk, person, team_id=team, **values, **asked)
        return gettext("Proposal sent. Waiting for the other side to answer.")
    raise Refused("no_act", gettext("Choose an action."))


def _own(match: Match, proposal: int) -> int:
    """The id of a proposal, which must be of this match. Raises `Refused`."""
    if not Proposal.objects.filter(pk=proposal, pairing=match.pairing).exists():
        raise Refused("no_such_row", gettext("This proposal no longer exists."))
    return proposal


def _lineup(team: Team) -> tuple[Team, list[TeamMember], list[Membership]]:
    """A team with its roster, and who else of its club could play a match for it."""
    return team, team_entries.roster(team), list(teams.could_join(team).order_by("name", "pk"))


def _fixture(
    request: HttpRequest, seen: page_context.Seen, match: Match, refusal: Refusal | None = None
) -> HttpResponse:
    club = seen.club
    both = [side.team for side in (match.home, match.away) if side.team is not None]
    acts_for = [team for team in both if is_member(seen.player) and sides.may_act_for(seen.player, team)]
    own = [team for team in both if is_member(seen.player) and sides.acts_for(seen.player, team)]
    is_open = match.season.status == Season.Status.RUNNING and not match.is_done and len(both) == 2
    waiting = match.proposal
    context = {
        "league": match.season.league,
        "season": match.season,
        "match": match,
        "shown": public.shown([match], {})[0],
        "teams": both,
        "acts_for": own or acts_for,
        "is_own": bool(own),
        "is_open": is_open,
        "may_set": "leagues" in seen.may and is_open and not club.archived_at,
        "may_run": "results" in seen.may,
        "answers": bool(waiting and any(team.pk != waiting.team_id for team in acts_for)),
        "withdraws": bool(waiting and any(team.pk == waiting.team_id for team in acts_for)),
        "may_propose": bool(acts_for) and is_open and waiting is None and not club.archived_at,
        "lineups": [_lineup(team) for team in own or acts_for] if is_open and not club.archived_at else [],
        "past": Proposal.objects.filter(pairing=match.pairing).exclude(status="open").select_related("team")[:20],
        "is_mixed": match.season.settings.get("setting") == "mixed",
        "zone_words": public.zone_words(club),
        "typed": desk.typed_arrangement(request, club, match, is_refused=refusal is not None),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/league/fixture.html", context, tab="leagues", title=str(match), status=status
    )
