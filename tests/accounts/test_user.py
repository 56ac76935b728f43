import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.validators import NotOfThisSite


def test_user_model_is_ours():
    assert get_user_model() is User


@pytest.mark.django_db
def test_new_user_plays_in_utc_under_the_username():
    user = User.objects.create_user("ann", password="a quiet afternoon")
    user.full_clean()
    assert user.time_zone == "UTC"
    assert user.display_name == ""
    assert str(user) == "ann"


def test_display_name_is_shown_in_place_of_the_username():
    assert str(User(username="ann", display_name="Ann Ångström")) == "Ann Ångström"


@pytest.mark.parametrize("name", ["Europe/Paris", "Australia/Lord_Howe", "UTC"])
def test_known_time_zones_are_taken(name):
    User(username="ann", password="x", time_zone=name).clean_fields()


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../UTC", "Europe", "utc+1"])
def test_unknown_time_zones_are_refused(name):
    with pytest.raises(ValidationError) as refused:
        User(username="ann", password="x", time_zone=name).clean_fields()
    assert list(refused.value.message_dict) == ["time_zone"]


@pytest.mark.parametrize("password", ["Foothold2026", "hand and foot 1", "HandFoot!!", "my-club-42", "canastacanasta"])
def test_what_the_site_is_called_is_no_password(settings, password):
    settings.SITE_URL = "https://club.example"
    with pytest.raises(ValidationError, match="little more than the name of the site or the game"):
        NotOfThisSite().validate(password)


@pytest.mark.parametrize("password", ["a foothold of seven aces", "12345", "footloose", "quiet club evening"])
def test_other_words_beside_it_are(settings, password):
    settings.SITE_URL = "https://club.example"
    NotOfThisSite().validate(password)


@pytest.mark.django_db
def test_every_new_password_is_looked_at_so(client):
    fields = {"email": "ann@example.org", "display_name": "Ann", "password1": "Foothold-2026"}
    assert (
        "little more than the name of the site or the game" in client.post("/accounts/signup/", fields).content.decode()
    )
    assert not User.objects.exists()
