"""Addresses of members, joining and names that are claimed."""

from django.urls import path

from clubs.views import club_profile, desk, joining, member_import, members

sitewide = [
    path("join/<str:token>/", joining.by_link, name="join_by_link"),
    path("invitation/<str:token>/", joining.invitation, name="invitation"),
    path("claim/<str:token>/", joining.claim, name="claim"),
]

urlpatterns = [
    path("join/", joining.join, name="join"),
    path("me/", club_profile.club_profile, name="own"),
    path("leave/", club_profile.leave, name="leave"),
    path("members/", members.directory, name="members"),
    path("people/", members.people, name="people"),
    path("people/add/", members.add, name="add_people"),
    path("people/invite/", members.invite, name="invite"),
    path("people/import/", member_import.import_members, name="bring_in_people"),
    path("people/<int:membership>/", members.person_page, name="person"),
    path("letters/<int:invitation>/", members.revoke_invitation, name="letter"),
    path("requests/<int:asked>/", members.answer, name="answer"),
    path("requests/league/<int:asked>/", desk.answer_league, name="answer_league"),
]
