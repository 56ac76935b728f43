"""Addresses of clubs, leagues and players; a club's own address is `clubs/<slug>/`."""

from django.urls import include, path

from clubs.coming import urls as coming
from clubs.house_rules import urls as house_rules
from clubs.news_places import urls as news_places
from clubs.personal_messages import urls as personal_messages
from clubs.series import urls as series
from clubs.urls import club, leagues, members, publications
from clubs.views import player

app_name = "clubs"
parts = (coming, club, news_places, members, personal_messages, house_rules, series, publications)

urlpatterns = [
    path("players/<str:username>/", player.player, name="player"),
    path("clubs/", include([pattern for part in parts for pattern in part.sitewide])),
    path("clubs/<slug:club>/", include([pattern for part in parts for pattern in part.urlpatterns])),
    path("clubs/<slug:club>/leagues/", include(leagues.urlpatterns)),
]
