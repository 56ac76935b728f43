from types import SimpleNamespace

from django.utils import translation

from accounts.models import User
from gameplay.log.log_language import say_at, say_to

GERMAN, ENGLISH = User(language="de"), User(language="en")


def seats_of(*users):
    return [SimpleNamespace(user=user) for user in users]


def test_news_are_told_to_each_in_their_own_language():
    assert say_to(GERMAN, "the match is over") == "Die Partie ist zu Ende"
    with translation.override("de"):
        assert say_to(ENGLISH, "deal %(deal)s is over", deal=2) == "deal 2 is over"
        assert say_to(User(is_guest=True), "the match is over") == "Die Partie ist zu Ende"


def test_a_log_is_in_the_language_that_all_members_at_the_table_read():
    assert say_at(seats_of(GERMAN, None, GERMAN), "The match started.") == "Die Partie hat begonnen."
    with translation.override("de"):
        assert say_at(seats_of(GERMAN, ENGLISH), "The match started.") == "The match started."
        assert say_at(seats_of(None), "The match started.") == "Die Partie hat begonnen."
