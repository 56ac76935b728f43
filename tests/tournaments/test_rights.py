"""Actions check rights themselves, under the event’s lock: pages and programs get the same answer."""

from functools import partial

import pytest
from django.test import Client

from tests.at_once import at_once
from tests.tournaments import driving
from tournaments.models import Act, Member, Organiser, Pairing, Result
from tournaments.plan import standard
from tournaments.roles import ROLES
from tournaments.services import history
from tournaments.services.entries import partners
from tournaments.services.events import lifecycle
from tournaments.services.matches import results
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(make):
    return make(4, standard("swiss", rounds=3))


@pytest.fixture
def disputed(swiss):
    """A match of which two sides entered different results."""
    pairing = driving.open_pairings(swiss)[0]
    Pairing.objects.filter(pk=pairing.pk).update(status="disputed")
    for scores in ((500, 400), (400, 500)):
        lines = driving.lines_of(pairing, lambda names, scores=scores: scores)
        Result.objects.create(
            pairing=pairing, lines=lines, at=swiss.created_at, kind="decided", origin="player", status="disputed"
        )
    return Pairing.objects.get(pk=pairing.pk)


@pytest.fixture
def scorer(swiss, organiser_as):
    return organiser_as(swiss, "scorer")


def test_a_scorer_decides_no_disputed_match(swiss, disputed, scorer):
    lines = driving.lines_of(disputed)
    with pytest.raises(NotAllowed):
        results.decide(disputed.pk, lines, by=scorer, reason="I was there.")
    with pytest.raises(NotAllowed):
        results.confirm(disputed.results.latest("pk").pk, by=scorer)


def test_page_and_program_refuse_a_scorer_alike(swiss, disputed, scorer, program):
    at = f"/events/{swiss.slug}/organise/1/{disputed.name}"
    door = f"events/{swiss.slug}/stages/1/matches/{disputed.name}"
    first, second = [place.entry for place in disputed.places.select_related("entry")]
    sheet = disputed.results.latest("pk").pk
    scores = {"score_0": "500", "score_1": "400", "known": str(sheet)}
    lines = [{"entry": first.number, "score": 500}, {"entry": second.number, "score": 400}]
    client, bot = Client(), program(scorer)
    client.force_login(scorer)
    sent = [
        (f"{at}/result/", scores, f"{door}/decide/", {"lines": lines}),
        (f"{at}/confirm/", {"result": sheet}, f"{door}/confirm/", {"result": sheet}),
        (f"{at}/ask/", {}, f"{door}/ask/", {}),
        (f"/events/{swiss.slug}/organise/copy/", {"name": "Mine"}, f"events/{swiss.slug}/copy/", {"name": "Mine"}),
    ]
    for page, typed, path, data in sent:
        assert client.post(page, typed).status_code == 403, page
        assert bot.post(path, 403, **data)["code"] == "not_your_part", path
    assert not Act.objects.filter(by=scorer).exists()


def test_a_director_holds_an_event_again_only_as_its_owner(swiss, organiser_as):
    with pytest.raises(NotAllowed):
        lifecycle.copy_event(swiss.pk, organiser_as(swiss, "director"), name="Next year")


