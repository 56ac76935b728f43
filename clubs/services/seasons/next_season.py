"""The next season, created from the last one in one act that can be previewed and undone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.league import finals
from clubs.models import Act, Division, Season, SeasonEntry, Team
from clubs.services.history import ActionRequest, Record, Rows, added_row, declare, perform, undo
from clubs.services.leagues import leagues
from clubs.services.seasons import season_draw, season_plans, season_setup
from engine.compete.seasons import move
from engine.errors import BadInput
from web.errors import Refused
from web.text import ordinal

UNDERSIZED = ("merge", "fill", "keep")
"""Ways to treat a bottom division that is too small."""
OTHERWISE = ("days", "play_days", "plays_at", "swaps_sides", "plan", "settings", "preset", "rules_version_id")
"""Settings in which the next season may differ from the last: arguments of `season_setup.make`."""


@dataclass(frozen=True)
class Move:
    """The next division of a team, and why."""

    team: Team
    was: Division | None
    place: int | None
    step: str
    """`up`, `down`, `stays`, `joins`, or `leaves`."""
    why: str
    """`2nd of Division 2: promoted`."""


@dataclass(frozen=True)
class NextDivision:
    """A division of the next season."""

    name: str
    size: int
    moves: tuple[Move, ...]
    """Its teams in the order of the draw."""


@dataclass(frozen=True)
class Preview:
    """The next season as it would be created."""

    season: Season
    """The season it is created from."""
    divisions: tuple[NextDivision, ...]
    leaving: tuple[Move, ...]
    wrong: tuple[str, ...]
    """Problems, a sentence each."""
    by_hand: int = 0
    """The number of teams placed by hand, against the standings."""

    @property
    def can_make(self) -> bool:
        return not self.wrong


# Preview


def preview(
    season: Season,
    *,
    leaving: Sequence[int] = (),
    joining: Sequence[int] = (),
    sizes: Sequence[int] | None = None,
    up: Sequence[int] | None = None,
    down: Sequence[int] | None = None,
    undersized: str = "merge",
    least: int = 3,
    moves: Mapping[int, int] | None = None,
) -> Preview:
    """Preview the divisions after a closed season, with reasons; nothing is written.

    `leaving` and `joining` are ids of teams; `sizes` of the divisions, of which the bottom one takes the rest and may
    be left out; `up` and `down` over each border, by default those of the season. A bottom division of fewer than
    `least` is `merge`d into the one above, `fill`ed from it, or `keep`s as few. `moves` are levels, 1 for the top, by
    ids of teams placed by hand. Teams that have left the league are among those leaving.
    """
    divisions = season_plans.divisions_of(season)
    rows = _finals(season)
    new = {team.pk: team for team in Team.objects.filter(league=season.league, left_at=None, pk__in=joining)}
    wrong = [*_wrong_season(season, divisions), *_wrong_teams(rows, new, leaving, joining)]
    gone = {*leaving, *(team for team, entry in rows.items() if entry.team.left_at is not None)} & set(rows)
    if wrong:
        return Preview(season, (), (), tuple(wrong))
    count = len(divisions)
    division_of = {pk: entry.division_id for pk, entry in rows.items() if pk not in gone}
    orders = [[pk for pk, division_id in division_of.items() if division_id == division.pk] for division in divisions]
    ups = season_plans.borders(season.up if up is None else up, count)
    downs = season_plans.borders(season.down if down is None else down, count)
    target_sizes = [division.size for division in divisions] if sizes is None else list(sizes)
    if wrong_sizes := _wrong_sizes(target_sizes):
        return Preview(season, (), (), (wrong_sizes,))
    if len(target_sizes) < count:
        target_sizes += [division.size for division in divisions[len(target_sizes) :]][-1:]
    decided = finals.playoffs(season)
    try:
        moved = move(
            *finals.after_playoffs(orders, ups, downs, decided),
            sizes=target_sizes[:-1],
            least=0 if undersized == "keep" else least,
            undersized="fill" if undersized == "fill" else "merge",
            joining=list(new),
        )
        placed = _by_hand(moved, {pk: level for pk, level in (moves or {}).items() if pk not in gone}, list(rows))
        usual = move(*finals.after_playoffs(orders, ups, downs, decided), least=0, joining=list(new))
    except (BadInput, Refused) as error:
        return Preview(season, (), (), (error.sentence,))
    level_of = {pk: level for level, team_ids in enumerate(moved) for pk in team_ids}
    by_hand = {pk for level, team_ids in enumerate(placed) for pk in team_ids if level_of[pk] != level}
    played_off = {team for playoff in decided.values() for team in playoff.order}
    text = _MoveText(divisions, rows, new, usual, len(moved), played_off, by_hand)
    next_divisions = tuple(
        NextDivision(divisions[level].name, target_sizes[level], tuple(text.move(pk, level) for pk in team_ids))
        for level, team_ids in enumerate(placed)
    )
    return Preview(season, next_divisions, tuple(text.leaves(pk) for pk in rows if pk in gone), (), len(by_hand))


def _wrong_sizes(sizes: Sequence[int]) -> str:
    """The problem with sizes of divisions; empty if there is none."""
    most = season_setup.MOST_IN_DIVISION
    return (
        ""
        if all(2 <= size <= most for size in sizes)
        else gettext("A division has 2 to %(most)s teams.") % {"most": most}
    )


def _by_hand(placed: Sequence[Sequence[int]], moves: Mapping[int, int], order: Sequence[int]) -> list[list[int]]:
    """The divisions with some teams placed by hand, in the order of the final standings, new teams last. Raises
    `Refused`."""
    divisions = [list(division) for division in placed]
    rank = {pk: at for at, pk in enumerate(order)}
    for pk, level in moves.items():
        if not 1 <= level <= len(divisions):
            raise Refused("no_division", gettext("The next season has no division %(number)s.") % {"number": level})
        was = next((division for division in divisions if pk in division), None)
        if was is None:
            raise Refused("no_such_team", gettext("Only teams of the next season can be put in a division."))
        if was is divisions[level - 1]:
            continue
        was.remove(pk)
        division = divisions[level - 1]
        after = [at for at, other in enumerate(division) if rank.get(other, len(rank)) > rank.get(pk, len(rank))]
        division.insert(after[0] if after else len(division), pk)
    return divisions


def _finals(season: Season) -> dict[int, SeasonEntry]:
    """Entries of a closed season by id of the team, in the order of divisions and final places."""
    rows = SeasonEntry.objects.filter(season=season).select_related("team__club", "division")
    ordered = sorted(rows, key=lambda entry: (entry.division.level, entry.final_rank or 0, entry.position))
    return {entry.team_id: entry for entry in ordered}


def _wrong_season(season: Season, divisions: Sequence[Division]) -> Iterable[str]:
    if season.league.is_archived:
        yield gettext("%(league)s is archived. Restore it first.") % {"league": season.league}
    if season.status != Season.Status.CLOSED:
        yield gettext("%(season)s is not closed. Its final standings decide the next divisions.") % {"season": season}
        return
    after = Season.objects.filter(drawn_from=season).first()
    if after is not None:
        yield gettext("%(after)s has already been created from %(season)s.") % {"after": after, "season": season}
    now = finals.final_orders(season, divisions)
    if any(final.entry.final_rank != final.place for order in now.values() for final in order):
        yield gettext("Results of %(season)s were corrected after it was closed. Reopen it and close it again.") % {
            "season": season
        }


def _wrong_teams(
    rows: dict[int, SeasonEntry], new: dict[int, Team], leaving: Sequence[int], joining: Sequence[int]
) -> Iterable[str]:
    if not set(leaving) <= set(rows):
        yield gettext("Only teams of the season can leave it.")
    if len(new) < len(set(joining)):
        yield gettext("Only teams that are in the league can join.")
    for pk in new:
        if pk in rows:
            yield gettext("%(new)s is already in the season.") % {"new": new[pk]}


class _MoveText:
    """Moves in words."""

    def __init__(
        self,
        divisions: Sequence[Division],
        rows: dict[int, SeasonEntry],
        new: dict[int, Team],
        usual: Sequence[Sequence[int]],
        count: int,
        played_off: set[int],
        by_hand: set[int],
    ) -> None:
        self.divisions, self.rows, self.new, self.played_off = divisions, rows, new, played_off
        self.usual = {team: level for level, team_ids in enumerate(usual) for team in team_ids}
        self.count, self.by_hand = count, by_hand

    def move(self, pk: int, level: int) -> Move:
        """The move of a team into the division of this level, counted from 0."""
        entry = self.rows.get(pk)
        if entry is None:
            is_by_hand = pk in self.by_hand
            why = gettext("new in the season, put here by hand") if is_by_hand else gettext("new in the season")
            return Move(self.new[pk], None, None, "joins", why)
        was = entry.division.level - 1
        step = "up" if level < was else "down" if level > was else "stays"
        why = f"{self._place(entry)}: {self._why(pk, was, level)}"
        return Move(entry.team, entry.division, entry.final_rank, step, why)

    def leaves(self, pk: int) -> Move:
        """The move of a team that leaves."""
        entry = self.rows[pk]
        why = f"{self._place(entry)}: {gettext('leaves')}"
        return Move(entry.team, entry.division, entry.final_rank, "leaves", why)

    def _place(self, entry: SeasonEntry) -> str:
        return (
            gettext("%(place)s of %(division)s") % {"place": ordinal(entry.final_rank), "division": entry.division}
            if entry.final_rank
            else gettext("in %(division)s") % {"division": entry.division}
        )

    def _why(self, pk: int, was: int, level: int) -> str:
        if pk in self.by_hand:
            if level == was:
                return gettext("stays by hand")
            return gettext("promoted by hand") if level < was else gettext("relegated by hand")
        usual, is_played_off = self.usual[pk], pk in self.played_off
        if level < was:
            if was >= self.count and usual == was:
                return gettext("%(lower)s is merged into %(upper)s") % {
                    "lower": self.divisions[was],
                    "upper": self.divisions[level],
                }
            if usual >= was:
                return gettext("promoted because a place is free")
            return gettext("promoted by the play-off") if is_played_off else gettext("promoted")
        if level > was:
            if usual <= was:
                return gettext("relegated because there is no room")
            return gettext("relegated by the play-off") if is_played_off else gettext("relegated")
        if usual > was:
            return gettext("stays because a place is free")
        if usual < was:
            return gettext("stays because there is no room above")
        return gettext("stays by the play-off") if is_played_off else gettext("stays")


# Creation


def _check_draft(record: Record, act: Act) -> None:
    """Raise if the created season has started."""
    for change in act.changes:
        season = Season.objects.filter(pk=change["pk"]).first() if change["model"] == "season" else None
        if season is not None:
            season_setup.check_draft(season)


NEXT_SEASON = declare("next_season", needs="leagues", undo=Rows(first=_check_draft))


def make(
    season_id: int,
    by: User,
    *,
    name: str,
    starts_on: date,
    leaving: Sequence[int] = (),
    joining: Sequence[int] = (),
    sizes: Sequence[int] | None = None,
    up: Sequence[int] | None = None,
    down: Sequence[int] | None = None,
    undersized: str = "merge",
    least: int = 3,
    moves: Mapping[int, int] | None = None,
    changes: Mapping[str, Any] | None = None,
    **how: Unpack[ActionRequest],
) -> Season:
    """Create a draft of the next season with the divisions of `preview`; rules, days and terms are those of the last,
    except `changes` (`OTHERWISE`).

    A season has one next season; a second one is refused, and the same request key returns the first. Raises `Refused`,
    with the field that is wrong in the new season itself.
    """

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        leagues.check_alive(season.league)
        planned = preview(
            season,
            leaving=leaving,
            joining=joining,
            sizes=sizes,
            up=up,
            down=down,
            undersized=undersized,
            least=least,
            moves=moves,
        )
        if planned.wrong:
            raise Refused("cannot_work", " ".join(planned.wrong), sentences=list(planned.wrong))
        new = _copy(season, name, starts_on, len(planned.divisions))
        for field, value in season_setup.values(record, season, _otherwise(changes or {})).items():
            setattr(new, field, value)
        season_plans.check_days(new)
        if changes:
            season_plans.check(new)
        record.create(new)
        _create_divisions(record, new, planned)
        return _made_words(new, planned)

    return added_row(perform(season_setup.club_of(season_id), do, NEXT_SEASON, by=by, **how), Season)


def _create_divisions(record: Record, season: Season, planned: Preview) -> None:
    for level, next_division in enumerate(planned.divisions, 1):
        division = Division(season=season, level=level, name=next_division.name, size=next_division.size)
        record.create(division)
        record.create_all(
            [
                SeasonEntry(season=season, team=team_move.team, division=division, position=position)
                for position, team_move in enumerate(next_division.moves, 1)
            ]
        )


def _made_words(new: Season, planned: Preview) -> str:
    """What the history says of a created season."""
    steps = [team_move.step for next_division in planned.divisions for team_move in next_division.moves]
    words = gettext(
        "%(new)s of %(league)s was created from %(season)s: %(up)s promoted, %(down)s relegated, %(joined)s new."
    )
    if planned.by_hand:
        words = gettext(
            "%(new)s of %(league)s was created from %(season)s: %(up)s promoted, %(down)s relegated, "
            "%(joined)s new, %(moved)s by hand."
        )
    return words % {
        "new": new,
        "league": planned.season.league,
        "season": planned.season,
        "up": steps.count("up"),
        "down": steps.count("down"),
        "joined": steps.count("joins"),
        "moved": planned.by_hand,
    }


def _otherwise(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    if unknown := set(changes) - set(OTHERWISE):
        raise Refused(
            "bad_settings",
            gettext("The next season has no setting called “%(unknown)s”.") % {"unknown": min(unknown)[:40]},
        )
    return changes


def _copy(season: Season, name: str, starts_on: date, divisions: int) -> Season:
    """A season like another, with other days."""
    return Season(
        league=season.league,
        drawn_from=season,
        **season_setup.new_names(season.league, name),
        rules_version=season.rules_version,
        rules_json=season.rules_json,
        plan_json=season.plan_json,
        settings=season.settings,
        starts_on=starts_on,
        days=season.days,
        play_days=season.play_days,
        plays_at=season.plays_at,
        swaps_sides=season.swaps_sides,
        up=season_plans.borders(season.up, divisions),
        down=season_plans.borders(season.down, divisions),
    )


def undo_next(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Undo the draft that was created from this season. Raises `Refused` if it has started."""
    new = Season.objects.filter(drawn_from=season_id).order_by("-pk").first()
    if new is None:
        raise Refused("undone", gettext("No season was created from this one."))
    act_id = season_draw.act_of(season_setup.club_of(season_id), "next_season", new.pk, "season")
    return undo(act_id, by=by, **season_draw.undo_options(how))
