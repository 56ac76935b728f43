"""Addresses of clubs and leagues; a club's own address is `clubs/<slug>/`."""

from django.urls import include, path

from clubs.urls import club, leagues, members, rules, telling

app_name = "clubs"

urlpatterns = [
    path("clubs/", include([*club.sitewide, *members.sitewide, *rules.sitewide, *telling.sitewide])),
    path(
        "clubs/<slug:club>/",
        include([*club.urlpatterns, *members.urlpatterns, *rules.urlpatterns, *telling.urlpatterns]),
    ),
    path("clubs/<slug:club>/leagues/", include(leagues.urlpatterns)),
]
