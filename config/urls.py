"""Every address of the site."""

from django.urls import include, path

from accounts.views import bounces, installing
from config import metrics, ready
from web import docs_pages, js_catalog, site_files, site_info
from web.link_pictures import views as link_pictures
from web.monitoring import health

handler400 = "web.error_pages.bad_request"
handler403 = "web.error_pages.permission_denied"
handler404 = "web.error_pages.page_not_found"
handler500 = "web.error_pages.server_error"
urlpatterns = [
    path("", include("gameplay.urls")),  # first, since a turn is what is asked for most
    path("healthz", health.healthz, name="healthz"),
    path("readyz", ready.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path(".well-known/security.txt", site_info.security_txt, name="security_txt"),
    path("help/", site_info.help_page, name="help"),
    path("docs/", docs_pages.docs, name="docs"),
    path("docs/<path:page>", docs_pages.docs, name="docs_page"),
    *site_files.urls,
    *link_pictures.urls,
    *js_catalog.urls,
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("accounts.second_step.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("accounts/with/", include("accounts.providers.urls")),
    path("you/", include("accounts.urls")),
    *installing.urls,
    *bounces.urls,
    path("operator/", include("operating.urls")),
    path("api/v1/", include("gameplay.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("api/v1/", include("clubs.api.urls")),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
]
