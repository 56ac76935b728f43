"""Addresses of leagues, below `clubs/<slug>/leagues/`.

The words that stand where a league, a season or a team could stand are never their addresses: see
`clubs.services.leagues.titles.RESERVED`.
"""

from django.urls import path

from clubs.coming import team_views
from clubs.tonight import season_results
from clubs.views.leagues import cups, fixtures, league_files, leagues, next_season, season_desk, seasons, teams

_LEAGUE = "<slug:league>"
_SEASON = "<slug:league>/<slug:season>"
_DIVISION = "<slug:league>/<slug:season>/<int:level>"

urlpatterns = [
    path("", leagues.leagues, name="leagues"),
    path("new/", leagues.new_league, name="new_league"),
    # A league, for everybody.
    path(f"{_LEAGUE}/", leagues.league, name="league"),
    path(f"{_LEAGUE}/calendar.ics", league_files.league_calendar, name="league_calendar"),
    path(f"{_LEAGUE}/feed.atom", league_files.league_feed_file, name="league_feed"),
    path(f"{_LEAGUE}/players/<int:membership>.ics", league_files.player_calendar, name="player_calendar"),
    path(f"{_LEAGUE}/match/<int:match>/", fixtures.fixture, name="fixture"),
    path(f"{_LEAGUE}/teams/", teams.teams, name="teams"),
    path(f"{_LEAGUE}/teams/<int:number>/", teams.team, name="team"),
    path(f"{_LEAGUE}/teams/<int:number>/calendar.ics", league_files.team_calendar, name="team_calendar"),
    # Who runs it, and who acts for a team.
    path(f"{_LEAGUE}/edit/", leagues.edit_league, name="edit_league"),
    path(f"{_LEAGUE}/teams/add/", teams.add_teams, name="add_teams"),
    path(f"{_LEAGUE}/teams/coming/", team_views.league_coming, name="league_coming"),
    path(f"{_LEAGUE}/teams/<int:number>/coming/", team_views.team_coming, name="team_coming"),
    path(f"{_LEAGUE}/teams/<int:number>/roster/", teams.roster, name="roster"),
    path(f"{_LEAGUE}/new/", seasons.new_season, name="new_season"),
    path(f"{_LEAGUE}/new/preview/", seasons.preview_new, name="preview_new_season"),
    # A season, for everybody.
    path(f"{_SEASON}/", seasons.season, name="season"),
    path(f"{_DIVISION}/", seasons.division, name="division"),
    path(f"{_DIVISION}/fixtures/", fixtures.fixtures, name="fixtures"),
    path(f"{_DIVISION}/results/", fixtures.results, name="results"),
    path(f"{_DIVISION}/crosstable/", fixtures.crosstable, name="season_crosstable"),
    path(f"{_DIVISION}/embed/", seasons.embed, name="league_embed"),
    path(f"{_DIVISION}/table.csv", league_files.table_csv, name="table_csv"),
    path(f"{_DIVISION}/fixtures.csv", league_files.fixtures_csv, name="fixtures_csv"),
    path(f"{_DIVISION}/table.pdf", league_files.table_pdf, name="table_pdf"),
    path(f"{_DIVISION}/table.json", league_files.table_json, name="table_json"),
    # Who runs it.
    path(f"{_SEASON}/run/", season_desk.desk, name="season_desk"),
    path(f"{_SEASON}/so-far/", season_results.season_results, name="results_so_far"),
    path(f"{_SEASON}/setup/", seasons.setup, name="season_setup"),
    path(f"{_SEASON}/setup/preview/", seasons.preview_setup, name="preview_season"),
    path(f"{_SEASON}/places/", seasons.places, name="season_places"),
    path(f"{_SEASON}/draw/", seasons.draw, name="draw_season"),
    path(f"{_SEASON}/days-off/", season_desk.days_off, name="days_off"),
    path(f"{_SEASON}/cups/", cups.cups, name="cups"),
    path(f"{_SEASON}/close/", season_desk.close, name="close_season"),
    path(f"{_SEASON}/next/", next_season.next_season, name="next_season"),
]
