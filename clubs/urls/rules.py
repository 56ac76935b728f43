"""Addresses of house rules."""

from django.urls import path

from clubs.views import rules

sitewide = [
    path("rules/<str:token>/", rules.shared_rules, name="shared_rules"),
    path("rules/<str:token>/file/", rules.shared_rules_file, name="shared_rules_file"),
    path("rules/<str:token>/copy/", rules.copy_rules, name="copy_rules"),
]

urlpatterns = [
    path("rules/", rules.house_rules_list, name="rules"),
    path("rules/new/", rules.new_house_rules, name="new_house_rules"),
    path("rules/sheet/", rules.rules_sheet, name="rules_sheet"),
    path("rules/bring-in/", rules.bring_in_rules, name="bring_in_rules"),
    path("rules/<slug:rules>/", rules.house_rules, name="house_rules"),
    path("rules/<slug:rules>/change/", rules.change_house_rules, name="change_house_rules"),
    path("rules/<slug:rules>/name/", rules.name_house_rules, name="name_house_rules"),
    path("rules/<slug:rules>/archive/", rules.archive_house_rules, name="archive_house_rules"),
    path("rules/<slug:rules>/<int:version>/", rules.rules_version, name="rules_version"),
]
