"""Somebody guesses a password; its owner on a new device gets in by a code all the same."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE
from tests.makers import make_person


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_whose_password_is_guessed_at_signs_in_by_a_code(visit, transactional_db, picture, device):
    ann = make_person("Ann", password="a quiet afternoon")
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    page = visit(device)
    for _ in range(6):
        page.goto("/accounts/login/")
        page.get_by_label("Email").fill(ann.email)
        page.get_by_label("Password", exact=True).fill("wrong")
        page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Too many attempts")).to_be_visible()
    page.problems = [line for line in page.problems if "status of 429" not in line]
    picture(page, f"locked-{device['viewport']['width']}")
    page.get_by_role("button", name="Send me a code by email").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    picture(page, f"code-{device['viewport']['width']}")
    code = re.search(r"^\w[\w-]{4,}$", outbox.outbox[-1].body, re.MULTILINE)[0]
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile(r"/play/$"))
