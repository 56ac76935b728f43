"""Addresses of members, joining and names that are claimed."""

from django.urls import path

from clubs.views import desk, importing, joining, members, own

sitewide = [
    path("join/<str:token>/", joining.by_link, name="join_by_link"),
    path("invitation/<str:token>/", joining.invitation, name="invitation"),
    path("claim/<str:token>/", joining.claim, name="claim"),
]

urlpatterns = [
    path("join/", joining.join, name="join"),
    path("me/", own.own, name="own"),
    path("leave/", own.leave, name="leave"),
    path("members/", members.directory, name="members"),
    path("people/", members.people, name="people"),
    path("people/add/", members.add, name="add_people"),
    path("people/invite/", members.invite, name="invite"),
    path("people/import/", importing.bring_in, name="bring_in_people"),
    path("people/<int:membership>/", members.person_page, name="person"),
    path("letters/<int:invitation>/", members.letter, name="letter"),
    path("requests/<int:asked>/", members.answer, name="answer"),
    path("requests/league/<int:asked>/", desk.answer_league, name="answer_league"),
]
