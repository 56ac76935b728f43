"""Every operation of the API keeps its schema: Schemathesis makes right and wrong requests from the schema, and
compares each answer with it.
"""

import re
from functools import cache
from traceback import format_exception

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.scopes import SCOPES
from accounts.services import tokens
from gameplay.api.published import OnceGenerator
from tests.security.fuzzing import tried, undone

pytestmark = pytest.mark.django_db

CHECKS = {
    # What the rules of the game, of an event or of a club refuse, no schema can say.
    "positive_data_acceptance": {"enabled": False},
    # What is too long is wrong as well.
    "negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 409, 413, 415, 422]},
    # These need requests that follow from one another, or ignore the schema: see the second test.
    "use_after_free": {"enabled": False},
    "ensure_resource_availability": {"enabled": False},
    "unsupported_method": {"enabled": False},
}
"""Checks left out, with the reason. All other checks of Schemathesis run: no server error; status, type, headers and
body as documented; wrong data refused; and nothing without a valid token, unless documented.
"""
METHODS = ("get", "post", "put", "patch", "delete")
IDENTITY = {"Accept-Encoding": "identity"}


TEXT = ("string", ["string", "null"])
"""Types of fields that hold text."""


@cache
def api_schema():
    """The schema of the API, as `/api/v1/schema/` tells it."""
    return OnceGenerator().get_schema()


def areas():
    """Paths of the schema by their first word after the version; each test takes one group."""
    paths = {}
    for path in api_schema()["paths"]:
        paths.setdefault(path.split("/")[3], []).append(path)
    return paths


class Api:
    """The API as Schemathesis sees it, a token that opens all of it, and addresses of a site with everything."""

    def __init__(self, site):
        # Imported late: it takes a second, and other files are collected with this one.
        import schemathesis
        from schemathesis.config import SchemathesisConfig

        generation = {"with-security-parameters": False, "allow-x00": False}
        config = SchemathesisConfig.from_dict({"generation": generation, "checks": CHECKS})
        self.schema = schemathesis.openapi.from_dict(api_schema(), config=config)
        self.schema.app = get_wsgi_application()
        _, bearer = tokens.create(site.users["Ann"], name="Contract", scopes=list(SCOPES), days=None)
        self.headers = {"Authorization": f"Bearer {bearer}", **IDENTITY}
        self.arguments = _arguments(site)

    def cases(self, method, path):
        """Requests to an operation, right ones and wrong ones, for each of the rows that its address can name."""
        from schemathesis import GenerationMode

        operation = self.schema[path][method]
        modes = [GenerationMode.POSITIVE]
        if operation.body or operation.query:
            modes.append(GenerationMode.NEGATIVE)
        cases = [operation.as_strategy(mode, path_parameters=each) for each in self.arguments[path] for mode in modes]
        declared = api_schema()["paths"][path][method]
        return st.one_of(cases).filter(lambda case: not has_number_for_text(declared, case.body))


def has_number_for_text(operation, body):
    """Whether a field of a body is a number where text belongs: it is read as its digits, which the schema cannot say."""
    body_schema = operation.get("requestBody", {"content": {"": {"schema": {}}}})
    schema = next(iter(body_schema["content"].values()))["schema"]
    if "$ref" in schema:
        schema = api_schema()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    texts = [name for name, field in schema.get("properties", {}).items() if field.get("type") in TEXT]
    return isinstance(body, dict) and any(type(body.get(name)) in (int, float) for name in texts)


def _arguments(site):
    """Arguments for each path of the schema."""
    by_path = {path: [] for path in api_schema()["paths"]}
    patterns = [(re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), path) for path in by_path]
    patterns.sort(key=lambda pair: pair[1].count("{"))  # words go before arguments where both could stand
    for _, address in site.places:
        hits = ((path, hit.groupdict()) for pattern, path in patterns if (hit := pattern.fullmatch(address)))
        path, filled = next(hits, (None, None))
        if path:
            by_path[path].append(filled)
    return by_path


@pytest.fixture(scope="module")
def api(shared_site):
    for signal in (request_started, request_finished):  # which would close the connection that undoes everything
        signal.disconnect(close_old_connections)
    yield Api(shared_site)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.slow
@pytest.mark.parametrize("area", areas())
def test_the_api_keeps_its_contract(api, area):
    wrong = []
    for path in areas()[area]:
        for method in api_schema()["paths"][path]:
            try:
                keeps_its_contract(api, method, path)
            except (Exception, BaseExceptionGroup) as problem:  # of the site, or of Schemathesis; both are told whole
                wrong.append("".join(format_exception(problem)))
    assert not wrong, "\n".join(wrong)


def keeps_its_contract(api, method, path):
    @given(case=api.cases(method, path))
    @tried(3)
    def keeps(case):
        with undone():
            case.call_and_validate(headers=api.headers)

    keeps()


@pytest.mark.slow
@pytest.mark.parametrize("area", areas())
def test_what_no_operation_takes_is_refused(api, area):
    wrong = []
    for path in areas()[area]:
        try:
            refuses_what_it_does_not_take(api, path)
        except AssertionError as problem:
            wrong.append(f"{path}: {problem}")
    assert not wrong, "\n".join(wrong)


def refuses_what_it_does_not_take(api, path):
    """Undocumented methods, false tokens, and bodies that are not JSON."""
    operations, client = api_schema()["paths"][path], Client()
    for arguments in api.arguments[path]:
        address = path.format(**arguments)
        for method in METHODS:
            ask = getattr(client, method)
            if method not in operations:
                answer = ask(address, headers=api.headers)
                assert answer.status_code == 405, (method, answer.content)
                assert {verb.lower() for verb in answer["Allow"].split(", ")} - {"head", "options"} == set(operations)
            else:
                answer = ask(address, headers={"Authorization": "Bearer no-such-token", **IDENTITY})
                assert answer.status_code == 401, (method, answer.content)
            assert {"code", "sentence"} <= set(answer.json())
        if "requestBody" in operations.get("post", {}):
            answer = client.post(address, "seen=1", content_type="text/plain", headers=api.headers)
            assert answer.status_code in (404, 415), answer.content
            assert {"code", "sentence"} <= set(answer.json())
