"""An act is declared once: its row is found under the lock, its fields are its keywords."""

from typing import Annotated

import pytest

from acts.declaring import On
from acts.fields import number, one_of, words, yes
from acts.history import Actor
from acts.kinds import ByRow, Never, Wrong
from clubs.models import News
from tests.makers import make_club
from web.errors import NotAllowed, Refused

NEVER = Never("It was said aloud.")
NEWS = On(News, "club")


def check_author(by, news):
    """Raise for news of another."""
    if news.by_id != by.pk:
        raise NotAllowed("not_yours", "Not yours.")


def retitle(record, row, *, title: Annotated[str, words(20)], times: Annotated[int, number()] = 1, rest: object = None):
    """Give a piece of news another title."""
    record.change(row, title=title * times)
    return f"Now {row.title}."


@pytest.fixture
def news(club):
    return News.objects.create(club=club, title="Old", body="x", published_at="2026-09-01T12:00Z")


@pytest.fixture
def titled(history):
    return history.act("news_title", on=NEWS, needs="news", undo=NEVER)(retitle)


def test_it_is_called_with_a_row_or_its_id_and_with_a_person_or_how_they_ask(titled, news, of_club):
    owner = of_club("owner")
    assert titled(news, owner, title="One").sentence == "Now One."
    assert titled(news.pk, Actor(owner, reason="why not"), title="Two", times=2).reason == "why not"
    assert News.objects.get().title == "TwoTwo"


def test_a_row_that_is_gone_or_of_another_club_is_refused(titled, news, of_club):
    owner = of_club("owner")
    with pytest.raises(Refused, match="This no longer exists"):
        titled(news.pk + 1, owner, title="New")
    there = On(News, "club")
    other = make_club("Wharf")
    record = titled.history.record(other, owner, None)
    with pytest.raises(Refused, match="This no longer exists"):
        there.find(record, news.pk)


def test_by_the_row_it_is_asked_of_the_row_before_the_act(history, news, of_club):
    act = history.act("news_title", on=NEWS, needs=ByRow(check_author), undo=NEVER)(retitle)
    owner, member = of_club("owner"), of_club("member")
    News.objects.update(by=member)
    with pytest.raises(NotAllowed):
        act(news, owner, title="New")
    assert act(news, member, title="New").sentence == "Now New."


def test_its_fields_are_its_annotated_keywords_and_the_rest_is_named(titled):
    assert list(titled.fields) == ["title", "times"]
    assert titled.fields["title"].max_length == 20
    assert (titled.fields["title"].required, titled.fields["times"].required) == (True, False)
    assert titled.rest == ["rest"]


def test_a_field_of_every_sort_reads_what_it_says():
    assert yes().run_validation("on") is True
    assert one_of(["a", "b"]).run_validation("a") == "a"
    assert number(least=0).run_validation("0") == 0


def test_an_act_without_a_docstring_is_no_code(history):
    with pytest.raises(Wrong, match="docstring"):
        history.act("x", on=NEWS, needs="news", undo=NEVER)(lambda record, news: "Done.")


def test_it_is_known_by_its_module_and_name(titled):
    assert titled.history.declared[f"{__name__}.retitle"] is titled
