"""A matchday in plain sentences: the draft of a newsletter, for an organiser to edit.

Every sentence follows from results. Times are by the club’s clock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext, pgettext_lazy

from clubs.league import fixtures
from clubs.league.agenda import agenda
from clubs.league.fixtures import Match, Matchday, Side
from clubs.models import Division, Season
from clubs.statistics.matchday_standings import (
    Standing,
    describe_standings,
    direction_mark,
    list_places,
    ordinal,
    standing_after,
)
from clubs.statistics.season_progress import course
from tournaments.models import Pairing
from web.clocks import by_clock, read_in
from web.text import join_words, number, on_calendar

LONGEST_SUBJECT = 120
UPSET = 3
"""A win over a team at least this many places higher is mentioned."""
RUN = 3
"""A run of at least this many wins is mentioned."""
_NUMBERS = {
    3: gettext_noop("Three teams share the lead"),
    4: gettext_noop("Four teams share the lead"),
    5: gettext_noop("Five teams share the lead"),
    6: gettext_noop("Six teams share the lead"),
    7: gettext_noop("Seven teams share the lead"),
    8: gettext_noop("Eight teams share the lead"),
    9: gettext_noop("Nine teams share the lead"),
    10: gettext_noop("Ten teams share the lead"),
    11: gettext_noop("Eleven teams share the lead"),
    12: gettext_noop("Twelve teams share the lead"),
}
_TIMES = {
    3: pgettext_lazy("time in a row", "third"),
    4: pgettext_lazy("time in a row", "fourth"),
    5: pgettext_lazy("time in a row", "fifth"),
    6: pgettext_lazy("time in a row", "sixth"),
    7: pgettext_lazy("time in a row", "seventh"),
    8: pgettext_lazy("time in a row", "eighth"),
    9: pgettext_lazy("time in a row", "ninth"),
    10: pgettext_lazy("time in a row", "tenth"),
    11: pgettext_lazy("time in a row", "eleventh"),
    12: pgettext_lazy("time in a row", "twelfth"),
}


@dataclass(frozen=True)
class MatchdayText:
    """A matchday in words."""

    subject: str
    body: str


def days_with_results(season: Season, most: int) -> list[int]:
    """The last matchdays of a season with results, newest first."""
    pairings = Pairing.objects.filter(round__stage__tournament__division__season=season, status=Pairing.Status.DONE)
    numbers = pairings.order_by("-round__number").values_list("round__number", flat=True).distinct()
    return list(numbers[:most])


def describe_matchday(season: Season, day: int, *, site: str, now: datetime) -> MatchdayText:
    """Describe a matchday of a season, division by division. `site` is put in front of addresses."""
    days = fixtures.of_season(season)
    divisions = list(Division.objects.filter(season=season).select_related("tournament").order_by("level"))
    zone = season.league.club.zone
    parts, subject = [], ""
    for division in divisions:
        progress = course(division)
        stood = standing_after(progress, day)
        matchdays = days.get(division.pk, ())
        text = _division(matchdays, day, stood, zone, now)
        parts.append(f"{division.name}\n\n{text}" if len(divisions) > 1 else text)
        subject = subject or _subject(day, stood)
    address = f"{site}{season.get_absolute_url()}"
    parts.append(gettext("Standings, results and fixtures: %(address)s") % {"address": address})
    heading = gettext("%(league)s, %(season)s: matchday %(number)s") % {
        "league": season.league,
        "season": season,
        "number": day,
    }
    plain = (gettext("Matchday %(number)s of %(league)s") % {"number": day, "league": season.league})[:LONGEST_SUBJECT]
    return MatchdayText(
        subject if subject and len(subject) <= LONGEST_SUBJECT else plain, "\n\n".join([heading, *parts])
    )


def _subject(day: int, stood: Standing | None) -> str:
    """`Matchday 5: Lund / Arai took the lead`."""
    if stood is None:
        return ""
    first = stood.leaders(stood.now)
    names = stood.names_of(first)
    if len(first) == 2:
        words = gettext("%(teams)s share the lead") % {"teams": join_words(names)}
    elif len(first) in _NUMBERS:
        words = gettext(_NUMBERS[len(first)])
    elif len(first) > 2:
        words = gettext("%(count)s teams share the lead") % {"count": len(first)}
    elif not stood.before:
        words = gettext("%(team)s went ahead") % {"team": names[0]}
    elif first[0] in stood.leaders(stood.before):
        words = gettext("%(team)s stayed ahead") % {"team": names[0]}
    else:
        words = gettext("%(team)s took the lead") % {"team": names[0]}
    return gettext("Matchday %(number)s: %(words)s") % {"number": day, "words": words}


def _division(days: Sequence[Matchday], number: int, stood: Standing | None, zone: ZoneInfo, now: datetime) -> str:
    day = next((matchday for matchday in days if matchday.number == number), None)
    if day is None:
        return gettext("This division had no matchday with this number.")
    matches = [match for match in day.matches if match.is_done]
    paragraphs = [
        "\n".join(_result(match) for match in matches) or gettext("No results of this matchday yet."),
        " ".join(_happened(matches, stood, days, number)),
        " ".join(describe_standings(stood, is_last=day is days[-1] and all(matchday.is_over for matchday in days)))
        if matches
        else "",
        list_places(stood) if matches else "",
        " ".join(_free(day)),
        _open(days, number, zone, now),
        _coming(days, number, zone, now),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


# Results


def _result(match: Match) -> str:
    names = f"{match.home.name} – {match.away.name}"
    if match.is_walkover or match.home.score is None or match.away.score is None:
        winner = next((side.name for side in _sides(match) if side.is_winner), "")
        if match.is_walkover:
            words = gettext("%(team)s won by walkover") if winner else gettext("a walkover without a winner")
        else:
            words = gettext("%(team)s won") if winner else gettext("a draw")
        return f"{names}: {words % {'team': winner}}"
    return f"{names}{direction_mark(match.away.name)} {number(match.home.score)} – {number(match.away.score)}"


def _happened(matches: Sequence[Match], stood: Standing | None, days: Sequence[Matchday], day: int) -> Iterable[str]:
    scored = [match for match in matches if not match.is_walkover and _gap(match) is not None]
    decided = [match for match in scored if _gap(match)]
    if len(scored) > 1 and decided:
        clear = max(decided, key=lambda match: _gap(match) or 0)
        winner, loser = _winner(clear)
        yield gettext("The clearest win was that of %(winner)s over %(loser)s, by %(points)s.") % {
            "winner": winner,
            "loser": loser,
            "points": number(_gap(clear) or 0),
        }
        close = min(scored, key=lambda match: _gap(match) or 0)
        if close is not clear and _gap(close):
            winner, loser = _winner(close)
            yield gettext("%(winner)s beat %(loser)s by only %(points)s, the closest match of the day.") % {
                "winner": winner,
                "loser": loser,
                "points": number(_gap(close) or 0),
            }
    for match in scored:
        if _gap(match) == 0:
            yield gettext("%(home)s and %(away)s drew.") % {"home": match.home.name, "away": match.away.name}
    yield from _upsets(matches, stood)
    yield from _runs(days, day, matches)


def _upsets(matches: Iterable[Match], stood: Standing | None) -> Iterable[str]:
    before = stood.before if stood else {}
    for match in matches:
        if match.is_walkover or not any(side.is_winner for side in _sides(match)):
            continue
        winner, loser = _winner(match)
        low, high = (before.get(side.team.pk, 0) if side.team else 0 for side in _winner_first(match))
        if low and high and low - high >= UPSET:
            yield gettext("%(winner)s, %(low)s before, beat %(high)s-placed %(loser)s.") % {
                "winner": winner,
                "low": ordinal(low),
                "loser": loser,
                "high": ordinal(high),
            }


def _runs(days: Sequence[Matchday], day: int, matches: Iterable[Match]) -> Iterable[str]:
    for match in matches:
        winner = next((side.name for side in _sides(match) if side.is_winner), None)
        if winner is None:
            continue
        count = 0
        for each in reversed([each for each in days if each.number <= day]):
            played = [match for match in each.matches if match.is_done and winner in (match.home.name, match.away.name)]
            if any(not side.is_winner for match in played for side in _sides(match) if side.name == winner):
                break
            count += len(played)
        if count >= RUN:
            yield gettext("%(team)s won for the %(count)s time in a row.") % {"team": winner, "count": _time(count)}


def _free(day: Matchday) -> Iterable[str]:
    if day.byes:
        words = ngettext("%(teams)s had a bye.", "%(teams)s had a bye.", len(day.byes))
        yield words % {"teams": join_words([str(team) for team in day.byes])}


# Upcoming matches


def _open(days: Sequence[Matchday], number: int, zone: ZoneInfo, now: datetime) -> str:
    """Matches up to this matchday without a result."""
    unplayed = [match for day in days if day.number <= number for match in day.matches if not match.is_done]
    return (
        "\n".join([gettext("Still without a result:"), *(_waiting(match, number, zone, now) for match in unplayed)])
        if unplayed
        else ""
    )


def _waiting(match: Match, number: int, zone: ZoneInfo, now: datetime) -> str:
    words = str(match)
    if match.matchday != number:
        words = gettext("%(match)s (matchday %(number)s)") % {"match": match, "number": match.matchday}
    status = match.pairing.status
    if status in (Pairing.Status.REPORTED, Pairing.Status.DISPUTED):
        return f"{words}: {gettext('played, and the result is not confirmed yet')}"
    if match.starts_at is not None and match.starts_at > now:
        return f"{words}: {when_words(match, zone)}"
    begun = [gettext("started, not finished")] if status == Pairing.Status.PLAYING else []
    if match.deadline_at is None:
        until = gettext("no date yet")
    elif match.deadline_at < now:
        until = gettext("overdue since %(day)s") % {"day": _day(match.deadline_at, zone)}
    else:
        until = gettext("play by %(day)s") % {"day": _day(match.deadline_at, zone)}
    return f"{words}: {', '.join([*begun, until])}"


def _coming(days: Sequence[Matchday], number: int, zone: ZoneInfo, now: datetime) -> str:
    plan = agenda([matchday for matchday in days if matchday.number > number], now)
    day = plan.current
    if day is None:
        return ""
    lines = [f"{match}: {when_words(match, zone)}" for match in plan.left_of(day)]
    free = [f"{join_words([str(team) for team in day.byes])}: {gettext('bye')}"] if day.byes else []
    return "\n".join([gettext("Next, matchday %(number)s:") % {"number": day.number}, *lines, *free])


def when_words(match: Match, zone: ZoneInfo) -> str:
    """When and where a match is played: `Thu 26 Nov 19:30 at Town hall`, `by Sun 29 Nov, online`.

    One text for readers everywhere: what is online names the zone.
    """
    if match.starts_at is not None:
        with read_in(zone, is_known=not match.is_online):
            at = by_clock(match.starts_at, zone, lambda there: f"{_day(there, zone)} {there:%H:%M}")
    else:
        at = (
            gettext("by %(time)s") % {"time": _day(match.deadline_at, zone)}
            if match.deadline_at
            else gettext("no date yet")
        )
    if match.is_online:
        return gettext("%(time)s, online") % {"time": at}
    return gettext("%(time)s at %(venue)s") % {"time": at, "venue": match.venue} if match.venue else at


# Words


def _sides(match: Match) -> tuple[Side, Side]:
    return match.home, match.away


def _winner_first(match: Match) -> tuple[Side, Side]:
    return (match.home, match.away) if match.home.is_winner else (match.away, match.home)


def _winner(match: Match) -> tuple[str, str]:
    winner, loser = _winner_first(match)
    return winner.name, loser.name


def _gap(match: Match) -> int | None:
    if match.home.score is None or match.away.score is None:
        return None
    return abs(match.home.score - match.away.score)


def _time(count: int) -> str:
    return str(_TIMES.get(count) or pgettext("ordinal", "%(place)sth") % {"place": count})


def _day(at: datetime, zone: ZoneInfo) -> str:
    return on_calendar(at.astimezone(zone), pgettext("date format", "D j M"))
