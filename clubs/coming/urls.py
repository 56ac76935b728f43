"""Addresses of the question who comes: links without an account, and a club's own pages."""

from django.urls import path

from clubs.coming import guest_views, line_up_views, repeating_views, views

sitewide = [
    path("coming/group/<str:token>/", views.group, name="coming_group"),
    path("coming/group/<str:token>/meeting.ics", views.group_calendar, name="coming_group_calendar"),
    path("coming/guest/<str:token>/", guest_views.guest, name="meeting_guest"),
    path("coming/stop/<str:token>/", views.stop, name="stop_questions"),
    path("coming/<str:token>/", views.own_link, name="coming"),
    path("coming/<str:token>/line-up/", line_up_views.line_up, name="coming_line_up"),
    path("coming/<str:token>/meeting.ics", views.own_calendar, name="coming_calendar"),
]

urlpatterns = [
    path("coming/<int:question>/", views.who_comes, name="who_comes"),
    path("dates/<int:meeting>/come/", guest_views.come, name="come"),
    path("dates/<int:meeting>/guests/", guest_views.guests, name="meeting_guests"),
    path("dates/repeating/", repeating_views.all_repeating, name="repeating"),
    path("dates/repeating/<int:repeating>/", repeating_views.one_repeating, name="repeating_one"),
]
