"""A provider of OpenID Connect that answers in this process: accounts elsewhere without a network."""

import time

import jwt
from allauth.socialaccount.providers import registry
from requests import ConnectionError as NoConnection

from accounts.providers.adapter import Adapter
from accounts.providers.apple import Apple
from accounts.providers.openid import OpenId
from config.providers import providers

SERVER = "https://id.example"
NELL = {"sub": "n-1", "email": "nell@example.org", "email_verified": True, "given_name": "Nell", "picture": "x"}
ENVIRONMENT = {"OIDC_URL": SERVER, "OIDC_NAME": "Club ID", "OIDC_CLIENT_ID": "us", "OIDC_CLIENT_SECRET": "hush"}
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
    """The provider, as the library’s session of requests; `person` is who signs in there."""

    def __init__(self):
        self.person, self.exchanged, self.is_away = NELL, [], False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def get(self, url, **options):
        if self.is_away:
            raise NoConnection
        if url == f"{SERVER}/me":
            return Answer(self.person)
        assert url == f"{SERVER}/.well-known/openid-configuration"
        ends = {"authorization_endpoint": "/in", "token_endpoint": "/token", "userinfo_endpoint": "/me"}
        return Answer({"issuer": SERVER, "jwks_uri": "", **{name: SERVER + path for name, path in ends.items()}})

    def request(self, method, url, *, data, **options):
        self.exchanged.append(data)
        claims = {"iss": SERVER, "aud": "us", "exp": time.time() + 60, **self.person}
        token = jwt.encode(claims, "a key that nobody checks, for TLS does", algorithm="HS256")
        return Answer({"access_token": "secret-of-the-provider", "id_token": token})


def offer(settings, monkeypatch):
    """Offer this provider, and Apple, which nobody reaches, for one test."""
    settings.SOCIALACCOUNT_PROVIDERS = providers(ENVIRONMENT | APPLE)
    monkeypatch.setitem(registry.provider_map, "openid_connect", OpenId)
    monkeypatch.setitem(registry.provider_map, "apple", Apple)
    server = ClubId()
    monkeypatch.setattr(Adapter, "get_requests_session", lambda self: server)
    return server
