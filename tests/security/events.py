"""Rights in an event: a table of every action, written by hand for pages and programs alike, and a world for it."""

from datetime import timedelta
from typing import NamedTuple

from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.scopes import SCOPES
from accounts.services import tokens
from tests.makers import make_event, make_person
from tests.tournaments import driving
from tournaments.models import Entry, Hall, Member, Organiser, Pairing, Result, Tournament
from tournaments.plan import standard
from tournaments.roles import ROLES
from tournaments.services.events import lifecycle
from tournaments.services.matches import point_adjustments

# People, in addition to the rights of `tournaments.roles.ACTS`

ANYBODY = "anybody"
"""Anyone, signed in or not, with the link of an email or a table card."""
ACCOUNT = "account"
"""Anyone with an account."""
CAPTAIN = "who acts for an entry"
"""Captains of entries, each for their own."""
OF_ENTRY = "of the entry"
"""Everyone of the entry that plays the match."""
INVITED = "who was asked"
"""People invited to an entry."""
NOBODY = "nobody at all"
"""Nobody: there is no address for it."""

REFUSED_TO_ALL = ("say what is in a pattern",)
"""Actions that nobody can do in the world of these tests; people with the right are refused for another reason."""

PEOPLE = ("owner", "director", "scorer", "dealer", "captain", "partner", "player", "invited", "stranger", "nobody")
"""People tried at every address. The captain and their partner are in one entry, the player is the captain of
another that has the invited; the stranger has an account, nobody has none.
"""


def may(person, needed):
    """Whether the table allows it; `needed` is a right, one of the words above, or several of those."""
    if isinstance(needed, tuple):
        return any(may(person, need) for need in needed)
    people = {
        ANYBODY: PEOPLE,
        ACCOUNT: [person for person in PEOPLE if person != "nobody"],
        CAPTAIN: ("captain", "player"),
        OF_ENTRY: ("captain", "partner"),
        INVITED: ("invited",),
        NOBODY: (),
    }
    if needed in people or needed in PEOPLE:
        return person in people.get(needed, (needed,))
    return needed in ROLES.get(person, ())


class Way(NamedTuple):
    """An address, and a right request to it; with `shown` as a field, the form of its page is added.

    `where` fills the address, in addition to `World.where`. A value that starts with @ is a row of the world.
    """

    name: str
    sent: dict[str, object]
    where: dict[str, object]


class Row(NamedTuple):
    """An action: its kinds in the history, its right, and its two ways, or a sentence with the reason for none."""

    name: str
    kinds: tuple[str, ...]
    needs: str | tuple[str, ...]
    of: str
    page: Way | str
    door: Way | str


def at(name, sent=None, /, **where):
    """A way to an act."""
    return Way(name, sent or {}, where)


SITE = "The site does it by itself."
CLUB = "A club does it, at its own addresses."
NO_PAGE = "Programs only; an organiser has a page for it."
ONE_BY_ONE = "Its page enters each line by itself."

FIRST, LATER = "2030-01-01T10:00", "2030-01-02T10:00"
TIMES = {"starts_at": FIRST, "deadline_at": LATER}
UTC = {"starts_at": f"{FIRST}Z", "deadline_at": f"{LATER}Z"}
GONE = {"finding": "none", "verdict": "explained"}
"""A missing finding: people with the right are told so."""
WE_WON = {"score_0": "500", "score_1": "400"}

