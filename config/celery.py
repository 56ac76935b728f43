"""The Celery application; its options are the CELERY_ names of the settings."""

import os
import warnings

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

from config import lanes, tasks_watched, telling

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
TRANSPORT_ALIASES["fsx"] = "config.broker:Transport"
# It fears for root because pickled messages may run anything; ours are JSON.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

app = Celery("foothold")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
tasks_watched.connect()
telling.connect()
lanes.connect()
