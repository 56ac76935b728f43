"""Limits of bodies, as code and docs have them."""

from pathlib import Path

from accounts.budgets import BYTES, STREAMS
from clubs.imports import archive, tables
from gameplay import live_sign_ins, record_check
from gameplay.score_sheets import photo_files
from gameplay.views import live
from web import bodies

DOCS = Path(__file__).parents[2] / "docs"
KB, MB = 1024, 1_000_000


def test_the_page_for_developers_has_the_figures_of_the_code():
    page = " ".join((DOCS / "internals.md").read_text().split())
    for sentence in (
        f"A body of up to {bodies.SMALL // KB} KB is read at once.",
        f"Without it a page takes {bodies.FORM // KB} KB, an address of the API {bodies.SMALL // KB} KB.",
        f"A head arrives within {bodies.HEAD_SECONDS:.0f} seconds.",
        f"A body is never silent for {bodies.SILENT_SECONDS:.0f} seconds, and after {bodies.GRACE_SECONDS:.0f} seconds"
        f" has an average of {bodies.PACE:,} bytes a second.",
        f"Readers take the next part of an answer within {bodies.SEND_SECONDS:.0f} seconds.",
        f"at most {bodies.IN_FLIGHT // MB} MB of bodies",
        f"every {live_sign_ins.LOOK_EVERY:.0f} seconds",
        f"One process serves {live.MOST_STREAMS:,} streams.",
    ):
        assert sentence in page


def test_the_list_of_limits_has_the_figures_of_the_code():
    sizes = [record_check.MOST_SENT, tables.MOST_SENT, archive.MOST_SENT, photo_files.MOST_SENT]
    record, spreadsheet, club, photo = (size // MB for size in sizes)
    assert (
        f"* request: form {bodies.FORM // KB} KB, API {bodies.SMALL // KB} KB, record {record} MB,"
        f" spreadsheet {spreadsheet} MB, club file {club} MB, photo {photo} MB"
    ) in (DOCS / "reference/asvs.md").read_text()
    assert max(sizes) == bodies.LARGEST
    streams = [STREAMS.person, STREAMS.guest, STREAMS.address]
    sent = [size // KB**2 for size in (BYTES.person, BYTES.guest, BYTES.address)]
    assert (
        f"{', '.join(f'{n:,}' for n in streams)} streams, and {', '.join(map(str, sent))} MB of large bodies"
        in (DOCS / "reference/asvs.md").read_text()
    )


def test_a_photo_fits_into_its_form():
    assert photo_files.MOST_BYTES + 10 * KB < photo_files.MOST_SENT


def test_sizes_are_told_as_people_read_them():
    assert bodies.too_large(bodies.SMALL).sentence == "This request is too large. The limit here is 64 KB."
    assert bodies.too_large(5_000_000).sentence == "This request is too large. The limit here is 5 MB."
