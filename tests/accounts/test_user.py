import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError

from accounts.models import User


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
