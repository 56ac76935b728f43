"""Address of the page where a club says where its news goes."""

from django.urls import URLPattern, path

from clubs.news_places import views

sitewide: list[URLPattern] = []
urlpatterns = [path("news/places/", views.news_places, name="news_places")]
