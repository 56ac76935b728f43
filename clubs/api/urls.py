"""Addresses of the API of clubs, below `api/v1/`."""

from collections.abc import Iterable
from typing import Any

from django.urls import URLPattern, path

from clubs.api import (
    clubs,
    data,
    files,
    leagues,
    links,
    matches,
    newsletters,
    people,
    players,
    previews,
    publications,
    seasons,
    statistics,
)
from clubs.coming import api as coming
from clubs.fair_play import api as fair_play
from clubs.house_rules import api as house_rules
from clubs.news_places import api as news_places
from clubs.series import api as series
from clubs.tonight import api as tonight

CLUB = "clubs/<slug:club>/"
PERSON = f"{CLUB}people/<int:membership>/"
SERIES = f"{CLUB}series/<slug:series>/"
RULES = f"{CLUB}rules/<slug:rules>/"
LEAGUE = f"{CLUB}leagues/<slug:league>/"
TEAM = f"{LEAGUE}teams/<int:number>/"
SEASON = f"{LEAGUE}seasons/<slug:season>/"
DIVISION = f"{SEASON}divisions/<int:level>/"
MATCH = f"{LEAGUE}matches/<int:match>/"


def _acts(under: str, name: str, views: dict[str, Any]) -> Iterable[URLPattern]:
    """An address for each act on something."""
    return [path(f"{under}{act}/", view, name=f"{name}_{act.replace('-', '_')}") for act, view in views.items()]


def _files(under: str, name: str, names: Iterable[str], view: Any) -> Iterable[URLPattern]:
    """An address for each file."""
    return [
        path(f"{under}files/{file}", view, {"file": file}, name=f"{name}_{file.replace('.', '_')}") for file in names
    ]


