"""Acts that cost something: what bounds the rows of each model, checked at every request that any test sends.

One list for pages and programs. A request that adds rows of a model without counting one of its budgets fails its test,
at either door; so does a model that is missing here.
"""

import re
import threading
from contextlib import ExitStack
from functools import wraps

ACTS = {"actions", "clubs", "events", "heavy"}
"""Budgets of acts in clubs and events, where `acts/history.py` counts them, of new ones, and of previews."""
BUDGETS_OF = {
    "gameplay_table": {"tables", *ACTS},
    "gameplay_invitation": {"invitations"},
    "accounts_friendship": {"invitations"},
    "accounts_noticeplace": {"heavy"},
    "gameplay_chatmessage": {"messages"},
    "gameplay_dealreview": {"bot_time"},
    "gameplay_report": {"reports"},
    "gameplay_scoresheet": {"score_sheets"},
    "gameplay_sheetphoto": {"photos"},
    "tournaments_tournament": ACTS,
    "tournaments_act": ACTS,
    "tournaments_letter": {"invitations"},
    "clubs_club": {"clubs"},
    "clubs_meetingguest": {"meeting_guests"},
    "clubs_act": ACTS,
    "clubs_invitation": {"invitations"},
    "clubs_copy": {"emails"},
    **dict.fromkeys(
        [
            "tournaments_adjustment",
            "tournaments_answer",
            "tournaments_board",
            "tournaments_hall",
            "tournaments_entry",
            "tournaments_keptapart",
            "tournaments_member",
            "tournaments_organiser",
            "tournaments_pairing",
            "tournaments_place",
            "tournaments_ratedgame",
            "tournaments_ratedtournament",
            "tournaments_rating",
            "tournaments_ratingpool",
            "tournaments_ratingstep",
            "tournaments_remark",
            "tournaments_result",
            "tournaments_round",
            "tournaments_sitout",
            "tournaments_stage",
            "tournaments_stageentry",
            "clubs_appearance",
            "clubs_blackout",
            "clubs_division",
            "clubs_fixture",
            "clubs_honour",
            "clubs_houserules",
            "clubs_joinrequest",
            "clubs_keptaside",
            "clubs_league",
            "clubs_leagueclub",
            "clubs_meeting",
            "clubs_meetingreserve",
            "clubs_question",
            "clubs_repeatingmeeting",
            "clubs_reply",
            "clubs_replyletter",
            "clubs_membership",
            "clubs_news",
            "clubs_newsaddress",
            "clubs_newschange",
            "clubs_newsdelivery",
            "clubs_newsletter",
            "clubs_newsplace",
            "clubs_personalmessage",
            "clubs_proposal",
            "clubs_remark",
            "clubs_rulesversion",
            "clubs_season",
            "clubs_seasonentry",
            "clubs_seasonevent",
            "clubs_seasonevententry",
            "clubs_series",
            "clubs_seriesevent",
            "clubs_team",
            "clubs_teammember",
        ],
        ACTS,
    ),
}
"""Budgets by the table of a model: a request that adds rows counts one of them."""
FREE = {
    "accounts_absence": "a person has so many days a year",
    "accounts_apitoken": "a person has at most twenty",
    "accounts_block": "a person has at most 500",
    "accounts_budgetlimit": "for operators",
    "accounts_clearing": "one a day",
    "accounts_erasure": "one for an account",
    "accounts_knownclient": "one for a device or network that signs in",
    "accounts_notice": "written with an act that is counted, or with a turn",
    "accounts_noticedelivery": "written with notifications, at most three for one message",
    "accounts_operatoract": "for operators",
    "accounts_pushsubscription": "one for a browser, at an address that its maker gives",
    "accounts_user": "a guest comes with a table or a counted seat, an account by a form of allauth, which limits it by address",
    "gameplay_deal": "comes with a table, or with the moves of a deal before",
    "gameplay_happening": "comes with an act at a table, one of which is a request",
    "gameplay_heartbeat": "one for a kind of task",
    "gameplay_look": "one for a device and a table in a minute",
    "gameplay_move": "a turn is a request, and the game ends",
    "gameplay_process": "one for a process",
    "gameplay_reserve": "one for a person and a table",
    "gameplay_seat": "comes with a table",
    "gameplay_wish": "one for a combination of choices, of which there are few",
    "gameplay_tally": "one for a counter",
    "tournaments_typedscores": "one for a match",
}
"""Why the rows of other models need no budget but that of requests."""
INSERTED = re.compile(r'\s*INSERT INTO "?(\w+)', re.IGNORECASE)


def problem(inserted, used):
    """The tables that rows were added to without one of their budgets."""
    return {name: sorted(BUDGETS_OF[name]) for name in inserted if name in BUDGETS_OF and not used & BUDGETS_OF[name]}


def watch_requests():
    """Watch every request of the tests' clients from now on."""
    from django.core.handlers.base import BaseHandler

    answer = BaseHandler.get_response

    @wraps(answer)
    def watched(self, request):
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return answer(self, request)
        with ExitStack() as stack:
            inserted, used = stack.enter_context(rows_added()), stack.enter_context(budgets_counted())
            response = answer(self, request)
        if wrong := problem(inserted, used):
            raise AssertionError(f"{request.method} {request.path} adds rows without a budget: {wrong}")
        return response

    BaseHandler.get_response = watched


class rows_added:
    """Collects the tables that statements insert into."""

    def __enter__(self):
        from django.db import connection

        names = set()

        def record(execute, sql, params, many, context):
            if match := INSERTED.match(sql):
                names.add(match[1])
            return execute(sql, params, many, context)

        self._wrapper = connection.execute_wrapper(record)
        self._wrapper.__enter__()
        return names

    def __exit__(self, *error):
        self._wrapper.__exit__(*error)


class budgets_counted:
    """Collects the names of budgets that are counted in this thread, whether or not anybody has a limit.

    Requests of a journey overlap, so that `_add` is replaced once and stays: the first of two to end would put back what
    was there before, and the second would count nothing.
    """

    _of_thread = threading.local()

    def __enter__(self):
        self._listen()
        self._around, self._names = getattr(self._of_thread, "names", None), set()
        self._of_thread.names = self._names
        return self._names

    def __exit__(self, *error):
        self._of_thread.names = self._around
        if self._around is not None:
            self._around |= self._names

    @classmethod
    def _listen(cls):
        from accounts import budgets

        usual = budgets._add
        if hasattr(usual, "is_watched"):
            return

        @wraps(usual)
        def add(budget, who, amount, looked_at, *, into, **more):
            additions = usual(budget, who, amount, looked_at, into=into, **more)
            names = getattr(cls._of_thread, "names", None)
            if into and names is not None:
                names.add(budget.name)
            return additions

        add.is_watched = True
        budgets._add = add
