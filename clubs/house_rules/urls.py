"""Addresses of house rules."""

from django.urls import path

from clubs.house_rules import views as house_rules

sitewide = [
    path("rules/<str:token>/", house_rules.shared_rules, name="shared_rules"),
    path("rules/<str:token>/file/", house_rules.shared_rules_file, name="shared_rules_file"),
    path("rules/<str:token>/copy/", house_rules.copy_rules, name="copy_rules"),
]

urlpatterns = [
    path("rules/", house_rules.house_rules_list, name="rules"),
    path("rules/new/", house_rules.new_house_rules, name="new_house_rules"),
    path("rules/sheet/", house_rules.rules_sheet, name="rules_sheet"),
    path("rules/bring-in/", house_rules.import_rules, name="bring_in_rules"),
    path("rules/<slug:rules>/", house_rules.house_rules, name="house_rules"),
    path("rules/<slug:rules>/change/", house_rules.change_house_rules, name="change_house_rules"),
    path("rules/<slug:rules>/name/", house_rules.name_house_rules, name="name_house_rules"),
    path("rules/<slug:rules>/archive/", house_rules.archive_house_rules, name="archive_house_rules"),
    path("rules/<slug:rules>/<int:version>/", house_rules.rules_version, name="rules_version"),
    path("rules/<slug:rules>/<int:version>/sheet.pdf", house_rules.rules_pdf, name="rules_pdf"),
]
