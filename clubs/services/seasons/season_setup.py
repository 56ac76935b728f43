"""A season while it is prepared: its divisions, rules, days and teams."""

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
from clubs.services.history import ActionRequest, ByRow, Record, Rows, added_row, declare, perform
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
"""Settings that can be changed until the season is closed."""
DAYS = ("starts_on", "days", "play_days", "plays_at", "swaps_sides")


# Undoing


def check_undone(record: Record, act: Act) -> None:
    """Raise if the undone rows belong to a season drawn since then, or undoing would delete placed teams."""
    for change in act.changes:
        season = _season_of_change(change)
        fields = {*(change["was"] or {}), *(change["is"] or {})}
        if season is not None and season.status != Status.DRAFT and not fields <= set(AT_ONCE):
            raise Refused("drawn", gettext("%(season)s has been drawn. Undo the draw first.") % {"season": season})
        is_new = change["model"] == "division" and change["was"] is None
        if is_new and SeasonEntry.objects.filter(division=change["pk"]).exists():
            raise Refused(
                "used_since", gettext("Teams have been placed since then. Remove them first, or delete the draft.")
            )


def _season_of_change(change: Mapping[str, Any]) -> Season | None:
    """The season that a changed row belongs to, if it exists."""
    if change["model"] == "season":
        return Season.objects.filter(pk=change["pk"]).first()
    if change["model"] not in ("division", "seasonentry"):
        return None
    season_id = {**(change["was"] or {}), **(change["is"] or {})}.get("season_id")
    if season_id is None:
        model = Division if change["model"] == "division" else SeasonEntry
        season_id = model._default_manager.filter(pk=change["pk"]).values_list("season_id", flat=True).first()
    return Season.objects.filter(pk=season_id or 0).first()


# Creation and changes


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
    **how: Unpack[ActionRequest],
) -> Season:
    """Create a draft of a season.

    `rules_version_id` (a version of the club's house rules) goes before `preset` (a published ruleset); either is
    pinned. `plan` has choices for each division (`season_plans.PLAN`): `legs`, `scoring`, `win`, `draw`, `loss`,
    `tiebreaks`, …; `settings` those of its tournament (`season_plans.SETTINGS`): `setting` (`online`, `face`, `mixed`),
    `terms`, `no_show`, `confirm_hours`, `is_rated`, and for teams `side_size`. `divisions` are names and sizes, the top
    one first; `up` and `down` the numbers over each border (one by default). Raises `Refused` with the field that is
    wrong.
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
        planned = _read_divisions([(None, *division) for division in divisions])
        season.up = season_plans.read_borders(up, len(planned), "up")
        season.down = season_plans.read_borders(down, len(planned), "down")
        season_plans.check_days(season)
        season_plans.check(season)
        record.create(season)
        record.create_all(
            [
                Division(season=season, level=level, name=title, size=size)
                for level, (_, title, size) in enumerate(planned, 1)
            ]
        )
        return gettext("%(season)s of %(league)s was created as a draft.") % {"season": season, "league": league}

    return added_row(perform(lookups.club_of(League, league_id), do, SEASON, by=by, **how), Season)


def new_names(league: League, name: str) -> dict[str, Any]:
    """Name, number and address of a new season. Raises `Refused` (field `name`)."""
    title = _free_name(league, name)
    seasons = Season.objects.filter(league=league)
    slug = titles.free_slug(title, set(seasons.values_list("slug", flat=True)), 60, otherwise="season")
    last = seasons.aggregate(last=Max("number"))["last"] or 0
    return {"name": title, "slug": slug, "number": last + 1}


def change(season_id: int, by: User, *, changes: Mapping[str, Any], **how: Unpack[ActionRequest]) -> Act:
    """Change a draft: any argument of `make` except `divisions`. Once drawn only `name`, `up` and `down`, until it is
    closed. Raises `Refused` with the field."""

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
            "changes": ", ".join(sorted(_changes_text(changes))),
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


def _changes_text(changes: Mapping[str, Any]) -> set[str]:
    return {gettext(_WORDS[name]) if name in _WORDS else name for name in changes}


def values(record: Record, season: Season, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a season from arguments of `make`. Raises `Refused` with the field."""
    count = Division.objects.filter(season=season).count()
    fields: dict[str, Any] = {name: value for name, value in changes.items() if name in DAYS}
    for name, value in changes.items():
        if name == "name":
            fields["name"] = _free_name(season.league, value, season.pk)
        elif name in ("up", "down"):
            fields[name] = season_plans.read_borders(value, count, name)
        elif name == "plan":
            fields["plan_json"] = season_plans.read_plan(value)
        elif name == "settings":
            fields["settings"] = season_plans.read_settings(value)
        elif name in ("preset", "rules_version_id"):
            fields |= season_plans.read_rules(
                record.club, str(changes.get("preset", "")), changes.get("rules_version_id")
            )
        elif name not in DAYS:
            raise Refused("bad_settings", gettext("A season has no setting called “%(name)s”.") % {"name": name[:40]})
    return fields


