"""API tokens: shown once, within their scopes, for a time, revoked at once."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail as outbox
from django.db import connection
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import ApiToken
from accounts.services import tokens
from tests.accounts.conftest import NOON, PASSWORD
from tests.accounts.test_second_step import SECRET, code_of
from web.errors import Refused

pytestmark = pytest.mark.django_db


class PlayView(APIView):
    permission_classes = [needs("play")]

    def get(self, request):
        return Response({"name": str(request.user)})


def ask(text=None, user=None, **headers):
    headers |= {"HTTP_AUTHORIZATION": text} if text else {}
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


def test_it_ends_after_90_days_unless_chosen_otherwise(ann):
    assert days_left(make(ann)[0]) == 90
    assert days_left(make(ann, days=365)[0]) == 365


@pytest.mark.parametrize("days", [366, tokens.NEVER, -1])
def test_it_ends_within_a_year(ann, days):
    with pytest.raises(Refused) as refused:
        make(ann, days=days)
    assert (refused.value.code, ApiToken.objects.count()) == ("token_days", 0)


def test_the_operator_allows_more_or_less(ann, settings):
    settings.API_TOKEN_MOST_DAYS = 800
    assert (tokens.lifetimes(), days_left(make(ann, days=800)[0])) == ([30, 90, 365, 800], 800)
    settings.API_TOKEN_MOST_DAYS = 7
    assert (tokens.lifetimes(), days_left(make(ann)[0])) == ([7], 7)
    settings.API_TOKEN_MOST_DAYS = 0
    assert (tokens.lifetimes(), days_left(make(ann)[0])) == ([30, 90, 365, 0], 90)
    assert make(ann, days=tokens.NEVER)[0].expiry is None


def test_one_without_an_end_from_earlier_still_works(ann):
    token, text = make(ann)
    ApiToken.objects.filter(pk=token.pk).update(expiry=None)
    assert ask(f"Bearer {text}").status_code == 200


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


def test_the_address_of_the_last_use_is_kept(ann):
    _token, text = make(ann)
    for address, expected in (("203.0.113.5", "203.0.113.5"), ("2001:db8::1", "2001:db8::1"), ("", None)):
        ApiToken.objects.update(last_used_at=None)
        assert ask(f"Bearer {text}", REMOTE_ADDR=address).status_code == 200
        assert ApiToken.objects.get().last_used_from == expected


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


def test_expired_ones_do_not_count(ann, monkeypatch):
    monkeypatch.setattr(tokens, "MOST", 1)
    make(ann)
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    make(ann)
    assert [token.name for token in tokens.unexpired(ann)] == ["My bot"]


def days_left(token):
    return round((token.expiry - timezone.now()) / timedelta(days=1))


def prove(browser, door="/accounts/reauthenticate/", next="/you/tokens/", **fields):
    """Give the password or a code once more; the answer is that of the form that waited for it."""
    return browser.post(door, {"next": next, **(fields or {"password": PASSWORD})})


class TestPage:
    FORM = {"name": "My <bot>", "scopes": ["play", "read"], "days": "90"}

    def test_a_new_one_takes_the_password_once_more(self, signed_in, ann):
        first = signed_in.post("/you/tokens/", self.FORM)
        assert first.url == "/accounts/reauthenticate/?next=%2Fyou%2Ftokens%2F"
        assert prove(signed_in, password="wrong").status_code == 200
        assert not ApiToken.objects.exists()
        answer = prove(signed_in)
        assert 'class="secret"' in answer.content.decode()
        assert 'action="/you/tokens/"' in answer.content.decode()
        assert ann.auth_token_set.get().scopes == ["read", "play"]

    @time_machine.travel(NOON, tick=False)
    def test_where_two_step_sign_in_is_on_it_takes_a_code(self, signed_in, ann):
        TOTP.activate(ann, SECRET)
        door = "/accounts/2fa/reauthenticate/"
        assert signed_in.post("/you/tokens/", self.FORM).url == f"{door}?next=%2Fyou%2Ftokens%2F"
        prove(signed_in)
        assert signed_in.post("/you/tokens/", self.FORM).url.startswith(door)
        prove(signed_in, door, code="000000")
        assert not ApiToken.objects.exists()
        assert 'class="secret"' in prove(signed_in, door, code=code_of(SECRET)).content.decode()

    def test_without_a_password_a_fresh_mailed_code_is_asked_for(self, signed_in, ann):
        ann.set_unusable_password()
        ann.save()
        signed_in.force_login(ann)
        answer = signed_in.post("/you/tokens/", self.FORM)
        assert answer.url == "/accounts/login/code/?next=%2Fyou%2Ftokens%2F"
        assert not ApiToken.objects.exists()
        assert signed_in.get("/you/tokens/").status_code == 302

    def test_an_email_says_what_it_allows_and_where_to_revoke_it(self, signed_in, ann):
        prove(signed_in)
        page = signed_in.post("/you/tokens/", self.FORM).content.decode()
        (email,) = outbox.outbox
        assert (email.to, email.subject) == ([ann.email], "You have a new API token")
        for words in (
            "account: My <bot>\n",
            "- See your tables, views, logs and records\n- Make moves and press the buttons of your tables\n",
            f"It expires on {ann.auth_token_set.get().expiry:%-d %B %Y}.",
            "http://localhost:8000/you/tokens/",
            "From: 127.0.0.1",
        ):
            assert words in email.body
        assert re.search(r'class="secret">(\w+)<', page)[1] not in email.body

    def test_lifetimes_are_those_the_operator_allows(self, signed_in, settings):
        page = signed_in.get("/you/tokens/").content.decode()
        assert re.findall(r'<option value="(\d+)"( selected)?', page) == [("30", ""), ("90", " selected"), ("365", "")]
        settings.API_TOKEN_MOST_DAYS = 45
        page = signed_in.get("/you/tokens/").content.decode()
        assert re.findall(r'<option value="(\d+)"( selected)?', page) == [("30", ""), ("45", " selected")]
        assert "after 45 days" in page

    def test_one_without_an_end_is_marked(self, signed_in, ann):
        make(ann)
        assert "! never expires" not in signed_in.get("/you/tokens/").content.decode()
        ApiToken.objects.update(expiry=None)
        assert "! never expires" in signed_in.get("/you/tokens/").content.decode()

    def test_the_last_use_is_shown_with_its_address(self, signed_in, ann):
        make(ann)
        assert "never used" in signed_in.get("/you/tokens/").content.decode()
        ApiToken.objects.update(last_used_at=datetime(2026, 5, 6, 12, tzinfo=UTC), last_used_from="203.0.113.5")
        page = " ".join(signed_in.get("/you/tokens/").content.decode().split())
        assert "last used 6 May 2026, 12:00 from 203.0.113.5" in page

    def test_the_text_is_shown_once(self, signed_in, ann):
        prove(signed_in)
        response = signed_in.post("/you/tokens/", self.FORM)
        text = re.search(r'class="secret">(\w+)<', response.content.decode())[1]
        assert ask(f"Bearer {text}").status_code == 200
        assert "no-store" in response["Cache-Control"]
        page = signed_in.get("/you/tokens/").content.decode()
        assert text not in page
        assert "My &lt;bot&gt;" in page
        assert "read, play" in page
        assert 0 <= (ann.auth_token_set.get().expiry - timezone.now() - timedelta(days=89)).days < 1

    @pytest.mark.parametrize("changed", [{"name": ""}, {"scopes": []}, {"scopes": ["x"]}, {"days": "7"}, {"days": ""}])
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


class TestPassword:
    NEW = {"password1": "another quiet evening", "password2": "another quiet evening"}
    DOOR = "/accounts/password/change/"

    def change(self, browser, **fields):
        assert browser.post(self.DOOR, {"oldpassword": PASSWORD, **self.NEW, **fields}).status_code == 302

    def test_a_change_asks_whether_tokens_end_and_suggests_it(self, signed_in, ann):
        assert 'name="tokens"' not in signed_in.get(self.DOOR).content.decode()
        make(ann)
        page = signed_in.get(self.DOOR).content.decode()
        assert re.findall(r'<input type="radio" name="tokens" value="(\w+)"[^>]*( checked)', page) == [
            ("revoke", " checked")
        ]

    @pytest.mark.parametrize("answer", [{"tokens": "revoke"}, {}, {"tokens": ""}])
    def test_they_end_unless_they_are_kept(self, signed_in, ann, answer):
        _, text = make(ann)
        self.change(signed_in, **answer)
        assert ask(f"Bearer {text}").status_code == 401

    def test_kept_they_work_on(self, signed_in, ann):
        _, text = make(ann)
        self.change(signed_in, tokens="keep")
        assert ask(f"Bearer {text}").status_code == 200

    def test_a_refused_change_ends_none(self, signed_in, ann):
        make(ann)
        for changed in ({"oldpassword": "wrong"}, {"tokens": "x"}):
            answer = signed_in.post(self.DOOR, {"oldpassword": PASSWORD, **self.NEW, **changed})
            assert answer.status_code == 200
        ann.refresh_from_db()
        assert (ann.check_password(PASSWORD), ApiToken.objects.count()) == (True, 1)

    def test_others_keep_theirs(self, signed_in, person):
        make(person("Ben"))
        self.change(signed_in)
        assert ApiToken.objects.count() == 1

    def test_a_reset_ends_them(self, client, ann):
        make(ann)
        client.post("/accounts/password/reset/", {"email": ann.email})
        link = re.search(r"http://\S+", outbox.outbox[0].body)[0].removeprefix("http://testserver")
        form = client.get(link, follow=True)
        assert "Your API tokens will be revoked." in form.content.decode()
        assert client.post(form.request["PATH_INFO"], self.NEW).status_code == 302
        assert not ApiToken.objects.exists()
