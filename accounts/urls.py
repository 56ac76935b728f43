"""Addresses under /you/: profile, notifications, absences, tokens, privacy."""

from accounts.notice_places import views as channels
from accounts.views import absences, colours, language, notices, privacy, profile, tokens

app_name = "accounts"
urlpatterns = [
    *profile.urls,
    *notices.urls,
    *channels.urls,
    *absences.urls,
    *tokens.urls,
    *privacy.urls,
    *language.urls,
    *colours.urls,
]
