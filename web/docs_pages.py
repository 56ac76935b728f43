"""The docs, as bin/docs has built them; a site without them shows no link to them."""

import time
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_safe

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}
"""Media types of what is served; files of any other kind are not."""

FRESH = "public, max-age=600"
BUILD_NS = 60_000_000_000
"""Nanoseconds after which a build that wrote the first page is over: until then more files can come."""


def are_built() -> bool:
    """Whether there are docs to link to."""
    return (settings.DOCS_DIR / "index.html").is_file()


@require_safe
@conditional_page
def docs(request: HttpRequest, page: str = "") -> HttpResponseBase:
    """A page of the docs, or a file that it needs. Raises Http404 for anything that was not built."""
    # Only names that were built are looked up, so that no address leads out of the folder.
    built = _files()
    if f"{page}/index.html" in built:
        return HttpResponseRedirect(reverse("docs_page", args=[f"{page}/"]))
    file = built.get(f"{page}index.html" if page.endswith("/") or not page else page)
    if file is None:
        raise Http404("The docs have no such page.")
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise Http404("The docs are being built again.") from error
    response = HttpResponse(content, content_type=KINDS[file.suffix])
    response["Cache-Control"] = FRESH
    return response


def _files() -> dict[str, Path]:
    """The files that were built, by their address below that of the docs: listed once for each build, and each time
    while one could be under way."""
    folder: Path = settings.DOCS_DIR
    try:
        built_at = (folder / "index.html").stat().st_mtime_ns
    except OSError:
        return {}
    return _files_of(folder, built_at) if time.time_ns() - built_at > BUILD_NS else _list_files(folder)


@lru_cache(maxsize=1)
def _files_of(folder: Path, built_at: int) -> dict[str, Path]:
    return _list_files(folder)


def _list_files(folder: Path) -> dict[str, Path]:
    files = (file for file in folder.rglob("*") if file.suffix in KINDS and file.is_file())
    return {file.relative_to(folder).as_posix(): file for file in files}
