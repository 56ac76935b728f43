"""Marking members as told, which can be undone."""

from collections.abc import Sequence
from typing import Unpack

from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.models import User
from clubs.models import Act, Membership, PersonalMessage
from clubs.personal_messages.topics import Topic, topics
from clubs.personal_messages.ways import way_of
from clubs.services.history import ActionRequest, Record, Rows, declare, perform
from web.errors import Refused

CHANGED = gettext_noop("This has changed or is over. Look at the page again.")
TELL = declare("tell", needs="members", undo=Rows())


def mark_told(club_id: int, by: User, *, key: str, members: Sequence[int], **how: Unpack[ActionRequest]) -> Act:
    """Note that members (ids) were told about a topic. Raises `Refused` if nobody is left, or it is over."""

    def do(record: Record) -> str:
        topic = _topic(record, key)
        people: list[Membership] = []
        everyone = topic.people()
        done = _members_told(topic, everyone)
        if not set(members) <= {member.pk for member in everyone}:
            raise Refused("closed", gettext(CHANGED))
        for member in everyone:
            if member.pk in members and member.pk not in done:
                people.append(member)
                key_of_member, way = topic.key_of(member), way_of(member)
                record.create(
                    PersonalMessage(membership=member, topic=key_of_member, way=way, by=record.by, at=record.now)
                )
        return _sentence(people, topic)

    return perform(club_id, do, TELL, by=by, **how)


def mark_untold(club_id: int, by: User, *, key: str, member: int, **how: Unpack[ActionRequest]) -> Act:
    """Take back that a member was told. Raises `Refused` if nobody noted it, or it is over."""

    def do(record: Record) -> str:
        topic = _topic(record, key)
        person = Membership.objects.filter(pk=member, club=record.club).first()
        rows = PersonalMessage.objects.filter(membership=person, topic=topic.key_of(person)) if person else ()
        message = next(iter(rows), None)
        if message is None:
            raise Refused("nothing_new", gettext("This has already been done."))
        record.delete(message)
        return gettext("%(name)s is still to be told: %(topic)s") % {"name": person, "topic": topic.title}

    return perform(club_id, do, TELL, by=by, **how)


def _topic(record: Record, key: str) -> Topic:
    topic = next((topic for topic in topics(record.club, record.now) if topic.key == key), None)
    if topic is None:
        raise Refused("closed", gettext(CHANGED))
    return topic


def _members_told(topic: Topic, members: Sequence[Membership]) -> set[int]:
    keys = {(member.pk, topic.key_of(member)) for member in members}
    rows = PersonalMessage.objects.filter(topic__in={key for _, key in keys})
    return {member for member, key in rows.values_list("membership", "topic") if (member, key) in keys}


def _sentence(people: Sequence[Membership], topic: Topic) -> str:
    if not people:
        raise Refused("nothing_new", gettext("This has already been done."))
    if len(people) == 1:
        return gettext("%(name)s was told: %(topic)s") % {"name": people[0], "topic": topic.title}
    words = ngettext("%(count)s person was told: %(topic)s", "%(count)s people were told: %(topic)s", len(people))
    return words % {"count": len(people), "topic": topic.title}
