"""The docs at /docs/: what was built is served, and nothing else."""

import os
import time

import pytest

from tests.security.test_headers import check_headers, check_kind

PAGES = {
    "index.html": "<h1>All pages</h1>",
    "clocks/index.html": "<h1>Clocks</h1>",
    "docs.css": "main {}",
    "search/search_index.json": "{}",
    "samples/members.csv": "name",
    "notes.unknown": "a secret",
}


@pytest.fixture
def built(tmp_path, settings):
    """A folder of docs, beside a file that is none."""
    settings.DOCS_DIR = tmp_path / "docs"
    for name, text in PAGES.items():
        file = settings.DOCS_DIR / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "secret.txt").write_text("a secret")
    return settings.DOCS_DIR


@pytest.fixture
def unbuilt(tmp_path, settings):
    settings.DOCS_DIR = tmp_path / "docs"


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        ("", "text/html; charset=utf-8", "<h1>All pages</h1>"),
        ("clocks/", "text/html; charset=utf-8", "<h1>Clocks</h1>"),
        ("docs.css", "text/css; charset=utf-8", "main {}"),
        ("search/search_index.json", "application/json", "{}"),
        ("samples/members.csv", "text/csv; charset=utf-8", "name"),
    ],
)
@pytest.mark.django_db
def test_pages_and_their_files_are_served_with_their_kind_and_the_policy(client, built, path, kind, text):
    answer = client.get(f"/docs/{path}")
    assert (answer.status_code, answer["Content-Type"], answer.text) == (200, kind, text)
    assert answer["Cache-Control"] == "public, max-age=600"
    check_headers(answer)
    check_kind(answer, 200)


@pytest.mark.django_db
def test_a_page_that_a_browser_has_is_not_sent_again(client, built):
    tag = client.get("/docs/clocks/")["ETag"]
    assert client.get("/docs/clocks/", headers={"if-none-match": tag}).status_code == 304
    (built / "clocks/index.html").write_text("<h1>Clocks of today</h1>")
    assert client.get("/docs/clocks/", headers={"if-none-match": tag}).status_code == 200


def build_at(folder, seconds_ago):
    """Make the docs look as if they had been built that long ago."""
    at = time.time() - seconds_ago
    os.utime(folder / "index.html", (at, at))


@pytest.mark.django_db
def test_the_files_are_listed_once_for_each_build(client, built):
    build_at(built, 3600)
    assert client.get("/docs/clocks/").status_code == 200
    (built / "bots").mkdir()
    (built / "bots/index.html").write_text("<h1>Bots</h1>")
    assert client.get("/docs/bots/").status_code == 404, "the files were listed again"
    build_at(built, 1800)
    assert client.get("/docs/bots/").text == "<h1>Bots</h1>"
    (built / "bots/index.html").unlink()
    assert client.get("/docs/bots/").status_code == 404


@pytest.mark.django_db
def test_while_docs_are_built_each_new_file_is_there(client, built):
    assert client.get("/docs/bots/").status_code == 404
    (built / "bots").mkdir()
    (built / "bots/index.html").write_text("<h1>Bots</h1>")
    assert client.get("/docs/bots/").status_code == 200


@pytest.mark.django_db
def test_only_the_head_is_sent_if_only_that_is_asked_for(client, built):
    answer = client.head("/docs/clocks/")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.django_db
def test_the_docs_are_read_and_not_written(client, built, method):
    assert getattr(client, method)("/docs/clocks/").status_code == 405


@pytest.mark.django_db
def test_an_address_without_its_slash_leads_to_the_page(client, built):
    assert client.get("/docs/clocks")["Location"] == "/docs/clocks/"
    assert client.get("/docs")["Location"] == "/docs/"


@pytest.mark.parametrize(
    "path",
    [
        "nowhere/",
        "clocks/nothing.css",
        "notes.unknown",
        "../secret.txt",
        "clocks/../../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "//etc/hosts",
        "\\..\\secret.txt",
        "a" * 5000,
    ],
)
@pytest.mark.django_db
def test_whatever_was_not_built_is_the_usual_page_for_what_is_not_there(client, built, path):
    answer = client.get(f"/docs/{path}")
    assert answer.status_code == 404
    assert "404.html" in [template.name for template in answer.templates]


@pytest.mark.django_db
def test_a_link_out_of_the_folder_is_not_followed_by_name(client, built):
    (built / "out").symlink_to(built.parent)
    assert client.get("/docs/out/secret.txt").status_code == 404


@pytest.mark.django_db
def test_the_foot_of_pages_the_help_and_the_sitemap_lead_to_the_docs(client, built):
    page = client.get("/help/").text
    assert page.count('href="/docs/"') == 2
    assert 'href="/docs/" hreflang="en">Dokumentation<' in client.get("/help/", headers={"accept-language": "de"}).text
    assert "/docs/</loc>" in client.get("/sitemap.xml").text


@pytest.mark.django_db
def test_without_docs_nothing_leads_to_them(client, unbuilt):
    assert "/docs/" not in client.get("/help/").text
    assert "/docs/" not in client.get("/sitemap.xml").text
    assert client.get("/docs/").status_code == 404
