import pytest
from django.views.defaults import server_error


def test_unknown_address_answers_with_our_page(client):
    response = client.get("/no-such-page")
    assert response.status_code == 404
    assert "<h1>Page not found</h1>" in response.text
    assert '<html lang="en"' in response.text


def test_server_error_answers_with_our_page(rf):
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "<h1>Something went wrong on our side</h1>" in response.text


@pytest.mark.django_db
def test_without_tls_pages_lead_to_it_and_programs_are_refused(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/", "/api/v1/docs/"):
        assert (client.get(path).status_code, client.get(path)["Location"]) == (301, f"https://testserver{path}")
    refused = client.get("/api/v1/rulesets/")
    assert (refused.status_code, refused.json()["code"]) == (403, "https_only")
    assert client.get("/api/v1/rulesets/", secure=True).status_code == 200


def test_every_answer_carries_the_security_headers(client):
    headers = client.get("/no-such-page").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
