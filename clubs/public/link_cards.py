"""What other sites show for links to clubs, their evenings and house rules: title, sentence and picture.

The pages of clubs are public. Leagues have theirs in `league_link_cards`, news in `news_link_cards`.
"""

from datetime import date
from typing import Any

from django.http import Http404
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, pgettext

from clubs.models import Club, Meeting, RulesVersion
from gameplay.house_rules import ruleset_facts
from web.link_cards import LinkCard, absolute
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band
from web.sent_numbers import read_whole
from web.text import on_calendar


def crest_svg(club: Club) -> str:
    """The crest of a club as a drawing."""
    markup = render_to_string("clubs/crest.html", {"crest": club.crest})
    return markup[markup.index("<svg") :]


def band(club: Club, title: str, line: str = "") -> Band:
    """The head of a picture in a club's colour."""
    return Band(title, line, crest_svg(club), club.colour)


def today_at(club: Club) -> date:
    """The day by the club's clock, on which its next evening depends."""
    return timezone.now().astimezone(club.zone).date()


def read_number(text: str) -> int:
    """A number in the key of a picture. Raises `Http404`."""
    number = read_whole(text)
    if number is None:
        raise Http404("Page not found.")
    return number


# Clubs


def club_picture(club: Club) -> str:
    """The path of a club's picture: no query."""
    return kinds.address("club", club.slug, _club_version(club))


def _club_version(club: Club) -> str:
    return kinds.version_of(club.pk, club.version, today_at(club))


def find_club(key: str) -> Picture:
    """The picture of a club: its next evening. Raises `Http404`."""
    club = _club(key)
    return Picture(_club_version(club), lambda: _draw_club(club))


def _club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404("Club not found.")
    return club


def _draw_club(club: Club) -> Canvas:
    meeting = next_meeting(club)
    is_open = club.joining != Club.Joining.LINK or club.takes_guests
    call = gettext("Come and play.") if is_open else ""
    if meeting is None:
        return layouts.lines(band(club, club.name), [club.line or gettext("We play Hand and Foot."), club.venue], call)
    return layouts.lines(band(club, club.name, meeting.title), _when_and_where(club, meeting), call)


def _when_and_where(club: Club, meeting: Meeting) -> list[str]:
    begins = meeting.starts_at.astimezone(club.zone)
    return [on_calendar(begins, pgettext("date format", "l j F, H:i")), meeting.venue or club.venue]


def next_meeting(club: Club) -> Meeting | None:
    """The first meeting of today or later that is not cancelled."""
    ahead = Meeting.objects.filter(club=club, is_called_off=False).order_by("starts_at", "pk")
    midnight = timezone.now().astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    return ahead.filter(starts_at__gte=midnight).first()


def club_card(club: Club) -> LinkCard:
    """The card of a club's page: its name, its line, itself in the words of schema.org."""
    schema: dict[str, Any] = {
        "@type": "SportsOrganization",
        "name": club.name,
        "description": club.line or gettext("%(name)s: a club that plays Hand and Foot.") % {"name": club.name},
        "url": absolute(club.get_absolute_url()),
        "sport": "Hand and Foot",
        "logo": absolute(club_picture(club)),
    }
    if club.venue:
        schema["location"] = {"@type": "Place", "name": club.venue, "address": club.venue}
    return LinkCard(club.name, club.line, club_picture(club), schema)


# An evening


def meeting_card(club: Club, meeting: Meeting) -> LinkCard:
    """The card of a meeting: `Club night: Thursday 3 December, 18:30`."""
    when, where = _when_and_where(club, meeting)
    title = gettext("%(what)s: %(day)s") % {"what": meeting.title, "day": when}
    sentence = ", ".join(each for each in (club.name, where) if each) + "."
    return LinkCard(title, sentence, meeting_picture(club, meeting))


def meeting_picture(club: Club, meeting: Meeting) -> str:
    """The path of the picture of a meeting."""
    return kinds.address("meeting", f"{club.slug}/{meeting.pk}", _meeting_version(club, meeting))


def _meeting_version(club: Club, meeting: Meeting) -> str:
    return kinds.version_of(club.pk, club.version, meeting.pk)


def find_meeting(key: str) -> Picture:
    """The picture of a meeting. Raises `Http404`."""
    slug, _, pk = key.partition("/")
    meeting = Meeting.objects.filter(pk=read_number(pk), club__slug=slug).select_related("club").first()
    if meeting is None:
        raise Http404("Meeting not found.")
    club = meeting.club

    def draw() -> Canvas:
        call = gettext("Cancelled") if meeting.is_called_off else gettext("Are you coming?")
        return layouts.lines(band(club, club.name, meeting.title), _when_and_where(club, meeting), call)

    return Picture(_meeting_version(club, meeting), draw)


# House rules


def rules_card(version: RulesVersion, club: Club) -> LinkCard:
    """The card of a version of house rules."""
    day = on_calendar(version.at.astimezone(club.zone), pgettext("date format", "j F Y"))
    sentence = gettext("How %(club)s plays Hand and Foot, as of %(day)s.") % {"club": club.name, "day": day}
    return LinkCard(version.house_rules.name, sentence, rules_picture(version, club))


def rules_picture(version: RulesVersion, club: Club) -> str:
    key = f"{club.slug}/{version.house_rules.slug}/{version.number}"
    return kinds.address("rules", key, _rules_version(version, club))


def _rules_version(version: RulesVersion, club: Club) -> str:
    return kinds.version_of(version.pk, version.house_rules.name, club.colour, club.crest)


def find_rules(key: str) -> Picture:
    """The picture of house rules. Raises `Http404`."""
    club, _, rest = key.partition("/")
    slug, _, number_ = rest.partition("/")
    rows = RulesVersion.objects.filter(
        house_rules__club__slug=club, house_rules__slug=slug, number=read_number(number_)
    ).select_related("house_rules__club")
    version = rows.first()
    if version is None:
        raise Http404("House rules not found.")
    home = version.house_rules.club

    def draw() -> Canvas:
        day = on_calendar(version.at.astimezone(home.zone), pgettext("date format", "j F Y"))
        line = gettext("as of %(day)s") % {"day": day}
        return layouts.facts(band(home, version.house_rules.name, line), ruleset_facts.short_facts(version.rules))

    return Picture(_rules_version(version, home), draw)
