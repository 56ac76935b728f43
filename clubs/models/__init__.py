"""Models of clubs and leagues."""

from clubs.models.coming import MeetingGuest, MeetingReserve, Question, RepeatingMeeting, Reply, ReplyLetter
from clubs.models.fair_play_notes import Remark
from clubs.models.leagues import (
    Appearance,
    Blackout,
    Division,
    Fixture,
    Honour,
    League,
    LeagueClub,
    Proposal,
    Season,
    SeasonEntry,
    SeasonEvent,
    SeasonEventEntry,
    Team,
    TeamMember,
)
from clubs.models.messages import PersonalMessage
from clubs.models.news_places import NewsAddress, NewsChange, NewsDelivery, NewsPlace
from clubs.models.pages import Copy, Meeting, News, Newsletter
from clubs.models.people import Act, Club, Invitation, JoinRequest, KeptAside, Membership
from clubs.models.rules import HouseRules, RulesVersion
from clubs.models.series import Series, SeriesEvent

__all__ = [
    "Act",
    "Appearance",
    "Blackout",
    "Club",
    "Copy",
    "Division",
    "Fixture",
    "Honour",
    "HouseRules",
    "Invitation",
    "JoinRequest",
    "KeptAside",
    "League",
    "LeagueClub",
    "Meeting",
    "MeetingGuest",
    "MeetingReserve",
    "Membership",
    "News",
    "NewsAddress",
    "NewsChange",
    "NewsDelivery",
    "NewsPlace",
    "Newsletter",
    "PersonalMessage",
    "Proposal",
    "Question",
    "Remark",
    "RepeatingMeeting",
    "Reply",
    "ReplyLetter",
    "RulesVersion",
    "Season",
    "SeasonEntry",
    "SeasonEvent",
    "SeasonEventEntry",
    "Series",
    "SeriesEvent",
    "Team",
    "TeamMember",
]
