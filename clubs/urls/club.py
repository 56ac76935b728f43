"""Addresses of the list of clubs, of a club's own pages, and of what runs it."""

from django.urls import path

from clubs.fair_play import views as fair_play
from clubs.tonight import views as tonight
from clubs.views import club, create_club, desk, embeds, history, meetings, news, settings

sitewide = [path("", club.clubs, name="clubs"), path("new/", create_club.new_club, name="new_club")]

urlpatterns = [
    path("", club.club, name="club"),
    path("events/", club.events, name="events"),
    path("roles/", club.roles, name="roles"),
    path("website/", embeds.embeds, name="embeds"),
    path("embed/<slug:part>/", embeds.embed, name="embed"),
    path("calendar.ics", meetings.calendar_file, name="calendar"),
    path("dates/", meetings.dates, name="dates"),
    path("dates/<int:meeting>/", meetings.edit_meeting, name="date"),
    path("news/", news.all_news, name="all_news"),
    path("news/write/", news.write, name="write_news"),
    path("news/<int:news>/", news.news_item, name="news"),
    path("news/<int:news>/edit/", news.edit, name="edit_news"),
    path("news.atom", news.feed, name="news_feed"),
    path("tonight/", tonight.tonight, name="tonight"),
    path("run/", desk.desk, name="desk"),
    path("run/tell/", desk.tell_club, name="tell_club"),
    path("settings/", settings.settings, name="settings"),
    path("settings/link/", settings.link, name="join_link"),
    path("archive/", create_club.archive, name="archive"),
    path("fair-play/", fair_play.fair_play, name="fair_play"),
    path("history/", history.acts, name="history"),
    path("history/<int:act>/undo/", history.undo, name="undo"),
]