# fmt: off
TABLE = [
    # The event.
    Row("make an event", ("make",), ACCOUNT, "open",
        at("new_event", {"shown": "?from=club_night", "do": "draft", "name": "New"}),
        at("events", {"name": "New", "starter": "club_night"})),
    Row("hold it again", ("make",), "prepare", "open",
        at("organise_copy", {"name": "Next"}), at("event_copy", {"name": "Next"})),
    Row("change settings", ("settings",), "prepare", "open",
        at("organise_settings", {"shown": "", "about": "At the quay."}), at("event_settings", {"about": "At the quay."})),
    Row("announce it", ("announce",), "prepare", "draft", at("organise_announce"), at("event_announce")),
    Row("close entries", ("entries",), "entries", "open", at("organise_gate", {"to": "close"}), at("event_close")),
    Row("open entries", ("entries",), "entries", "closed", at("organise_gate", {"to": "open"}), at("event_reopen")),
    Row("start it", ("start",), "play", "open", at("organise_start"), at("event_start")),
    Row("cancel it", ("cancel",), "cancel", "open",
        at("organise_cancel", {"reason": "A storm."}), at("event_cancel", {"reason": "A storm."})),
    Row("let somebody organise", ("organisers",), "organisers", "open",
        at("organise_people", {"who": "stranger", "role": "scorer"}),
        at("organisers", {"who": "stranger", "role": "scorer"})),
    Row("give an organiser another role", ("organisers",), "organisers", "open",
        at("organise_role", {"role": "director"}, organiser="@scorer"),
        at("organiser_role", {"role": "director"}, organiser="@scorer")),
    Row("let somebody organise no longer", ("organisers",), ("organisers", "scorer"), "open",
        at("organise_role", {"role": "none"}, organiser="@scorer"), at("organiser_remove", organiser="@scorer")),
    Row("settle who organises", ("organisers",), NOBODY, "", CLUB, CLUB),
    Row("write to all", ("told",), "tell", "open",
        at("organise_tell", {"text": "Tea at five."}), at("event_tell", {"text": "Tea at five."})),
    Row("open the hall screen", ("screen",), "results", "open", at("organise_hall_open"), at("hall_open")),
    Row("close the hall screen", ("screen",), "results", "running", at("organise_hall_close"), at("hall_close")),
    Row("write on the hall screen", ("screen",), "results", "running",
        at("organise_hall_note", {"text": "Tea is served."}), at("hall_note", {"text": "Tea is served."})),
    Row("start the timer", ("timer",), "results", "running",
        at("organise_hall_start", {"minutes": "5"}), at("hall_start", {"minutes": 5})),
    Row("pause the timer", ("timer",), "results", "running", at("organise_hall_pause"), at("hall_pause")),
    Row("let the timer go on", ("timer",), "results", "asked", at("organise_hall_resume"), at("hall_resume")),
    Row("stop the timer", ("timer",), "results", "running", at("organise_hall_stop"), at("hall_stop")),
    Row("print dealing sheets", ("boards",), "boards", "duplicate",
        at("organise_boards_print", {"way": "sheets", "file": "page"}), at("boards_deal")),
    Row("enter the results of a board", ("result",), "results", "duplicate",
        at("organise_board", {"s0-@board match": "500", "s1-@board match": "400"}, board="@board"),
        at("board_results", {"tables": [{"match": "@board match name", "scores": [500, 400]}]}, board="@board")),
    Row("say what is in a pattern", ("fair_play",), "fair_play", "running",
        at("organise_fair_play", GONE), at("fair_play_remark", GONE)),
    Row("undo what an owner entered", ("undo",), ("owner", "director"), "running",
        at("organise_undo", act="@decided"), at("undo", act="@decided")),
    Row("undo what an owner changed", ("undo",), ("owner",), "open",
        at("organise_undo", act="@named"), at("undo", act="@named")),
    Row("undo what a scorer entered", ("undo",), "results", "running",
        at("organise_undo", act="@scored"), at("undo", act="@scored")),
    Row("foresee an undoing", (), ("owner", "director"), "running",
        at("organise_undo_preview", act="@decided"), at("undo", {"preview": True}, act="@decided")),
    Row("bring a past season in", ("brought",), NOBODY, "", CLUB, CLUB),

    # Stages and rounds.
    Row("add a stage", ("stages",), "prepare", "draft",
        at("organise_add_stage", {"shown": "", "stage-3-take": "2"}), at("stages", {"format": "single_elimination"})),
    Row("plan a stage otherwise", ("stages",), "prepare", "draft",
        at("organise_stage", {"shown": "", "stage-1-name": "First"}), at("stage_change", {"name": "First"})),
    Row("take a stage out", ("stages",), "prepare", "draft",
        at("organise_remove_stage", stage=2), at("stage_remove", stage=2)),
    Row("give a round its go", ("go",), "play", "waits",
        at("organise_go", {"number": "1"}), at("stage_go", {"round": 1})),
    Row("name who goes on", ("admit",), "play", "open",
        at("organise_admit", {"place-@entry1": "1", "place-@entry2": "2"}, stage=2),
        at("stage_admit", {"entries": [1, 2]}, stage=2)),
    Row("decide a tie", ("tie",), "play", "tied",
        at("organise_tie", {"by": "lot"}), at("stage_tie", {"by": "lot"})),
    Row("end a ladder", ("end_ladder",), "play", "ladder", at("organise_end_ladder"), at("stage_end")),
    Row("draw the first round again", ("draw_again",), "play", "open", at("organise_draw_again"), at("draw")),
    Row("draw a round anew", ("redraw",), "play", "drawn", at("organise_redraw"), at("round_redraw")),
    Row("let two change places", ("pair",), "play", "drawn",
        at("organise_swap", {"one": "@drawn1", "other": "@drawn2"}), at("round_swap", {"one": 1, "other": 2})),
    Row("seat an entry elsewhere", ("pair",), "play", "drawn",
        at("organise_move", {"one": "@drawn1", "to": "zero_bye"}), at("round_move", {"entry": 1, "table": None})),
    Row("say when a round is played", ("times",), "play", "drawn",
        at("organise_round_times", TIMES), at("round_times", UTC)),
    Row("give points", ("adjust",), "play", "running",
        at("organise_adjust", {"stage": "1", "points": "1", "reason": "For the tea."}),
        at("adjustments", {"entry": 1, "points": "1", "reason": "For the tea."})),
    Row("take points back", ("adjust",), "play", "running",
        at("organise_take_back_points", adjustment="@adjustment"),
        at("take_back_adjustment", adjustment="@adjustment")),

    # Entries, by organisers.
    Row("enter anybody", ("enter",), "entries", "open",
        at("organise_entries", {"who": "Ada / Bea"}), at("entries", {"members": ["Ada", "Bea"]})),
    Row("enter a list", ("enter",), "entries", "open",
        ONE_BY_ONE, at("event_name_list", {"entries": [{"members": ["Ada", "Bea"]}]})),
    Row("let an entry in late", ("late",), "play", "running",
        at("organise_accept", entry=13), at("event_late", {"entry": 13})),
    Row("enter somebody late", ("late",), "play", "running",
        at("organise_entries", {"who": "Ada / Bea"}), at("event_late", {"members": ["Ada", "Bea"]})),
    Row("give an entry a place", ("accept",), "entries", "open",
        at("organise_accept", entry=7), at("entry_accept", entry=7)),
    Row("let an entry wait", ("accept",), "entries", "open",
        at("organise_accept", {"to": "wait"}, entry=3), at("entry_wait", entry=3)),
    Row("withdraw an entry", ("withdraw",), "entries", "running",
        at("organise_leaving", {"way": "after"}), at("entry_withdraw")),
    Row("foresee a withdrawal", (), "entries", "running",
        at("organise_leaving_preview", {"way": "after"}), at("entry_withdraw", {"preview": True})),
    Row("disqualify an entry", ("disqualify",), "play", "running",
        at("organise_leaving", {"way": "disqualify", "reason": "Marked cards."}),
        at("entry_disqualify", {"reason": "Marked cards."})),
    Row("take an entry back", ("reinstate",), "play", "open",
        at("organise_leaving", {"way": "reinstate"}, entry=8), at("entry_reinstate", entry=8)),
    Row("rename an entry", ("rename",), "entries", "open",
        at("organise_rename", {"name": "Foxes"}), at("entry_rename", {"name": "Foxes"})),
    Row("add somebody to an entry", ("members",), "entries", "open",
        at("organise_add_person", {"who": "Zoe", "role": "reserve"}), at("entry_invite", {"who": "Zoe", "role": "reserve"})),
    Row("take somebody out of an entry", ("members",), "entries", "open",
        at("organise_change_person", {"to": "out"}, member="@reserve"), at("entry_drop", {"member": "@reserve"})),
    Row("make somebody captain", ("members",), "entries", "open",
        at("organise_change_person", {"to": "captain"}, member="@partner"),
        at("entry_captain", {"member": "@partner"})),
    Row("make a reserve a player", ("members",), "entries", "open",
        at("organise_change_person", {"to": "player"}, member="@reserve"),
        at("entry_member_role", {"member": "@reserve", "role": "player"})),
    Row("order an entry's people", ("members",), "entries", "open",
        "No page orders people: captains and organisers field whom they like, match by match.",
        at("entry_order", {"members": ["@partner", "@captain", "@reserve"]})),
    Row("let somebody take over", ("replace",), "entries", "open",
        at("organise_replace", {"reserve": "@reserve"}, member="@partner"),
        at("entry_replace", {"member": "@partner", "reserve": "@reserve"})),
    Row("give people their accounts", ("claim",), NOBODY, "", CLUB, CLUB),
    Row("check in players", ("check_in",), "check_in", "open",
        at("organise_mark", {"to": "here"}), at("entry_check_in")),
    Row("check in everyone", ("check_in",), "check_in", "open",
        at("organise_mark_all"), "A program checks entries in one by one, or as it adds them."),
    Row("say who is absent", ("check_in",), "check_in", "open",
        at("organise_mark", {"to": "absent"}), at("entry_absent")),
    Row("put an absent entry back", ("check_in",), "check_in", "open",
        at("organise_mark", {"to": "back"}), at("entry_put_back")),
    Row("give a bye", ("bye",), "play", "running",
        at("organise_bye", {"round": "2", "kind": "half_bye"}), at("entry_bye", {"round": 2})),
    Row("take a bye away", ("bye",), "play", "running",
        at("organise_bye", {"round": "2", "to": "play"}), at("entry_bye", {"round": 2, "kind": "none"})),
    Row("seed by rating", ("seeds",), "entries", "open",
        at("organise_seeds", {"way": "rating"}), at("event_seeds", {"by": "rating"})),
    Row("seed by lot", ("seeds",), "entries", "open",
        at("organise_seeds", {"way": "lot"}), at("event_seeds", {"by": "lot"})),
    Row("seed by hand", ("seeds",), "entries", "closed",
        at("organise_seeds", {"way": "hand", "seed-@first": "2", "was-@first": "1"}),
        at("event_seeds", {"by": "hand", "order": [2, 1, 3, 4]})),
    Row("keep two apart", ("apart",), "entries", "open",
        at("organise_apart", {"one": "@entry1", "other": "@entry2"}), at("apart", {"one": 1, "other": 2})),
    Row("let two meet", ("apart",), "entries", "open",
        at("organise_apart", {"one": "@entry3", "other": "@entry4", "to": "meet"}),
        at("apart", {"one": 3, "other": 4, "apart": False})),

    # Entries, by their own people.
    Row("enter oneself", ("enter",), ACCOUNT, "alone", at("enter"), at("event_enter")),
    Row("accept an invitation", ("members",), INVITED, "open",
        at("own_entry", {"act": "accept", "member": "@invited"}), at("invitation_accept", invitation="@invited")),
    Row("decline an invitation", ("members",), INVITED, "open",
        at("own_entry", {"act": "decline", "member": "@invited"}), at("invitation_decline", invitation="@invited")),
    Row("accept by a letter", ("members",), ACCOUNT, "alone",
        at("invitation", {"answer": "yes"}, token="@letter"), "The link of a letter leads to a page."),
    Row("decline by a letter", ("members",), ANYBODY, "alone",
        at("invitation", {"answer": "no"}, token="@letter"), "The link of a letter leads to a page."),
    Row("leave before one's account is deleted", ("members",), NOBODY, "", SITE, SITE),
    Row("check in", ("check_in",), CAPTAIN, "open", at("own_entry", {"act": "check_in"}), at("own_check_in")),
    Row("withdraw", ("withdraw",), CAPTAIN, "open",
        at("own_entry", {"act": "withdraw", "sure": "yes"}), at("own_withdraw")),
    Row("ask somebody in", ("members",), CAPTAIN, "open",
        at("own_entry", {"act": "invite", "who": "stranger", "role": "reserve"}),
        at("own_invite", {"who": "stranger", "role": "reserve"})),
    Row("take one's partner out", ("members",), (CAPTAIN, "partner"), "open",
        at("own_entry", {"act": "drop", "member": "@partner"}), at("own_drop", {"member": "@partner"})),
    Row("make one's partner captain", ("members",), CAPTAIN, "open",
        at("own_entry", {"act": "captain", "member": "@partner"}), at("own_captain", {"member": "@partner"})),
    Row("make one's reserve a player", ("members",), CAPTAIN, "open",
        NO_PAGE, at("own_member_role", {"member": "@reserve", "role": "player"})),
    Row("order one's people", ("members",), CAPTAIN, "open",
        NO_PAGE, at("own_order", {"members": ["@partner", "@captain", "@reserve"]})),
    Row("rename one's entry", ("rename",), CAPTAIN, "open",
        at("own_entry", {"act": "rename", "name": "Foxes"}), at("own_rename", {"name": "Foxes"})),
    Row("ask for a bye", ("bye",), CAPTAIN, "running", NO_PAGE, at("own_bye", {"round": 2})),

    # Matches, for their players or the holder of the table card.
    Row("enter the result of one's match", ("report",), OF_ENTRY, "running",
        at("score", {"act": "send", "by": "final", "s0-final": "500", "s1-final": "400"}, match="@own"),
        at("match_report", {"lines": "@own lines"}, match="@own")),
    Row("send one's sheet", ("report",), OF_ENTRY, "running",
        at("score", {"act": "send", "by": "final", "s0-final": "500", "s1-final": "400"}, match="@own"),
        at("match_sheet_send", {"final": [500, 400], "seen": 0}, match="@own")),
    Row("enter a result with the card", ("report",), ANYBODY, "running",
        at("card_score", {"act": "send", "by": "final", "s0-final": "500", "s1-final": "400"}, token="@card", place=0),
        at("card_sheet_send", {"final": [500, 400], "seen": 0}, token="@card", place=0)),
    Row("confirm what the others entered", ("answer",), OF_ENTRY, "asked",
        at("answer", {"result": "@asked result", "answer": "yes"}, match="@asked"),
        at("match_answer", {"result": "@asked result", "agrees": True}, match="@asked")),
    Row("dispute what the others entered", ("answer",), OF_ENTRY, "asked",
        at("answer", {"result": "@asked result", "answer": "no", "words": "No."}, match="@asked"),
        at("match_answer", {"result": "@asked result", "agrees": False, "words": "No."}, match="@asked")),
    Row("answer with the card", ("answer",), ANYBODY, "asked",
        at("card_answer", {"result": "@asked result", "answer": "yes"}, token="@asked card", place="@asked place"),
        at("card_answer", {"result": "@asked result", "agrees": True}, token="@asked card", place="@asked place")),
    Row("field other people", ("substitute",), CAPTAIN, "running",
        NO_PAGE, at("match_own_substitute", {"members": ["@running reserve", "@running captain"]}, match="@own")),
    Row("challenge somebody", ("challenge",), CAPTAIN, "ladder",
        at("challenge", {"entry": "1"}), at("stage_challenge", {"entry": 1})),
    Row("take a break", ("free",), CAPTAIN, "arena", at("free", {"free": "no"}), at("stage_free", {"is_free": False})),

    # Matches, by organisers.
    Row("enter a result", ("result",), "results", "running",
        at("organise_result", WE_WON, match="@open"), at("match_decide", {"lines": "@open lines"}, match="@open")),
    Row("confirm a result", ("confirm",), "results", "asked",
        at("organise_confirm", {"result": "@asked result"}, match="@asked"),
        at("match_confirm", {"result": "@asked result"}, match="@asked")),
    Row("confirm one of two results", ("confirm",), "play", "running",
        at("organise_confirm", {"result": "@disputed result"}, match="@disputed"),
        at("match_confirm", {"result": "@disputed result"}, match="@disputed")),
    Row("decide between two results", ("result",), "play", "running",
        at("organise_result", WE_WON, match="@disputed"),
        at("match_decide", {"lines": "@disputed lines"}, match="@disputed")),
    Row("change a result", ("result",), "play", "running",
        at("organise_result", {**WE_WON, "reason": "Read wrong."}, match="@done"),
        at("match_decide", {"lines": "@done lines", "reason": "Read wrong."}, match="@done")),
    Row("foresee a change", (), "play", "running",
        at("organise_result_preview", WE_WON, match="@done"),
        at("match_decide", {"lines": "@done lines", "preview": True}, match="@done")),
    Row("take a result back", ("take_back",), "play", "running",
        at("organise_take_back", {"reason": "Read wrong."}, match="@done"),
        at("match_take_back", {"reason": "Read wrong."}, match="@done")),
    Row("foresee a taking back", (), "play", "running",
        at("organise_result_preview", {"act": "take_back"}, match="@done"),
        at("match_take_back", {"reason": "Read wrong.", "preview": True}, match="@done")),
    Row("decide by walkover", ("result", "walkover"), "play", "running",
        at("organise_result", {"absent_1": "on"}, match="@open"),
        at("match_walkover", {"absent": ["@open second"]}, match="@open")),
    Row("let a result stand", ("silence",), NOBODY, "", SITE, SITE),
    Row("say when a match is played", ("times",), "play", "running",
        at("organise_match_times", TIMES, match="@own"), at("match_times", UTC, match="@own")),
    Row("say where a match is played", ("where",), "play", "drawn",
        at("organise_where", {"where": "face"}, match="@online"), at("match_where", {"online": False}, match="@online")),
    Row("call a match off", ("call_off",), "play", "asked",
        at("organise_call_off", match="@asked"), at("match_call_off", match="@asked")),
    Row("ask for a result", ("ask",), "play", "running",
        at("organise_ask", match="@own"), at("match_ask", match="@own")),
    Row("say who plays for an entry", ("substitute",), "play", "running",
        at("organise_field", {"place": "@own place", "people": ["@running reserve", "@running captain"]}, match="@own"),
        at("match_substitute", {"entry": 1, "members": ["@running reserve", "@running captain"]}, match="@own")),
    Row("let one challenge another", ("challenge",), "play", "ladder",
        at("organise_challenge", {"one": "@rung5", "other": "@rung4"}),
        at("entry_challenge", {"entry": 4, "stage": 1}, entry=5)),
    Row("let an entry take a break", ("free",), "play", "arena",
        at("organise_free", {"one": "@free", "to": "break"}), at("entry_free", {"stage": 1, "is_free": False})),
]
# fmt: on
"""Every act of events."""

