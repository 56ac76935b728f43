"""Addresses of newsletters, statistics, and files to bring in and take away.

Below `statistics/<league>/` the word `teams` stands where a season could: see `clubs.services.leagues.titles.RESERVED`.
"""

from django.urls import URLPattern, path

from clubs.urls import data
from clubs.views import newsletters, statistics

sitewide: list[URLPattern] = [
    *data.sitewide,
    path("newsletter/<str:token>/stop/", newsletters.stop, name="stop_letters"),
]
urlpatterns: list[URLPattern] = [
    *data.urlpatterns,
    path("newsletter/", newsletters.newsletters, name="newsletters"),
    path("newsletter/write/", newsletters.write, name="write_newsletter"),
    path("newsletter/readers/", newsletters.readers, name="newsletter_readers"),
    path("newsletter/<int:newsletter>/", newsletters.newsletter_page, name="newsletter"),
    path("newsletter/<int:newsletter>/edit/", newsletters.edit, name="edit_newsletter"),
    path("statistics/", statistics.club_statistics, name="statistics"),
    path("statistics/statistics.csv", statistics.club_csv, name="statistics_csv"),
    path("statistics/<slug:league>/", statistics.league_statistics, name="league_statistics"),
    path("statistics/<slug:league>/statistics.csv", statistics.league_csv, name="league_statistics_csv"),
    path("statistics/<slug:league>/teams/", statistics.head_to_head, name="head_to_head"),
    path("statistics/<slug:league>/<slug:season>/", statistics.season_statistics, name="season_statistics"),
    path("statistics/<slug:league>/<slug:season>/statistics.csv", statistics.season_csv, name="season_statistics_csv"),
]
