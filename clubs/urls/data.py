"""Addresses of what is brought in and taken away."""

from django.urls import path

from clubs.views import data

sitewide = [path("import/", data.import_club, name="bring_club")]

urlpatterns = [
    path("data/", data.data, name="data"),
    path("data/club.zip", data.export_club, name="take_away"),
    path("data/seasons/", data.import_seasons, name="bring_seasons"),
    path("data/seasons/<int:season>/rank/", data.rerank_season, name="rank_anew"),
    path("data/specimen.csv", data.specimen, name="specimen"),
]