UNDONE = {
    "prepare": ("announce", "settings", "stages"),
    "organisers": ("organisers",),
    "cancel": ("cancel",),
    "entries": (
        "accept", "apart", "claim", "enter", "entries", "members", "rename", "replace", "seeds", "withdraw",
    ),
    "check_in": ("check_in",),
    "results or play": ("answer", "confirm", "report", "result"),
    "play": (
        "adjust", "admit", "bye", "call_off", "challenge", "disqualify", "draw_again", "end_ladder", "free", "go", "late", "pair",
        "redraw", "reinstate", "silence", "start", "substitute", "take_back", "tie", "times", "walkover", "where",
    ),
    "fair_play": ("fair_play",),
    "what it undoes": ("undo",),
    "results": ("screen",),
    "never": ("ask", "boards", "brought", "make", "timer", "told"),
}  # fmt: skip
"""Rights to undo own actions, by kinds; those of others also need `undo`."""

NO_ACTS = {
    "new_event_schedule": "shows a schedule",
    "organise_schedule": "shows a schedule",
    "new_forecast": "shows a schedule",
    "score_sync": "keeps a sheet, which is no decision until it is sent",
    "card_sync": "the same",
    "match_photos": "keeps a picture",
    "card_photos": "keeps a picture",
    **{
        f"{whose}_sheet_{action}": "keeps a sheet, which is no decision until it is sent"
        for whose in ("match", "card")
        for action in ("deal", "replace", "take_away", "stop")
    },
}
"""Addresses that take a form or a body without an action, with the reason."""


