"""The hall screen: whoever has its link sees who plays where, the standings and the clock; the timer runs by acts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments import driving
from tournaments.hall import screen, services
from tournaments.models import Hall, Round, Tournament
from web.errors import Refused

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=30)


@pytest.fixture
def hall(new_event, olga):
    """Makes an event of Olga’s at real tables that has a hall screen."""

    def make(format="swiss", entries=8, **choices):
        event = new_event(format, entries, **{"setting": "face", "started": True} | choices)
        services.open_screen(event.pk, olga)
        return Hall.objects.select_related("tournament").get(tournament=event)

    return make


def kinds(hall, after=timedelta()):
    return [page.kind for page in screen.pages(hall.tournament, hall, timezone.now() + after)]


def test_after_the_draw_only_the_tables_are_shown(hall):
    assert kinds(hall()) == ["tables"]


def test_each_table_has_its_number_between_its_sides(hall):
    shown = hall()
    (page,) = screen.pages(shown.tournament, shown, timezone.now())
    assert [line.number for line in page.tables] == ["1", "2", "3", "4"]
    assert (page.tables[0].left, page.tables[0].right) == ("Player 1", "Player 5")


def test_more_than_twelve_tables_are_listed_by_name(hall):
    shown = hall(entries=26)
    first, second = screen.pages(shown.tournament, shown, timezone.now())
    assert (first.kind, len(first.names), len(second.names)) == ("names", 13, 13)
    assert first.foot == "Player 1 to Player 20"


def test_at_tables_of_several_everybody_finds_their_own_name(hall):
    assert kinds(hall("swiss_pods", 12)) == ["names"]


def test_while_a_round_is_played_standings_turn_with_the_tables(hall, olga):
    shown = hall()
    driving.decide(driving.open_pairings(shown.tournament)[0], olga)
    assert kinds(shown, LATER) == ["standings", "tables"]


def test_standings_tell_who_moved_since_the_round_before(hall, olga):
    shown = hall()
    driving.play_round(shown.tournament, olga)
    driving.play_round(shown.tournament, olga, driving.by_lot)
    page = next(page for page in screen.pages(shown.tournament, shown, timezone.now() + LATER) if page.places)
    assert page.since == "since round 1"
    assert page.places[0].moved_words == "="
    assert page.places[-1].moved_words.startswith("▼")


def test_more_than_nine_places_take_several_pages(hall, olga):
    shown = hall(entries=20)
    driving.decide(driving.open_pairings(shown.tournament)[0], olga)
    pages = [page for page in screen.pages(shown.tournament, shown, timezone.now() + LATER) if page.places]
    assert [len(page.places) for page in pages] == [7, 7, 6]
    assert pages[1].foot == "Places 8 to 14 of 20."


def test_the_timer_leads_and_says_what_it_counts(hall, olga):
    shown = hall()
    services.start_timer(shown.tournament_id, olga, minutes=90)
    shown.refresh_from_db()
    page = screen.pages(shown.tournament, shown, shown.ends_at - timedelta(minutes=7, seconds=30))[0]
    assert (page.kind, page.clock.label, page.clock.minutes) == ("clock", "Time left in round 1", 8)


def test_a_paused_timer_stands_still(hall, olga):
    shown = hall()
    begun = timezone.now()
    services.start_timer(shown.tournament_id, olga, minutes=10, now=begun)
    services.pause_timer(shown.tournament_id, olga, now=begun + timedelta(minutes=4))
    shown.refresh_from_db()
    assert (shown.ends_at, shown.seconds_left) == (None, 360)
    clock = screen.pages(shown.tournament, shown, begun + LATER)[0].clock
    assert (clock.minutes, clock.is_paused) == (6, True)


def test_a_resumed_timer_has_as_much_left_as_when_it_was_paused(hall, olga):
    shown = hall()
    begun = timezone.now()
    services.start_timer(shown.tournament_id, olga, minutes=10, now=begun)
    services.pause_timer(shown.tournament_id, olga, now=begun + timedelta(minutes=4))
    services.resume_timer(shown.tournament_id, olga, now=begun + LATER)
    shown.refresh_from_db()
    assert (shown.ends_at, shown.seconds_left) == (begun + LATER + timedelta(minutes=6), None)


@pytest.mark.parametrize("act", [services.pause_timer, services.resume_timer, services.stop_timer])
def test_without_a_timer_there_is_nothing_to_pause_resume_or_stop(hall, olga, act):
    with pytest.raises(Refused, match="No timer is"):
        act(hall().tournament_id, olga)


@pytest.mark.parametrize("minutes", [0, -5, 601])
def test_a_timer_of_no_time_or_of_days_is_refused(hall, olga, minutes):
    with pytest.raises(Refused, match="Enter 1 to 600 minutes"):
        services.start_timer(hall().tournament_id, olga, minutes=minutes)


def test_tables_without_a_result_are_named_beside_the_clock(hall, olga):
    shown = hall()
    driving.decide(driving.open_pairings(shown.tournament)[0], olga)
    services.start_timer(shown.tournament_id, olga, minutes=10)
    shown.refresh_from_db()
    page = screen.pages(shown.tournament, shown, timezone.now() + LATER)[0]
    assert (page.playing, page.foot) == (("2", "3", "4"), "1 of 4 tables finished.")


def test_without_a_timer_the_deadline_of_the_round_counts(hall):
    shown = hall()
    now = timezone.now()
    Round.objects.update(deadline_at=now + timedelta(hours=1))
    page = screen.pages(shown.tournament, shown, now + LATER)[0]
    assert page.clock.minutes == 30


def test_before_the_first_round_the_screen_counts_down_to_it(hall):
    now = timezone.now()
    shown = hall(started=False, starts_at=now + LATER)
    (page,) = screen.pages(shown.tournament, shown, now)
    assert (page.clock.label, page.clock.minutes) == ("Play starts in", 30)


def test_after_the_last_round_the_screen_tells_who_won(hall, olga):
    shown = hall("single_elimination", 4)
    driving.play_out(shown.tournament, olga)
    shown.refresh_from_db()
    (page,) = screen.pages(shown.tournament, shown, timezone.now() + LATER)
    assert (page.kind, page.winners) == ("winners", "Player 1")


# By its link


def test_anyone_with_the_link_sees_the_screen_even_of_a_club_event(hall, client):
    shown = hall(visibility="circle", circle="club:1")
    page = client.get(f"/events/screen/{shown.token}/")
    assert page.status_code == 200
    assert "Player 1" in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex"


def test_a_screen_names_no_address_that_its_watchers_cannot_open(hall, client):
    shown = hall(visibility="circle", circle="club:1")
    assert shown.tournament.get_absolute_url() not in client.get(f"/events/screen/{shown.token}/").content.decode()


def test_pages_follow_one_another_and_begin_again(hall, client, olga):
    shown = hall(entries=26)
    url = f"/events/screen/{shown.token}/"
    assert f'data-next="{url}?page=2"' in client.get(url).content.decode()
    assert f'data-next="{url}?page=1"' in client.get(f"{url}?page=2").content.decode()


def test_a_new_link_ends_the_old_one(hall, client, olga):
    shown = hall()
    services.open_screen(shown.tournament_id, olga)
    assert client.get(f"/events/screen/{shown.token}/").status_code == 404
    assert Hall.objects.filter(tournament=shown.tournament).count() == 1


def test_a_closed_screen_is_gone(hall, client, olga):
    shown = hall()
    services.close_screen(shown.tournament_id, olga)
    assert client.get(f"/events/screen/{shown.token}/").status_code == 404


def test_an_unpublished_event_shows_nothing(hall, client):
    shown = hall(started=False)
    Tournament.objects.update(status="draft")
    assert client.get(f"/events/screen/{shown.token}/").status_code == 404


def test_the_note_of_the_organisers_is_at_the_foot(hall, client, olga):
    shown = hall()
    services.write_note(shown.tournament_id, olga, text="  Tea is   served. ")
    assert "Tea is served." in client.get(f"/events/screen/{shown.token}/").content.decode()


# At the organisers’ page


def test_an_organiser_opens_the_screen_and_runs_the_timer_by_forms(new_event, olga, client):
    event = new_event("swiss", 8, started=True, setting="face")
    client.force_login(olga)
    url = f"/events/{event.slug}/organise/hall/"
    client.post(f"{url}open/", {"key": "a"})
    token = Hall.objects.get(tournament=event).token
    assert f"/events/screen/{token}/" in client.get(url).content.decode()
    client.post(f"{url}start/", {"key": "b", "minutes": "45", "purpose": "round"})
    assert "45 min left" in client.get(url).content.decode()


def test_a_form_sent_twice_starts_one_timer(new_event, olga, client):
    event = new_event("swiss", 8, started=True, setting="face")
    services.open_screen(event.pk, olga)
    client.force_login(olga)
    for _ in range(2):
        client.post(f"/events/{event.slug}/organise/hall/start/", {"key": "b", "minutes": "45", "purpose": "round"})
    assert event.acts.filter(kind="timer").count() == 1


def test_refused_minutes_are_kept_beside_the_sentence(new_event, olga, client):
    event = new_event("swiss", 8, started=True, setting="face")
    services.open_screen(event.pk, olga)
    client.force_login(olga)
    page = client.post(f"/events/{event.slug}/organise/hall/start/", {"key": "b", "minutes": "1000"})
    assert page.status_code == 422
    assert "Enter 1 to 600 minutes." in page.content.decode()
    assert 'value="1000"' in page.content.decode()
