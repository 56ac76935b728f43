"""The form of a cup: its teams and their seeding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from clubs.models import Season, Team
from clubs.services.seasons import cup_seeds
from web.errors import Refused
from web.sent_numbers import read_ids, read_whole

USUAL = "table"


@dataclass(frozen=True)
class SeedRow:
    """A team in the form."""

    team: Team
    number: int
    is_in: bool


@dataclass(frozen=True)
class Seeds:
    """The order of the form."""

    rows: tuple[SeedRow, ...]
    way: str
    """One of `cup_seeds.WAYS`; `hand` after a number was typed."""
    moved: str = ""
    """The button that keeps the focus, such as `up-12`."""
    strangers: tuple[int, ...] = ()
    """Ticked ids that are not teams of the season, to be refused by the action."""

    @property
    def chosen(self) -> list[int]:
        """The ids of the chosen teams, in this order."""
        return [*(seed.team.pk for seed in self.rows if seed.is_in), *self.strangers]


def fresh(season: Season, teams: Sequence[Team]) -> Seeds:
    """All teams of the season, by the standings."""
    return _ranked(season, teams, USUAL, {team.pk for team in teams})


def typed(season: Season, teams: Sequence[Team], sent: QueryDict, wish: str) -> Seeds:
    """The form as sent. `wish` is the button: `order` ranks again, `up:12` and `down:12` move a team (id) by a
    place. Raises nothing: an impossible way of seeding stays, to be refused by the action.
    """
    chosen = {*read_ids(sent.getlist("teams"))}
    is_in = chosen & {team.pk for team in teams}
    strangers = tuple(sorted(chosen - is_in))
    way = sent.get("seeding", USUAL)[:20]
    numbers = {team.pk: (_number(sent, "seed", team), _number(sent, "was", team)) for team in teams}
    is_by_hand = any(now != was for now, was in numbers.values() if now is not None)
    direction, _, pk = wish.partition(":")
    if direction in ("up", "down"):
        rows = _moved(_by_numbers(teams, numbers), direction, pk)
        return Seeds(_rows(rows, is_in), "hand", f"{direction}-{pk}", strangers)
    if way == "hand" or is_by_hand:
        return Seeds(_rows(_by_numbers(teams, numbers), is_in), "hand", strangers=strangers)
    if wish == "order":
        return _ranked(season, teams, way, is_in)
    return Seeds(_rows(_by_numbers(teams, numbers), is_in), way, strangers=strangers)


def _ranked(season: Season, teams: Sequence[Team], way: str, is_in: set[int]) -> Seeds:
    by_id = {team.pk: team for team in teams}
    try:
        order = cup_seeds.seed_order(season, list(by_id), way)
    except Refused:
        order = list(by_id)
    return Seeds(_rows([by_id[pk] for pk in order], is_in), way)


def _rows(teams: Sequence[Team], is_in: set[int]) -> tuple[SeedRow, ...]:
    return tuple(SeedRow(team, at, team.pk in is_in) for at, team in enumerate(teams, 1))


def _number(sent: QueryDict, name: str, team: Team) -> int | None:
    return read_whole(sent.get(f"{name}_{team.pk}", ""), digits=4)


def _by_numbers(teams: Sequence[Team], numbers: Mapping[int, tuple[int | None, int | None]]) -> list[Team]:
    """The teams by the numbers typed; a moved team takes the place of the team that had the number."""

    def place(at: int, team: Team) -> tuple[int, bool, int]:
        now, was = numbers[team.pk]
        stood = was if was is not None else at
        if now is None:
            return (stood, True, stood)
        return (now, now == stood, stood) if now <= stood else (now, True, stood + len(teams))

    return [team for _, team in sorted(enumerate(teams, 1), key=lambda numbered: place(*numbered))]


def _moved(teams: list[Team], direction: str, pk: str) -> list[Team]:
    at = next((index for index, team in enumerate(teams) if str(team.pk) == pk), None)
    if at is not None:
        to = max(0, min(len(teams) - 1, at + (-1 if direction == "up" else 1)))
        teams.insert(to, teams.pop(at))
    return teams
