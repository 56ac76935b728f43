"""Requests and responses of the API of score sheets, field by field; the schema is made from them."""

import re
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from engine.play.paper import KINDS_OF_BOOK
from gameplay.api.base import Input, Output, Refusal
from gameplay.score_sheets import paper_scoring, score_form
from gameplay.score_sheets.paper_scoring import Deal, Terms
from gameplay.score_sheets.phone import KEY
from gameplay.score_sheets.score_form import MOST, MOST_POINTS
from gameplay.score_sheets.terms import LONGEST_NAME
from web.errors import Refused

MOST_SIDES = 12


class SheetRefusal(Refusal):
    """The reason for a refusal. 409 has the `version` of the sheet. An impossible deal has its side and row."""

    version = serializers.IntegerField(required=False)
    field = serializers.CharField(required=False)
    deal = serializers.IntegerField(required=False, help_text="The position in several deals, from 1.")
    side = serializers.IntegerField(required=False, help_text="From 0.")
    row = serializers.CharField(required=False)


# Out


class DealShape(Output):
    """A deal as entered, and its points."""

    teams = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Figures of each side, by the rows of `rows`."
    )
    points = serializers.ListField(child=serializers.IntegerField(), help_text="By side.")
    items = serializers.ListField(child=serializers.DictField(), help_text="Points of each side by row.")


