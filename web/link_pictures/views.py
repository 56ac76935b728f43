"""The address of every picture."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from web.conditional_pages import conditional
from web.files import PNG
from web.link_pictures import kinds, store

SECONDS = 86_400
"""How long browsers and proxies may keep a picture: a name that has gone is gone everywhere after a day."""


@require_safe
def picture(request: HttpRequest, kind: str, key: str, version: str, language: str) -> HttpResponse:
    """A picture by its version; the address of an old version leads to the current one."""
    if language not in dict(settings.LANGUAGES):
        raise Http404("The site does not have this language.")
    with translation.override(language):
        current = kinds.find(kind, key)
        if current.version != version:
            return HttpResponseRedirect(reverse("link_picture", args=[kind, key, current.version, language]))
        response = HttpResponse(content_type=PNG)
        response["Cache-Control"] = f"public, max-age={SECONDS}"
        answer = conditional(request, response, tag=f'W/"{current.version}-{language}"')
        if answer is response:
            response.content = store.content_of(kind, key, language, current)
    return answer


urls = [path("pictures/<slug:kind>/<path:key>/<slug:version>.<slug:language>.png", picture, name="link_picture")]
