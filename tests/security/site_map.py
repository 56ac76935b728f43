"""Every address of the site, read from its URLconf, so that new pages are included automatically."""

import hashlib
import re
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import NamedTuple

from django.apps import apps
from django.core.handlers import wsgi
from django.db import connection
from django.http import QueryDict
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tournaments.exports import calendar


class Address(NamedTuple):
    """A name of the URLconf and the names of its arguments."""

    name: str
    arguments: tuple[str, ...]

    def path(self, arguments):
        """The path with these arguments, by name."""
        return reverse(self.name, kwargs={name: arguments[name] for name in self.arguments})


def addresses():
    """Every address that has a name."""
    return list(_addresses(get_resolver().url_patterns, "", ()))


def _addresses(patterns, namespace, before):
    """`before` are the arguments of the prefix."""
    for each in patterns:
        names = (*before, *_names(each.pattern))
        if isinstance(each, URLResolver):
            prefix = f"{each.namespace}:" if each.namespace else ""
            yield from _addresses(each.url_patterns, namespace + prefix, names)
        elif isinstance(each, URLPattern):
            yield Address(f"{namespace}{each.name}", names)


def _names(pattern):
    return tuple(dict.fromkeys((*pattern.converters, *getattr(pattern.regex, "groupindex", {}))))


STREAMS = ("gameplay:live", "tournaments:live")
"""Streams of events, which the test client, being no server, is refused; they have tests of their own in test_live.py."""


def paths(site, table, *, skip=()):
    """(name, path) of every address, filled with rows of the site of the fixture; `table` fills the slugs."""
    arguments = {
        "slug": table.slug,
        "token": site.token,
        "table": table.pk,
        "absence_id": site.absence.pk,
        "channel": site.channel.pk,
        "token_key": site.api_token.token_key,
        "language": "de",
        "mark": "0",
        "pool": "standard",
        "key": "no-such-key",
        "photo": "no-such-photo",
        "uidb36": "1",
        "pk": 1,
        "page": "for-players/",
        "provider_id": "google",
        "username": site.users["Ann"].username,
        "partner": site.users["Cem"].username,
        **site.event,
    }
    tokens = {"accounts:stop": site.stop_token, "tournaments:invitation": site.event["asked"]}
    tokens |= {f"tournaments:{name}": site.event["card"] for name in ("card", "card_score", "card_sync", "card_answer")}
    tokens["tournaments:screen"] = site.event["screen"]
    tokens["tournaments:my_calendar"] = calendar.token(site.users["Ann"])
    filled = []
    for address in addresses():
        if address.name in (*skip, *STREAMS):
            continue
        special = {"token": tokens[address.name]} if address.name in tokens else {}
        if address.name.startswith("events_api:card"):
            special = {"token": site.event["card"]}
        if address.name == "link_picture":
            special = {"kind": "table", "key": table.slug, "version": "0"}
        if address.name.startswith(("clubs:", "clubs_api:")):
            special = site.club.filled(address)
        filled.append((address.name, address.path({**arguments, **special, "name": "standard"})))
    return sorted(set(filled))


def crawl(site, *, method="get", data=None, people=None):
    """(whose browser, path, answer) for every address: those of tables for each table, the others once."""
    for name in people or site.clients:
        client, visited = site.clients[name], set()
        for table in site.tables:
            for _, path in paths(site, table):
                if path not in visited:
                    visited.add(path)
                    yield name, path, getattr(client, method)(path, data or {})


def stored():
    """Every row of the database, by table."""
    rows = {}
    with connection.cursor() as cursor:
        for name in sorted(connection.introspection.table_names()):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows[name] = cursor.fetchall()
    return rows


def digest():
    """A fingerprint of every row of the database, sessions apart: those are a visitor's own."""
    hashed = hashlib.sha256()
    for name, rows in stored().items():
        if name != "django_session":
            hashed.update(repr((name, sorted(map(repr, rows)))).encode())
    return hashed.hexdigest()


def is_as_before(before, touched):
    """Whether every row is as it was at a fingerprint, when statements have written to these tables since."""
    return touched <= {"django_session"} or digest() == before


WRITES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)", re.IGNORECASE)


@contextmanager
def written():
    """Collects the tables that statements write to, whether or not anything changes by it."""
    names = set()

    def record(execute, sql, params, many, context):
        if match := WRITES.match(sql):
            names.add(match[2])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield names


class Query(QueryDict):
    """A query that notices which of its fields are read."""

    fields_read = set()

    def __getitem__(self, name):
        self.fields_read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.fields_read.add(name)
        return super().__contains__(name)

    def _getlist(self, name, *args, **kwargs):
        self.fields_read.add(name)
        return super()._getlist(name, *args, **kwargs)

    def items(self):
        self.fields_read.add("page")  # or any other
        return super().items()


@contextmanager
def read_of_queries():
    """Collects the fields of their queries that pages read, so that only those need be tried."""
    Query.fields_read, usual = set(), wsgi.QueryDict
    wsgi.QueryDict = Query
    try:
        yield Query.fields_read
    finally:
        wsgi.QueryDict = usual


def models_of_ours():
    """Every model of the project's own apps."""
    return [
        m for name in ("accounts", "gameplay", "tournaments", "clubs") for m in apps.get_app_config(name).get_models()
    ]


class Page(HTMLParser):
    """Elements of a page as (tag, attributes), and the text in each script and style, but for data that no browser
    runs."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.inline, self._inside = [], [], None
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        is_code = tag in ("script", "style") and not is_data(tag, dict(attrs))
        self._inside = tag if is_code else None

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside and data.strip():
            self.inline.append((self._inside, data))


def is_data(tag, attributes):
    """Whether an element holds JSON for a script or a search engine and is none itself."""
    return tag == "script" and attributes.get("type") in ("application/json", "application/ld+json")


def body_of(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


def is_page(response):
    return response.get("Content-Type", "").startswith("text/html")
