"""The site as the turn benchmark serves it: with one address more, the bare view that turns are measured against."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from config import urls
from gameplay.models import Happening, Table


@csrf_exempt
def bare(request: HttpRequest, pk: int) -> HttpResponse:
    """The least that any turn does: lock a row, insert one, update one."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=pk)
        Happening.objects.create(table=table, at=timezone.now(), kind="extended", sentence="bare")
        table.version += 1
        table.save(update_fields=["version"])
    return HttpResponse("ok")


urls.urlpatterns.append(path("bare/<int:pk>/", bare))
