"""A name corrected and a person forgotten, in a browser."""

import pytest
from playwright.sync_api import expect

from clubs.models import Membership, Team
from clubs.services.leagues import leagues, teams
from clubs.services.members import membership
from tests.journeys.test_pages import DEVICES, faults, people, too_wide  # noqa: F401  fixtures
from tests.makers import make_club


@pytest.mark.parametrize("device", DEVICES)
def test_a_name_is_corrected_and_forgotten(visit, people, picture, no_barriers, device):  # noqa: F811
    club = make_club("Harbour Hand and Foot", owner=people.ann, slug="harbour")
    membership.add_names(club.pk, people.ann, lines=["Edth Clark", "Bo Lund"])
    edith, bo = Membership.objects.filter(club=club, user=None).order_by("-name")
    league = leagues.make(club.pk, people.ann, name="Monday League")
    team = teams.add(league.pk, people.ann, members=[edith.pk, bo.pk])
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/harbour/people/")
    page.get_by_role("link", name="Edth Clark").click()
    expect(page.get_by_text("A new name is also shown in files and in 1 pair or team")).to_be_visible()
    page.get_by_label("Name in the club").fill("Edith Clark")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The name of Edith Clark was corrected.")).to_be_visible()
    assert Team.objects.get(pk=team.pk).name == "Edith Clark / Bo Lund"
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"name-corrected-{device}")
    page.get_by_role("link", name="Forget this person").click()
    expect(page.get_by_text("This is final. Nobody can undo it.")).to_be_visible()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"name-forget-{device}")
    page.get_by_label("Forget Edith Clark for good").check()
    page.get_by_role("button", name="Forget person").click()
    expect(page.get_by_text("A person was forgotten. Their results stay.")).to_be_visible()
    assert Team.objects.get(pk=team.pk).name == "former member / Bo Lund"
    page.goto("/clubs/harbour/history/")
    expect(page.get_by_text("A person was forgotten. Their results stay.")).to_be_visible()
    expect(page.get_by_text("Clark")).to_have_count(0)
