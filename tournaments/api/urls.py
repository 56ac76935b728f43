"""Addresses of events under /api/v1/."""

from collections.abc import Iterable
from typing import Any

from django.urls import URLPattern, path

from tournaments.api import entries, events, forecasts, hall, matches, own, pages, people, stages, standings
from tournaments.api.base import ViewPair
from tournaments.duplicate import api as duplicate
from tournaments.fair_play import api as fair_play
from tournaments.ratings import api as ratings
from tournaments.score_sheets import api as score_sheets

EVENT = "events/<slug:event>/"
ENTRY = f"{EVENT}entries/<int:entry>/"
STAGE = f"{EVENT}stages/<int:stage>/"
ROUND = f"{STAGE}rounds/<int:round>/"
MATCH = f"{STAGE}matches/<str:match>/"
CARD = "table-cards/<str:token>/"
SHEETS: dict[str, score_sheets.Views] = {
    "deal": score_sheets.deal,
    "replace": score_sheets.replace,
    "take-away": score_sheets.take_away,
    "stop": score_sheets.stop,
    "send": score_sheets.send,
}
"""Acts on the score sheet of a match by its players, and by the holder of its table card."""

BOTH: dict[str, ViewPair] = {
    "withdraw": entries.withdraw,
    "check-in": entries.check_in,
    "bye": entries.bye,
    "rename": entries.rename,
    "invite": entries.invite,
    "drop": entries.drop,
    "captain": entries.captain,
    "member-role": entries.member_role,
    "order": entries.order,
}
"""Acts on an entry by its own people, and by an organiser."""


def _acts(under: str, name: str, views: dict[str, Any]) -> Iterable[URLPattern]:
    """An address for each act on something."""
    return [path(f"{under}{act}/", view, name=f"{name}_{act.replace('-', '_')}") for act, view in views.items()]


def _files(under: str, files: dict[str, str], view: Any) -> Iterable[URLPattern]:
    """An address for each file."""
    return [path(f"{under}{file}", view, {"file": file}, name=f"file_{name}") for file, name in files.items()]


