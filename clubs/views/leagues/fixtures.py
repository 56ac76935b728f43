"""Fixtures, results and the crosstable of a division, and the page to schedule a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.coming import line_up_views, line_ups
from clubs.coming.line_ups import LineUpForm
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import fixtures as reading
from clubs.league import permissions as sides
from clubs.league.fixtures import Match
from clubs.models import Act, Membership, Proposal, Question, Season, Team
from clubs.organiser import season as desk
from clubs.public import fixtures as public
from clubs.public import league, league_link_cards, page_context, season
from clubs.public.page_context import Visit
from clubs.services.leagues import matchday_edits, proposals, teams
from gameplay.access import is_member
from tournaments.line_ups import shown as shown_line_ups
from web import clocks
from web.errors import Refused
from web.link_cards import LinkCard

_FORM = ["GET", "HEAD", "POST"]


@require_safe
def fixtures(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """Every match of a division by matchday."""
    return _matchdays(request, club, league, season, level, "fixtures", gettext("Fixtures"))


@require_safe
def results(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """Every result of a division, the last matchday first."""
    return _matchdays(request, club, league, season, level, "results", gettext("Results"))


@require_safe
def crosstable(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The crosstable of a division."""
    return _matchdays(request, club, league, season, level, "season_crosstable", gettext("Crosstable"))


def _matchdays(
    request: HttpRequest, club: str, name: str, slug: str, level: int, page: str, title: str
) -> HttpResponse:
    visit = page_context.visit(request, club)
    this_season = league.season_of(visit, name, slug)
    division = league.division_of(this_season, level)
    now = public.playing([division])

    def make() -> Mapping[str, Any]:
        about = {"season": this_season, "division": division, "page": page, "zone_words": public.zone_words(visit.club)}
        if page == "season_crosstable":
            return {**about, "cross": public.crosstable_of(division)}
        days = public.matchday_rows(reading.matchdays(division), now)
        if page == "results":
            days = [day for day in reversed(days) if any(match.is_done for match in day.matches)]
        return {**about, "days": days}

    stamp = season.stamp(this_season, now, division)
    template = "clubs/league/cross_part.html" if page == "season_crosstable" else "clubs/league/days_part.html"
    context = {
        "league": this_season.league,
        "season": this_season,
        "division": division,
        "switches": league.switches(this_season, page, division),
        "page": page,
        "heading": title,
        "part": page_context.part(visit.club, stamp, template, make, timed=True, key=f"{page}{division.pk}"),
        "link_card": LinkCard(picture=league_link_cards.season_picture(division)),
    }
    words = f"{title}, {division}, {this_season.league} {this_season}"
    return page_context.page(request, visit, "clubs/league/days.html", context, tab="leagues", title=words)


# A match


@never_cache
@require_http_methods(_FORM)
def fixture(request: HttpRequest, club: str, league: str, match: int) -> HttpResponse:
    """Time and place of a match: players propose another, organisers set it."""
    visit = page_context.visit(request, club)
    this_match = _match(visit, league, match)
    if request.method != "POST":
        return _fixture(request, visit, this_match)
    if not is_member(visit.player):
        return _fixture(request, visit, this_match, Refusal("match", gettext("Sign in first."), 403))
    wish = request.POST.get("act", "")

    def do() -> Act | str:
        return _do(request, visit, this_match, wish)

    to = reverse("clubs:fixture", args=[club, league, match])
    return form_actions.act(
        request, wish or "match", do, lambda refusal: _fixture(request, visit, this_match, refusal), to
    )


def _match(visit: Visit, slug: str, pairing: int) -> Match:
    this_league = league.league_of(visit.club, slug)
    match = reading.match(pairing)
    if match is None or match.season.league_id != this_league.pk:
        raise Http404(gettext("Match not found."))
    if match.is_online:
        clocks.go_by(None)
    return match


def _do(request: HttpRequest, visit: Visit, match: Match, wish: str) -> Act | str:
    person, how = form_actions.person(request), form_actions.how(request)
    proposal = form_actions.number(request, "proposal") or 0
    if wish == "accept":
        return proposals.accept(_checked(match, proposal), person, **how)
    if wish == "decline":
        return proposals.decline(_checked(match, proposal), person, answer=request.POST.get("answer", "")[:400], **how)
    if wish == "withdraw":
        return proposals.withdraw(_checked(match, proposal), person, **how)
    if wish == "field":
        team, people = form_actions.number(request, "team") or 0, line_up_views.chosen(request)
        return matchday_edits.set_line_up(match.pairing.pk, person, team_id=team, membership_ids=people, **how)
    if wish == "set":
        values = desk.read_arrangement(request, visit.club)
        values.pop("words")
        deadline = desk.read_time(request, visit.club, "deadline_at")
        return matchday_edits.set_match(match.pairing.pk, person, deadline_at=deadline, **values, **how)
    if wish in ("propose", "counter"):
        values = desk.read_arrangement(request, visit.club)
        if values["starts_at"] is None:
            raise Refused("no_time", gettext("Enter the day and time you propose."), field="starts_at")
        if wish == "counter":
            proposals.counter(_checked(match, proposal), person, **values, **how)
        else:
            team = form_actions.number(request, "team") or 0
            proposals.propose(match.pairing.pk, person, team_id=team, **values, **how)
        return gettext("Proposal sent. Waiting for the other side to answer.")
    raise Refused("no_act", gettext("Choose an action."))


