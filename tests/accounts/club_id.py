"""Providers of OpenID Connect that answer in this process: accounts elsewhere without a network."""

import time
from urllib.parse import urlsplit

import jwt
from allauth.socialaccount.providers import registry
from requests import ConnectionError as NoConnection

from accounts.providers.adapter import Adapter
from accounts.providers.apple import Apple
from accounts.providers.openid import OpenId
from config.providers import providers

SERVER, OTHER_SERVER = "https://id.example", "https://town.example"
NELL = {"sub": "n-1", "email": "nell@example.org", "email_verified": True, "given_name": "Nell", "picture": "x"}
ENVIRONMENT = {"OIDC_URL": SERVER, "OIDC_NAME": "Club ID", "OIDC_CLIENT_ID": "us", "OIDC_CLIENT_SECRET": "hush"}
OTHER = {
    "OIDC_2_URL": OTHER_SERVER, "OIDC_2_NAME": "Town ID", "OIDC_2_CLIENT_ID": "us", "OIDC_2_CLIENT_SECRET": "hush"
}  # fmt: skip
APPLE = {"APPLE_CLIENT_ID": "us", "APPLE_TEAM_ID": "team", "APPLE_KEY_ID": "key", "APPLE_PRIVATE_KEY": "one\\ntwo"}


class Answer:
    status_code, headers, ok = 200, {"content-type": "application/json"}, True

    def __init__(self, data):
        self.data = data

    def json(self):
        return self.data

    def raise_for_status(self):
        pass


class ClubId:
    """All of the providers, as the library’s session of requests.

    `person` is who signs in, `nonce` the one that the last way there had, `issuer` the one that a configuration names
    in place of its server.
    """

    def __init__(self):
        self.person, self.nonce, self.issuer, self.exchanged, self.is_away = NELL, "", "", [], False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def get(self, url, **options):
        if self.is_away:
            raise NoConnection
        server = _server(url)
        if url == f"{server}/me":
            return Answer(self.person)
        assert url == f"{server}/.well-known/openid-configuration"
        ends = {"authorization_endpoint": "/in", "token_endpoint": "/token", "userinfo_endpoint": "/me"}
        addresses = {name: server + path for name, path in ends.items()}
        return Answer({"issuer": self.issuer or server, "jwks_uri": "", **addresses})

    def request(self, method, url, *, data, **options):
        self.exchanged.append(data)
        claims = {"iss": _server(url), "aud": "us", "exp": time.time() + 60, "nonce": self.nonce, **self.person}
        token = jwt.encode(claims, "a key that nobody checks, for TLS does", algorithm="HS256")
        return Answer({"access_token": "secret-of-the-provider", "id_token": token})


def _server(url):
    server = f"https://{urlsplit(url).netloc}"
    assert server in (SERVER, OTHER_SERVER)
    return server


def offer(settings, monkeypatch):
    """Offer Club ID and Town ID, and Apple, which nobody reaches, for one test."""
    settings.SOCIALACCOUNT_PROVIDERS = providers(ENVIRONMENT | OTHER | APPLE)
    monkeypatch.setitem(registry.provider_map, "openid_connect", OpenId)
    monkeypatch.setitem(registry.provider_map, "apple", Apple)
    server = ClubId()
    monkeypatch.setattr(Adapter, "get_requests_session", lambda self: server)
    return server
