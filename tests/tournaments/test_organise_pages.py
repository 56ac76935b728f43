"""The organisers’ pages: access, number of queries, and every state of an event."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments import driving
from tournaments.models import Entry, Pairing, Stage, Tournament
from tournaments.plan import standard
from tournaments.services.stages import progress

PAGES = (
    "organise",
    "organise_rounds",
    "organise_entries",
    "organise_check_in",
    "organise_seeds",
    "organise_history",
    "organise_people",
    "organise_settings",
    "organise_stages",
    "organise_add_stage",
    "organise_copy",
)


def pages(event):
    """Every page of an event that has a path of its own."""
    paths = [reverse(f"tournaments:{name}", args=[event.slug]) for name in PAGES]
    paths += [reverse("tournaments:organise_stage", args=[event.slug, stage.number]) for stage in event.stages.all()]
    paths += [reverse("tournaments:organise_admit", args=[event.slug, stage.number]) for stage in event.stages.all()]
    for entry in event.entries.all()[:1]:
        paths.append(reverse("tournaments:organise_entry", args=[event.slug, entry.number]))
    for match in Pairing.objects.filter(round__stage__tournament=event).select_related("round__stage")[:1]:
        path = reverse("tournaments:organise_round", args=[event.slug, match.round.stage.number, match.round.number])
        paths += [path, f"{path}?open={match.pk}", f"{paths[0]}?open={match.pk}"]
    return paths


PLANS = {
    "swiss": (7, [standard("swiss", rounds=3, waits_for_go=True)]),
    "groups": (8, [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]),
    "double": (6, [standard("double_elimination")]),
    "pods": (12, [standard("pod_knockout", seats=4, advance=2, waits_for_go=True)]),
    "pods_swiss": (9, [standard("swiss_pods", seats=3, rounds=2)]),
    "ladder": (5, [standard("ladder")]),
    "arena": (5, [standard("arena")]),
    "partners": (8, [standard("rotating_partners", rounds=3)]),
    "by_hand": (6, [standard("swiss", rounds=1), standard("single_elimination", take=4, by_hand=True)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_every_page_stands_from_draft_to_end(make, olga, desk_of, name):
    count, plans = PLANS[name]
    event = make(count, *plans)
    desk = desk_of(olga)
    for path in pages(event):
        desk.get(path)
    Stage.objects.filter(tournament=event).update(go_round=9)
    progress.advance(event.pk)
    driving.play_out(event, olga)
    event.refresh_from_db()
    for path in pages(event):
        desk.get(path)
    for status in ("draft", "open", "closed", "cancelled"):
        Tournament.objects.filter(pk=event.pk).update(status=status)
        for path in pages(event):
            desk.get(path)


@pytest.mark.parametrize("role", ["owner", "director", "scorer"])
def test_every_role_sees_every_page_but_those_of_what_only_owners_do(make, desk_of, organiser_as, role):
    event = make(4, standard("swiss", rounds=2))
    desk = desk_of(organiser_as(event, role))
    for_owners = {reverse(f"tournaments:organise_{name}", args=[event.slug]) for name in ("cancel", "copy")}
    for path in {*pages(event), *for_owners}:
        desk.get(path, 403 if path in for_owners and role != "owner" else 200)


def test_strangers_see_none_of_it_and_of_a_draft_not_even_that_it_is_there(make, desk_of, person):
    event = make(4, standard("swiss", rounds=2))
    for desk in (desk_of(person("Eve")), desk_of()):
        for path in pages(event):
            desk.get(path, 403)
    Tournament.objects.filter(pk=event.pk).update(status="draft")
    for path in pages(event):
        desk.get(path, 404)


@pytest.mark.slow
def test_the_number_of_queries_does_not_depend_on_entries(make, olga, desk_of):
    desk = desk_of(olga)

    def count_queries(count):
        event = make(count, standard("swiss", rounds=2))
        driving.decide(driving.open_pairings(event)[0], olga)
        counts = []
        for path in pages(event):
            desk.get(path)
            with CaptureQueriesContext(connection) as captured:
                desk.get(path)
            counts.append((path.replace(event.slug, "-").partition("?")[0], len(captured)))
        return counts

    small, big = count_queries(4), count_queries(18)
    assert small == big


def test_an_open_desk_is_told_nothing_while_nothing_is_new(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    desk, path = desk_of(olga), reverse("tournaments:organise", args=[event.slug])
    event.refresh_from_db()
    htmx = {"headers": {"HX-Request": "true"}}
    desk.get(f"{path}?shown={event.version}", 204, **htmx)
    driving.decide(driving.open_pairings(event)[0], olga)
    assert "finished" in desk.get(f"{path}?shown={event.version}", **htmx)


@pytest.mark.parametrize("value", ["x", "-1", "9" * 30, "٣", "0"])
def test_nonsense_in_the_address_opens_nothing(make, olga, desk_of, value):
    event = make(4, standard("swiss", rounds=2))
    desk = desk_of(olga)
    for path in pages(event):
        desk.get(f"{path.partition('?')[0]}?open={value}&page={value}&kind={value}&by={value}&q={value}&shown={value}")


def test_what_is_not_there_is_not_found(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    desk, base = desk_of(olga), reverse("tournaments:organise", args=[event.slug])
    for path in ("entries/99/", "9/rounds/1/", "1/rounds/9/", "stages/9/", "stages/9/admit/"):
        desk.get(f"{base}{path}", 404)


def test_names_are_text(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    Tournament.objects.filter(pk=event.pk).update(name='<b>"x"</b>')
    Entry.objects.filter(tournament=event).update(name="<script>zz</script>")
    for path in pages(event):
        markup = desk_of(olga).get(path)
        assert "<script>zz" not in markup
        assert '<b>"x"' not in markup
