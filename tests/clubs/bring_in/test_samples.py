"""Lists of real shapes are read as a person reads them: everybody in, nobody invented, each doubt a question."""

import pytest

from clubs.bring_in import child
from clubs.bring_in import open as lists
from clubs.bring_in.reading import Context, Known
from tests.clubs.bring_in.samples import SAMPLES


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_list_is_read_as_a_person_reads_it(sample):
    reading = lists.read(child.read_file(sample.data), sample.what, Context(members=[Known(1, "Edith Clark")]))
    hit = reading.as_json()
    items = hit.get("people") or hit.get("matches") or hit.get("places") or []
    names = {"members": lambda item: item["name"], "table": lambda item: (item["place"], item["name"])}.get(
        sample.what, lambda item: (item["home"], item["away"])
    )
    assert [names(item) for item in items] == sample.expected
    assert (hit["sheet"], hit["heading_row"]) == (sample.sheet, sample.heading)
    assert [(question["row"], question["kind"]) for question in hit["questions"]] == sample.asked
    assert [aside_row.row for aside_row in reading.rows_aside] == sample.aside
    by_name = {item.get("name"): item for item in items} | {str(at): item for at, item in enumerate(items)}
    for where, value in sample.also.items():
        name, _, field = where.rpartition(".")
        assert by_name[name][field] == value, where


def test_there_are_many_samples():
    assert len({sample.name for sample in SAMPLES}) >= 25
