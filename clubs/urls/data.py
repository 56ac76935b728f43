"""Addresses of what is brought in and taken away."""

from django.urls import path

from clubs.views import data

sitewide = [
    path("import/", data.bring_club, name="bring_club"),
]

urlpatterns = [
    path("data/", data.data, name="data"),
    path("data/club.zip", data.take_away, name="take_away"),
    path("data/seasons/", data.bring_seasons, name="bring_seasons"),
    path("data/seasons/<int:season>/rank/", data.rank_anew, name="rank_anew"),
    path("data/specimen.csv", data.specimen, name="specimen"),
]
