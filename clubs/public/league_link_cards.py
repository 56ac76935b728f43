"""What other sites show for links to leagues, their seasons, teams and matches: title, sentence and picture."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from clubs.league import fixtures, table
from clubs.league.agenda import agenda
from clubs.league.fixtures import Match
from clubs.models import Club, Division, League, Season, Team
from clubs.public.link_cards import band, club_picture, read_number, today_at
from tournaments.models import Pairing, Tournament
from web.link_cards import LinkCard, absolute
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Row, Side
from web.oembed import Embed
from web.text import join_words, number, on_calendar

LEADERS = 3
"""More names than these say nothing."""


def is_public(tournament: Tournament | None) -> bool:
    """Whether the tournament of a division or a cup is one that strangers find; a division has none before its draw."""
    return tournament is None or tournament.visibility == Tournament.Visibility.PUBLIC


# A league and its seasons


def league_card(league: League) -> LinkCard:
    """The card of a league's page, with the picture of its newest season. One query."""
    seasons = Division.objects.filter(season__league=league, level=1).exclude(season__status=Season.Status.DRAFT)
    division = seasons.select_related("season__league__club", "tournament").order_by("-season__number").first()
    sentence = gettext("Standings, fixtures, results and teams of %(league)s.") % {"league": league}
    title = f"{league}, {division.season}" if division else str(league)
    return LinkCard(title, sentence, season_picture(division) if division else club_picture(league.club))


def season_words(season: Season, content: Mapping[str, Any]) -> tuple[str, str]:
    """`Harbour League: Vermeer / Falk lead`, `Standings after matchday 6 of 14. Next: Tuesday 1 December.`"""
    league, rows = season.league, content["rows"]
    leaders = [each.row.team.name for each in rows if each.row.place in ("1", "1=")]
    title = f"{league} {season}, {content['division']}"
    if leaders and len(leaders) <= LEADERS:
        values = {"event": str(league), "names": join_words(leaders)}
        count = max(len(leaders), 1 if league.kind == League.Kind.PERSON else 2)
        lead = ngettext("%(event)s: %(names)s leads", "%(event)s: %(names)s lead", count) % values
        title = gettext("%(event)s: %(names)s won") % values if content["table"].is_over else lead
    sentence = f"{content['heading']}."
    coming = content["next"]
    if coming is not None and coming.first_day is not None and coming.first_day >= today_at(league.club):
        day = on_calendar(coming.first_day, pgettext("date format", "l j F"))
        sentence = f"{sentence} {gettext('Next: %(day)s.') % {'day': day}}"
    return title, sentence


def season_card(division: Division, words: Sequence[str]) -> LinkCard:
    """The card of the page of a division, with its words."""
    season = division.season
    schema: dict[str, Any] = {
        "@type": "SportsOrganization",
        "name": f"{season.league}, {division}",
        "url": absolute(season.get_absolute_url()),
        "sport": "Hand and Foot",
        "parentOrganization": {
            "@type": "SportsOrganization",
            "name": season.league.club.name,
            "url": absolute(season.league.club.get_absolute_url()),
        },
    }
    title, description = words
    return LinkCard(title, description, season_picture(division), schema, season.get_absolute_url())


def season_picture(division: Division) -> str:
    """The path of the picture of a division, whose season, league, club and tournament are loaded."""
    if not is_public(division.tournament):
        return club_picture(division.season.league.club)
    return kinds.address("season", _season_key(division), _season_version(division))


def _season_key(division: Division) -> str:
    season = division.season
    return f"{season.league.club.slug}/{season.league.slug}/{season.slug}/{division.level}"


def _season_version(division: Division) -> str:
    club, tournament = division.season.league.club, division.tournament
    return kinds.version_of(
        division.pk, club.version, tournament.version if tournament else 0, division.season.status, today_at(club)
    )


def find_season(key: str) -> Picture:
    """The picture of a division: its first places. Raises `Http404`, for drafts too."""
    division = _division(key)
    return Picture(_season_version(division), lambda: _draw_season(division))


def _division(key: str) -> Division:
    parts = key.split("/")
    if len(parts) != 4:
        raise Http404("Division not found.")
    club, league, season, level = parts
    rows = Division.objects.filter(
        season__league__club__slug=club, season__league__slug=league, season__slug=season, level=read_number(level)
    ).exclude(season__status=Season.Status.DRAFT)
    division = rows.select_related("season__league__club", "season__rules_version", "tournament").first()
    if division is None or not is_public(division.tournament):
        raise Http404("Division not found.")
    return division


