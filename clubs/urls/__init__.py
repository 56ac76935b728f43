"""Addresses of clubs, leagues and players; a club's own address is `clubs/<slug>/`."""

from django.urls import include, path

from clubs.house_rules import urls as house_rules
from clubs.series import urls as series
from clubs.urls import club, leagues, members, publications
from clubs.views import player

app_name = "clubs"

urlpatterns = [
    path("players/<str:username>/", player.player, name="player"),
    path("clubs/", include([*club.sitewide, *members.sitewide, *house_rules.sitewide, *publications.sitewide])),
    path(
        "clubs/<slug:club>/",
        include(
            [
                *club.urlpatterns,
                *members.urlpatterns,
                *house_rules.urlpatterns,
                *series.urlpatterns,
                *publications.urlpatterns,
            ]
        ),
    ),
    path("clubs/<slug:club>/leagues/", include(leagues.urlpatterns)),
]
