"""The season after this one: looked at beforehand, made in one act, and taken back."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from clubs.models import Season, Team
from clubs.organiser import next_form
from clubs.public import league
from clubs.services.seasons import next_season as service
from clubs.views.leagues.season_desk import teams_of
from clubs.views.leagues.season_pages import Asked, Done, run
from web.errors import Refused


def _next(asked: Asked) -> HttpResponse:
    row = asked.season
    own = teams_of(row)
    others = Team.objects.filter(league=row.league, left_at=None).exclude(pk__in=[team.pk for team in own])
    typed = next_form.typed(asked.request, row)
    found = next_form.look(row, typed)
    context = {
        "made": Season.objects.filter(drawn_from=row).first(),
        "found": found,
        "outlook": next_form.look_at_days(row, asked.person, typed) if found.can_make else None,
        "teams": own,
        "others": list(others.order_by("name")),
        "typed": typed,
        "sizes": next_form.sizes(row, typed),
        "levels": [(str(level), one.name) for level, one in enumerate(found.divisions, 1)],
        "undersized": next_form.UNDERSIZED,
        "rule_choices": next_form.rule_choices(row),
    }
    return asked.page("clubs/league/next.html", gettext("The season after %(season)s") % {"season": row}, context)


@run(_next, at="next", is_look=lambda asked: asked.wish == "look")
def next_season(asked: Asked) -> Done:
    """The next season looked at beforehand, made from this one, and taken back."""
    row = asked.season
    if asked.wish == "undo":
        return Done(service.undo_next(row.pk, asked.person, **asked.how), asked.path("next_season"))
    if asked.wish != "make":
        raise Refused("no_act", gettext("Choose an action."))
    values = next_form.arguments(next_form.typed(asked.request, row), row)
    made = service.make(row.pk, asked.person, **values, **asked.how)
    to = league.path(row.league, "season_desk", made.slug)
    return Done(
        gettext("%(made)s was created from %(season)s. Check it, then draw it.") % {"made": made, "season": row}, to
    )
