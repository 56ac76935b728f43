"""A person's own channels: added after a test, and sent what their email says, once."""

import json
import socket
from datetime import time, timedelta
from functools import partial

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts import privacy
from accounts.guests import new_guest
from accounts.models import Notice, NoticeDelivery, NoticePlace, User
from accounts.notice_places import addresses, messages, sending, services, topics
from accounts.notice_places.topics import TURNS
from accounts.services import digests, notices
from clubs import notification_types as club_types
from gameplay import notification_types as table_types
from tests.accounts.conftest import NOON
from tests.at_once import at_once
from tests.receivers import receiver
from tournaments import notification_types as event_types
from web import public_requests
from web.channels.known import CHANNELS
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
EVERY = tuple(topics.TOPICS)
PAGE = "/you/channels/"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def local():
    with receiver() as running:
        yield running


@pytest.fixture
def place(ann, local, asked):
    """A webhook of Ann's at the receiver, which gets everything."""
    return add(ann, local)
