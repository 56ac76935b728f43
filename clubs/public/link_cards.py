"""What other sites show for links to clubs and leagues: title, sentence and picture. The pages of clubs are public."""

from collections.abc import Mapping, Sequence
from datetime import date
from textwrap import wrap
from typing import Any

from django.http import Http404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext, pgettext

from clubs.coming.occasions import Occasion
from clubs.league import fixtures, table
from clubs.league.agenda import agenda
from clubs.league.fixtures import Match
from clubs.models import Club, Division, League, Meeting, News, Newsletter, RulesVersion, Season, Team
from gameplay.house_rules import ruleset_facts
from tournaments.models import Pairing, Tournament
from tournaments.public.link_cards import event_picture
from web.link_cards import LinkCard, absolute
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band, Row, Side
from web.oembed import Embed
from web.text import join_words, number, on_calendar

A_LINE = 30
"""Characters of a title that fit into a line of a picture."""
LEADERS = 3
"""More names than these say nothing."""


def crest_svg(club: Club) -> str:
    """The crest of a club as a drawing."""
    markup = render_to_string("clubs/crest.html", {"crest": club.crest})
    return markup[markup.index("<svg") :]


def band(club: Club, title: str, line: str = "") -> Band:
    """The head of a picture in a club's colour."""
    return Band(title, line, crest_svg(club), club.colour)


def today_at(club: Club) -> date:
    """The day by the club's clock, on which its next evening depends."""
    return timezone.now().astimezone(club.zone).date()


# Clubs


def club_picture(club: Club) -> str:
    """The path of a club's picture: no query."""
    return kinds.address("club", club.slug, _club_version(club))


def _club_version(club: Club) -> str:
    return kinds.version_of(club.pk, club.version, today_at(club))


def find_club(key: str) -> Picture:
    """The picture of a club: its next evening. Raises `Http404`."""
    club = _club(key)
    return Picture(_club_version(club), lambda: _draw_club(club))


def _club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404("Club not found.")
    return club


def _draw_club(club: Club) -> Canvas:
    meeting = next_meeting(club)
    call = "" if club.joining == Club.Joining.LINK else gettext("Come and play.")
    if meeting is None:
        return layouts.lines(band(club, club.name), [club.line or gettext("We play Hand and Foot."), club.venue], call)
    return layouts.lines(band(club, club.name, meeting.title), _when_and_where(club, meeting), call)


def _when_and_where(club: Club, meeting: Meeting) -> list[str]:
    begins = meeting.starts_at.astimezone(club.zone)
    return [on_calendar(begins, pgettext("date format", "l j F, H:i")), meeting.venue or club.venue]


def next_meeting(club: Club) -> Meeting | None:
    """The first meeting of today or later that is not cancelled."""
    ahead = Meeting.objects.filter(club=club, is_called_off=False).order_by("starts_at", "pk")
    midnight = timezone.now().astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return ahead.filter(starts_at__gte=midnight).first()


def club_card(club: Club) -> LinkCard:
    """The card of a club's page: its name, its line, itself in the words of schema.org."""
    schema: dict[str, Any] = {
        "@type": "SportsOrganization",
        "name": club.name,
        "description": club.line or gettext("%(name)s: a club that plays Hand and Foot.") % {"name": club.name},
        "url": absolute(club.get_absolute_url()),
        "sport": "Hand and Foot",
        "logo": absolute(club_picture(club)),
    }
    if club.venue:
        schema["location"] = {"@type": "Place", "name": club.venue, "address": club.venue}
    return LinkCard(club.name, club.line, club_picture(club), schema)


# An evening


def meeting_card(club: Club, meeting: Meeting) -> LinkCard:
    """The card of a meeting: `Club night: Thursday 3 December, 18:30`."""
    when, where = _when_and_where(club, meeting)
    title = gettext("%(what)s: %(day)s") % {"what": meeting.title, "day": when}
    sentence = ", ".join(each for each in (club.name, where) if each) + "."
    return LinkCard(title, sentence, meeting_picture(club, meeting))


def meeting_picture(club: Club, meeting: Meeting) -> str:
    """The path of the picture of a meeting."""
    return kinds.address("meeting", f"{club.slug}/{meeting.pk}", _meeting_version(club, meeting))


def occasion_card(occasion: Occasion) -> LinkCard:
    """The card of a link that asks who comes to a meeting or a match; nobody's own name is in it."""
    club, question = occasion.club, occasion.question
    if question.meeting is not None:
        return meeting_card(club, question.meeting)
    picture, pairing, team = club_picture(club), question.pairing, question.team
    if pairing is not None and team is not None and _is_public(pairing.round.stage.tournament):
        picture = match_picture(pairing, team.league.club)
    where = (occasion.day, occasion.clock, occasion.venue)
    return LinkCard(occasion.title, ", ".join(each for each in where if each) + ".", picture)


def _meeting_version(club: Club, meeting: Meeting) -> str:
    return kinds.version_of(club.pk, club.version, meeting.pk)


def find_meeting(key: str) -> Picture:
    """The picture of a meeting. Raises `Http404`."""
    slug, _, pk = key.partition("/")
    meeting = Meeting.objects.filter(pk=_number(pk), club__slug=slug).select_related("club").first()
    if meeting is None:
        raise Http404("Meeting not found.")
    club = meeting.club

    def draw() -> Canvas:
        call = gettext("Cancelled") if meeting.is_called_off else gettext("Are you coming?")
        return layouts.lines(band(club, club.name, meeting.title), _when_and_where(club, meeting), call)

    return Picture(_meeting_version(club, meeting), draw)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Http404("Page not found.")
    return int(text)