app_name = "clubs_api"
urlpatterns = [
    path("clubs/", clubs.Clubs.as_view(), name="clubs"),
    *_acts(
        "club-links/",
        "link",
        {
            "look": links.show_link,
            "join": links.join,
            "claim": links.claim,
            "letter": links.accept_invitation,
            "decline-letter": links.decline_invitation,
        },
    ),
    path("club-files/bring-in/", data.import_club, name="bring_club"),
    path("players/<str:username>/", players.player, name="player"),
    path("shared-rules/<str:token>/", house_rules.shared, name="shared_rules"),
    path("shared-rules/<str:token>/file/", files.of_shared_rules, name="shared_rules_file"),
    path(CLUB, clubs.club, name="club"),
    *_acts(
        CLUB,
        "club",
        {
            "roles": clubs.roles,
            "settings": clubs.settings,
            "join-link": clubs.join_link,
            "renew-link": clubs.renew_link,
            "archive": clubs.archive,
            "bring-back": clubs.restore,
            "history": clubs.acts,
            "events": clubs.events,
            "join": people.join,
            "ask": people.ask,
            "withdraw": people.withdraw,
            "leave": people.leave,
            "own": people.own_profile,
            "change-own": people.change_own_profile,
            "directory": people.directory,
            "people": people.people,
            "add-people": people.add,
            "invite": people.invite,
            "look-at-people": people.preview_table,
            "bring-in": people.import_people,
            "waiting": people.waiting,
            "news": publications.all_news,
            "write-news": publications.write_news,
            "news-places": news_places.all_places,
            "news-deliveries": news_places.deliveries,
            "news-text": news_places.text,
            "add-news-place": news_places.add,
            "dates": publications.dates,
            "add-date": publications.add_meeting,
            "repeating": coming.all_repeating,
            "add-repeating": coming.add_repeating,
            "coming": coming.coming,
            "newsletters": newsletters.all_newsletters,
            "newsletter-topics": newsletters.topics,
            "newsletter-readers": newsletters.readers,
            "set-newsletter-readers": newsletters.set_readers,
            "write-newsletter": newsletters.write_newsletter,
            "rules": house_rules.all_rules,
            "make-rules": house_rules.make,
            "copy-rules": house_rules.copy,
            "look-at-rules": house_rules.preview_rules,
            "read-rules": house_rules.read_rules,
            "tonight": tonight.tonight,
            "type-results": tonight.type_results,
            "publish-tonight": tonight.publish,
            "people-here": tonight.people,
            "series": series.all_series,
            "make-series": series.make,
            "leagues": leagues.all_leagues,
            "make-league": leagues.make,
            "results": matches.results,
            "own-matches": matches.own_matches,
            "statistics": statistics.of_club,
            "data": data.data,
            "look-at-seasons": data.preview_seasons,
            "bring-seasons": data.import_seasons,
            "take-away": data.export_club,
        },
    ),
    *_files(CLUB, "file", files.CLUB, files.of_club),
    path(f"{CLUB}files/past-season.csv", files.specimen, name="file_specimen"),
    path(f"{CLUB}fair-play/", fair_play.findings, name="fair_play"),
    path(f"{CLUB}fair-play/remark/", fair_play.remark, name="fair_play_remark"),
    path(f"{CLUB}history/<int:act>/undo/", clubs.undo, name="undo"),
    *_acts(
        PERSON,
        "person",
        {
            "edit": people.edit,
            "role": people.role,
            "remove": people.remove,
            "bring-back": people.restore,
            "forget": people.forget,
            "claim-link": people.claim_link,
            "renew-claim-link": people.renew_claim_link,
            "letter": people.email_claim_link,
        },
    ),
    *_acts(f"{CLUB}requests/<int:asked>/", "request", {"accept": people.accept, "decline": people.decline}),
    path(f"{CLUB}letters/<int:invitation>/revoke/", people.revoke, name="letter_revoke"),
    path(f"{CLUB}league-requests/<int:asked>/answer/", people.answer_league, name="answer_league"),
    path(f"{CLUB}news/<int:news>/", publications.one_news, name="news"),
    *_acts(
        f"{CLUB}news/<int:news>/",
        "news",
        {"edit": publications.edit_news, "pin": publications.pin_news, "delete": publications.delete_news},
    ),
    *_acts(
        f"{CLUB}news-places/<int:place>/",
        "news_place",
        {
            "change": news_places.change,
            "address": news_places.change_address,
            "secret": news_places.renew_secret,
            "test": news_places.test,
            "pause": news_places.pause,
            "remove": news_places.remove,
        },
    ),
    path(f"{CLUB}news-deliveries/<int:delivery>/again/", news_places.send_again, name="news_delivery_again"),
    *_acts(
        f"{CLUB}dates/<int:meeting>/",
        "date",
        {
            "edit": publications.edit_meeting,
            "ask": coming.ask,
            "guests": coming.meeting_guests,
            "remove-guest": coming.remove_guest,
            "call-off": publications.cancel_meeting,
            "delete": publications.delete_meeting,
        },
    ),
    *_acts(
        f"{CLUB}repeating/<int:repeating>/",
        "repeating",
        {
            "edit": coming.edit_repeating,
            "skip": coming.skip_day,
            "end": coming.end_repeating,
            "reserves": coming.set_reserves,
        },
    ),
    *_acts(
        f"{CLUB}coming/<int:question>/",
        "coming",
        {
            "answers": coming.answers,
            "answer": coming.answer_own,
            "answer-for": coming.answer_for,
            "pair": coming.pair,
            "change-partner": coming.change_partner,
            "confirm": coming.confirm,
            "remind": coming.remind,
            "renew-links": coming.renew_links,
        },
    ),
    path(f"{CLUB}newsletters/<int:newsletter>/", newsletters.one_newsletter, name="newsletter"),
    *_acts(
        f"{CLUB}newsletters/<int:newsletter>/",
        "newsletter",
        {
            "edit": newsletters.edit_newsletter,
            "send": newsletters.send_newsletter,
            "delete": newsletters.delete_newsletter,
        },
    ),
    path(RULES, house_rules.rules, name="rules"),
    path(f"{RULES}versions/<int:version>/", house_rules.version, name="rules_version"),
    *_acts(
        RULES,
        "rules",
        {
            "save": house_rules.save,
            "rename": house_rules.rename,
            "archive": house_rules.archive,
            "bring-back": house_rules.restore,
        },
    ),
    path(SERIES, series.series, name="series"),
    *_acts(
        SERIES,
        "series",
        {"could-count": series.could_count, "change": series.change, "choose": series.choose, "delete": series.delete},
    ),
    *_files(SERIES, "series_file", files.SERIES, files.of_series),
    path(LEAGUE, leagues.league, name="league"),
    *_acts(
        LEAGUE,
        "league",
        {
            "change": leagues.change,
            "archive": leagues.archive,
            "bring-back": leagues.restore,
            "ask-club": leagues.invite_club,
            "teams": leagues.all_teams,
            "add-team": leagues.add_team,
            "make-season": seasons.make,
            "statistics": statistics.of_league,
            "head-to-head": statistics.head_to_head,
            "ask": coming.ask_league,
        },
    ),
    *_files(LEAGUE, "league_file", files.LEAGUE, files.of_league),
    path(f"{LEAGUE}players/<int:membership>/calendar.ics", files.of_player, name="player_calendar"),
    path(f"{LEAGUE}clubs/<int:guest>/part/", leagues.remove_club, name="part_with_club"),
    path(TEAM, leagues.team, name="team"),
    *_acts(
        TEAM,
        "team",
        {
            "fixtures": seasons.team_fixtures,
            "change": leagues.change_team,
            "leave": leagues.leave,
            "come-back": leagues.rejoin,
            "add-member": leagues.add_member,
            "could-join": leagues.could_join,
            "ask": coming.ask_team,
        },
    ),
    path(f"{TEAM}calendar.ics", files.of_team, name="team_calendar"),
    *_acts(
        f"{TEAM}members/<int:member>/",
        "team_member",
        {"drop": leagues.remove_member, "replace": leagues.replace_member, "role": leagues.member_role},
    ),
    path(SEASON, seasons.season, name="season"),
    *_acts(
        SEASON,
        "season",
        {
            "tables": seasons.tables,
            "fixtures": seasons.all_fixtures,
            "change": seasons.change,
            "discard": seasons.discard,
            "divisions": seasons.divisions,
            "places": seasons.places,
            "add-days-off": seasons.add_days_off,
            "desk": previews.desk,
            "statistics": statistics.of_season,
            "draw-outlook": previews.draw,
            "draw": seasons.draw,
            "undo-draw": seasons.undo_draw,
            "move-matchday": seasons.move_matchday,
            "make-cup": seasons.make_cup,
            "make-playoff": seasons.make_playoff,
            "playoff-borders": previews.playoffs,
            "cup-seeds": previews.seeds,
            "close-outlook": previews.close,
            "close": seasons.close,
            "undo-close": seasons.undo_close,
            "rank-anew": data.rerank,
            "next-outlook": previews.following,
            "make-next": seasons.make_next,
            "undo-next": seasons.undo_next,
        },
    ),
    *_files(SEASON, "season_file", files.SEASON, files.of_season),
    *_files(DIVISION, "division_file", files.DIVISION, files.of_division),
    path(f"{SEASON}days-off/<int:off>/remove/", seasons.remove_days_off, name="remove_days_off"),
    path(f"{SEASON}cups/<int:number>/undo/", seasons.undo_event, name="undo_cup"),
    path(MATCH, matches.match, name="match"),
    path(f"{MATCH}line-ups/", matches.all_line_ups, name="line_ups"),
    path(f"{MATCH}proposals/", matches.all_proposals, name="proposals"),
    *_acts(MATCH, "match", {"set": matches.set_match, "propose": matches.propose, "field": matches.set_line_up}),
    *_acts(
        f"{MATCH}proposals/<int:proposal>/",
        "proposal",
        {
            "accept": matches.accept,
            "decline": matches.decline,
            "counter": matches.counter,
            "withdraw": matches.withdraw,
        },
    ),
]