class RowShape(Output):
    """A row that each side fills in by these rules."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    hint = serializers.CharField()
    kind = serializers.ChoiceField(["step", "points", "out"])


class Coming(Output):
    """The next deal."""

    number = serializers.IntegerField()
    dealer = serializers.CharField(help_text="Empty if the seats are not known.")
    beginner = serializers.CharField()
    openings = serializers.ListField(child=serializers.IntegerField(), help_text="The opening minimum of each side.")


class Score(Output):
    """The score of a match, deal by deal."""

    version = serializers.IntegerField(help_text="Grows with every change. Send it back as `seen`.")
    rules = serializers.JSONField(help_text="The whole ruleset.")
    rules_title = serializers.CharField()
    rows = RowShape(many=True)
    players = serializers.ListField(child=serializers.CharField(), help_text="By seat.")
    sides = serializers.ListField(child=serializers.CharField())
    deals = DealShape(many=True)
    totals = serializers.ListField(child=serializers.IntegerField(), help_text="By side.")
    is_over = serializers.BooleanField(help_text="Whether the rules or the players ended the match.")
    is_stopped = serializers.BooleanField(help_text="Whether the players ended it before the rules.")
    coming = Coming(allow_null=True)
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text="Warnings, a sentence each. The deal still counts."
    )


class PhotoShape(Output):
    """A photograph of the paper sheet."""

    slug = serializers.CharField()
    url = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class Sheet(Score):
    """A score sheet that belongs to no event."""

    slug = serializers.CharField(help_text="The view link’s key.")
    url = serializers.CharField(help_text="Its page for viewing.")
    title = serializers.CharField()
    seat_count = serializers.IntegerField()
    team_size = serializers.IntegerField()
    first_dealer = serializers.IntegerField(help_text="The seat that dealt first, from 1.")
    photos = PhotoShape(many=True)
    made_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField()


class OwnSheet(Sheet):
    """The same, with the edit link."""

    key = serializers.CharField(help_text="The edit link’s key.")
    edit_url = serializers.CharField(help_text="Its page for editing.")
    is_kept = serializers.BooleanField(help_text="Whether it is in an account. Others are deleted after a year.")


class SheetLine(Output):
    """A sheet in a list."""

    slug = serializers.CharField()
    key = serializers.CharField()
    url = serializers.CharField()
    title = serializers.CharField()
    rules_title = serializers.CharField()
    sides = serializers.ListField(child=serializers.CharField())
    totals = serializers.ListField(child=serializers.IntegerField())
    deal_count = serializers.IntegerField()
    is_over = serializers.BooleanField()
    changed_at = serializers.DateTimeField()


class OwnSheets(Output):
    """Score sheets in your account, last changed first."""

    sheets = SheetLine(many=True)
    more = serializers.BooleanField(help_text="Whether others follow. Ask again with `before` = the last slug.")


# In


class WhichSheets(Input):
    before = serializers.SlugField(required=False, max_length=16, help_text="The slug of the last sheet you have.")
    limit = serializers.IntegerField(default=20, min_value=1, max_value=50)


class Named(Input):
    key = serializers.RegexField(
        re.compile(rf"^{KEY.pattern}\Z", re.ASCII),
        required=False,
        help_text="Your name for this request. The same name is not done twice.",
    )


class NewSheet(Named):
    """A new score sheet. Fields left out have the defaults of the page for new score sheets."""

    rules = serializers.CharField(
        default="standard", max_length=60, help_text="A ruleset, or house rules as in the page's form."
    )
    options = serializers.DictField(default=dict, help_text="Options that differ from the ruleset's.")
    seat_count = serializers.IntegerField(default=4, min_value=2, max_value=12)
    team_size = serializers.IntegerField(default=2, min_value=1, max_value=6)
    names = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME, allow_blank=True), default=list, max_length=12
    )
    title = serializers.CharField(default="", max_length=60, allow_blank=True)
    first_dealer = serializers.IntegerField(required=False, min_value=1, max_value=12)
    is_kept = serializers.BooleanField(default=False, help_text="Save it in your account. Needs the scope `tables`.")


class Changing(Named):
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="`version` of the sheet you saw.")


class TeamIn(Input):
    """The figures of one side in a deal. Rows that the ruleset does not have are refused."""

    books = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MOST),
        required=False,
        help_text=f"By kind: {', '.join(KINDS_OF_BOOK)}.",
    )
    unfinished_wild = serializers.IntegerField(required=False, min_value=0, max_value=MOST)
    red_threes_laid = serializers.IntegerField(required=False, min_value=0, max_value=MOST)
    red_threes_held = serializers.IntegerField(required=False, min_value=0, max_value=MOST)
    lifts = serializers.IntegerField(required=False, min_value=0, max_value=MOST)
    lift_points = serializers.IntegerField(required=False, min_value=0, max_value=MOST_POINTS)
    melded = serializers.JSONField(required=False, help_text='Points of cards, or cards by rank: `{"K": 8}`.')
    left = serializers.JSONField(required=False, help_text="The same for cards left in hand and foot.")
    out = serializers.BooleanField(required=False)
    penalties = serializers.IntegerField(
        required=False, min_value=-MOST_POINTS, max_value=0, help_text="Penalty points, below zero."
    )


class DealIn(Input):
    """A deal: the figures of each side (`teams`), or only its points (`points`)."""

    teams = TeamIn(many=True, required=False)
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=-MOST_POINTS, max_value=MOST_POINTS),
        required=False,
        max_length=MOST_SIDES,
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send either teams or points.")
        return attrs


class WriteDeal(Changing):
    deal = DealIn()
    number = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=paper_scoring.MOST_DEALS,
        help_text="The number of the deal. By default the next one.",
    )


class ReplaceDeals(Changing):
    deals = serializers.ListField(child=DealIn(), max_length=paper_scoring.MOST_DEALS)
    is_stopped = serializers.BooleanField(default=False)


class TakeDealAway(Changing):
    number = serializers.IntegerField(min_value=1, max_value=paper_scoring.MOST_DEALS, help_text="The last deal.")


class StopSheet(Changing):
    is_stopped = serializers.BooleanField(help_text="`false` if they continue.")


class RenameSheet(Changing):
    names = serializers.ListField(child=serializers.CharField(max_length=LONGEST_NAME, allow_blank=True), max_length=12)
    title = serializers.CharField(max_length=60, allow_blank=True)
    first_dealer = serializers.IntegerField(min_value=1, max_value=12)


# Deals


def deal_of(terms: Terms, sent: dict[str, Any]) -> Deal:
    """A deal of a request. Raises `Refused` for unknown rows and sides."""
    deals = sent.get("teams") or sent.get("points") or []
    if len(deals) != len(terms.names):
        raise Refused(
            "bad_sides",
            gettext("This match has %(count)s sides. Send the figures of each side.") % {"count": len(terms.names)},
        )
    names = {row.name for row in paper_scoring.rows(terms)}
    for side, team in enumerate(sent.get("teams") or ()):
        rows = {*team, *team.get("books", {})} - {"books"}
        if unknown := sorted(str(row) for row in rows - names):
            raise Refused(
                "no_such_row",
                gettext("“%(unknown)s” is not counted in these rules.") % {"unknown": unknown[0][:40]},
                side=side,
            )
    return score_form.from_phone(terms, sent)


def score(terms: Terms, deals: list[Deal], seats: list[str], *, is_stopped: bool, dealer: int) -> dict[str, Any]:
    """The data of a `Score`, except its version and the title of its rules; `dealer` dealt first."""
    reckoning = paper_scoring.reckon(terms, deals)
    is_over = reckoning.is_over or is_stopped
    number = len(deals) + 1
    coming = {
        "number": number,
        "dealer": seats[(dealer + number - 1) % len(seats)] if seats else "",
        "beginner": seats[(dealer + number) % len(seats)] if seats else "",
        "openings": [terms.rules.opening.minimum(number, total) for total in reckoning.totals],
    }
    return {
        "rules": terms.rules.write(),
        "rows": [row._asdict() for row in paper_scoring.rows(terms)],
        "players": seats,
        "sides": list(terms.names),
        "deals": [
            {**deal, "points": list(scored.points), "items": list(scored.items)}
            for deal, scored in zip(deals, reckoning.deals, strict=True)
        ],
        "totals": list(reckoning.totals),
        "is_over": is_over,
        "is_stopped": is_stopped,
        "coming": None if is_over else coming,
        "remarks": [sentence for scored in reckoning.deals for sentence in scored.remarks],
    }
