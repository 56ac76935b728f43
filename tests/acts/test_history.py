"""An act is done in one transaction under its home’s lock, by people that its kind allows, and undone by the same
right.
"""

import pytest

from acts.history import Actor
from acts.kinds import Again, Anybody, ByAct, ByCase, ByRow, Never, Rows, Site, Wrong
from clubs.models import Act, Club
from web.errors import NotAllowed, Refused, Stale

NEVER = Never("It was said aloud.")


def not_quay(by, row):
    """Raise for the row Quay."""
    if row == "Quay":
        raise NotAllowed("not_yours", "Not yours.")


def quietly(record):
    return "Nothing was done."


def naming(name):
    def do(record):
        record.change(record.club, name=name)
        return f"Called {name}."

    return do


def asking(about):
    def do(record):
        record.change(record.club, name="Asked")
        record.ask(about)
        return "Asked."

    return do


def test_a_right_by_name_is_asked_before_anything_is_done(history, club, of_club):
    kind = history.declare("x", needs="rules", undo=NEVER)
    with pytest.raises(NotAllowed):
        history.perform(club.pk, naming("Quay"), kind, Actor(of_club("member")))
    assert history.perform(club.pk, naming("Wharf"), kind, Actor(of_club("owner"))).sentence == "Called Wharf."
    assert Club.objects.get().name == "Wharf"


@pytest.mark.parametrize("needs", [ByRow(not_quay), ByCase(("rules",))])
def test_an_act_that_does_not_ask_what_is_left_to_it_is_wrong(history, club, of_club, needs):
    kind = history.declare("x", needs=needs, undo=NEVER)
    with pytest.raises(Wrong, match="did not ask"):
        history.perform(club.pk, naming("Quay"), kind, Actor(of_club("owner")))
    assert Club.objects.get().name == "Harbour"


@pytest.mark.parametrize("needs", ["archive", ByRow(not_quay), ByCase(("archive",))])
def test_of_the_site_itself_no_right_is_asked(history, club, needs):
    history.perform(club.pk, asking("Quay"), history.declare("x", needs=needs, undo=NEVER), Actor(None))
    assert Club.objects.get().name == "Asked"


def test_by_the_row_its_check_decides(history, club, of_club):
    kind, member = history.declare("x", needs=ByRow(not_quay), undo=NEVER), of_club("member")
    history.perform(club.pk, asking("Wharf"), kind, Actor(member))
    Club.objects.update(name="Harbour")
    with pytest.raises(NotAllowed):
        history.perform(club.pk, asking("Quay"), kind, Actor(member))
    assert Club.objects.get().name == "Harbour"


def test_by_the_case_the_act_asks_for_the_right_that_its_case_takes(history, club, of_club):
    kind, scorer = history.declare("x", needs=ByCase(("results", "leagues")), undo=NEVER), of_club("scorer")
    history.perform(club.pk, asking("results"), kind, Actor(scorer))
    with pytest.raises(NotAllowed):
        history.perform(club.pk, asking("leagues"), kind, Actor(scorer))


@pytest.mark.parametrize("needs", ["rules", ByCase(("results", "leagues"))])
def test_a_right_that_was_not_declared_cannot_be_asked_for(history, club, of_club, needs):
    kind = history.declare("x", needs=needs, undo=NEVER)
    with pytest.raises(Wrong, match="'news' is no right that this act may ask for"):
        history.perform(club.pk, asking("news"), kind, Actor(of_club("owner")))


def test_anyone_may_do_what_anyone_may(history, club, person):
    kind = history.declare("x", needs=Anybody("It is only a name."), undo=NEVER)
    assert history.perform(club.pk, quietly, kind, Actor(person("Stranger"))).name == "Stranger"


def test_nobody_may_do_what_the_site_does(history, club, of_club):
    kind = history.declare("x", needs=Site("By the clock."), undo=NEVER)
    with pytest.raises(NotAllowed):
        history.perform(club.pk, quietly, kind, Actor(of_club("owner")))
    assert history.perform(club.pk, quietly, kind, Actor(None)).name == ""


