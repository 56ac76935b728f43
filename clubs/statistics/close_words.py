"""A closed season in plain sentences: the draft of the newsletter that announces the champion, for an organiser to edit."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from clubs import honours
from clubs.models import Division, Honour, Season, SeasonEntry
from clubs.statistics.matchday_words import LONGEST_SUBJECT, MatchdayText
from web.text import join_words


def describe_close(season: Season, *, site: str) -> MatchdayText:
    """Describe the end of a season, division by division: its honours and final places. `site` is put in front of
    addresses."""
    divisions = list(Division.objects.filter(season=season).order_by("level"))
    won = list(Honour.objects.filter(season=season).select_related("team", "division"))
    heading = gettext("%(league)s, %(season)s: the season is over") % {"league": season.league, "season": season}
    parts = [heading]
    for division in divisions:
        titles = [honour for honour in won if honour.division_id == division.pk]
        text = "\n\n".join(part for part in (_honours(titles), _places(division)) if part)
        parts.append(f"{division.name}\n\n{text}" if len(divisions) > 1 else text)
    parts.append(_honours([honour for honour in won if honour.division_id is None]))
    parts.append(
        gettext("Standings, results and fixtures: %(address)s") % {"address": f"{site}{season.get_absolute_url()}"}
    )
    body = "\n\n".join(part for part in parts if part)
    return MatchdayText(_subject(season, divisions, won), body)


def _subject(season: Season, divisions: Sequence[Division], won: Sequence[Honour]) -> str:
    """`Harbour League, Autumn: Lund / Arai won`."""
    top = [honour for honour in won if divisions and honour.division_id == divisions[0].pk and honour.place == 1]
    names = [honour.team.name for honour in top if honours.is_champion(honour.title)]
    if names:
        text = ngettext(
            "%(league)s, %(season)s: %(teams)s won", "%(league)s, %(season)s: %(teams)s won", len(names)
        ) % {"league": season.league, "season": season, "teams": join_words(names)}
        if len(text) <= LONGEST_SUBJECT:
            return text
    plain = gettext("%(league)s, %(season)s: the season is over") % {"league": season.league, "season": season}
    return plain[:LONGEST_SUBJECT]


def _honours(won: Sequence[Honour]) -> str:
    return "\n".join(f"{honour.words}: {honour.team.name}" for honour in won)


def _places(division: Division) -> str:
    """The final places, a line each."""
    entries = SeasonEntry.objects.filter(division=division).exclude(final_rank=None).select_related("team")
    rows = [f"{entry.final_rank}. {entry.team.name}" for entry in entries.order_by("final_rank", "position")]
    return "\n".join([gettext("Final places:"), *rows]) if rows else ""
