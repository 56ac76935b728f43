"""API view of a player, with what the page of the player shows to the same reader."""

from dataclasses import asdict
from typing import Any

from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import response_serializers
from clubs.api.base import describe, reader
from clubs.public.player import PlayerPage, player_page, rating_curves, rating_tabs
from gameplay.api.tables import answer
from gameplay.player_record import Company, Game, PlayerRecord
from tournaments.api.base import may_look


@describe(response_serializers.PlayerShape, name="players_retrieve")
@api_view(["GET"])
@permission_classes([may_look("read")])
def player(request: Request, username: str) -> Response:
    """A player: ratings, record, recent games, clubs and titles, as far as the player shows them to you."""
    page = player_page(username, reader(request))
    data = {
        "username": page.person.username,
        "name": str(page.person),
        "plays_since": page.person.date_joined,
        "is_friend": page.is_friend,
        "is_here": page.is_here,
        "ratings": _ratings(page),
        "record": None if page.record is None else _record(page.record),
        "clubs": [{"slug": club.slug, "name": str(club)} for club in page.clubs],
        "titles": [
            {
                "title": honour.words,
                "team": str(honour.team),
                "club": honour.season.league.club.slug,
                "season": str(honour.season),
            }
            for honour in page.titles
        ],
    }
    return answer(request, response_serializers.PlayerShape, data)


def _ratings(page: PlayerPage) -> list[dict[str, Any]]:
    curves = rating_curves(page.ratings)
    return [
        {
            "ruleset": tab.rating.pool,
            "rating": tab.rating.value,
            "matches": tab.rating.matches,
            "change": tab.change,
            "curve": [{"at": at, "rating": value} for at, value in curves[tab.rating.pk]],
        }
        for tab in rating_tabs(page.ratings)
    ]


def _record(record: PlayerRecord) -> dict[str, Any]:
    return {
        **{name: getattr(record, name) for name in ("matches", "won", "in_a_row")},
        "best_deals": [
            {"table": best.table.slug, "deal": best.deal, "points": best.points} for best in record.best_deals
        ],
        "partners": [_company(row) for row in record.partners],
        "opponents": [_company(row) for row in record.opponents],
        "games": [_game(game) for game in record.games],
    }


def _company(row: Company) -> dict[str, Any]:
    people = [{"name": name, "username": username} for name, username in row.people]
    return {"people": people, "matches": row.matches, "won": row.won}


def _game(game: Game) -> dict[str, Any]:
    names = ("rules", "partners", "opponents", "is_won", "is_shared", "points", "deals", "at")
    board = None if game.board is None else asdict(game.board)
    return {"table": game.table.slug, **{name: getattr(game, name) for name in names}, "board": board}
