"""Every address of the site, read from its URLconf, so that a new page is searched without anybody thinking of it."""

from __future__ import annotations

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
    """`before` are the arguments in what the addresses begin with."""
    for each in patterns:
        names = (*before, *_names(each.pattern))
        if isinstance(each, URLResolver):
            own = f"{each.namespace}:" if each.namespace else ""
            yield from _addresses(each.url_patterns, namespace + own, names)
        elif isinstance(each, URLPattern):
            yield Address(f"{namespace}{each.name}", names)


def _names(pattern):
    return tuple(dict.fromkeys((*pattern.converters, *getattr(pattern.regex, "groupindex", {}))))


STREAMS = ("gameplay:live", "tournaments:live")
"""Streams of events, which the test client, being no server, is refused; they have tests of their own in test_live.py."""


def paths(site, table, *, skip=()):
    """(name, path) of every address, filled with what the site of the fixture holds; `table` fills the slugs."""
    arguments = {
        "slug": table.slug,
        "token": site.token,
        "table": table.pk,
        "absence_id": site.absence.pk,
        "token_key": site.api_token.token_key,
        "language": "de",
        "mark": "0",
        "pool": "standard",
        "key": "no-such-key",
        "photo": "no-such-photo",
        "uidb36": "1",
        "pk": 1,
        "username": site.users["Ann"].username,
        "partner": site.users["Cem"].username,
        **site.event,
    }
    tokens = {"accounts:stop": site.stop_token, "tournaments:invitation": site.event["asked"]}
    tokens |= {f"tournaments:{name}": site.event["card"] for name in ("card", "card_score", "card_sync", "card_answer")}
    tokens["tournaments:my_calendar"] = calendar.token(site.users["Ann"])
    found = []
    for address in addresses():
        if address.name in (*skip, *STREAMS):
            continue
        own = {"token": tokens[address.name]} if address.name in tokens else {}
        if address.name.startswith("events_api:card"):
            own = {"token": site.event["card"]}
        if address.name.startswith(("clubs:", "clubs_api:")):
            own = site.club.filled(address)
        found.append((address.name, address.path({**arguments, **own, "name": "standard"})))
    return sorted(set(found))


def crawl(site, *, method="get", data=None, people=None):
    """(whose browser, path, answer) for every address: those of tables for each table, the others once."""
    for name in people or site.clients:
        client, seen = site.clients[name], set()
        for table in site.tables:
            for _, path in paths(site, table):
                if path not in seen:
                    seen.add(path)
                    yield name, path, getattr(client, method)(path, data or {})


def stored():
    """Every row of the database, by table."""
    found = {}
    with connection.cursor() as cursor:
        for name in sorted(connection.introspection.table_names()):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            found[name] = cursor.fetchall()
    return found


def digest():
    """A fingerprint of every row of the database, sessions apart: those are a visitor's own."""
    seen = hashlib.sha256()
    for name, rows in stored().items():
        if name != "django_session":
            seen.update(repr((name, sorted(map(repr, rows)))).encode())
    return seen.hexdigest()


def is_as_before(before, touched):
    """Whether every row is as it was at a fingerprint, when statements have written to these tables since."""
    return touched <= {"django_session"} or digest() == before


WRITES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)", re.IGNORECASE)


@contextmanager
def written():
    """Collects the tables that statements write to, whether or not anything changes by it."""
    names = set()

    def look(execute, sql, params, many, context):
        if found := WRITES.match(sql):
            names.add(found[2])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield names


class Query(QueryDict):
    """A query that notices which of its fields are asked for."""

    asked = set()

    def __getitem__(self, name):
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.asked.add(name)
        return super().__contains__(name)

    def _getlist(self, name, *args, **kwargs):
        self.asked.add(name)
        return super()._getlist(name, *args, **kwargs)

    def items(self):
        self.asked.add("page")  # or any other
        return super().items()


@contextmanager
def read_of_queries():
    """Collects the fields of their queries that pages ask for, so that only those need be tried."""
    Query.asked, usual = set(), wsgi.QueryDict
    wsgi.QueryDict = Query
    try:
        yield Query.asked
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
    """Whether an element holds JSON for a script and is none itself."""
    return tag == "script" and attributes.get("type") == "application/json"


def body_of(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


def is_page(response):
    return response.get("Content-Type", "").startswith("text/html")