@pytest.mark.django_db(transaction=True)
def test_of_two_scorers_at_once_the_second_changes_nothing(swiss, organiser_as):
    pairing = driving.open_pairings(swiss)[0]
    people = [organiser_as(swiss, "scorer", name) for name in ("Sam", "Sue")]
    outcomes = at_once(
        *[
            partial(results.decide, pairing.pk, driving.lines_of(pairing), by=user, reason="As they said.")
            for user in people
        ]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Act", "NotAllowed"]
    assert Result.objects.filter(pairing=pairing).count() == 1


# Undoing


@pytest.mark.parametrize("kind", sorted(name for name, kind in history.history.kinds.items() if kind.undo_rights))
def test_who_lost_the_right_undoes_nothing_of_their_own(swiss, organiser_as, kind):
    director = organiser_as(swiss, "owner", "Dora")
    changes = [{"model": "tournament", "pk": swiss.pk, "was": {"about": ""}, "is": {"about": swiss.about}}]
    about = {"tournament": swiss, "at": swiss.created_at, "kind": kind, "sentence": "x", "changes": changes}
    act = Act.objects.create(by=director, **about)
    needed = history.history.undo_right(act)
    for role in (role for role, rights in ROLES.items() if needed not in rights):
        Organiser.objects.filter(user=director).update(role=role)
        with pytest.raises(NotAllowed):
            history.undo(act.pk, by=director)
    Organiser.objects.filter(user=director).delete()
    with pytest.raises(NotAllowed):
        history.undo(act.pk, by=director)


def test_a_director_who_became_a_scorer_keeps_no_correction_to_undo(swiss, organiser_as):
    pairing, dora = driving.open_pairings(swiss)[0], organiser_as(swiss, "director")
    driving.decide(pairing, dora)
    changed = driving.decide(pairing, dora, lambda names: [100, 900], reason="Read wrong.")
    Organiser.objects.filter(user=dora).update(role="scorer")
    with pytest.raises(NotAllowed):
        history.undo(changed.pk, by=dora)


def test_to_do_again_what_was_undone_needs_what_the_act_needs(new_event, organiser_as, olga):
    cup = new_event()
    lifecycle.change_settings(cup.pk, olga, changes={"about": "At the quay."})
    undone = history.undo(Act.objects.get(kind="settings").pk, by=olga)
    with pytest.raises(NotAllowed):
        history.undo(undone.pk, by=organiser_as(cup, "director"))


def test_nobody_undoes_or_does_again_what_others_did_without_the_right_to(swiss, organiser_as, scorer):
    pairing, dora = driving.open_pairings(swiss)[0], organiser_as(swiss, "director")
    decision = driving.decide(pairing, scorer)
    undone = history.undo(decision.pk, by=dora)
    for act in (undone, driving.decide(pairing, dora)):
        with pytest.raises(NotAllowed):
            history.undo(act.pk, by=scorer)


def test_who_undid_their_own_result_may_do_it_again_and_nothing_more(swiss, scorer):
    pairing = driving.open_pairings(swiss)[0]
    undone = history.undo(driving.decide(pairing, scorer).pk, by=scorer)
    act = history.undo(undone.pk, by=scorer)
    Organiser.objects.filter(user=scorer).delete()
    with pytest.raises(NotAllowed):
        history.undo(act.pk, by=scorer)


@pytest.fixture
def reported(swiss, member):
    """A match of Ann and Ben, also scorers of the event, with the result that Ann entered."""
    pairing = driving.open_pairings(swiss)[0]
    ann, ben = [member(place.entry, name) for place, name in zip(pairing.places.all(), ("Ann", "Ben"), strict=True)]
    for player in (ann, ben):
        Organiser.objects.create(tournament=swiss, user=player, role="scorer")
    return pairing, ann, ben, results.report(pairing.pk, driving.lines_of(pairing), by=ann)


@pytest.mark.parametrize("way", ["answer", "report"])
def test_a_scorer_who_played_does_not_undo_what_both_sides_agreed_on(reported, way):
    pairing, ann, ben, first = reported
    if way == "answer":
        agreed = results.answer(pairing.results.get().pk, by=ben, agrees=True)
    else:
        agreed = results.report(pairing.pk, driving.lines_of(pairing), by=ben)
    assert Pairing.objects.get(pk=pairing.pk).result is not None
    with pytest.raises(NotAllowed):
        history.undo(agreed.pk, by=ben)
    with pytest.raises(Refused):
        history.undo(first.pk, by=ann)
    assert Pairing.objects.get(pk=pairing.pk).result is not None


def test_who_only_plays_undoes_nothing_by_the_history(reported):
    _, ann, _, first = reported
    Organiser.objects.filter(user=ann).delete()
    with pytest.raises(NotAllowed):
        history.undo(first.pk, by=ann)


# Actions with checks of their own: the invitation email, and the table card


@pytest.fixture
def invited(new_event):
    """A person invited to an entry by email."""
    cup = new_event(entries=2, kind="team")
    member = {"name": "Guest", "email": "guest@example.org", "answer": "invited", "role": "reserve", "position": 2}
    return Member.objects.create(tournament=cup, entry=cup.entries.first(), **member)


@pytest.mark.parametrize("answer", [partners.accept, partners.decline])
@pytest.mark.parametrize("before", ["invited", "declined"])
def test_an_invitation_is_answered_by_who_was_asked_or_holds_its_letter(invited, person, olga, answer, before):
    Member.objects.filter(pk=invited.pk).update(answer=before)
    nobody = [None] if answer is partners.decline else []
    for by in (person("Stranger"), olga, *nobody):
        for token in ("", "x" * 32):
            with pytest.raises(NotAllowed):
                answer(invited.pk, by, token=token)
    assert not Act.objects.filter(kind="members").exists()
    if before == "invited":
        assert answer(invited.pk, person("Holder"), token=invited.token).kind == "members"


def test_a_letter_is_declined_by_its_token_without_an_account(invited):
    assert partners.decline(invited.pk, None, token=invited.token).by is None


def test_a_result_is_entered_and_answered_by_who_plays_or_holds_the_card(swiss, person, olga):
    pairing = driving.open_pairings(swiss)[0]
    first, second = [place.entry_id for place in pairing.places.all()]
    lines = driving.lines_of(pairing)
    for by in (person("Stranger"), olga, None):
        for entry in (None, first):
            with pytest.raises(NotAllowed):
                results.report(pairing.pk, lines, by=by, by_entry=entry)
    with pytest.raises(Refused):
        results.report(pairing.pk, lines, by=None, origin="card")
    results.report(pairing.pk, lines, by=None, by_entry=first, origin="card")
    entered = pairing.results.get()
    for by in (person("Another"), olga, None):
        for entry in (None, second):
            with pytest.raises(NotAllowed):
                results.answer(entered.pk, by=by, by_entry=entry, agrees=True)
    assert results.answer(entered.pk, by=None, by_entry=second, origin="card", agrees=True).kind == "answer"
