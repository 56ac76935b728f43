"""The organisers’ page of fair-play patterns: findings, access, and notes."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import privacy
from gameplay.fair_play import services as page_views
from gameplay.models import Look, Table
from tests.tournaments.reading import pairings
from tournaments.fair_play import event_patterns, services
from tournaments.models import Act, Organiser, RatedGame, Rating, RatingStep, Remark, Tournament
from tournaments.services import history

pytest_plugins = ["tests.tournaments.online"]
pytestmark = pytest.mark.django_db


def at(event):
    return reverse("tournaments:organise_fair_play", args=[event.slug])


def share(table, *numbers, device="A" * 22):
    """The players of these seats look on one device."""
    users = [table.seats.get(number=number).user for number in numbers]
    for user in users:
        page_views.note(table.slug, user, device)
    return users


@pytest.fixture
def cup(online):
    """An event with tables online, two of whose players use one device at the first."""
    event = online()
    event.shared = share(pairings(event)[0].table, 0, 2)
    event.refresh_from_db()
    return event


def settle(event, by, verdict="nothing", **more):
    (finding,) = event_patterns.of_event(event)
    return services.remark(event.pk, by, finding=finding.key, verdict=verdict, **more)


# Finding


def test_what_is_found_in_an_event_is_of_its_own_tables(cup, online, new_event):
    (finding,) = event_patterns.of_event(cup)
    assert (finding.kind, {finding.one, finding.other}) == ("device", {user.pk for user in cup.shared})
    assert [table.url for table in finding.tables] == [pairings(cup)[0].table.get_absolute_url()]
    assert event_patterns.of_event(new_event()) == []


@pytest.fixture
def games(cup, players):
    """Makes rated games of an event: sides of places among ten people, the first side winning so many of them."""

    def make(sides, count, won, *, mu=25.0, event=cup):
        people = players(10)
        played = []
        for number in range(count):
            game = RatedGame.objects.create(
                kind="match",
                source=1000 + RatedGame.objects.count(),
                tournament=event,
                pool="standard",
                ended_at=timezone.now() - timedelta(hours=number),
                sides=[[people[at].pk for at in side] for side in sides],
                side_size=len(sides[0]),
                ranks=[1, 2] if number < won else [2, 1],
            )
            for at in sides[0]:
                rating, _ = Rating.objects.get_or_create(user=people[at], partner=None, pool="standard")
                step = {"number": RatingStep.objects.filter(rating=rating).count() + 1, "mu": mu, "sigma": 1.0}
                RatingStep.objects.create(rating=rating, game=game, mu_before=mu, sigma_before=1.0, **step)
            played.append(game)
        return people, played

    return make


def partners():
    return event_patterns.of_partners(RatedGame.objects.all())


def test_partners_who_never_play_apart_and_always_win_are_told(games):
    people, _ = games(((0, 1), (2, 3)), 10, 10)
    (finding,) = partners()
    first, second = people[:2]
    assert (finding.kind, finding.one, finding.other) == ("partners", first.pk, second.pk)
    assert (finding.cases, finding.out_of) == (10, 10)
    assert finding.sentence == (
        "Player 1 and Player 2 were partners in 10 of the 10 matches that either played with a partner. They won 10. "
        "Their ratings predicted 5.0."
    )


@pytest.mark.parametrize(
    ("count", "won", "mu"),
    [
        (7, 7, 25.0),  # few games
        (10, 6, 25.0),  # luck
        (10, 10, 60.0),  # as their ratings say
    ],
)
def test_others_are_not(games, count, won, mu):
    games(((0, 1), (2, 3)), count, won, mu=mu)
    assert partners() == []


def test_who_plays_with_others_as_well_is_not(games):
    games(((0, 1), (2, 3)), 10, 10)
    games(((0, 4), (2, 3)), 2, 2)
    assert partners() == []


def test_now_and_then_another_partner_changes_nothing(games):
    games(((0, 1), (2, 3)), 10, 10)
    games(((0, 4), (2, 3)), 1, 1)
    (finding,) = partners()
    assert (finding.cases, finding.out_of) == (10, 11)


def test_games_of_people_alone_have_no_partners(games):
    games(((0,), (1,)), 12, 12)
    assert partners() == []


def test_where_partners_enter_together_they_are_meant_to(cup, games):
    games(((0, 1), (2, 3)), 10, 10)
    assert cup.entry_kind == "partnership"
    assert [finding.kind for finding in event_patterns.of_event(cup)] == ["device"]
    cup.entry_kind = "person"
    assert {finding.kind for finding in event_patterns.of_event(cup)} == {"device", "partners"}


def test_the_questions_do_not_grow(cup, games):
    def count_queries():
        with CaptureQueriesContext(connection) as queries:
            event_patterns.of_event(cup)
        return len(queries)

    cup.entry_kind = "person"
    games(((0, 1), (2, 3)), 10, 10)
    few = count_queries()
    games(((4, 5), (6, 7)), 12, 12)
    share(pairings(cup)[1].table, 0, 1, 2)
    assert count_queries() == few


# Who sees it


def test_owners_and_directors_see_it_scorers_players_and_strangers_do_not(cup, desk_of, organiser_as, olga, person):
    player = cup.shared[0]
    for user in (olga, organiser_as(cup, "director")):
        assert "on the same device" in desk_of(user).get(at(cup))
    for user in (organiser_as(cup, "scorer"), player, person("Eve"), None):
        markup = desk_of(*([user] if user else [])).get(at(cup), 403)
        assert "same device" not in markup
    Tournament.objects.filter(pk=cup.pk).update(status="draft")
    desk_of(person("Zed")).get(at(cup), 404)


def test_only_who_may_see_it_is_led_there(cup, desk_of, organiser_as, olga):
    people = reverse("tournaments:organise_people", args=[cup.slug])
    assert at(cup) in desk_of(olga).get(people)
    assert at(cup) not in desk_of(organiser_as(cup, "scorer")).get(people)


def test_no_page_of_players_tells_of_it(cup, olga, client):
    settle(cup, olga, "watch", note="Ask them about it.")
    player = cup.shared[0]
    client.force_login(player)
    table = pairings(cup)[0].table
    paths = [
        cup.get_absolute_url(),
        table.get_absolute_url(),
        *(reverse(f"tournaments:{name}", args=[cup.slug]) for name in ("entries", "event_results", "own_entry")),
        f"/api/v1/events/{cup.slug}/history/",
        reverse("accounts:export"),
    ]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert not [word for word in ("Fair play:", "Ask them", "same device", "watched") if word in answer.text], path


def test_who_organises_and_plays_does_not_see_their_own_case(cup, desk_of, refuses):
    player = cup.shared[0]
    Organiser.objects.create(tournament=cup, user=player, role="owner")
    markup = desk_of(player).get(at(cup))
    assert "No unusual patterns" in markup
    with refuses("no_such_finding"):
        settle(cup, player)
    assert not Remark.objects.exists()


def test_the_page_shows_no_mark_of_a_device_and_no_words_of_guilt(cup, desk_of, olga):
    markup = desk_of(olga).get(at(cup)).lower()
    assert not [mark for mark in Look.objects.values_list("mark", flat=True) if mark in markup]
    assert not [word for word in ("cheat", "guilty", "fraud", "suspect", "collu") if word in markup]
    assert "looks just the same" in markup, "an innocent reason"


# Saying what is in it


def test_what_was_said_is_kept_with_who_and_when(cup, desk_of, olga):
    desk = desk_of(olga)
    desk.send(at(cup), at(cup), verdict="watch", note="  They share   a tablet? ")
    (remark,) = Remark.objects.all()
    assert (remark.verdict, remark.note, remark.cases, remark.by) == ("watch", "They share a tablet?", 1, olga)
    markup = desk.get(at(cup))
    assert "Keep watching: <bdi>They share a tablet?</bdi>" in markup
    assert "To review" in markup.split("on the same device")[0]
    act = Act.objects.filter(tournament=cup, kind="fair_play").get()
    assert (act.by, act.sentence) == (olga, "Fair play: a finding was checked. It will be watched.")


def test_what_has_nothing_in_it_goes_below_until_there_is_more(cup, desk_of, olga):
    settle(cup, olga)
    (finding,) = event_patterns.list_findings(cup, reader=olga.pk)
    assert finding.is_settled
    assert "Checked: no concern" in desk_of(olga).get(at(cup))
    second = pairings(cup)[1].table
    for user, number in zip(cup.shared, (0, 1), strict=True):
        second.seats.filter(user=user).update(user=None)
        second.seats.filter(number=number).update(user=user)
        page_views.note(second.slug, user, "A" * 22)
    (finding,) = event_patterns.list_findings(cup, reader=olga.pk)
    assert (finding.is_settled, finding.since) == (False, 1)


def test_the_history_names_nobody_and_shows_no_note(cup, desk_of, olga, organiser_as):
    settle(cup, olga, note="Secret words")
    markup = desk_of(organiser_as(cup, "scorer")).get(reverse("tournaments:organise_history", args=[cup.slug]))
    assert "Fair play: a finding was checked. There is no concern." in markup
    assert not [word for word in ("Secret", *map(str, cup.shared)) if word in markup.split("Fair play:")[1][:600]]


def test_what_was_said_can_be_taken_back(cup, olga):
    act = settle(cup, olga)
    history.undo(act.pk, by=olga)
    assert not Remark.objects.exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"finding": "device-0-0"}, "This finding no longer exists"),
        ({"finding": ""}, "This finding no longer exists"),
        ({"finding": "x" * 5000}, "This finding no longer exists"),
        ({"verdict": "guilty"}, "Choose “Checked: no concern”"),
        ({"note": "x" * 501}, "500 characters"),
    ],
)
def test_what_is_no_remark_is_refused_with_a_sentence(cup, desk_of, olga, typed, words):
    desk = desk_of(olga)
    answer = desk.send(at(cup), at(cup), **{"verdict": "nothing", **typed})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Remark.objects.exists()


def test_the_same_form_sent_twice_is_one_remark(cup, desk_of, olga):
    desk = desk_of(olga)
    form = desk.form(at(cup), at(cup))
    for _ in range(2):
        desk.post(form, verdict="nothing")
    assert Remark.objects.count() == 1


def test_a_scorer_who_sends_it_all_the_same_is_refused(cup, desk_of, olga, organiser_as):
    form = desk_of(olga).form(at(cup), at(cup))
    desk = desk_of(organiser_as(cup, "scorer"))
    desk.get(reverse("tournaments:organise", args=[cup.slug]))
    assert desk.client.post(at(cup), {**form["fields"], "verdict": "nothing"}).status_code == 403
    assert not Remark.objects.exists()


# By program


def test_programs_see_and_say_the_same(cup, olga, program):
    bot = program(olga)
    (finding,) = bot.get(f"events/{cup.slug}/fair-play/")["findings"]
    assert [finding[key] for key in ("kind", "cases", "out_of", "is_settled", "remarks")] == ["device", 1, 1, False, []]
    assert "on the same device" in finding["sentence"]
    bot.post(f"events/{cup.slug}/fair-play/remark/", finding=finding["key"], verdict="nothing", note="A family.")
    (finding,) = bot.get(f"events/{cup.slug}/fair-play/")["findings"]
    assert finding["is_settled"]
    (note,) = finding["remarks"]
    assert (note["verdict"], note["note"], note["by"]) == ("nothing", "A family.", "Olga")
    bot.post(f"events/{cup.slug}/fair-play/remark/", 400, finding=finding["key"], verdict="guilty")
    bot.post(f"events/{cup.slug}/fair-play/remark/", 422, finding="x", verdict="watch")


# Leaving


def test_what_was_said_of_somebody_goes_with_their_account(cup, olga, gone):
    settle(cup, olga, note=f"{cup.shared[0]} lent the phone")
    gone(cup.shared[0])
    assert not Remark.objects.exists()
    assert str(cup.shared[0]) not in str(list(Act.objects.filter(kind="fair_play").values_list("changes", "sentence")))
    assert event_patterns.of_event(cup) == []


def test_a_note_about_others_forgets_a_name_that_is_in_it(cup, olga, gone):
    outsider = next(seat.user for seat in pairings(cup)[1].table.seats.all() if seat.user not in cup.shared)
    settle(cup, olga, note=f"{outsider} knows them")
    gone(outsider)
    assert Remark.objects.get().note == "former member knows them"


def test_what_organisers_said_is_not_in_what_players_take_away(cup, olga):
    settle(cup, olga, note="Secret words")
    assert "Secret words" not in str(privacy.export(cup.shared[0]))


def test_a_table_of_an_event_is_noted_although_the_event_is_not_rated(online):
    event = online(is_rated=False)
    table = pairings(event)[0].table
    assert not Table.objects.get(pk=table.pk).is_rated
    share(table, 0, 1)
    assert len(event_patterns.of_event(event)) == 1
