"""Two web servers and two live servers share a database and a cache: each sees the actions of the others."""

import pytest

from tests.config.deployed import Browser, event
from tests.config.test_deployed import Machine

PREPARE = """
from accounts.services import tokens
from tests.makers import make_club, make_person, make_table
ann = make_person("Ann", password="a quiet evening")
table = make_table([ann, make_person("Ben")], seats=2, team_size=1)
make_club("Harbour", owner=ann)
token, text = tokens.create(ann, name="t", scopes=["read", "play"], days=None)
print(json.dumps({"slug": table.slug, "token": text, "token_key": token.token_key}))
"""

NEWS = """
from accounts.models import User
from clubs.models import Club
from clubs.services.publications import news
news.write(Club.objects.get().pk, User.objects.get(username="ann"), title=sys.argv[1], body="We play.")
"""

SIGN_IN = {"login": "ann@example.org", "password": "a quiet evening"}


@pytest.fixture
def machines(site, broker, tmp_path, collected):
    running = [Machine(site, broker, tmp_path / f"machine{number}", collected) for number in (1, 2)]
    for machine in running:
        machine.environment["WEB_CONCURRENCY"] = "1"
    return running


def test_what_happens_in_one_process_is_seen_by_all(site, machines):
    prepared = site.run(PREPARE)
    table, ports = f"/tables/{prepared['slug']}/", []
    for machine in machines:
        machine.start("web")
        machine.start("live")
        ports.append(machine.port("web"))
    here, there = ports
    ann = Browser()
    ann.ask(here, "/accounts/login/")
    assert ann.ask(there, "/accounts/login/", SIGN_IN)[0] == 302

    # A page cached for everyone changes at once, although both have shown the old one.
    for port in ports:
        assert "Second thoughts" not in Browser().ask(port, "/clubs/harbour/")[1]
    site.run(NEWS, "Second thoughts")
    for port in ports:
        assert "Second thoughts" in Browser().ask(port, "/clubs/harbour/")[1]

    # Live events of what is done at one are heard at both.
    streams = [ann.begin(each.port("live"), f"/live/?tables={prepared['slug']}").getresponse() for each in machines]
    versions = {event(stream) for stream in streams}
    assert len(versions) == 1
    assert ann.ask(here, table)[0] == 200
    assert ann.ask(there, f"{table}chat/", {"phrase": "hello"})[0] in (200, 302)
    after = {event(stream) for stream in streams}
    assert len(after) == 1
    assert after != versions

    # Attempts are counted together, whichever process they come to.
    stranger = Browser()
    stranger.ask(here, "/accounts/login/")
    answers = [stranger.ask(ports[at % 2], "/accounts/login/", {**SIGN_IN, "password": "wrong"})[0] for at in range(6)]
    assert answers == [200] * 5 + [429]

    # A token that is taken back, and a session that is ended, are of no use anywhere from then on.
    for port in ports:
        assert ann.ask(port, "/you/tokens/")[0] == 200
        assert asked_with(prepared["token"], port, f"/api/v1/tables/{prepared['slug']}/") == 200
    assert ann.ask(here, f"/you/tokens/{prepared['token_key']}/revoke/", {})[0] == 302
    assert [asked_with(prepared["token"], port, f"/api/v1/tables/{prepared['slug']}/") for port in ports] == [401] * 2
    thief = Browser()
    thief.cookies = dict(ann.cookies)
    assert ann.ask(here, "/accounts/logout/", {})[0] == 302
    assert [thief.ask(port, "/you/tokens/")[0] for port in ports] == [302] * 2
    # Nor are its streams, which end in every process.
    assert [event(stream) for stream in streams] == [None] * 2
    assert [machine.data.exists() for machine in machines] == [False, False]


def asked_with(token, port, path):
    """The status of the answer to a program."""
    program = Browser()
    program.more = {"Authorization": f"Bearer {token}"}
    return program.ask(port, path)[0]
