"""Addresses under /you/: profile, notifications, absences, tokens, privacy."""

from accounts.views import absences, language, notices, privacy, profile, tokens

app_name = "accounts"
urlpatterns = [*profile.urls, *notices.urls, *absences.urls, *tokens.urls, *privacy.urls, *language.urls]