def _checked(match: Match, proposal: int) -> int:
    """The id of a proposal for this match. Raises `Refused` for another."""
    if not Proposal.objects.filter(pk=proposal, pairing=match.pairing).exists():
        raise Refused("no_such_row", gettext("This proposal no longer exists."))
    return proposal


@dataclass(frozen=True)
class SideLineUp:
    """The line-up of a side, for people who name it."""

    form: LineUpForm
    others: list[Membership]
    """Other members of its club who could play for it."""
    coming_url: str
    """The page of who can play; empty if nobody was asked."""
    is_typed: bool
    """Whether it was just refused."""
    typed_other: str
    """The substitute who was chosen then (id of the membership); empty if nobody was."""


def _line_ups(
    teams_of_reader: list[Team], match: Match, refusal: Refusal | None, typed: list[int], typed_team: int
) -> list[SideLineUp]:
    """The line-ups of the sides that the reader acts for, as it was typed where it was refused."""
    rows = []
    for side in (match.home, match.away):
        if side.team is None or side.team not in teams_of_reader:
            continue
        is_typed = refusal is not None and refusal.at in ("field", "members") and typed_team == side.team.pk
        form = line_ups.form_of(match, side, typed if is_typed else None)
        if form is None:
            continue
        question = Question.objects.filter(team=side.team, pairing=match.pairing).first()
        url = reverse("clubs:who_comes", args=[question.club.slug, question.pk]) if question else ""
        known = {each.membership.pk for each in form.candidates}
        others = [each for each in teams.possible_members(side.team).order_by("name", "pk") if each.pk not in known]
        typed_other = next((str(each.pk) for each in others if is_typed and each.pk in typed), "")
        rows.append(SideLineUp(form, others, url, is_typed, typed_other))
    return rows


def _fixture(request: HttpRequest, visit: Visit, match: Match, refusal: Refusal | None = None) -> HttpResponse:
    club = visit.club
    both = [side.team for side in (match.home, match.away) if side.team is not None]
    acts_for = [team for team in both if is_member(visit.player) and sides.may_act_for(visit.player, team)]
    own_teams = [team for team in both if is_member(visit.player) and sides.acts_for(visit.player, team)]
    is_open = match.season.status == Season.Status.RUNNING and not match.is_done and len(both) == 2
    waiting, now = match.proposal, timezone.now()
    may_name = is_open and not club.archived_at and ("leagues" in visit.may or not line_ups.are_public(match, now))
    typed_team = form_actions.number(request, "team") or 0
    places = [match.home.place, match.away.place]
    context = {
        "league": match.season.league,
        "season": match.season,
        "match": match,
        "shown": public.match_rows([match], {})[0],
        "sides": (match.home, match.away),
        "acts_for": own_teams or acts_for,
        "is_own": bool(own_teams),
        "is_open": is_open,
        "may_set": "leagues" in visit.may and is_open and not club.archived_at,
        "may_run": "results" in visit.may,
        "may_correct": "results" in visit.may and match.is_done and not club.archived_at,
        "answers": bool(waiting and any(team.pk != waiting.team_id for team in acts_for)),
        "withdraws": bool(waiting and any(team.pk == waiting.team_id for team in acts_for)),
        "may_propose": bool(acts_for) and is_open and waiting is None and not club.archived_at,
        "line_ups": (
            _line_ups(own_teams or acts_for, match, refusal, line_up_views.chosen(request), typed_team)
            if may_name
            else []
        ),
        "shown_line_ups": shown_line_ups(match.pairing, places, match.starts_at, now),
        "are_public": line_ups.are_public(match, now),
        "past": Proposal.objects.filter(pairing=match.pairing)
        .exclude(status="open")
        .select_related("team__league__club")[:20],
        "is_mixed": match.season.settings.get("setting") == "mixed",
        "zone_words": public.zone_words(club),
        "typed": desk.typed_arrangement(request, club, match, is_refused=refusal is not None),
        "refusal": refusal,
        "link_card": league_link_cards.match_card(match),
    }
    return page_context.page(request, visit, "clubs/league/fixture.html", context, tab="leagues", title=str(match))
