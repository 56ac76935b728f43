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
    Membership,
    News,
    Newsletter,
    Proposal,
    Remark,
    RulesVersion,
    Season,
    SeasonEntry,
    SeasonEvent,
    SeasonEventEntry,
    Team,
    TeamMember,
)
from clubs.services.members.member_invitations import LASTS

CLUBS = Reason(_("Clubs, with members, pages, newsletters and house rules"), _("until the club removes them"))
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
        )
    )
    register(
        Rule(
            "club_kept_aside",
            _("Rows of lists that were not imported"),
            _("%(days)s days"),
            _("so that organisers can add missing rows"),
            KeptAside.objects.all,
            "created_at",
            timedelta(days=30),
        )
    )
    keep(HISTORIES, Act)
    keep(CLUBS, Club, Membership, JoinRequest, Remark, HouseRules, RulesVersion, News, Meeting, Newsletter, Copy)
    keep(LEAGUES, League, LeagueClub, Team, TeamMember, Season, Division, SeasonEvent, SeasonEventEntry, SeasonEntry)
    keep(LEAGUES, Appearance, Blackout, Fixture, Proposal, Honour)
