from django.views.defaults import server_error


def test_unknown_address_answers_with_our_page(client):
    response = client.get("/no-such-page")
    assert response.status_code == 404
    assert "<h1>Not found</h1>" in response.text
    assert '<html lang="en">' in response.text


def test_server_error_answers_with_our_page(rf):
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "<h1>Something went wrong</h1>" in response.text


def test_every_answer_carries_the_security_headers(client):
    headers = client.get("/no-such-page").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
