"""Addresses of series."""

from django.urls import URLPattern, path

from clubs.series import views as series

sitewide: list[URLPattern] = []
urlpatterns = [
    path("series/", series.all_series, name="all_series"),
    path("series/<slug:series>/", series.series_page, name="series"),
    path("series/<slug:series>/standings.csv", series.standings_csv, name="series_csv"),
    path("series/<slug:series>/edit/", series.edit_series, name="edit_series"),
]
