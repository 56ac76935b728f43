"""Rows and fields of a club’s archive.

Accounts are left out: their names can be claimed again. Of other clubs in the leagues it has only their names, and
those of the people who played.
"""

from typing import Any

from django.db.models import Case, CharField, IntegerField, Model, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Concat

from clubs.models import (
    Act,
    Appearance,
    Blackout,
    Club,
    Copy,
    Division,
    Fixture,
    Honour,
    HouseRules,
    Invitation,
    League,
    LeagueClub,
    Meeting,
    MeetingGuest,
    MeetingReserve,
    Membership,
    News,
    Newsletter,
    Proposal,
    RepeatingMeeting,
    RulesVersion,
    Season,
    SeasonEntry,
    SeasonEvent,
    SeasonEventEntry,
    Series,
    SeriesEvent,
    Team,
    TeamMember,
)
from gameplay.models import SheetPhoto
from tournaments.models import Pairing, Tournament
from tournaments.services.events import event_transfer
from web.database.row_transfer import Carried, Damaged, Ids, act_changes

STAYING_ACTS = ("taken", "brought", "rename")
"""Kinds of acts that are not exported: the club’s own export and import, and corrections, which remember former names."""
_LABELS = {"club": "clubs.club", "rules": "clubs.rulesversion", "match": "tournaments.pairing"}
"""The models that texts such as `club:12` name rows of."""


def _ref(value: Any, ids: Ids) -> str:
    """A text such as `club:12` with another number."""
    kind, _, number = value.partition(":")
    if not value or kind not in _LABELS:
        return ""
    if not number.isdecimal():
        raise Damaged("no number")
    new_id = ids(_LABELS[kind], int(number))
    return "" if new_id is None else f"{kind}:{new_id}"


def _sent(row: Model, values: dict[str, Any]) -> None:
    """Mark a newsletter that is being sent as sent."""
    if values["status"] == Newsletter.Status.SENDING:
        values["status"] = Newsletter.Status.SENT


def _club_models() -> tuple[Carried, ...]:
    models: dict[str, Carried] = {}
    within, check = act_changes("clubs", lambda: models)
    is_name, is_rules = event_transfer.is_name, event_transfer.is_rules
    every = (
        Carried(Club, frozenset({"join_token", "version", "created_by"}), checks={"name": is_name(80)}),
        Carried(Membership, frozenset({"user", "claim_token", "letters_token"}), checks={"name": is_name(60)}),
        Carried(Invitation, frozenset({"token", "by", "due_at"})),
        Carried(HouseRules, checks={"name": is_name(60)}),
        Carried(RulesVersion, frozenset({"token", "by"}), checks={"rules_json": is_rules}),
        Carried(League, checks={"name": is_name(80)}),
        Carried(LeagueClub),
        Carried(Team, checks={"name": is_name(80)}),
        Carried(TeamMember),
        Carried(Season, checks={"name": is_name(60), "rules_json": is_rules}),
        Carried(Division, checks={"name": is_name(60)}),
        Carried(SeasonEvent, checks={"name": is_name(60)}),
        Carried(SeasonEventEntry),
        Carried(SeasonEntry),
        Carried(Appearance),
        Carried(Blackout),
        Carried(Fixture),
        Carried(Proposal, frozenset({"by", "answered_by"})),
        Carried(Honour),
        Carried(Series, checks={"name": is_name(80)}),
        Carried(SeriesEvent),
        Carried(News, frozenset({"by"})),
        Carried(RepeatingMeeting, frozenset({"by"})),
        Carried(MeetingReserve),
        Carried(Meeting),
        Carried(MeetingGuest, frozenset({"request_key"}), checks={"name": is_name(60)}),
        Carried(Newsletter, frozenset({"by"}), settle=_sent),
        Carried(Copy, frozenset({"due_at"})),
        Carried(Act, frozenset({"by", "request_key"}), within={"changes": within}, checks={"changes": check}),
    )
    models.update({model.label: model for model in every})
    return every


