"""Addresses to tell members."""

from django.urls import URLPattern, path

from clubs.personal_messages import views

sitewide: list[URLPattern] = []
urlpatterns = [path("tell/", views.tell, name="tell"), path("tell/slips/", views.slips, name="tell_slips")]