app_name = "events_api"
urlpatterns = [
    path("starters/", events.starters, name="starters"),
    path("forecast/", forecasts.of_new_event, name="new_forecast"),
    path("ratings/<slug:pool>/", ratings.people, name="ratings"),
    path("ratings/<slug:pool>/partnerships/", ratings.partnerships, name="partnerships"),
    path("people/<str:username>/ratings/", ratings.person, name="ratings_of"),
    path("people/<str:username>/ratings/<slug:pool>/", ratings.history, name="rating_history"),
    path(
        "people/<str:username>/with/<str:partner>/ratings/<slug:pool>/",
        ratings.partnership_history,
        name="partnership_history",
    ),
    path("competing/calendar/", pages.own_calendar, name="own_calendar"),
    path("competing/matches/", own.matches, name="own_matches"),
    path("competing/invitations/", own.invitations, name="invitations"),
    path("competing/invitations/<int:invitation>/accept/", own.accept, name="invitation_accept"),
    path("competing/invitations/<int:invitation>/decline/", own.decline, name="invitation_decline"),
    path("events/", events.Events.as_view(), name="events"),
    path(EVENT, events.event, name="event"),
    *_acts(
        EVENT,
        "event",
        {
            "settings": events.settings,
            "announce": events.publish,
            "close": events.close,
            "reopen": events.reopen,
            "start": events.start,
            "cancel": events.cancel,
            "copy": events.copy,
            "tell": events.send_announcement,
            "enter": own.enter,
            "name-list": entries.name_list,
            "late": entries.enter_late,
            "seeds": entries.seeds,
            "forecast": forecasts.of_event,
            "next": events.next_act,
            "results": pages.results,
            "rules": pages.rules,
        },
    ),
    *_files(f"{EVENT}files/", pages.FILES, pages.file),
    path(f"{EVENT}apart/", entries.Apart.as_view(), name="apart"),
    path(f"{EVENT}draw/", entries.FirstDraw.as_view(), name="draw"),
    path(f"{EVENT}organisers/", people.Organisers.as_view(), name="organisers"),
    *_acts(f"{EVENT}organisers/<int:organiser>/", "organiser", {"role": people.role, "remove": people.remove}),
    path(f"{EVENT}hall/", hall.hall, name="hall"),
    *_acts(
        f"{EVENT}hall/",
        "hall",
        {
            "open": hall.open_screen,
            "close": hall.close_screen,
            "note": hall.note,
            "start": hall.start_timer,
            "pause": hall.pause_timer,
            "resume": hall.resume_timer,
            "stop": hall.stop_timer,
        },
    ),
    path(f"{EVENT}fair-play/", fair_play.findings, name="fair_play"),
    path(f"{EVENT}fair-play/remark/", fair_play.remark, name="fair_play_remark"),
    path(f"{EVENT}history/", people.acts, name="history"),
    path(f"{EVENT}history/<int:act>/undo/", people.undo, name="undo"),
    path(f"{EVENT}own/", own.entry, name="own"),
    *_acts(f"{EVENT}own/", "own", {name: pair.player for name, pair in BOTH.items()}),
    path(f"{EVENT}entries/", entries.Entries.as_view(), name="entries"),
    path(ENTRY, entries.entry, name="entry"),
    *_acts(ENTRY, "entry", {name: pair.organiser for name, pair in BOTH.items()}),
    *_acts(
        ENTRY,
        "entry",
        {
            "absent": entries.absent,
            "put-back": entries.put_back,
            "disqualify": entries.disqualify,
            "reinstate": entries.reinstate,
            "accept": entries.accept,
            "wait": entries.wait,
            "replace": entries.replace,
            "challenge": stages.challenge_for,
            "free": stages.free_for,
            "path": pages.path,
        },
    ),
    path(f"{EVENT}stages/", stages.add, name="stages"),
    *_acts(
        STAGE,
        "stage",
        {
            "change": stages.change,
            "remove": stages.remove,
            "go": stages.start_round,
            "admit": stages.admit,
            "tie": stages.tie,
            "end": stages.end,
            "challenge": stages.challenge,
            "free": stages.free,
            "standings": standings.standings,
            "bracket": standings.bracket,
            "rounds": standings.rounds,
            "crosstable": pages.crosstables,
        },
    ),
    path(f"{STAGE}boards/", duplicate.boards, name="boards"),
    path(f"{STAGE}boards/deal/", duplicate.deal, name="boards_deal"),
    path(f"{STAGE}boards/<int:board>/", duplicate.board, name="board"),
    path(f"{STAGE}boards/<int:board>/results/", duplicate.enter, name="board_results"),
    *_files(f"{STAGE}files/", pages.STAGE_FILES, pages.stage_file),
    path(f"{ENTRY}calendar.ics", pages.entry_calendar, name="entry_calendar"),
    path(f"{STAGE}adjustments/", stages.Adjustments.as_view(), name="adjustments"),
    path(f"{STAGE}adjustments/<int:adjustment>/take-back/", stages.remove_adjustment, name="take_back_adjustment"),
    path(ROUND, standings.round, name="round"),
    *_acts(
        ROUND, "round", {"redraw": stages.redraw, "swap": stages.swap, "move": stages.move, "times": stages.round_times}
    ),
    path(f"{EVENT}matches/", matches.matches, name="matches"),
    path(MATCH, matches.match, name="match"),
    *_acts(
        MATCH,
        "match",
        {
            "report": matches.report,
            "answer": matches.answer_result,
            "confirm": matches.confirm,
            "decide": matches.decide,
            "take-back": matches.remove_result,
            "walkover": matches.walkover,
            "times": matches.times,
            "where": matches.set_place,
            "call-off": matches.cancel_match,
            "ask": matches.ask,
            "own-substitute": matches.own_substitute,
            "substitute": matches.substitute,
        },
    ),
    path(f"{MATCH}sheet/", score_sheets.sheet.player, name="match_sheet"),
    *_acts(f"{MATCH}sheet/", "match_sheet", {name: views.player for name, views in SHEETS.items()}),
    path(f"{MATCH}photos/", score_sheets.add_photo, name="match_photos"),
    path(CARD, score_sheets.card, name="card"),
    path(f"{CARD}<int:place>/", score_sheets.sheet.card, name="card_sheet"),
    *_acts(f"{CARD}<int:place>/", "card_sheet", {name: views.card for name, views in SHEETS.items()}),
    path(f"{CARD}<int:place>/answer/", score_sheets.answer_report, name="card_answer"),
    path(f"{CARD}<int:place>/photos/", score_sheets.card_photo, name="card_photos"),
]
