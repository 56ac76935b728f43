"""Whether the parts of this installation answer, which version it is, and how much room it has left."""

import logging
import shutil
from dataclasses import dataclass
from datetime import datetime

import django
from django.conf import settings
from django.db import connection
from django.utils.formats import number_format
from django.utils.translation import gettext

from accounts.services import clearing
from gameplay.models import Heartbeat
from gameplay.monitoring import heartbeats
from gameplay.services.clocks import HEARTBEAT
from web import text
from web.monitoring.health import reach_broker

log = logging.getLogger(__name__)

LEAST_SHARE, LEAST_BYTES = 0.05, 1 << 30
"""Less free disk than either is too little."""


@dataclass(frozen=True)
class Fact:
    """A line about the installation; `trouble` sums up a problem at the top of the page."""

    name: str
    words: str
    trouble: str = ""


def facts(now: datetime) -> list[Fact]:
    """The state of the installation; the database answers, or this would fail."""
    return [
        _worker(now),
        _lanes(),
        _broker(),
        _database(),
        _disk(),
        _clearing(now),
        Fact(
            gettext("Version"),
            gettext("Foothold %(version)s on Django %(django)s")
            % {"version": settings.VERSION, "django": django.get_version()},
        ),
    ]


def _worker(now: datetime) -> Fact:
    name = gettext("Clock and worker")
    beat = Heartbeat.objects.filter(name=HEARTBEAT).first()
    if beat is None:
        return Fact(name, gettext("never active"), gettext("the worker was never active"))
    ago = text.duration(now - beat.at)
    is_silent = now - beat.at > heartbeats.SILENCE
    silent = gettext("the worker has not been active for %(time)s") % {"time": ago}
    return Fact(name, gettext("last active %(time)s ago") % {"time": ago}, silent if is_silent else "")


def _lanes() -> Fact:
    """The workers of each lane."""
    workers, lanes = heartbeats.workers_by_lane(), heartbeats.lanes_without_worker()
    trouble = gettext("no worker for %(lanes)s") % {"lanes": text.join_words(lanes)} if lanes else ""
    words = ", ".join(f"{lane} {text.number(count)}" for lane, count in workers.items())
    return Fact(gettext("Workers by lane"), words, trouble)


def _broker() -> Fact:
    try:
        reach_broker()
    except Exception as error:
        # Its words could hold the broker's address.
        log.warning("The broker does not answer (%s).", type(error).__name__)
        return Fact(gettext("Broker"), gettext("does not answer"), gettext("the broker does not answer"))
    return Fact(gettext("Broker"), gettext("answers"))


def _database() -> Fact:
    return Fact(gettext("Database"), gettext("%(database)s answers") % {"database": connection.display_name})


def _clearing(now: datetime) -> Fact:
    name, done = gettext("Old data"), clearing.last()
    if done is None or done.ended_at is None:
        return Fact(name, gettext("not cleared yet"))
    ago = text.duration(now - done.ended_at)
    late = gettext("old data has not been cleared for %(time)s") % {"time": ago}
    words = gettext("cleared %(time)s ago") % {"time": ago}
    return Fact(name, words, late if now - done.ended_at > clearing.LATE else "")


def _disk() -> Fact:
    room = shutil.disk_usage(settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR)
    free, total = (number_format(size / (1 << 30), 1, force_grouping=True) for size in (room.free, room.total))
    words = gettext("%(free)s GB of %(total)s GB free") % {"free": free, "total": total}
    is_little = room.free < LEAST_BYTES or room.free < LEAST_SHARE * room.total
    return Fact(gettext("Disk"), words, gettext("the disk is nearly full") if is_little else "")