# The world


class World(NamedTuple):
    """Events in every state, the people of the table in all of them, and rows by name."""

    people: dict[str, User]
    events: dict[str, Tournament]
    rows: dict[str, object]
    browsers: dict[str, Client]
    bots: dict[str, APIClient]

    def where(self, row, way):
        """The arguments of the address of a way."""
        event = {"event": self.events[row.of].slug}
        return {**event, "stage": 1, "round": 1, "entry": 1, **self.filled(way.where)}

    def filled(self, value):
        """A form or a body with the rows that it names."""
        if isinstance(value, dict):
            return {self._key(name): self.filled(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.filled(part) for part in value]
        return self.rows[value[1:]] if isinstance(value, str) and value.startswith("@") else value

    def _key(self, name):
        head, at_sign, row = name.partition("@")
        return f"{head}{self.rows[row]}" if at_sign else name


TEAMS = {"kind": "team", "is_rated": False}


def make_world():
    """Events in every state; Olga and her helpers organise all of them."""
    people = {person: make_person(person.capitalize()) for person in PEOPLE[:-1]}
    owner, rows = people["owner"], {}
    swiss, knockout = standard("swiss", rounds=3), standard("single_elimination", take=4)
    events = {
        "draft": make_event(owner, swiss, knockout, entries=0, status="draft", **TEAMS),
        "open": make_event(owner, swiss, knockout, entries=8, status="open", has_check_in=True, **TEAMS),
        "closed": make_event(owner, swiss, entries=4, status="closed"),
        "alone": make_event(owner, swiss, entries=0, status="open"),
        "running": make_event(owner, swiss, entries=12, started=True, **TEAMS),
        "asked": make_event(owner, swiss, entries=4, started=True, **TEAMS),
        "waits": make_event(owner, standard("swiss", rounds=3, waits_for_go=True), entries=4, started=True),
        "drawn": make_event(owner, standard("swiss_pods", rounds=2), entries=12, started=True),
        "tied": make_event(owner, standard("round_robin"), entries=2, started=True),
        "ladder": make_event(owner, standard("ladder", reach=3), entries=5, started=True, **TEAMS),
        "arena": make_event(owner, standard("arena"), entries=6, started=True, **TEAMS),
        "duplicate": make_event(owner, standard("howell"), entries=4, kind="partnership", started=True, is_rated=False),
    }
    driving.play_out(events["tied"], owner, lambda names: [100] * len(names))
    for event in events.values():
        for role in ("director", "scorer", "dealer"):
            Organiser.objects.create(tournament=event, user=people[role], role=role)
    for name, first, second in (("open", 1, 2), ("running", 1, 2), ("asked", 1, 2), ("ladder", 3, 4), ("arena", 1, 2)):
        _seat(events[name], people, first, second)
    Hall.objects.create(tournament=events["running"], ends_at=timezone.now() + timedelta(hours=1))
    Hall.objects.create(tournament=events["asked"], seconds_left=600)
    for makes in (_open, _running, _reported, _rest):
        makes(events, people, rows)
    browsers, bots = {person: Client() for person in PEOPLE}, {person: APIClient() for person in PEOPLE}
    for person, user in people.items():
        browsers[person].force_login(user)
        token = tokens.create(user, name="bot", scopes=list(SCOPES), days=None)[1]
        bots[person].credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return World(
        people, {name: Tournament.objects.get(pk=event.pk) for name, event in events.items()}, rows, browsers, bots
    )


def _seat(event, people, captains, players):
    """Put the captain, their partner and a reserve into an entry, and the player into another one."""
    entries = {entry.number: entry for entry in event.entries.all()}
    names = {number: [(f"{entry} A", None), (f"{entry} B", None)] for number, entry in entries.items()}
    names[captains] = [(role.capitalize(), people[role]) for role in ("captain", "partner")]
    names[players][0] = ("Player", people["player"])
    Member.objects.bulk_create(
        Member(
            tournament=event, entry=entries[number], name=name, user=user, position=at, is_captain=not at, role="player"
        )
        for number, members in names.items()
        for at, (name, user) in enumerate(members)
    )
    Member.objects.create(tournament=event, entry=entries[captains], name="Reserve", position=2, role="reserve")


def _member(event, name):
    return Member.objects.get(tournament=event, name=name).pk


def _open(events, people, rows):
    event, alone = events["open"], events["alone"]
    event.entries.update(seed=None)  # as people enter; the draw is then by lot
    Entry.objects.filter(tournament=event, number__gt=1).update(is_here=True)
    event.entries.filter(number=7).update(status="waiting")
    event.entries.filter(number=8).update(status="withdrawn")
    about = {"tournament": event, "entry": event.entries.get(number=2), "role": "reserve", "answer": "invited"}
    rows["invited"] = Member.objects.create(**about, name="Invited", user=people["invited"], position=3).pk
    forming = Entry.objects.create(tournament=alone, number=1, name="Guest", status="forming")
    letter = Member.objects.create(
        tournament=alone, entry=forming, name="Guest", email="guest@example.org", answer="invited", is_captain=True
    )
    rows |= {"letter": letter.token, "scorer": event.organisers.get(role="scorer").pk}
    rows |= {f"entry{number}": event.entries.get(number=number).pk for number in (1, 2, 3, 4)}
    rows |= {role: _member(event, role.capitalize()) for role in ("captain", "partner", "reserve")}
    rows["first"] = events["closed"].entries.get(number=1).pk
    rows["named"] = lifecycle.change_settings(event.pk, people["owner"], changes={"venue": "The quay"}).pk


def _running(events, people, rows):
    event, owner = events["running"], people["owner"]
    own_match, *rest = driving.open_pairings(event)
    # Whose match is whose does not matter, but nobody of the table plays what is another's.
    decided, by_card, disputed, open_one, scored = rest
    assert own_match.places.filter(entry__number=1).exists()
    rows |= {
        "own": own_match.name,
        "own lines": _lines(own_match),
        "card": by_card.token,
        "own place": own_match.places.get(entry__number=1).pk,
    }
    rows |= {
        "done": decided.name,
        "done lines": _lines(decided),
        "disputed": disputed.name,
        "disputed lines": _lines(disputed),
    }
    rows |= {"open": open_one.name, "open lines": _lines(open_one)}
    rows["open second"] = open_one.places.get(side=1).entry.number
    rows["decided"] = driving.decide(decided, owner).pk
    rows["scored"] = driving.decide(scored, people["scorer"]).pk
    Pairing.objects.filter(pk=disputed.pk).update(status="disputed")
    for salt in "12":
        rows["disputed result"] = _report(disputed, owner, salt, "disputed")
    waiting = Entry.objects.create(tournament=event, number=13, name="Late", status="waiting")
    for at, letter in enumerate("AB"):
        Member.objects.create(tournament=event, entry=waiting, name=f"Late {letter}", position=at, is_captain=not at)
    adjustment = point_adjustments.adjust(
        event.stages.get().pk, owner, entry_id=event.entries.get(number=1).pk, points=1, reason="For the tea."
    )
    rows["adjustment"] = adjustment.pk
    rows |= {f"running {role}": _member(event, role.capitalize()) for role in ("captain", "reserve")}


def _lines(pairing):
    return [
        {"entry": place.entry.number, "score": 500 - place.number} for place in pairing.places.select_related("entry")
    ]


def _report(pairing, by, salt, status):
    lines = driving.lines_of(pairing, lambda names: driving.by_lot(names, salt))
    entry = pairing.places.last().entry
    about = {"lines": lines, "at": pairing.opened_at or by.date_joined, "kind": "decided", "origin": "player"}
    return Result.objects.create(pairing=pairing, status=status, by_entry=entry, **about).pk


def _reported(events, people, rows):
    """The other side of the captain's match has entered a result."""
    pairings = driving.open_pairings(events["asked"])
    match = next(pairing for pairing in pairings if pairing.places.filter(entry__number=1).exists())
    place, other = sorted(match.places.select_related("entry"), key=lambda place: place.entry.number)
    about = {"lines": driving.lines_of(match), "at": events["asked"].created_at, "kind": "decided", "origin": "card"}
    result = Result.objects.create(pairing=match, status="reported", by_entry=other.entry, **about)
    Pairing.objects.filter(pk=match.pk).update(status="reported", begun_at=events["asked"].created_at)
    rows |= {"asked": match.name, "asked result": result.pk, "asked card": match.token, "asked place": place.number}


def _rest(events, people, rows):
    rows |= {f"rung{number}": events["ladder"].entries.get(number=number).pk for number in (4, 5)}
    on_board = driving.open_pairings(events["duplicate"])[0]
    rows |= {"board": on_board.boards[0], "board match": on_board.pk, "board match name": on_board.name}
    rows["free"] = events["arena"].entries.get(number=1).pk
    events["drawn"].entries.update(seed=None)  # so that its first round can be drawn by other lots
    online = driving.open_pairings(events["drawn"])[-1]
    Pairing.objects.filter(pk=online.pk).update(is_online=True)
    rows["online"] = online.name
    rows |= {f"drawn{number}": events["drawn"].entries.get(number=number).pk for number in (1, 2)}
