"""Addresses under /api/v1/."""

from django.urls import path
from drf_spectacular.views import SpectacularSwaggerSplitView

from gameplay.api import channels, invitations, people, play, tables
from gameplay.api.published import Schema
from gameplay.conversation import api as conversation
from gameplay.reviews import api as reviews
from gameplay.score_sheets import api as score_sheets

app_name = "api"
urlpatterns = [
    path("schema/", Schema.as_view(), name="schema"),
    path(
        "docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api:schema", template_name="gameplay/api_docs.html"),
        name="docs",
    ),
    path("me/", people.me, name="me"),
    path("channels/", channels.Channels.as_view(), name="channels"),
    path("channels/<int:channel>/change/", channels.change, name="channel_change"),
    path("channels/<int:channel>/secret/", channels.renew_secret, name="channel_secret"),
    path("channels/<int:channel>/test/", channels.test, name="channel_test"),
    path("channels/<int:channel>/pause/", channels.pause, name="channel_pause"),
    path("channels/<int:channel>/remove/", channels.remove, name="channel_remove"),
    path("turns/", tables.turns, name="turns"),
    path("rulesets/", people.rulesets, name="rulesets"),
    path("rulesets/<slug:name>/", people.ruleset, name="ruleset"),
    path("invitations/", invitations.received, name="invitations"),
    path("play-now/", tables.play_now, name="play_now"),
    path("tables/", tables.Tables.as_view(), name="tables"),
    path("tables/<slug:slug>/", tables.table, name="table"),
    path("tables/<slug:slug>/join/", tables.join, name="join"),
    path("tables/<slug:slug>/leave/", tables.leave, name="leave"),
    path("tables/<slug:slug>/bot/", tables.bot, name="bot"),
    path("tables/<slug:slug>/start/", tables.start, name="start"),
    path("tables/<slug:slug>/invitations/", invitations.Sent.as_view(), name="sent_invitations"),
    path("tables/<slug:slug>/revoke/", invitations.revoke, name="revoke"),
    path("tables/<slug:slug>/decline/", invitations.decline, name="decline"),
    path("tables/<slug:slug>/view/", play.view, name="view"),
    path("tables/<slug:slug>/legal-moves/", play.legal_moves, name="legal_moves"),
    path("tables/<slug:slug>/moves/", play.moves, name="moves"),
    path("tables/<slug:slug>/hint/", play.hint, name="hint"),
    path("tables/<slug:slug>/review/", reviews.Review.as_view(), name="review"),
    path("tables/<slug:slug>/next-deal/", play.next_deal, name="next_deal"),
    path("tables/<slug:slug>/pause/", conversation.pause, name="pause"),
    path("tables/<slug:slug>/chat/", conversation.Chat.as_view(), name="chat"),
    path("tables/<slug:slug>/log/", play.log, name="log"),
    path("tables/<slug:slug>/happenings/", play.happenings, name="happenings"),
    path("tables/<slug:slug>/record/", play.record, name="record"),
    path("score-sheets/", score_sheets.Sheets.as_view(), name="score_sheets"),
    path("score-sheets/<slug:slug>/", score_sheets.sheet, name="score_sheet"),
    path("score-sheets/edit/<slug:key>/", score_sheets.edit, name="score_sheet_edit"),
    path("score-sheets/edit/<slug:key>/deal/", score_sheets.deal, name="score_sheet_deal"),
    path("score-sheets/edit/<slug:key>/replace/", score_sheets.replace, name="score_sheet_replace"),
    path("score-sheets/edit/<slug:key>/take-away/", score_sheets.take_away, name="score_sheet_take_away"),
    path("score-sheets/edit/<slug:key>/stop/", score_sheets.stop, name="score_sheet_stop"),
    path("score-sheets/edit/<slug:key>/rename/", score_sheets.rename, name="score_sheet_rename"),
    path("score-sheets/edit/<slug:key>/keep/", score_sheets.keep, name="score_sheet_keep"),
    path("score-sheets/edit/<slug:key>/delete/", score_sheets.delete, name="score_sheet_delete"),
    path("score-sheets/edit/<slug:key>/photos/", score_sheets.add_photo, name="score_sheet_add_photo"),
    path(
        "score-sheets/edit/<slug:key>/photos/<slug:photo>/remove/",
        score_sheets.remove_photo,
        name="score_sheet_remove_photo",
    ),
]