def delete_draft(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Delete a draft. Can be undone."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        for model in (Blackout, SeasonEntry, Division):
            for row in model._default_manager.filter(season=season):
                record.delete(row)
        words = gettext("The draft %(season)s of %(league)s was deleted.") % {"season": season, "league": season.league}
        record.delete(season)
        return words

    return perform(club_of(season_id), do, SEASON_DELETION, by=by, **how)


# Divisions


DIVISIONS = declare("season_divisions", needs="leagues", undo=Rows(first=check_undone))


def set_divisions(
    season_id: int, by: User, *, divisions: Sequence[tuple[int | None, str, int]], **how: Unpack[ActionRequest]
) -> Act:
    """Set the divisions, the top one first: (id, or `None` for a new one; name; size). The others are deleted, with
    their entries. Once drawn only names can change. Raises `Refused` (field `divisions`)."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        planned = _read_divisions(divisions)
        existing = {division.pk: division for division in Division.objects.filter(season=season)}
        if not {pk for pk, _, _ in planned if pk is not None} <= set(existing):
            raise Refused("no_division", gettext("Division not found in this season."), field="divisions")
        if season.status != Status.DRAFT:
            _rename(record, existing, planned)
            return gettext("The divisions of %(season)s were renamed.") % {"season": season}
        kept_ids = {pk for pk, _, _ in planned}
        for removed in [division for pk, division in existing.items() if pk not in kept_ids]:
            for entry in SeasonEntry.objects.filter(division=removed):
                record.delete(entry)
            record.delete(removed)
        _place_divisions(record, season, existing, planned)
        record.change(
            season,
            up=season_plans.borders(season.up, len(planned)),
            down=season_plans.borders(season.down, len(planned)),
        )
        return ngettext(
            "%(season)s of %(league)s has %(count)s division.",
            "%(season)s of %(league)s has %(count)s divisions.",
            len(planned),
        ) % {"season": season, "league": season.league, "count": len(planned)}

    return perform(club_of(season_id), do, DIVISIONS, by=by, **how)


def _place_divisions(
    record: Record, season: Season, existing: Mapping[int, Division], planned: Sequence[tuple[int | None, str, int]]
) -> None:
    highest = max([division.level for division in existing.values()], default=0)
    moving = [pk for level, (pk, _, _) in enumerate(planned, 1) if pk is not None and existing[pk].level != level]
    for at, division_id in enumerate(moving, 1):  # out of the way of one another first
        record.change(existing[division_id], level=max(highest, len(planned)) + at)
    for level, (pk, name, size) in enumerate(planned, 1):
        if pk is None:
            record.create(Division(season=season, level=level, name=name, size=size))
        else:
            record.change(existing[pk], level=level, name=name, size=size)


def _rename(record: Record, existing: Mapping[int, Division], planned: Sequence[tuple[int | None, str, int]]) -> None:
    order = [division.pk for division in sorted(existing.values(), key=lambda division: division.level)]
    if [pk for pk, _, _ in planned] != order:
        raise Refused(
            "drawn", gettext("The season is drawn. Only the names of its divisions can change."), field="divisions"
        )
    changed = [record.change(existing[pk or 0], name=name) for pk, name, _ in planned]
    if not any(changed):
        raise Refused("nothing_new", gettext("Nothing was changed."))


def _read_divisions(divisions: Sequence[tuple[int | None, str, int]]) -> list[tuple[int | None, str, int]]:
    if not 1 <= len(divisions) <= MOST_DIVISIONS:
        raise Refused(
            "no_division",
            gettext("A season has 1 to %(most)s divisions.") % {"most": MOST_DIVISIONS},
            field="divisions",
        )
    planned: list[tuple[int | None, str, int]] = []
    for pk, name, size in divisions:
        title = naming.clean(name, LONGEST, field="divisions")
        if titles.is_taken(title, [other for _, other, _ in planned]):
            raise Refused(
                "name_taken", gettext("Two divisions are called %(title)s.") % {"title": title}, field="divisions"
            )
        if not 2 <= size <= MOST_IN_DIVISION:
            raise Refused(
                "bad_size",
                gettext("A division has 2 to %(most)s teams.") % {"most": MOST_IN_DIVISION},
                field="divisions",
            )
        planned.append((pk, title, size))
    ids = [pk for pk, _, _ in planned if pk is not None]
    if len(set(ids)) < len(ids):
        raise Refused("twice", gettext("A division is named twice."), field="divisions")
    return planned


# Places


PLACES = declare("season_entries", needs="leagues", undo=Rows(first=check_undone))


def place(season_id: int, by: User, *, divisions: Mapping[int, Sequence[int]], **how: Unpack[ActionRequest]) -> Act:
    """Place teams: ids of teams in the order of the draw, by id of the division. Other divisions do not change; other
    teams of these divisions are removed. Raises `Refused`."""

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_draft(season)
        existing = Division.objects.filter(season=season).in_bulk(list(divisions))
        if len(existing) < len(divisions):
            raise Refused("no_division", gettext("Division not found in this season."), field="divisions")
        team_ids = [pk for order in divisions.values() for pk in order]
        if len(set(team_ids)) < len(team_ids):
            raise Refused("twice", gettext("A team can only be in one division, once."), field="divisions")
        teams = Team.objects.filter(league=season.league, left_at=None).in_bulk(team_ids)
        if len(teams) < len(team_ids):
            raise Refused("no_team", gettext("Choose teams that are in the league."), field="divisions")
        for entry in SeasonEntry.objects.filter(season=season, division__in=divisions).exclude(team__in=team_ids):
            record.delete(entry)
        rows_by_team = {entry.team_id: entry for entry in SeasonEntry.objects.filter(season=season, team__in=team_ids)}
        for division_id, order in divisions.items():
            for position, team_id in enumerate(order, 1):
                _place_team(record, season, rows_by_team.get(team_id), teams[team_id], existing[division_id], position)
        return ngettext(
            "%(season)s of %(league)s: %(count)s team was placed in a division.",
            "%(season)s of %(league)s: %(count)s teams were placed in divisions.",
            len(team_ids),
        ) % {"season": season, "league": season.league, "count": len(team_ids)}

    return perform(club_of(season_id), do, PLACES, by=by, **how)


def _place_team(
    record: Record, season: Season, existing: SeasonEntry | None, team: Team, division: Division, position: int
) -> None:
    if existing is None:
        record.create(SeasonEntry(season=season, team=team, division=division, position=position))
    else:
        record.change(existing, division=division, position=position)


# Days off


def _check_off(by: User, of: League | Team) -> None:
    """Raise `NotAllowed` unless the person may set days off of a league, or a team."""
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
    **how: Unpack[ActionRequest],
) -> Blackout:
    """Add days on which nobody, or one team, plays; their `reason` is shown. For everyone: by an organiser, before the
    draw. Of a team: also by people who act for it, until the season's end. Raises `Refused` (fields `first_day`,
    `last_day`)."""

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

    return added_row(perform(club_of(season_id), do, BLACKOUT, by=by, **how), Blackout)


def remove_blackout(blackout_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove days off."""
    season_id = lookups.existing(Blackout.objects.filter(pk=blackout_id).values_list("season_id", flat=True).first())

    def do(record: Record) -> str:
        season = season_of(record, season_id)
        check_open(season)
        blackout = lookups.existing(Blackout.objects.filter(pk=blackout_id).first())
        team = _team_off(record, season, blackout.team_id)
        record.delete(blackout)
        values = {"season": season, "team": team, "days": _days(blackout.first_day, blackout.last_day)}
        if team:
            return gettext("%(season)s: %(team)s plays %(days)s after all.") % values
        return gettext("%(season)s: everyone plays %(days)s after all.") % values

    return perform(club_of(season_id), do, BLACKOUT, by=by, **how)


