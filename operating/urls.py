"""Addresses under /operator/."""

from django.urls import path

from operating import views

app_name = "operating"
urlpatterns = [
    path("", views.page, name="page"),
    path("budgets/", views.budgets, name="budgets"),
    path("data/", views.data, name="data"),
    path("do/", views.do, name="do"),
    path("find/", views.find, name="find"),
    path("history/", views.history, name="history"),
    path("tables/<int:table>/", views.table, name="table"),
]
