"""Fixtures of a list: a season is made by them, or a draft is drawn by them, in place of the site’s own draw."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from clubs.bring_in.reading import Match as ListedMatch
from clubs.imports.season import MOST_MATCHES, Match, PastDivision, PastSeason, Problem, Sheet, folded, seasons_of
from clubs.league import timetable
from clubs.models import Act, Club, Division, Fixture, League, Season, SeasonEntry, Team
from clubs.services.history import Record, Rows, declare, try_out
from clubs.services.seasons import season_draw, season_plans
from clubs.services.seasons.past_seasons import Wishes
from clubs.services.seasons.past_seasons import lists as lists_of_matches
from clubs.services.seasons.past_seasons.create import PLAYED_AT, Maker
from clubs.services.seasons.past_seasons.lists import LONGEST, Left
from clubs.services.seasons.past_seasons.undo import check_dependents
from clubs.services.seasons.season_draw import DrawnDay, DrawnDivision, DrawnMatch
from clubs.services.seasons.undone_draws import tournaments_of
from tournaments.fixture_lists import MOST_ROUNDS
from tournaments.models import Place, TypedScores
from tournaments.services.matches.result_lines import MOST_POINTS
from web.errors import Refused
from web.text import several

WEEK = timedelta(days=7)


def _check_undone(record: Record, act: Act) -> None:
    season_draw.check_not_begun(record, act)
    check_dependents(act, tournaments_of(act))


FIXTURES = declare(season_draw.FIXTURE_LIST, needs="leagues", undo=Rows(first=_check_undone))


# The list


def sheet_of(
    entries: Sequence[ListedMatch], *, name: str = "", first_day: date | None = None
) -> tuple[Sheet, list[Left]]:
    """The season of listed fixtures, and the matches that cannot come in, with their reasons.

    `name` is that of a season that the list does not name; from `first_day` matchdays without any date follow week by
    week.
    """
    days = _first_days(entries)
    matches: list[Match] = []
    left: list[Left] = []
    for item in entries:
        day = item.day or days.get((folded(item.division), item.matchday or 0))
        if day is None and first_day is not None and item.matchday:
            day = first_day + (item.matchday - 1) * WEEK
        if day is None:
            left.append((item.row, f"{item.home} – {item.away}", gettext("The date is missing.")))
        elif folded(item.home) == folded(item.away):
            words = gettext("%(home)s cannot play against themselves.") % {"home": item.home}
            left.append((item.row, f"{item.home} – {item.away}", words))
        else:
            matches.append(_match(item, day))
            if why := _why_no_result(item):
                left.append((item.row, f"{item.home} – {item.away}", why))
    name = name or lists_of_matches.season_name([match.day for match in matches])
    matches = [replace(match, season=match.season or name) for match in matches]
    sheet = seasons_of(lists_of_matches.with_matchdays(matches), lines=len(entries))
    return replace(sheet, problems=(*sheet.problems, *_problems(sheet, len(matches)))), left


def _first_days(entries: Sequence[ListedMatch]) -> dict[tuple[str, int], date]:
    """The first day of each matchday that has dates, by division and number."""
    days: dict[tuple[str, int], date] = {}
    for item in entries:
        if item.day is not None and item.matchday:
            key = (folded(item.division), item.matchday)
            days[key] = min(days.get(key, item.day), item.day)
    return days


def _match(item: ListedMatch, day: date) -> Match:
    division = (item.division or gettext("Division 1"))[:60]
    sides = (item.home[:LONGEST], item.away[:LONGEST])
    scores = None
    if item.home_score is not None and item.away_score is not None and not _why_no_result(item):
        scores = int(item.home_score), int(item.away_score)
    clock = time.fromisoformat(item.clock) if item.clock else None
    return Match(
        *(item.row, item.season[:60], division, item.matchday or 0, day, *sides, scores),
        venue=item.venue[:200],
        clock=clock,
    )


def _why_no_result(item: ListedMatch) -> str:
    """Why a match comes in without the result that the list has; empty if it does not have one, or it comes in."""
    if item.walkover:
        return gettext("A walkover. Enter it on the page of the match.")
    scores = [score for score in (item.home_score, item.away_score) if score is not None]
    if all(isinstance(score, int) and abs(score) <= MOST_POINTS for score in scores):
        return ""
    return gettext("The score is not a whole number of points.")


def _problems(sheet: Sheet, count: int) -> list[Problem]:
    if not sheet.seasons:
        return [Problem(0, gettext("There are no fixtures to import."))]
    if len(sheet.seasons) > 1:
        return [Problem(0, gettext("The list has fixtures of several seasons. Import them one by one."))]
    if count > MOST_MATCHES:
        words = gettext("The list has %(count)s matches. Import at most %(most)s at once.")
        return [Problem(0, words % {"count": count, "most": MOST_MATCHES})]
    days = max(len(division.matchdays) for division in sheet.seasons[0].divisions)
    if days > MOST_ROUNDS:
        words = gettext("The list has %(count)s matchdays. A season can have at most %(most)s.")
        return [Problem(0, words % {"count": days, "most": MOST_ROUNDS})]
    return []


# Making


def draft_of(club: Club, wishes: Wishes, name: str) -> Season | None:
    """The draft of the chosen league that is called like the season of the list."""
    drafts = Season.objects.filter(league__club=club, league=wishes.league_id, status=Season.Status.DRAFT)
    return next((draft for draft in drafts.select_related("league__club") if folded(draft.name) == folded(name)), None)


def problems(club: Club, by: User, sheet: Sheet, wishes: Wishes) -> list[str]:
    """Why the act would be refused, in sentences: its teams are added and its matches placed, then all is rolled back."""

    def do(record: Record) -> list[str]:
        season, from_list = _placed(record, by, sheet.seasons[0], wishes)
        return list(season_draw.preview(season, record.now, from_list).wrong)

    try:
        return try_out(club.pk, do, by=by)
    except Refused as refused:
        return [refused.sentence]


def make(record: Record, by: User, sheet: Sheet, wishes: Wishes) -> str:
    """Make a season by its fixtures, or draw the draft of its name by them, within an act; returns its sentence. Raises
    `Refused`."""
    if sheet.problems:
        raise Refused("wrong_lines", sheet.problems[0].words, field="import")
    season, from_list = _placed(record, by, sheet.seasons[0], wishes)
    count = season_draw.draw_within(record, season, by, from_list)
    _keep_details(record, by, season, from_list.values())
    return gettext("The fixtures of %(season)s of %(league)s were imported: %(count)s.") % {
        "season": season,
        "league": season.league,
        "count": several(count, "match", "matches"),
    }


def _placed(record: Record, by: User, source: PastSeason, wishes: Wishes) -> tuple[Season, dict[int, DrawnDivision]]:
    """The draft of a list, made if there is none, and its divisions (by id) with their matches. Raises `Refused`."""
    season = draft_of(record.club, wishes, source.name)
    if season is None:
        maker = DraftMaker(record, by, wishes)
        if maker.league.kind == League.Kind.TEAM and wishes.league_id is None:
            words = gettext(
                "The list does not name the players of each team. Create the league, its teams and a draft first."
            )
            raise Refused("no_rosters", words, field="import")
        maker.make([source])
        season = Season.objects.select_related("league__club").get(league=maker.league, name=source.name)
    return season, _divisions_of_list(season, source)


def _keep_details(record: Record, by: User, season: Season, from_list: Iterable[DrawnDivision]) -> None:
    """Store venues, and type the scores of matches that were played. Undoing the draw deletes them with the matches."""
    places = Place.objects.filter(pairing__round__stage__tournament__division__season=season, number=0)
    pairings = {
        (place.pairing.round.number, place.entry_id): place.pairing for place in places.select_related("pairing__round")
    }
    venues, scores = [], []
    for drawn in from_list:
        entries = {entry.team_id: entry.entry_id for entry in drawn.order}
        matches = {(day.number, entries[match.home.pk]): match for day in drawn.days for match in day.matches}
        for at, match in matches.items():
            pairing = pairings[at]
            if match.venue:
                venues.append(Fixture(pairing=pairing, venue=match.venue))
            if match.scores is not None and not pairing.is_online:
                scores.append(TypedScores(pairing=pairing, scores=list(match.scores), by=by, at=record.now))
    Fixture.objects.bulk_create(venues)
    TypedScores.objects.bulk_create(scores)


class DraftMaker(Maker):
    """Creates a draft of a season with the teams of a list within an act."""

    def _state(self, source: PastSeason) -> dict[str, Any]:
        clocks = Counter(match.clock for division in source.divisions for match in division.matches if match.clock)
        return {"status": Season.Status.DRAFT, "plays_at": next((clock for clock, _ in clocks.most_common(1)), None)}

    def _departures(self, seasons: Sequence[PastSeason], existing: Sequence[Season]) -> dict[str, datetime | None]:
        names = {
            key: name for season in seasons for division in season.divisions for key, name in division.teams.items()
        }
        return dict.fromkeys(names.values())

    def _fill(
        self, seasons: Sequence[PastSeason], rows: Sequence[Season], divisions: Sequence[tuple[PastDivision, Division]]
    ) -> None:
        self.record.create_all(
            [
                SeasonEntry(season=row.season, division=row, team=self.people.teams[key], position=position)
                for source, row in divisions
                for position, key in enumerate(source.teams, 1)
            ]
        )


def _divisions_of_list(season: Season, source: PastSeason) -> dict[int, DrawnDivision]:
    """The divisions of a draft with the matches of a list, by id. Raises `Refused` if their teams differ."""
    divisions = season_plans.divisions_of(season)
    sources = {folded(division.name): division for division in source.divisions}
    if len(divisions) == len(sources) == 1:
        sources = {folded(divisions[0].name): source.divisions[0]}
    entries = SeasonEntry.objects.filter(season=season).select_related("team__club").order_by("position", "pk")
    wrong, from_list = [], {}
    for division in divisions:
        here = [entry for entry in entries if entry.division_id == division.pk]
        matches = sources.pop(folded(division.name), PastDivision(division.name, ()))
        wrong += _differences(season, division, here, matches)
        from_list[division.pk] = division, here, matches
    wrong += [
        gettext("Division %(name)s not found in %(season)s.") % {"season": season, "name": other.name}
        for other in sources.values()
    ]
    if wrong:
        raise Refused("other_teams", " ".join(wrong[:5]), field="import")
    return {pk: _drawn(season, *parts) for pk, parts in from_list.items()}


def _differences(season: Season, division: Division, entries: Sequence[SeasonEntry], source: PastDivision) -> list[str]:
    """A sentence for each team that only the draft or only the list has."""
    here = {folded(entry.team.name): entry.team.name for entry in entries}
    missing = [name for key, name in here.items() if key not in source.teams]
    new = [name for key, name in source.teams.items() if key not in here]
    values = {"season": season, "division": division}
    return [
        *(gettext("%(team)s of %(division)s has no match in the list.") % {"team": name, **values} for name in missing),
        *(
            gettext("%(team)s is not in %(division)s of %(season)s. Add it there first.") % {"team": name, **values}
            for name in new
        ),
    ]


def _drawn(season: Season, division: Division, entries: Sequence[SeasonEntry], source: PastDivision) -> DrawnDivision:
    teams = {folded(entry.team.name): entry.team for entry in entries}
    days = [_day(season, number, matches, teams) for number, (_, matches) in enumerate(source.matchdays, 1)]
    return DrawnDivision(division, tuple(entries), tuple(days), is_listed=True)


def _day(season: Season, number: int, matches: Sequence[Match], teams: Mapping[str, Team]) -> DrawnDay:
    """A matchday from the first to the last day of its matches, and as long as the season’s matchdays are."""
    zone, first = season.league.club.zone, min(match.day for match in matches)
    usual = timetable.plan_matchday(number, first, play_days=season.play_days, plays_at=season.plays_at, zone=zone)
    last = max(usual.last_day, *(match.day for match in matches))
    playing = {folded(name) for match in matches for name in (match.home, match.away)}
    return DrawnDay(
        number=number,
        first_day=first,
        last_day=last,
        starts_at=usual.starts_at,
        deadline_at=datetime.combine(last, timetable.LAST_MINUTE, zone),
        moved="",
        matches=tuple(
            DrawnMatch(
                *(teams[folded(match.home)], teams[folded(match.away)]),
                starts_at=_own_start(season, match, first),
                venue=match.venue,
                scores=match.scores,
            )
            for match in matches
        ),
        byes=tuple(team for key, team in teams.items() if key not in playing),
    )


def _own_start(season: Season, match: Match, first: date) -> datetime | None:
    """The start of a match at another time than its matchday’s, by the club’s clock: the season’s if it has none."""
    if match.day == first and match.clock in (None, season.plays_at):
        return None
    return datetime.combine(match.day, match.clock or season.plays_at or PLAYED_AT, season.league.club.zone)
