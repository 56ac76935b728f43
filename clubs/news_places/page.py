"""The page of a club's places: what goes where, what they see, and what was sent last."""

from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.utils.translation import get_language, gettext

from clubs.league import fixtures
from clubs.models import Club, Division, Meeting, NewsDelivery, NewsPlace, Season
from clubs.news_places import messages, services, topics
from clubs.news_places.kinds import KINDS, NewsKind, title_of
from clubs.public.link_cards import next_meeting
from tournaments.models import Pairing, Round, Tournament
from web.channels import by_hand
from web.channels.interface import Message
from web.channels.known import CHANNELS
from web.channels.places import has_secret, last_messages, state_of
from web.channels.troubles import sentence_of

LATEST = 12
Topics = list[tuple[str, list[tuple[str, str]]]]


@dataclass(frozen=True)
class PlaceRow:
    """A place on the page."""

    place: NewsPlace
    last: NewsDelivery | None
    """The last message that was sent or failed."""

    @property
    def channel(self) -> str:
        return CHANNELS[self.place.channel].title

    @property
    def kinds(self) -> list[tuple[NewsKind, bool]]:
        """Every kind of news, and whether it goes there."""
        return [(kind, name in self.place.since) for name, kind in KINDS.items()]

    @property
    def about(self) -> str:
        """The only league or event whose news goes there, by name."""
        return str(self.place.league or self.place.event or "")

    @property
    def topic(self) -> str:
        return topics.value_of(self.place)

    @property
    def topics(self) -> Topics:
        return topics.choices(self.place.club, self.place)

    @property
    def has_secret(self) -> bool:
        return has_secret(self.place)

    @property
    def state(self) -> str:
        """`paused`, `failed`, `bad`, `ok`, or empty before the first message."""
        return state_of(self.place, self.last)


@dataclass(frozen=True)
class LogRow:
    """A message in the log."""

    delivery: NewsDelivery

    @property
    def title(self) -> str:
        """What it was: `Results and standings, Harbour League`."""
        about = self.delivery.event or self.delivery.meeting
        return ", ".join(filter(None, [title_of(self.delivery.kind), str(about or "")]))

    @property
    def trouble(self) -> str:
        return sentence_of(self.delivery.trouble)

    @property
    def can_again(self) -> bool:
        return self.delivery.due_at is None


@dataclass(frozen=True)
class Page:
    """Everything on the page."""

    club: Club
    shown: str
    """The kind of news that the preview shows."""

    @cached_property
    def places(self) -> list[PlaceRow]:
        rows = services.places_of(self.club)
        last = last_messages(NewsDelivery.objects.filter(place__in=rows))
        return [PlaceRow(place, last.get(place.pk)) for place in rows]

    @cached_property
    def log(self) -> list[LogRow]:
        rows = NewsDelivery.objects.filter(place__club=self.club, place__removed_at=None)
        return [LogRow(row) for row in rows.select_related("place", "event", "meeting")[:LATEST]]

    @cached_property
    def preview(self) -> Message | None:
        """The club's last news of the chosen kind, as it is sent."""
        place = NewsPlace(club=self.club, language=get_language() or "en")
        delivery = latest(self.club, self.shown)
        if delivery is None:
            return None
        delivery.place = place
        return messages.message_of(delivery)

    @property
    def text(self) -> str:
        """The words of the preview."""
        return by_hand.write(self.preview) if self.preview is not None else ""

    @property
    def picture(self) -> str:
        """The path of the picture that goes with it."""
        return self.preview.picture.removeprefix(settings.SITE_URL) if self.preview is not None else ""

    @property
    def whatsapp(self) -> str:
        return by_hand.link(self.preview) if self.preview is not None else ""

    @property
    def kinds(self) -> list[NewsKind]:
        return list(KINDS.values())

    @property
    def topics(self) -> Topics:
        return topics.choices(self.club)

    @property
    def helps(self) -> list[tuple[str, str]]:
        """The channels, and what to paste for each."""
        return [(channel.title, str(channel.help)) for channel in CHANNELS.values()]

    @property
    def heading(self) -> str:
        return self.preview.title if self.preview is not None else gettext("No news of this kind yet")


def latest(club: Club, kind: str) -> NewsDelivery | None:
    """What would be sent about the club's latest public news of a kind, not saved; `None` if there is none."""
    if kind == "evening":
        meeting = next_meeting(club) or Meeting.objects.filter(club=club).order_by("-starts_at").first()
        return NewsDelivery(pk=0, kind=kind, meeting=meeting) if meeting is not None else None
    events = Tournament.objects.filter(circle=club.circle, visibility=Tournament.Visibility.PUBLIC).exclude(
        division__season__status=Season.Status.DRAFT
    )
    if kind == "champion":
        event = events.filter(status=Tournament.Status.OVER).order_by("-ended_at").first()
        return NewsDelivery(pk=0, kind=kind, event=event) if event is not None else None
    if kind == "drawn":
        rounds = Round.objects.filter(stage__tournament__in=events, status=Round.Status.OPEN)
        round_ = rounds.order_by("-opened_at").select_related("stage__tournament").first()
        if round_ is None:
            return None
        return NewsDelivery(pk=0, kind=kind, event=round_.stage.tournament, about=[round_.pk])
    done = Pairing.objects.filter(round__stage__tournament__in=events, status=Pairing.Status.DONE, is_walkover=False)
    last = done.exclude(done_at=None).order_by("-done_at", "-pk").select_related("round__stage__tournament").first()
    if last is None:
        return None
    event = last.round.stage.tournament
    if kind == "results":
        return NewsDelivery(pk=0, kind=kind, event=event, about=[last.pk])
    return NewsDelivery(pk=0, kind=kind, event=event, about=_matchday(event, last))


def _matchday(event: Tournament, last: Pairing) -> list[int]:
    """The matchday of a match, of a division."""
    division = Division.objects.filter(tournament=event).first()
    days = fixtures.matchdays(division) if division is not None else ()
    return [day.number for day in days if any(match.pairing.pk == last.pk for match in day.matches)]
