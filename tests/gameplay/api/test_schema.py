"""What the schema says of the API beyond the fields of each door."""

import pytest
from drf_spectacular.generators import SchemaGenerator


@pytest.fixture(scope="module")
def told():
    return SchemaGenerator().get_schema(request=None, public=True)


def answered(told, path):
    return told["paths"][f"/api/v1/{path}"]["get"]["responses"]["200"]["content"]


def test_a_file_is_told_of_as_what_it_is(told):
    event = "events/{event}/files"
    assert {end: [*answered(told, f"{event}/{end}")] for end in ("event.json", "results.csv", "preview.png")} == {
        "event.json": ["application/json"],
        "results.csv": ["text/csv"],
        "preview.png": ["image/png"],
    }
    assert answered(told, f"{event}/event.json")["application/json"]["schema"]["type"] == "object"
    assert [*answered(told, "shared-rules/{token}/file/")] == ["application/json"]
    assert not [path for path in told["paths"] if "*/*" in str(told["paths"][path])]


def test_doors_that_need_no_token_say_so(told):
    def is_open(path, method="get"):
        return {} in told["paths"][f"/api/v1/{path}"][method]["security"]

    assert is_open("events/")
    assert is_open("clubs/{club}/")
    assert is_open("clubs/{club}/files/calendar.ics")
    assert not is_open("events/", "post")
    assert not is_open("clubs/{club}/people/")
    assert not is_open("tables/")


def test_a_request_has_no_fields_but_those_told_of(told):
    asked = told["paths"]["/api/v1/tables/"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert told["components"]["schemas"][asked["$ref"].rpartition("/")[2]]["additionalProperties"] is False
