"""The page from which organisers tell members, as plain data: by each way, who is still to be told and who was."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from clubs.models import Membership, PersonalMessage
from clubs.personal_messages.next_matches import SeasonMatches, match_line
from clubs.personal_messages.topics import Message, Topic
from clubs.personal_messages.ways import HearsBy, way_of
from gameplay.score_sheets.codes import code

FOLLOWING = 2
"""Next matches on a slip about something else."""


@dataclass(frozen=True)
class Slip:
    """A slip on paper."""

    message: Message
    code: SafeString
    following: tuple[str, ...]
    """The next matches of the person, if the message is about something else."""


@dataclass
class Telling:
    """Everyone who is told about a topic, by their way."""

    topic: Topic

    @cached_property
    def messages(self) -> list[PersonalMessage]:
        """Who was told, the last first."""
        keys = {member.pk: self.topic.key_of(member) for member in self.people}
        rows = PersonalMessage.objects.filter(topic__in=set(keys.values()), membership__in=keys)
        rows = rows.select_related("membership").order_by("-at", "-pk")
        return [row for row in rows if row.topic == keys[row.membership_id]]

    @cached_property
    def people(self) -> list[Membership]:
        return self.topic.people()

    @cached_property
    def by_way(self) -> dict[str, list[Membership]]:
        """Everyone who is still to be told, by their way; those who hear by email under theirs."""
        done = {message.membership_id for message in self.messages}
        ways: dict[str, list[Membership]] = {way: [] for way in HearsBy.values}
        for member in self.people:
            if member.pk not in done:
                ways[way_of(member)].append(member)
        return ways

    @property
    def slips(self) -> list[Membership]:
        return self.by_way[HearsBy.SLIP]

    @cached_property
    def texts(self) -> list[Message]:
        return [self.topic.message(member) for member in self.by_way[HearsBy.TEXT]]

    @cached_property
    def chats(self) -> list[Message]:
        return [self.topic.message(member) for member in self.by_way[HearsBy.WHATSAPP]]

    @property
    def by_email(self) -> int:
        """How many hear by email or in their account, without an organiser."""
        return len(self.by_way[HearsBy.EMAIL])

    @property
    def left(self) -> int:
        """How many an organiser has still to tell."""
        return len(self.slips) + len(self.texts) + len(self.chats)

    def printed(self, seasons: Sequence[SeasonMatches]) -> list[Slip]:
        """The slips of everyone who is still to be told by one, with their next matches in these seasons."""
        return [self._slip(self.topic.message(member), seasons) for member in self.slips]

    def _slip(self, message: Message, seasons: Sequence[SeasonMatches]) -> Slip:
        member, club = message.member, self.topic.club
        lines = [match_line(club, match) for season in seasons for match in season.next_of(member.pk)]
        following = tuple(line for line in lines[:FOLLOWING] if not any(line in other for other in message.lines))
        return Slip(message, code(message.link, gettext("Link of %(name)s") % {"name": member.name}), following)
