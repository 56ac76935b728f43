"""The season after this one: preview, create, undo."""

from django.http import HttpResponse
from django.utils.translation import gettext

from clubs.models import Season, Team
from clubs.organiser import next_form
from clubs.public import league
from clubs.services.seasons import next_season as service
from clubs.views.leagues.season_desk import teams_of
from clubs.views.leagues.season_pages import Outcome, SeasonPage, run
from web.errors import Refused


def _next(page: SeasonPage) -> HttpResponse:
    season = page.season
    teams = teams_of(season)
    other_teams = Team.objects.filter(league=season.league, left_at=None).exclude(pk__in=[team.pk for team in teams])
    typed = next_form.typed(page.request, season)
    preview = next_form.preview_moves(season, typed)
    context = {
        "made": Season.objects.filter(drawn_from=season).first(),
        "found": preview,
        "outlook": next_form.preview_days(season, page.person, typed) if preview.can_make else None,
        "teams": teams,
        "others": list(other_teams.order_by("name")),
        "typed": typed,
        "sizes": next_form.sizes(season, typed),
        "levels": [(str(level), division.name) for level, division in enumerate(preview.divisions, 1)],
        "undersized": next_form.UNDERSIZED,
        "rule_choices": next_form.rule_choices(season),
    }
    return page.render("clubs/league/next.html", gettext("The season after %(season)s") % {"season": season}, context)


@run(_next, at="next", is_preview=lambda page: page.wish == "look")
def next_season(page: SeasonPage) -> Outcome:
    """Preview the next season, create it from this one, or undo it."""
    season = page.season
    if page.wish == "undo":
        return Outcome(service.undo_next(season.pk, page.person, **page.how), page.path("next_season"))
    if page.wish != "make":
        raise Refused("no_act", gettext("Choose an action."))
    values = next_form.arguments(next_form.typed(page.request, season), season)
    created = service.make(season.pk, page.person, **values, **page.how)
    message = gettext("%(made)s was created from %(season)s. Check it, then draw it.")
    to = league.path(season.league, "season_desk", created.slug)
    return Outcome(message % {"made": created, "season": season}, to)