# News


def news_card(news: News) -> LinkCard:
    """The card of a piece of news: its title and how it begins."""
    key = f"{news.club.slug}/{news.pk}"
    begins = Truncator(" ".join(news.body.split())).words(30, truncate="…")
    newsletter = news.newsletters.first()
    picture = kinds.address("news", key, _news_version(news))
    return LinkCard(news.title, begins, newsletter_picture(newsletter) if newsletter else picture)


def newsletter_picture(newsletter: Newsletter) -> str:
    """The path of the picture of what a newsletter is about: a season, an event, or its club."""
    season, event = newsletter.season, newsletter.event
    if season is not None and season.status != Season.Status.DRAFT:
        first = season.divisions.select_related("season__league__club", "tournament").order_by("level").first()
        return season_picture(first) if first else club_picture(newsletter.club)
    return event_picture(event) if event is not None and _is_public(event) else club_picture(newsletter.club)


def newsletter_path(newsletter: Newsletter) -> str:
    """The public page with more about it: the same as news, or else what it is about."""
    if newsletter.news is not None:
        return reverse("clubs:news", args=[newsletter.club.slug, newsletter.news.pk])
    season, event = newsletter.season, newsletter.event
    if season is not None and season.status != Season.Status.DRAFT:
        return season.get_absolute_url()
    home = event if event is not None and _is_public(event) else newsletter.club
    return home.get_absolute_url()


def _news_version(news: News) -> str:
    return kinds.version_of(news.pk, news.title, news.club.version)


def find_news(key: str) -> Picture:
    """The picture of a piece of news: its title. Raises `Http404`."""
    slug, _, pk = key.partition("/")
    news = News.objects.filter(pk=_number(pk), club__slug=slug).select_related("club").first()
    if news is None:
        raise Http404("News not found.")

    def draw() -> Canvas:
        day = on_calendar(news.published_at.astimezone(news.club.zone), pgettext("date format", "j F Y"))
        return layouts.lines(band(news.club, news.club.name, day), wrap(news.title, A_LINE))

    return Picture(_news_version(news), draw)


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
    if not _is_public(division.tournament):
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
        season__league__club__slug=club, season__league__slug=league, season__slug=season, level=_number(level)
    ).exclude(season__status=Season.Status.DRAFT)
    division = rows.select_related("season__league__club", "season__rules_version", "tournament").first()
    if division is None or not _is_public(division.tournament):
        raise Http404("Division not found.")
    return division


def _is_public(tournament: Tournament | None) -> bool:
    """Whether the tournament of a division or a cup is one that strangers find; a division has none before its draw."""
    return tournament is None or tournament.visibility == Tournament.Visibility.PUBLIC


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
    divisions = drawn.select_related("season__league__club") if _is_public(tournament) else ()
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
    if _is_public(match.pairing.round.stage.tournament):
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
    match = fixtures.match(_number(pk))
    if (
        match is None
        or match.season.league.club.slug != slug
        or match.season.status == Season.Status.DRAFT
        or not _is_public(match.pairing.round.stage.tournament)
    ):
        raise Http404("Match not found.")

    def draw() -> Canvas:
        head = band(match.season.league.club, str(match.season.league), match_day(match))
        sides = [Side(side.name, _score(side), side.is_winner) for side in (match.home, match.away)]
        return layouts.match(head, sides, "" if match.is_done else match_time(match))

    return Picture(_match_version(match.pairing, match.season.league.club), draw)


# House rules


def rules_card(version: RulesVersion, club: Club) -> LinkCard:
    """The card of a version of house rules."""
    day = on_calendar(version.at.astimezone(club.zone), pgettext("date format", "j F Y"))
    sentence = gettext("How %(club)s plays Hand and Foot, as of %(day)s.") % {"club": club.name, "day": day}
    return LinkCard(version.house_rules.name, sentence, rules_picture(version, club))


def rules_picture(version: RulesVersion, club: Club) -> str:
    key = f"{club.slug}/{version.house_rules.slug}/{version.number}"
    return kinds.address("rules", key, _rules_version(version, club))


def _rules_version(version: RulesVersion, club: Club) -> str:
    return kinds.version_of(version.pk, version.house_rules.name, club.colour, club.crest)


def find_rules(key: str) -> Picture:
    """The picture of house rules. Raises `Http404`."""
    club, _, rest = key.partition("/")
    slug, _, number_ = rest.partition("/")
    rows = RulesVersion.objects.filter(
        house_rules__club__slug=club, house_rules__slug=slug, number=_number(number_)
    ).select_related("house_rules__club")
    version = rows.first()
    if version is None:
        raise Http404("House rules not found.")
    home = version.house_rules.club

    def draw() -> Canvas:
        day = on_calendar(version.at.astimezone(home.zone), pgettext("date format", "j F Y"))
        line = gettext("as of %(day)s") % {"day": day}
        return layouts.facts(band(home, version.house_rules.name, line), ruleset_facts.short_facts(version.rules))

    return Picture(_rules_version(version, home), draw)
