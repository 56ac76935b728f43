"""A season while it is prepared: its divisions, rules and days, and who plays where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from typing import Any, Unpack

from django.db.models import Max
from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.models import User
from clubs import access
from clubs.league import permissions
from clubs.models import Act, Blackout, Division, League, Season, SeasonEntry, Team
from clubs.services import lookups, naming
from clubs.services.history import ByRow, How, Record, Rows, declare, made, perform
from clubs.services.leagues import leagues, titles
from clubs.services.seasons import season_plans
from clubs.text import day
from web.errors import Refused

Status = Season.Status

LONGEST = 60
MOST_DIVISIONS = 20
MOST_IN_DIVISION = 60
LONGEST_OFF = timedelta(days=366)
MOST_OFF = 200
"""Blackouts of one season."""

AT_ONCE = ("name", "up", "down")
"""What can be changed until the season is closed."""
DAYS = ("starts_on", "days", "play_days", "plays_at", "swaps_sides")


# Undoing


def check_undone(record: Record, act: Act) -> None:
    """Raise where what is set back belongs to a season that was drawn since, or would take teams away with it."""
    for change in act.changes:
        season = _season_of_change(change)
        touched = {*(change["was"] or {}), *(change["is"] or {})}
        if season is not None and season.status != Status.DRAFT and not touched <= set(AT_ONCE):
            raise Refused("drawn", gettext("%(season)s has been drawn. Undo the draw first.") % {"season": season})
        is_new = change["model"] == "division" and change["was"] is None
        if is_new and SeasonEntry.objects.filter(division=change["pk"]).exists():
            raise Refused(
                "used_since", gettext("Teams have been placed since then. Remove them first, or delete the draft.")
            )


def _season_of_change(change: Mapping[str, Any]) -> Season | None:
    """The season that a changed row belongs to, if it is there."""
    if change["model"] == "season":
        return Season.objects.filter(pk=change["pk"]).first()
    if change["model"] not in ("division", "seasonentry"):
        return None
    known = {**(change["was"] or {}), **(change["is"] or {})}.get("season_id")
    if known is None:
        model = Division if change["model"] == "division" else SeasonEntry
        known = model._default_manager.filter(pk=change["pk"]).values_list("season_id", flat=True).first()
    return Season.objects.filter(pk=known or 0).first()


# Making and changing


SEASON = declare("season", needs="leagues", undo=Rows(first=check_undone))
SEASON_CHANGE = declare("season_change", needs="leagues", undo=Rows(first=check_undone))
SEASON_DELETION = declare("season_gone", needs="leagues", undo=Rows())


def make(
    league_id: int,
    by: User,
    *,
    name: str,
    starts_on: date,
    preset: str = "standard",
    rules_version_id: int | None = None,
    plan: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    days: int = 7,
    play_days: int = 7,
    plays_at: time | None = None,
    swaps_sides: bool = True,
    divisions: Sequence[tuple[str, int]] = (("Division 1", 8),),
    up: Sequence[int] = (),
    down: Sequence[int] = (),
    **how: Unpack[How],
) -> Season:
    """A draft of a season.

    `rules_version_id` (a version of the club's house rules) goes before `preset` (a published ruleset); either is pinned.
    `plan` has choices for each division (`season_plans.PLAN`): `legs`, `scoring`, `win`, `draw`, `loss`, `tiebreaks`, …;
    `settings` those of its tournament (`season_plans.SETTINGS`): `setting` (`online`, `face`, `mixed`), `terms`,
    `no_show`, `confirm_hours`, `is_rated`, and for teams `side_size`. `divisions` are names and sizes, the top one first;
    `up` and `down` how many change over each border (one each where nothing is said). Raises `Refused` with the field
    that is wrong.
    """

    def do(record: Record) -> str:
        league = _league(record, league_id)
        leagues.check_alive(league)
        season = Season(
            league=league,
            **new_names(league, name),
            **season_plans.read_rules(record.club, preset, rules_version_id),
            plan_json=season_plans.read_plan(plan or {}),
            settings=season_plans.read_settings(settings or {}),
            starts_on=starts_on,
            days=days,
            play_days=play_days,
            plays_at=plays_at,
            swaps_sides=swaps_sides,
        )
        wanted = _read_divisions([(None, *one) for one in divisions])
        season.up = season_plans.read_borders(up, len(wanted), "up")
        season.down = season_plans.read_borders(down, len(wanted), "down")
        season_plans.check_days(season)
        season_plans.check(season)
        record.create(season)
        record.create_all(
            [
                Division(season=season, level=level, name=title, size=size)
                for level, (_, title, size) in enumerate(wanted, 1)
            ]
        )
        return gettext("%(season)s of %(league)s was created as a draft.") % {"season": season, "league": league}

    return made(perform(lookups.club_of(League, league_id), do, SEASON, by=by, **how), Season)


def new_names(league: League, name: str) -> dict[str, Any]:
    """Name, number and address of a new season. Raises `Refused` (field `name`)."""
    wished = _free_name(league, name)
    others = Season.objects.filter(league=league)
    slug = titles.free_slug(wished, set(others.values_list("slug", flat=True)), 60, otherwise="season")
    last = others.aggregate(last=Max("number"))["last"] or 0
    return {"name": wished, "slug": slug, "number": last + 1}


def change(season_id: int, by: User, *, changes: Mapping[str, Any], **how: Unpack[How]) -> Act:
    """Change a draft: any argument of `make` but `divisions`. Once drawn only `name`, `up` and `down`, until it is closed.
    Raises `Refused` with the field."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        if set(changes) - set(AT_ONCE):
            check_draft(season)
        if not record.change(season, **values(record, season, changes)):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        if season.status == Status.DRAFT:
            season_plans.check_days(season)
            season_plans.check(season)
        return gettext("%(season)s of %(league)s was changed: %(changes)s.") % {
            "season": season,
            "league": season.league,
            "changes": ", ".join(sorted(_in_words(changes))),
        }

    return perform(club_of(season_id), do, SEASON_CHANGE, by=by, **how)


_WORDS = {
    "name": gettext_noop("name"),
    "starts_on": gettext_noop("first day"),
    "days": gettext_noop("days between matchdays"),
    "play_days": gettext_noop("days to play"),
    "plays_at": gettext_noop("start time"),
    "swaps_sides": gettext_noop("home and away"),
    "up": gettext_noop("promotion"),
    "down": gettext_noop("relegation"),
    "plan": gettext_noop("scoring and tie-breaks"),
    "settings": gettext_noop("terms"),
    "preset": gettext_noop("rules"),
    "rules_version_id": gettext_noop("rules"),
}


def _in_words(changes: Mapping[str, Any]) -> set[str]:
    return {gettext(_WORDS[name]) if name in _WORDS else name for name in changes}


def values(record: Record, season: Season, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a season from what is asked for: arguments of `make`. Raises `Refused` with the field."""
    count = Division.objects.filter(season=season).count()
    found: dict[str, Any] = {name: value for name, value in changes.items() if name in DAYS}
    for name, value in changes.items():
        if name == "name":
            found["name"] = _free_name(season.league, value, season.pk)
        elif name in ("up", "down"):
            found[name] = season_plans.read_borders(value, count, name)
        elif name == "plan":
            found["plan_json"] = season_plans.read_plan(value)
        elif name == "settings":
            found["settings"] = season_plans.read_settings(value)
        elif name in ("preset", "rules_version_id"):
            found |= season_plans.read_rules(
                record.club, str(changes.get("preset", "")), changes.get("rules_version_id")
            )
        elif name not in DAYS:
            raise Refused("bad_settings", gettext("A season has no setting called “%(name)s”.") % {"name": name[:40]})
    return found


def discard(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Throw a draft away. Can be undone."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        for found in (Blackout, SeasonEntry, Division):
            for row in found._default_manager.filter(season=season):
                record.delete(row)
        words = gettext("The draft %(season)s of %(league)s was deleted.") % {
            "season": season,
            "league": season.league,
        }
        record.delete(season)
        return words

    return perform(club_of(season_id), do, SEASON_DELETION, by=by, **how)


# Divisions


DIVISIONS = declare("season_divisions", needs="leagues", undo=Rows(first=check_undone))


def set_divisions(
    season_id: int, by: User, *, divisions: Sequence[tuple[int | None, str, int]], **how: Unpack[How]
) -> Act:
    """Say which divisions there are, the top one first: (id, or `None` for a new one; name; size). Those not named go,
    with their teams. Once drawn only names can change. Raises `Refused` (field `divisions`)."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        wanted = _read_divisions(divisions)
        have = {one.pk: one for one in Division.objects.filter(season=season)}
        if not {pk for pk, _, _ in wanted if pk is not None} <= set(have):
            raise Refused("no_division", gettext("Division not found in this season."), field="divisions")
        if season.status != Status.DRAFT:
            _rename(record, have, wanted)
            return gettext("The divisions of %(season)s were renamed.") % {"season": season}
        kept = {pk for pk, _, _ in wanted}
        for gone in [one for pk, one in have.items() if pk not in kept]:
            for row in SeasonEntry.objects.filter(division=gone):
                record.delete(row)
            record.delete(gone)
        _place_divisions(record, season, have, wanted)
        record.change(
            season,
            up=season_plans.borders(season.up, len(wanted)),
            down=season_plans.borders(season.down, len(wanted)),
        )
        return ngettext(
            "%(season)s of %(league)s has %(count)s division.",
            "%(season)s of %(league)s has %(count)s divisions.",
            len(wanted),
        ) % {"season": season, "league": season.league, "count": len(wanted)}

    return perform(club_of(season_id), do, DIVISIONS, by=by, **how)


def _place_divisions(
    record: Record, season: Season, have: Mapping[int, Division], wanted: Sequence[tuple[int | None, str, int]]
) -> None:
    highest = max([one.level for one in have.values()], default=0)
    moving = [pk for level, (pk, _, _) in enumerate(wanted, 1) if pk is not None and have[pk].level != level]
    for at, moved in enumerate(moving, 1):  # out of the way of one another first
        record.change(have[moved], level=max(highest, len(wanted)) + at)
    for level, (pk, name, size) in enumerate(wanted, 1):
        if pk is None:
            record.create(Division(season=season, level=level, name=name, size=size))
        else:
            record.change(have[pk], level=level, name=name, size=size)


def _rename(record: Record, have: Mapping[int, Division], wanted: Sequence[tuple[int | None, str, int]]) -> None:
    order = [one.pk for one in sorted(have.values(), key=lambda one: one.level)]
    if [pk for pk, _, _ in wanted] != order:
        raise Refused(
            "drawn", gettext("The season is drawn. Only the names of its divisions can change."), field="divisions"
        )
    changed = [record.change(have[pk or 0], name=name) for pk, name, _ in wanted]
    if not any(changed):
        raise Refused("nothing_new", gettext("Nothing was changed."))


def _read_divisions(divisions: Sequence[tuple[int | None, str, int]]) -> list[tuple[int | None, str, int]]:
    if not 1 <= len(divisions) <= MOST_DIVISIONS:
        raise Refused(
            "no_division",
            gettext("A season has 1 to %(most)s divisions.") % {"most": MOST_DIVISIONS},
            field="divisions",
        )
    found: list[tuple[int | None, str, int]] = []
    for pk, name, size in divisions:
        title = titles.clean(name, LONGEST, field="divisions")
        if titles.is_taken(title, [other for _, other, _ in found]):
            raise Refused(
                "name_taken", gettext("Two divisions are called %(title)s.") % {"title": title}, field="divisions"
            )
        if not 2 <= size <= MOST_IN_DIVISION:
            raise Refused(
                "bad_size",
                gettext("A division has 2 to %(most)s teams.") % {"most": MOST_IN_DIVISION},
                field="divisions",
            )
        found.append((pk, title, size))
    ids = [pk for pk, _, _ in found if pk is not None]
    if len(set(ids)) < len(ids):
        raise Refused("twice", gettext("A division is named twice."), field="divisions")
    return found


# Who plays where


PLACES = declare("season_entries", needs="leagues", undo=Rows(first=check_undone))


def place(season_id: int, by: User, *, divisions: Mapping[int, Sequence[int]], **how: Unpack[How]) -> Act:
    """Say who plays where: by id of the division, ids of teams in the order of the draw. Of divisions not named nothing
    changes; teams not named in those that are named go out of them. Raises `Refused`."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        have = Division.objects.filter(season=season).in_bulk(list(divisions))
        if len(have) < len(divisions):
            raise Refused("no_division", gettext("Division not found in this season."), field="divisions")
        named = [pk for own in divisions.values() for pk in own]
        if len(set(named)) < len(named):
            raise Refused("twice", gettext("A team can only be in one division, once."), field="divisions")
        teams = Team.objects.filter(league=season.league, left_at=None).in_bulk(named)
        if len(teams) < len(named):
            raise Refused("no_team", gettext("Choose teams that are in the league."), field="divisions")
        for row in SeasonEntry.objects.filter(season=season, division__in=divisions).exclude(team__in=named):
            record.delete(row)
        rows_by_team = {row.team_id: row for row in SeasonEntry.objects.filter(season=season, team__in=named)}
        for division_id, own in divisions.items():
            for position, team_id in enumerate(own, 1):
                _put(record, season, rows_by_team.get(team_id), teams[team_id], have[division_id], position)
        return ngettext(
            "%(season)s of %(league)s: %(count)s team was placed in a division.",
            "%(season)s of %(league)s: %(count)s teams were placed in divisions.",
            len(named),
        ) % {"season": season, "league": season.league, "count": len(named)}

    return perform(club_of(season_id), do, PLACES, by=by, **how)


def enter(season_id: int, by: User, *, team_id: int, division_id: int, **how: Unpack[How]) -> SeasonEntry:
    """Put one team at the end of a division of a draft; out of another one of it if it was there."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        division = Division.objects.filter(season=season, pk=division_id).first()
        team = Team.objects.filter(league=season.league, left_at=None, pk=team_id).first()
        if division is None or team is None:
            raise Refused("no_such_row", gettext(lookups.GONE))
        have = SeasonEntry.objects.filter(season=season, team=team).first()
        if have is not None and have.division_id == division.pk:
            raise Refused(
                "in_already", gettext("%(team)s is already in %(division)s.") % {"team": team, "division": division}
            )
        others = SeasonEntry.objects.filter(division=division).aggregate(last=Max("position"))["last"] or 0
        _put(record, season, have, team, division, others + 1)
        return gettext("%(team)s plays in %(division)s of %(season)s.") % {
            "team": team,
            "division": division,
            "season": season,
        }

    perform(club_of(season_id), do, PLACES, by=by, **how)
    found = SeasonEntry.objects.filter(season=season_id, team=team_id).first()
    if found is None:
        raise Refused("taken_back", gettext("This was done before, and has been undone since then."))
    return found


def take_out(season_entry_id: int, by: User, **how: Unpack[How]) -> Act:
    """Take a team out of a draft."""
    season_id = SeasonEntry.objects.filter(pk=season_entry_id).values_list("season_id", flat=True).first()
    if season_id is None:
        raise Refused("no_such_row", gettext(lookups.GONE))

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        row = SeasonEntry.objects.filter(pk=season_entry_id).select_related("team", "division").first()
        if row is None:
            raise Refused("no_such_row", gettext(lookups.GONE))
        words = gettext("%(team)s was removed from %(division)s of %(season)s.") % {
            "team": row.team,
            "division": row.division,
            "season": season,
        }
        record.delete(row)
        return words

    return perform(club_of(season_id), do, PLACES, by=by, **how)


def _put(
    record: Record, season: Season, have: SeasonEntry | None, team: Team, division: Division, position: int
) -> None:
    if have is None:
        record.create(SeasonEntry(season=season, team=team, division=division, position=position))
    else:
        record.change(have, division=division, position=position)


# Days off


def _check_off(by: User, of: League | Team) -> None:
    """Raise `NotAllowed` unless somebody may say when a league, or a team, does not play."""
    if isinstance(of, Team):
        permissions.check_acts_for(by, of)
    else:
        access.check(by, of.club, "leagues")


BLACKOUT = declare("blackout", needs=ByRow(_check_off), undo=Rows("leagues"))


def add_blackout(
    season_id: int,
    by: User,
    *,
    first_day: date,
    last_day: date,
    team_id: int | None = None,
    **how: Unpack[How],
) -> Blackout:
    """Days on which nobody, or one team, plays; their `reason` is shown. For everybody: by an organiser, before the draw. Of a team: also by who
    acts for it, at any time before the season's end. Raises `Refused` (fields `first_day`, `last_day`)."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        team = _team_off(record, season, team_id)
        if last_day < first_day:
            raise Refused("bad_days", gettext("The last day off cannot be before the first."), field="last_day")
        if last_day - first_day > LONGEST_OFF:
            raise Refused("bad_days", gettext("Days off can last at most one year."), field="last_day")
        if Blackout.objects.filter(season=season).count() >= MOST_OFF:
            raise Refused("too_many", gettext("A season can have at most %(most)s periods off.") % {"most": MOST_OFF})
        why = naming.clean_text(" ".join(how.get("reason", "").split()), 100, gettext("The reason"), field="reason")
        record.create(Blackout(season=season, team=team, first_day=first_day, last_day=last_day, reason=why))
        values = {"season": season, "team": team, "days": _days(first_day, last_day)}
        if team:
            return gettext("%(season)s: %(team)s does not play %(days)s.") % values
        return gettext("%(season)s: nobody plays %(days)s.") % values

    return made(perform(club_of(season_id), do, BLACKOUT, by=by, **how), Blackout)


def remove_blackout(blackout_id: int, by: User, **how: Unpack[How]) -> Act:
    """Take days off again."""
    season_id = Blackout.objects.filter(pk=blackout_id).values_list("season_id", flat=True).first()
    if season_id is None:
        raise Refused("no_such_row", gettext(lookups.GONE))

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        row = Blackout.objects.filter(pk=blackout_id).first()
        if row is None:
            raise Refused("no_such_row", gettext(lookups.GONE))
        team = _team_off(record, season, row.team_id)
        record.delete(row)
        values = {"season": season, "team": team, "days": _days(row.first_day, row.last_day)}
        if team:
            return gettext("%(season)s: %(team)s plays %(days)s after all.") % values
        return gettext("%(season)s: everyone plays %(days)s after all.") % values

    return perform(club_of(season_id), do, BLACKOUT, by=by, **how)


def _team_off(record: Record, season: Season, team_id: int | None) -> Team | None:
    """The team that days off are of, if of any, for who may say so."""
    if team_id is None:
        record.ask(season.league)
        check_draft(season)
        return None
    team = Team.objects.filter(pk=team_id, league=season.league).select_related("league__club", "club").first()
    if team is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    record.ask(team)
    return team


def _days(first: date, last: date) -> str:
    values = {"first": day(first), "last": day(last)}
    return (gettext("on %(first)s") if first == last else gettext("from %(first)s to %(last)s")) % values


# What is meant


def club_of(season_id: int) -> int:
    """The id of the club that runs a season's league. Raises `Refused` where there is no such season."""
    found = Season.objects.filter(pk=season_id).values_list("league__club_id", flat=True).first()
    if found is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    return found


def season_of(record: Record, season_id: int) -> Season:
    """A season of the club, as it is under the lock."""
    own = Season.objects.filter(pk=season_id, league__club=record.club)
    found = own.select_related("league__club", "drawn_from", "rules_version").first()
    if found is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    return found


def check_draft(season: Season) -> None:
    """Raise `Refused` unless the season is being prepared."""
    if season.status != Status.DRAFT:
        raise Refused(
            "drawn", gettext("%(season)s has been drawn, so this can no longer be changed.") % {"season": season}
        )


def check_open(season: Season) -> None:
    """Raise `Refused` where the season is closed."""
    if season.status == Status.CLOSED:
        raise Refused("closed", gettext("%(season)s is closed.") % {"season": season})


def _league(record: Record, league_id: int) -> League:
    found = League.objects.filter(pk=league_id, club=record.club).select_related("club").first()
    if found is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    return found


def _free_name(league: League, name: str, besides: int | None = None) -> str:
    wished = titles.clean(name, LONGEST)
    others = Season.objects.filter(league=league).exclude(pk=besides or 0).values_list("name", flat=True)
    if titles.is_taken(wished, others):
        raise Refused(
            "name_taken", gettext("A season called %(wished)s already exists.") % {"wished": wished}, field="name"
        )
    return wished
