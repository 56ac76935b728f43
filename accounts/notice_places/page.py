"""The page of a person's places: what goes where, and if it came."""

from dataclasses import dataclass
from functools import cached_property

from accounts.models import NoticeDelivery, NoticePlace, User
from accounts.notice_places import services
from accounts.notice_places.topics import TOPICS, Topic
from web.channels.known import CHANNELS
from web.channels.places import has_secret, last_messages, state_of
from web.channels.troubles import sentence_of


@dataclass(frozen=True)
class PlaceRow:
    """A place on the page."""

    place: NoticePlace
    last: NoticeDelivery | None
    """The last message that was sent or failed."""

    @property
    def topics(self) -> list[tuple[Topic, bool]]:
        """Every topic, and whether it goes there."""
        return [(topic, name in self.place.topics) for name, topic in TOPICS.items()]

    @property
    def has_secret(self) -> bool:
        return has_secret(self.place)

    @property
    def state(self) -> str:
        """`paused`, `failed`, `bad`, `ok`, or empty before the first message."""
        return state_of(self.place, self.last)

    @property
    def trouble(self) -> str:
        """Why the last message did not come, in words."""
        return sentence_of(self.last.trouble) if self.last is not None else ""


@dataclass(frozen=True)
class Page:
    """Everything on the page."""

    user: User

    @cached_property
    def places(self) -> list[PlaceRow]:
        rows = list(NoticePlace.objects.filter(user=self.user))
        last = last_messages(NoticeDelivery.objects.filter(place__in=rows))
        return [PlaceRow(place, last.get(place.pk)) for place in rows]

    @property
    def has_room(self) -> bool:
        """Whether another place can be added."""
        return len(self.places) < services.MOST

    @property
    def topics(self) -> list[Topic]:
        return list(TOPICS.values())

    @property
    def helps(self) -> list[tuple[str, str]]:
        """The channels, and what to paste for each."""
        return [(channel.title, str(channel.help)) for channel in CHANNELS.values()]
