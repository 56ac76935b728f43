def test_healthz_answers_ok_without_a_database(client):
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "no-store" in response.headers["Cache-Control"]
    assert response.content == b"ok"


def test_healthz_is_not_redirected_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/elsewhere").status_code == 301


def test_healthz_refuses_to_be_posted_to(client):
    assert client.post("/healthz").status_code == 405
