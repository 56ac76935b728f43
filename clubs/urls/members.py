"""Addresses of members, joining and names that are claimed."""

from django.urls import path

from clubs.views import club_profile, desk, forgetting, joining, lists, members

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
    path("members/handbook/", members.handbook_page, name="handbook"),
    path("members/handbook.pdf", members.handbook_pdf, name="handbook_pdf"),
    path("people/", members.people, name="people"),
    path("people/add/", members.add, name="add_people"),
    path("people/invite/", members.invite, name="invite"),
    path("people/import/", lists.import_people, name="people_import"),
    path("import/members/", lists.import_list, {"what": "members"}, name="bring_in_people"),
    path("import/results/", lists.import_list, {"what": "results"}, name="bring_in_results"),
    path("import/table/", lists.import_list, {"what": "table"}, name="bring_in_table"),
    path("import/fixtures/", lists.import_list, {"what": "fixtures"}, name="bring_in_fixtures"),
    path("kept-aside/<int:aside>/", lists.kept_aside, name="kept_aside"),
    path("people/<int:membership>/", members.person_page, name="person"),
    path("people/<int:membership>/forget/", forgetting.forget, name="forget_person"),
    path("letters/<int:invitation>/", members.revoke_invitation, name="letter"),
    path("requests/<int:asked>/", members.answer, name="answer"),
    path("requests/league/<int:asked>/", desk.answer_league, name="answer_league"),
]
