"""Addresses of events and of ratings."""

from django.urls import path

from tournaments.duplicate import views as duplicate
from tournaments.hall.views import screen
from tournaments.ratings import views as ratings
from tournaments.score_sheets import photo_views, table_card_views
from tournaments.views import embeds, entry, exports, lists, live, matches, printing, public, stages
from tournaments.views.organiser import addresses as organising

app_name = "tournaments"
urlpatterns = [
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/of/<str:username>/", ratings.person, name="ratings_person"),
    path("ratings/of/<str:username>/with/<str:partner>/", ratings.pair, name="ratings_pair"),
    path("ratings/partnerships/", ratings.partnerships, name="partnerships"),
    path("ratings/partnerships/<slug:pool>/", ratings.partnerships, name="partnerships_of"),
    path("ratings/<slug:pool>/", ratings.ratings, name="ratings_of"),
    *organising.urls,
    *live.urls,
    *exports.urls,
    *printing.urls,
    # Public pages. Other addresses under events/ come before these, so that no part is taken for an event.
    path("events/", lists.events, name="events"),
    path("events/mine/", lists.my_matches, name="mine"),
    path("events/card/<str:token>/", table_card_views.card, name="card"),
    path("events/card/<str:token>/<int:place>/", table_card_views.card_score, name="card_score"),
    path("events/card/<str:token>/<int:place>/sync/", table_card_views.card_sync, name="card_sync"),
    path("events/card/<str:token>/<int:place>/answer/", table_card_views.card_answer, name="card_answer"),
    path("events/card/<str:token>/<int:place>/photos/", table_card_views.card_photos, name="card_photos"),
    path("events/screen/<str:token>/", screen, name="screen"),
    # Actions of players.
    path("events/<slug:event>/enter/", entry.enter, name="enter"),
    path("events/<slug:event>/you/", entry.own_entry, name="own_entry"),
    path("events/<slug:event>/invitation/<str:token>/", entry.invitation, name="invitation"),
    path("events/<slug:event>/<int:stage>/free/", matches.free, name="free"),
    path("events/<slug:event>/<int:stage>/challenge/", matches.challenge, name="challenge"),
    path("events/<slug:event>/<int:stage>/<str:match>/score/", matches.score, name="score"),
    path("events/<slug:event>/<int:stage>/<str:match>/score/sync/", matches.score_sync, name="score_sync"),
    path("events/<slug:event>/<int:stage>/<str:match>/answer/", matches.answer, name="answer"),
    path("events/<slug:event>/<int:stage>/<str:match>/photos/", photo_views.match_photos, name="match_photos"),
    path(
        "events/<slug:event>/<int:stage>/<str:match>/photos/<slug:token>.jpg",
        photo_views.match_photo,
        name="match_photo",
    ),
    path("events/<slug:event>/", public.event, name="event"),
    path("events/<slug:event>/schedule/", public.schedule_of, name="schedule"),
    path("events/<slug:event>/results/", public.results, name="event_results"),
    path("events/<slug:event>/entries/", public.entries, name="entries"),
    path("events/<slug:event>/entries/<int:entry>/", public.entry, name="entry"),
    path("events/<slug:event>/rules/", public.rules, name="event_rules"),
    path("events/<slug:event>/embed/<int:stage>/", embeds.embed, name="embed"),
    path("events/<slug:event>/<int:stage>/", stages.stage, name="stage"),
    path("events/<slug:event>/<int:stage>/crosstable/", stages.crosstable_of, name="crosstable"),
    *duplicate.urls,
    path("events/<slug:event>/<int:stage>/<str:match>/", public.match, name="match"),
]