def _team_off(record: Record, season: Season, team_id: int | None) -> Team | None:
    """The team of days off, if any, after a check of rights."""
    if team_id is None:
        record.ask(season.league)
        check_draft(season)
        return None
    team = lookups.existing(
        Team.objects.filter(pk=team_id, league=season.league).select_related("league__club", "club").first()
    )
    record.ask(team)
    return team


def _days(first: date, last: date) -> str:
    values = {"first": day(first), "last": day(last)}
    return (gettext("on %(first)s") if first == last else gettext("from %(first)s to %(last)s")) % values


# Lookups


def club_of(season_id: int) -> int:
    """The id of the club that runs a season's league. Raises `Refused` if there is no such season."""
    return lookups.existing(Season.objects.filter(pk=season_id).values_list("league__club_id", flat=True).first())


def season_of(record: Record, season_id: int) -> Season:
    """A season of the club, as it is under the lock."""
    seasons = Season.objects.filter(pk=season_id, league__club=record.club)
    return lookups.existing(seasons.select_related("league__club", "drawn_from", "rules_version").first())


def check_draft(season: Season) -> None:
    """Raise `Refused` unless the season is being prepared."""
    if season.status != Status.DRAFT:
        raise Refused(
            "drawn", gettext("%(season)s has been drawn, so this can no longer be changed.") % {"season": season}
        )


def check_open(season: Season) -> None:
    """Raise `Refused` if the season is closed."""
    if season.status == Status.CLOSED:
        raise Refused("closed", gettext("%(season)s is closed.") % {"season": season})


def _league(record: Record, league_id: int) -> League:
    return lookups.existing(League.objects.filter(pk=league_id, club=record.club).select_related("club").first())


def _free_name(league: League, name: str, besides: int | None = None) -> str:
    title = naming.clean(name, LONGEST, field="name")
    names = Season.objects.filter(league=league).exclude(pk=besides or 0).values_list("name", flat=True)
    if titles.is_taken(title, names):
        raise Refused(
            "name_taken", gettext("A season called %(wished)s already exists.") % {"wished": title}, field="name"
        )
    return title
