"""Every address of the site."""

from django.urls import path

from web import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
]
