"""API tokens: shown once, within their scopes, revoked at once."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import ApiToken
from accounts.services import tokens
from web.errors import Refused

pytestmark = pytest.mark.django_db


class PlayView(APIView):
    permission_classes = [needs("play")]

    def get(self, request):
        return Response({"name": str(request.user)})


def ask(text=None, user=None):
    headers = {"HTTP_AUTHORIZATION": text} if text else {}
    request = APIRequestFactory().get("/", **headers)
    if user:
        force_authenticate(request, user)
    return PlayView.as_view()(request)


def make(user, *scopes, days=None):
    return tokens.create(user, name="My bot", scopes=list(scopes) or ["play"], days=days)


def test_a_token_lets_in_by_its_scopes(ann):
    _, text = make(ann, "read", "play")
    answer = ask(f"Bearer {text}")
    assert (answer.status_code, answer.data) == (200, {"name": "Ann"})


def test_without_the_scope_it_does_not(ann):
    _, text = make(ann, "read")
    answer = ask(f"Bearer {text}")
    assert answer.status_code == 403
    assert "This needs a token with the scope “play”." in str(answer.data)


def test_a_session_needs_no_scope(ann):
    assert ask(user=ann).status_code == 200


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer nonsense", "Bearer a b", "Bearer \xff\xfe", "Token x"])
def test_nobody_else_is_let_in(ann, header):
    make(ann)
    assert ask(header).status_code == 401


def test_an_inactive_owner_is_not_let_in(ann):
    _, text = make(ann)
    ann.is_active = False
    ann.save()
    assert ask(f"Bearer {text}").status_code == 401


def test_a_token_ends_when_it_was_to(ann):
    token, text = make(ann, days=30)
    assert ask(f"Bearer {text}").status_code == 200
    ApiToken.objects.filter(pk=token.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert ask(f"Bearer {text}").status_code == 401


def test_the_last_use_is_written_once_a_minute(ann):
    _token, text = make(ann)
    ask(f"Bearer {text}")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    ask(f"Bearer {text}")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    ask(f"Bearer {text}")
    assert ApiToken.objects.get().last_used_at > first - timedelta(minutes=1)


def test_only_a_hash_is_kept(ann):
    _token, text = make(ann)
    stored = ApiToken.objects.values().get()
    assert text not in str(stored)
    assert stored["token_key"] == text[:15]


def test_knox_makes_no_table_of_its_own():
    assert "knox_authtoken" not in connection.introspection.table_names()


def test_unknown_scopes_are_refused(ann):
    for scopes in ([], ["everything"], ["play", "everything"]):
        with pytest.raises(Refused):
            tokens.create(ann, name="x", scopes=scopes, days=None)
    with pytest.raises(ValueError, match="everything"):
        needs("everything")


def test_there_is_an_end_to_tokens(ann, monkeypatch):
    monkeypatch.setattr(tokens, "MOST", 1)
    make(ann)
    with pytest.raises(Refused) as refused:
        make(ann)
    assert refused.value.code == "token_many"


class TestPage:
    FORM = {"name": "My <bot>", "scopes": ["play", "read"], "days": "90"}

    def test_the_text_is_shown_once(self, signed_in, ann):
        response = signed_in.post("/you/tokens/", self.FORM)
        text = re.search(r'class="secret">(\w+)<', response.content.decode())[1]
        assert ask(f"Bearer {text}").status_code == 200
        assert "no-store" in response["Cache-Control"]
        page = signed_in.get("/you/tokens/").content.decode()
        assert text not in page
        assert "My &lt;bot&gt;" in page
        assert "read, play" in page
        assert 0 <= (ann.auth_token_set.get().expiry - timezone.now() - timedelta(days=89)).days < 1

    @pytest.mark.parametrize("changed", [{"name": ""}, {"scopes": []}, {"scopes": ["x"]}, {"days": "7"}])
    def test_refusals(self, signed_in, changed):
        assert signed_in.post("/you/tokens/", {**self.FORM, **changed}).status_code == 422
        assert not ApiToken.objects.exists()

    def test_revoked_it_is_over(self, signed_in, ann):
        token, text = make(ann)
        for _ in range(2):
            assert signed_in.post(f"/you/tokens/{token.token_key}/revoke/").status_code == 302
        assert ask(f"Bearer {text}").status_code == 401

    def test_nobody_revokes_anothers(self, client, ann, person):
        token, _ = make(ann)
        address = f"/you/tokens/{token.token_key}/revoke/"
        assert client.post(address).status_code == 302
        client.force_login(person("Ben"))
        assert client.get(address).status_code == 405
        client.post(address)
        assert ApiToken.objects.count() == 1