PHOTO = Carried(SheetPhoto, frozenset({"slug", "sheet", "image", "added_by"}), within={"ref": _ref})
"""Photographs of score sheets; their images are files of their own."""
CARRIED: dict[str, Carried] = {
    model.label: model for model in (*_club_models(), *event_transfer.exported_models(_ref), PHOTO)
}
"""Every model of an archive, by its label, in the order in which it is read."""

ADDED_IN = {"clubs.series": 2, "clubs.seriesevent": 2, "clubs.meetingguest": 3}
"""Models that archives have only from a version on, by label."""

GUEST_CLUB = ("id", "name")
GUEST_MEMBERSHIP = ("id", "club_id", "name")
"""Exported fields of other clubs in the club’s leagues, and of their people."""


def events_of(club: Club) -> QuerySet[Tournament]:
    """The club's events, and those of its leagues."""
    league = Q(division__season__league__club=club) | Q(season_event__season__league__club=club)
    return Tournament.objects.filter(Q(circle=club.circle) | league).distinct()


def rows_of(club: Club) -> dict[str, QuerySet[Any]]:
    """The rows of an archive by the label of their model, in the order of their ids; the club itself comes first."""
    events = list(events_of(club).values_list("pk", flat=True))
    played = Q(appearances__member__tournament__in=events) | Q(teams__team__league__club=club)
    people = Membership.objects.filter(Q(club=club) | played).distinct()
    guests = Q(teams__league__club=club) | Q(league_clubs__league__club=club) | Q(memberships__in=people)
    in_season = Q(season__league__club=club)
    conditions: dict[type[Model], Q] = {
        Invitation: Q(club=club),
        HouseRules: Q(club=club),
        RulesVersion: Q(house_rules__club=club),
        League: Q(club=club),
        LeagueClub: Q(league__club=club),
        Team: Q(league__club=club),
        TeamMember: Q(team__league__club=club),
        Season: Q(league__club=club),
        Division: in_season,
        SeasonEvent: in_season,
        SeasonEventEntry: Q(event__season__league__club=club),
        SeasonEntry: in_season,
        Appearance: Q(member__tournament__in=events),
        Blackout: in_season,
        Fixture: Q(pairing__round__stage__tournament__in=events),
        Proposal: Q(pairing__round__stage__tournament__in=events),
        Honour: in_season,
        Series: Q(club=club),
        SeriesEvent: Q(series__club=club, event__in=events),
        News: Q(club=club),
        RepeatingMeeting: Q(club=club),
        MeetingReserve: Q(repeating__club=club),
        Meeting: Q(club=club),
        MeetingGuest: Q(meeting__club=club),
        Newsletter: Q(club=club),
        Copy: Q(newsletter__club=club),
        Act: Q(club=club) & ~Q(kind__in=STAYING_ACTS) & ~Q(undoes__kind__in=STAYING_ACTS),
    }
    rows = {model._meta.label_lower: model._default_manager.filter(which) for model, which in conditions.items()}
    rows["clubs.membership"] = people
    rows = {label: query.order_by("pk") for label, query in rows.items()}
    rows["clubs.club"] = _first(club, guests)
    rows |= event_transfer.exported_rows(Tournament.objects.filter(pk__in=events))
    matches = Pairing.objects.filter(round__stage__tournament__in=events)
    refs = matches.annotate(ref=Concat(Value("match:"), Cast("pk", CharField()))).values("ref")
    rows[PHOTO.label] = SheetPhoto.objects.filter(ref__in=refs).order_by("pk")
    return {label: rows[label] for label in CARRIED}


def _first(club: Club, guests: Q) -> QuerySet[Any]:
    """The club, then the others of its leagues."""
    guest_clubs = Club.objects.filter(guests).exclude(pk=club.pk).values("pk")
    is_other = Case(When(pk=club.pk, then=Value(0)), default=Value(1), output_field=IntegerField())
    return Club.objects.filter(Q(pk=club.pk) | Q(pk__in=guest_clubs)).order_by(is_other, "pk")