@pytest.mark.parametrize("needs", ["archive", ByRow(not_quay), ByCase(("archive",))])
def test_of_an_act_within_another_no_right_is_asked(history, club, of_club, needs):
    member = of_club("member")
    outer = history.declare("outer", needs="look", undo=NEVER)
    inner = history.declare("inner", needs=needs, undo=NEVER)

    def do(record):
        history.perform(club.pk, asking("Quay"), inner, Actor(record.by, within=record))
        return "Both."

    history.perform(club.pk, do, outer, Actor(member))
    assert list(Act.objects.order_by("pk").values_list("kind", "by")) == [("inner", member.pk), ("outer", member.pk)]


def test_within_another_an_act_that_did_not_ask_is_wrong_all_the_same(history, club, of_club):
    outer = history.declare("outer", needs="look", undo=NEVER)
    inner = history.declare("inner", needs=ByRow(not_quay), undo=NEVER)

    def do(record):
        history.perform(club.pk, quietly, inner, Actor(record.by, within=record))
        return "Both."

    with pytest.raises(Wrong, match="did not ask"):
        history.perform(club.pk, do, outer, Actor(of_club("owner")))


def test_what_is_sent_twice_is_done_once(history, club, of_club):
    kind, owner = history.declare("x", needs="rules", undo=NEVER), of_club("owner")
    first = history.perform(club.pk, naming("Quay"), kind, Actor(owner, request_key="once"))
    assert history.perform(club.pk, naming("Wharf"), kind, Actor(owner, request_key="once")) == first
    assert Club.objects.get().name == "Quay"


def test_a_page_that_is_out_of_date_is_refused(history, club, of_club):
    kind, owner = history.declare("x", needs="rules", undo=NEVER), of_club("owner")
    history.perform(club.pk, naming("Quay"), kind, Actor(owner, seen=0))
    with pytest.raises(Stale):
        history.perform(club.pk, naming("Wharf"), kind, Actor(owner, seen=0))


def test_undoing_takes_the_right_that_the_act_changed_it_by(history, club, of_club):
    needs = ByAct(("rules", "archive"), lambda act: act.changes[0]["was"]["name"])
    kind = history.declare("x", needs="rules", undo=Rows(needs))
    Club.objects.update(name="archive")
    act = history.perform(club.pk, naming("Quay"), kind, Actor(of_club("owner")))
    assert history.undo_right(act) == "archive"
    assert not history.may_be_undone(act, may={"rules", "undo"}, is_own=True)
    assert history.may_be_undone(act, may={"archive"}, is_own=True)
    assert not history.may_be_undone(act, may={"archive"}, is_own=False)
    assert history.may_be_undone(act, may={"archive", "undo"}, is_own=False)


def test_doing_an_undone_act_again_takes_the_right_of_the_act(history, club, of_club):
    owner = of_club("owner")
    kind, redo = history.declare("x", needs="rules", undo=Rows()), history.declare("undo", needs="look", undo=Again())
    act = history.perform(club.pk, naming("Quay"), kind, Actor(owner))
    undone = history.perform(club.pk, history.undoing(act, owner), redo, Actor(owner))
    assert history.undo_right(undone) == "rules"
    with pytest.raises(NotAllowed):
        history.perform(club.pk, history.undoing(undone, member := of_club("member")), redo, Actor(member))
    history.perform(club.pk, history.undoing(undone, owner), redo, Actor(owner))
    assert Club.objects.get().name == "Quay"


def test_what_stands_against_undoing_is_looked_at_before_anything_is_set_back(history, club, of_club):
    def never(record, act):
        raise Refused("used", "It is in use.")

    owner, undo = of_club("owner"), history.declare("undo", needs="look", undo=NEVER)
    act = history.perform(
        club.pk, naming("Quay"), history.declare("x", needs="rules", undo=Rows(first=never)), Actor(owner)
    )
    with pytest.raises(Refused, match="It is in use"):
        history.perform(club.pk, history.undoing(act, owner), undo, Actor(owner))
    assert Club.objects.get().name == "Quay"


def test_a_kind_that_no_code_declares_is_named_and_cannot_be_undone(history, club, of_club):
    kind, owner = history.declare("x", needs="rules", undo=Rows()), of_club("owner")
    act = history.perform(club.pk, naming("Quay"), kind, Actor(owner))
    assert history.unknown_kinds() == []
    Act.objects.update(kind="of_long_ago")
    act.refresh_from_db()
    assert history.unknown_kinds() == ["of_long_ago"]
    assert not history.may_be_undone(act, may=history.rights, is_own=True)
    with pytest.raises(Refused, match="cannot be undone"):
        history.perform(club.pk, history.undoing(act, owner), kind, Actor(owner))
