"""What is kept of clubs, and how long (`accounts.retention`)."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from accounts.retention import HISTORIES, Reason, Rule, keep, register
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
    JoinRequest,
    KeptAside,
    League,
    LeagueClub,
    Meeting,
    MeetingGuest,
    MeetingReserve,
    Membership,
    News,
    NewsAddress,
    NewsChange,
    NewsDelivery,
    Newsletter,
    NewsPlace,
    PersonalMessage,
    Proposal,
    Question,
    Remark,
    RepeatingMeeting,
    Reply,
    ReplyLetter,
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
from clubs.services.members.member_invitations import LASTS

ANSWERS_KEPT = timedelta(days=200)
CLUBS = Reason(_("Clubs, with members, pages, newsletters and house rules"), _("until the club removes them"))
ANSWERS = Reason(_("Emails and answers about a meeting or a match"), _("until their question is deleted"))
LEAGUES = Reason(_("Seasons, teams, fixtures and honours"), _("because they are the record of the league"))


def connect() -> None:
    """Declare them. Called once, when the app is ready."""
    register(
        Rule(
            "club_invitations",
            _("Invitations to clubs, with email addresses"),
            _("%(days)s days"),
            _("so that organisers see them for a month after they expired"),
            Invitation.objects.all,
            "created_at",
            LASTS + timedelta(days=30),
        ),
        Rule(
            "who_comes",
            _("Answers whether people come to a meeting or a match"),
            _("%(days)s days"),
            _("so that the site knows your last partner"),
            Question.objects.all,
            "created_at",
            ANSWERS_KEPT,
        ),
        Rule(
            "meeting_guests",
            _("Names of guests without an account at meetings"),
            _("%(days)s days"),
            _("because answers of members are stored for the same time"),
            MeetingGuest.objects.all,
            "created_at",
            ANSWERS_KEPT,
        ),
        Rule(
            "club_kept_aside",
            _("Rows of lists that were not imported"),
            _("%(days)s days"),
            _("so that organisers can add missing rows"),
            KeptAside.objects.all,
            "created_at",
            timedelta(days=30),
        ),
        Rule(
            "personal_messages",
            _("Members told by slip, text message or WhatsApp"),
            _("%(days)s days"),
            _("so that organisers see which members are left"),
            PersonalMessage.objects.all,
            "at",
            ANSWERS_KEPT,
        ),
        Rule(
            "place_messages",
            _("Log of messages to the chats of clubs"),
            _("%(days)s days"),
            _("so that organisers see the messages sent"),
            NewsDelivery.objects.all,
            "created_at",
            timedelta(days=60),
        ),
        Rule(
            "place_addresses",
            _("Addresses of removed places for news"),
            _("%(days)s days after they were removed"),
            _("so that removing them can be undone"),
            lambda: NewsAddress.objects.filter(place__removed_at__isnull=False),
            "place__removed_at",
            timedelta(days=30),
        ),
    )
    keep(HISTORIES, Act)
    keep(CLUBS, Club, Membership, JoinRequest, Remark, HouseRules, RulesVersion, News, Newsletter, Copy)
    keep(CLUBS, Meeting, RepeatingMeeting, MeetingReserve, NewsPlace, NewsChange)
    keep(ANSWERS, Reply, ReplyLetter)
    keep(LEAGUES, League, LeagueClub, Team, TeamMember, Season, Division, SeasonEvent, SeasonEventEntry, SeasonEntry)
    keep(LEAGUES, Series, SeriesEvent, Appearance, Blackout, Fixture, Proposal, Honour)