def _draw_season(division: Division) -> Canvas:
    season, standings = division.season, table.table(division)
    days = fixtures.matchdays(division)
    complete = agenda(days, timezone.now()).complete
    line = str(division)
    if standings is not None and standings.is_over:
        line = gettext("%(division)s, final standings") % {"division": division}
    elif complete:
        values = {"division": division, "number": days[complete - 1].number, "days": len(days)}
        line = gettext("%(division)s, matchday %(number)s of %(days)s") % values
    elif standings is not None and standings.has_begun:
        values = {"division": division, "played": standings.played, "matches": standings.matches}
        line = gettext("%(division)s, %(played)s of %(matches)s matches") % values
    rows = [
        Row(row.place, row.team.name, row.points if row.place else "", row.place in ("1", "1="))
        for row in (standings.rows if standings else ())
    ]
    if not rows:
        return layouts.lines(band(season.league.club, str(season.league), line), [str(season)])
    return layouts.table(band(season.league.club, str(season.league), line), rows)


def draw_ahead(tournament: Tournament) -> list[tuple[str, str]]:
    """Kinds and keys of the pictures of leagues that a result of this event changes."""
    drawn = Division.objects.filter(tournament=tournament).exclude(season__status=Season.Status.DRAFT)
    divisions = drawn.select_related("season__league__club") if is_public(tournament) else ()
    return [("season", _season_key(division)) for division in divisions]


def embed_of_season(club: str, league: str, season: str, level: int = 1) -> Embed:
    """The frame of a division's standings. Raises `Http404` for drafts."""
    division = _division(f"{club}/{league}/{season}/{level}")
    frame = reverse("clubs:league_embed", args=[club, league, season, level])
    return Embed(f"{division.season.league}: {division}", season_picture(division), frame)


# A team


def team_card(team: Team, words: Sequence[str]) -> LinkCard:
    """The card of a team's page, with its words and the picture of the club that runs its league."""
    club = team.league.club
    schema: dict[str, Any] = {
        "@type": "SportsTeam",
        "name": team.name,
        "url": absolute(team.get_absolute_url()),
        "sport": "Hand and Foot",
        "memberOf": {
            "@type": "SportsOrganization",
            "name": str(team.league),
            "url": absolute(team.league.get_absolute_url()),
        },
    }
    title, description = words
    return LinkCard(title, description, club_picture(club), schema)


# A match


def match_card(match: Match) -> LinkCard:
    """The card of a match: its sides with the result or the time."""
    club = match.season.league.club
    sides = match.home, match.away
    picture = club_picture(club)
    if is_public(match.pairing.round.stage.tournament):
        picture = match_picture(match.pairing, club)
    if match.is_done:
        title = ", ".join(f"{side.name} {_score(side)}".strip() for side in sides)
    else:
        title = gettext("%(one)s against %(other)s") % {"one": match.home.name, "other": match.away.name}
    where = [str(match.season.league), match_day(match), "" if match.is_done else match_time(match)]
    where += [match.venue] if match.venue and not match.is_done else []
    schema: dict[str, Any] = {
        "@type": "SportsEvent",
        "name": str(match),
        "sport": "Hand and Foot",
        "homeTeam": {"@type": "SportsTeam", "name": match.home.name},
        "awayTeam": {"@type": "SportsTeam", "name": match.away.name},
        "organizer": {"@type": "SportsOrganization", "name": club.name, "url": absolute(club.get_absolute_url())},
    }
    if match.starts_at is not None:
        schema["startDate"] = match.starts_at.astimezone(club.zone).isoformat(timespec="minutes")
    if match.venue:
        schema["location"] = {"@type": "Place", "name": match.venue, "address": match.venue}
    return LinkCard(title, ", ".join(each for each in where if each) + ".", picture, schema)


def match_day(match: Match) -> str:
    """`Premier, matchday 6`, in a cup `Cup, semi-finals`."""
    return f"{match.division or match.event}, {match.round_words}"


def match_time(match: Match) -> str:
    """`Tuesday 1 December, 19:00`, by the club's clock; empty if no time is set."""
    if match.starts_at is None:
        return ""
    there = match.starts_at.astimezone(match.season.league.club.zone)
    return on_calendar(there, pgettext("date format", "l j F, H:i"))


def _score(side: fixtures.Side) -> str:
    return "" if side.score is None else number(side.score)


def match_picture(pairing: Pairing, club: Club) -> str:
    """The path of the picture of a match, whose tournament is loaded, in the league of a club."""
    return kinds.address("fixture", f"{club.slug}/{pairing.pk}", _match_version(pairing, club))


def _match_version(pairing: Pairing, club: Club) -> str:
    return kinds.version_of(pairing.pk, club.version, pairing.round.stage.tournament.version)


def find_match(key: str) -> Picture:
    """The picture of a match of a league. Raises `Http404`."""
    slug, _, pk = key.partition("/")
    match = fixtures.match(read_number(pk))
    if (
        match is None
        or match.season.league.club.slug != slug
        or match.season.status == Season.Status.DRAFT
        or not is_public(match.pairing.round.stage.tournament)
    ):
        raise Http404("Match not found.")

    def draw() -> Canvas:
        head = band(match.season.league.club, str(match.season.league), match_day(match))
        sides = [Side(side.name, _score(side), side.is_winner) for side in (match.home, match.away)]
        return layouts.match(head, sides, "" if match.is_done else match_time(match))

    return Picture(_match_version(match.pairing, match.season.league.club), draw)
