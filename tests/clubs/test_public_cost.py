"""The cost of public pages of clubs: as many queries for much as for little, few where nothing is new, and nothing
stale.

Every address of clubs that a visitor may open is checked, as the URLconf has them: a new page is included
automatically.
"""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Season
from clubs.services import settings
from clubs.services.publications import meetings, news
from gameplay.models import Table
from tests.clubs import leagues as makers
from tests.clubs.pages import Reader
from tests.clubs.towns import pages, town
from tests.makers import make_table
from tests.security.clubs import ANYBODY, DOORS
from tests.tournaments.programs import Program
from tests.tournaments.scoring import totals
from tournaments.models import Act, Pairing
from tournaments.services import history
from tournaments.services.entries import withdrawal
from tournaments.services.matches import point_adjustments, results
from tournaments.services.stages import progress

pytestmark = pytest.mark.django_db

WARM = 11
"""Queries of a page of which nothing is new, at most: its owner, and its sources."""


BY_LINK = {
    "coming",
    "coming_calendar",
    "coming_line_up",
    "coming_group",
    "coming_group_calendar",
    "stop_questions",
    "meeting_guest",
}
"""What a secret link opens."""


@pytest.fixture(autouse=True)
def september():
    with time_machine.travel(makers.NOW, tick=False) as clock:
        cache.clear()
        yield clock


@pytest.fixture
def owner(person):
    return person("Nora")


@pytest.fixture
def visitor():
    return Client()


def cost(visitor, path):
    """Queries of a page that nobody has opened before, and of one that someone has."""
    counts = []
    cache.clear()
    for _ in ("cold", "warm"):
        with CaptureQueriesContext(connection) as captured:
            assert visitor.get(path).status_code == 200, path
        counts.append(len(captured))
    return tuple(counts)


def public(visitor, made_town):
    """The pages of a club that a visitor may open."""
    return [(name, path) for name, path in pages(made_town) if visitor.get(path).status_code == 200]


@pytest.mark.slow
def test_every_public_address_is_looked_at(owner, visitor):
    names = {name for name, _ in public(visitor, town(owner, "Harbour", 1))}
    # Players choose who reads their pages: tests/clubs/test_player_page.py. The others have tests of their own.
    elsewhere = {"player", *BY_LINK, "all_series", "series", "series_csv"}
    assert names - {"all_series"} == {name for name, door in DOORS.items() if door.get == ANYBODY} - elsewhere


@pytest.mark.slow
def test_much_takes_no_more_queries_than_little(owner, visitor):
    little = town(owner, "Harbour", 1)
    before = [(name, path, cost(visitor, path)) for name, path in public(visitor, little)]
    much = town(owner, "Ferry", 4)
    after = dict.fromkeys(path for _, path in public(visitor, much))
    grown, dear = [], []
    for (name, path, counts), other in zip(before, after, strict=True):
        more = cost(visitor, other)
        if more != counts:
            grown.append((name, path, counts, more))
        if more[1] > WARM:
            dear.append((name, more))
    assert grown == []
    assert dear == []


# New at once


PAIR = ("Pair 1", "Pair 2")
SHOW_A_RESULT = {
    *("club", "embed", "league_feed", "league_calendar", "team_calendar", "player_calendar"),
    *("season", "fixtures", "results", "season_crosstable", "league_embed", "fixture", "team"),
    *("table_csv", "fixtures_csv", "table_json", "table_pdf"),
    *("statistics", "league_statistics", "season_statistics", "head_to_head"),
    *("statistics_csv", "league_statistics_csv", "season_statistics_csv"),
}
"""The public pages that show the result of a match; others may show its consequences."""
SHOW_POINTS = {"season", "league_embed", "table_csv", "table_json", "table_pdf"}
"""Pages that show point adjustments."""


class Match:
    """A match of a league under way, and the organiser who enters its result."""

    def __init__(self, owner):
        self.owner = owner
        self.town = town(owner, "Harbour", 1)
        self.season = Season.objects.get(pk=self.town.rows["season"].pk)
        self.match = makers.match(self.season, *PAIR)
        self.event = self.match.round.stage.tournament
        self.path = f"/events/{self.event.slug}"

    def decide(self, first=4321, second=1000, **how):
        return makers.decide(self.match, self.owner, dict(zip(PAIR, (first, second), strict=True)), **how)

    def entry(self, name="Pair 1"):
        return makers.entry(self.season, name)

    def by_page(self):
        page = reverse("tournaments:organise_round", args=[self.event.slug, 1, self.match.round.number])
        answer = Reader(self.owner).send(f"{page}?open={self.match.pk}", "/result/", score_0="4,321", score_1="1,000")
        assert answer.status_code == 302

    def by_program(self):
        lines = [
            {"entry": place.entry.number, "score": score}
            for place, score in zip(self.match.places.select_related("entry"), (4321, 1000), strict=True)
        ]
        stage = f"events/{self.event.slug}/stages/1"
        Program(self.owner).post(f"{stage}/matches/{self.match.name}/decide/", lines=lines, key="k")

    def by_card(self):
        """Both sides, and the task that works out the consequences."""
        card, client = f"/events/card/{self.match.token}/", Client()
        client.post(f"{card}0/", totals(4321, 1000))
        client.post(f"{card}0/", {"act": "send", "key": "k"})
        result = self.match.results.get()
        client.post(f"{card}1/answer/", {"result": result.pk, "answer": "yes"})
        progress.advance(self.event.pk)

    def put_online(self):
        """The match is played at a table."""
        self.table = make_table([self.owner], options={"length": {"deals": 1}}, begun=False)
        Pairing.objects.filter(pk=self.match.pk).update(is_online=True, table=self.table, status="playing")

    def by_table(self):
        """The table is over, and the task works out the consequences."""
        result = {"totals": [4321, 1000], "winners": [0], "reason": "played"}
        Table.objects.filter(pk=self.table.pk).update(
            status=Table.Status.OVER, result=result, ended_at=makers.NOW, seat_to_act=None
        )
        assert results.record_table_result(self.table.pk)
        progress.advance(self.event.pk)

    def walk_over(self):
        results.walkover(self.match.pk, [self.entry("Pair 2").pk], by=self.owner, reason="Ill")

    def leave(self):
        withdrawal.withdraw(self.entry().pk, self.owner, at_once=True)

    def take_points(self):
        stage = self.match.round.stage_id
        point_adjustments.adjust(stage, self.owner, entry_id=self.entry().pk, points="-1/2", reason="Late")

    def correct(self):
        self.decide(1000, 4321, reason="Misread")

    def take_back(self):
        results.remove_result(self.match.pk, by=self.owner, reason="Not theirs")

    def rename(self):
        settings.change(self.town.club.pk, self.owner, fields={"name": "Lighthouse"})

    def write_news(self):
        news.write(self.town.club.pk, self.owner, title="Late news", body="Hello.")

    def set_date(self):
        meetings.add(self.town.club.pk, self.owner, title="Late night", starts_at=makers.NOW + timedelta(hours=5))

    def undo(self):
        history.undo(Act.objects.filter(tournament=self.event).order_by("pk").last().pk, by=self.owner)


def skip(ground):
    """Prepare nothing."""


ACTS = {
    "entered": (skip, Match.decide, SHOW_A_RESULT),
    "entered on a page": (skip, Match.by_page, SHOW_A_RESULT),
    "entered by a program": (skip, Match.by_program, SHOW_A_RESULT),
    "entered on a score sheet": (skip, Match.by_card, SHOW_A_RESULT),
    "a walkover": (skip, Match.walk_over, SHOW_A_RESULT),
    "a team leaves": (skip, Match.leave, SHOW_A_RESULT),
    "points taken": (skip, Match.take_points, SHOW_POINTS),
    "played at a table": (Match.put_online, Match.by_table, SHOW_A_RESULT),
    "corrected": (Match.decide, Match.correct, SHOW_A_RESULT),
    "taken back": (Match.decide, Match.take_back, SHOW_A_RESULT),
    "undone": (Match.decide, Match.undo, SHOW_A_RESULT),
    "the name of the club": (skip, Match.rename, {"club", "season", "rules", "news", "team", "league_calendar"}),
    "news": (skip, Match.write_news, {"club", "all_news", "news_feed"}),
    "a date": (skip, Match.set_date, {"club", "dates", "calendar"}),
}
"""Acts: the preparation, the act, and some of the pages that must change after it."""


class PageCopies:
    """Each page as a browser has it that has opened all of them, by (name, path)."""

    def __init__(self, visitor, pages):
        cache.clear()
        answers = {page: visitor.get(page[1]) for page in pages}
        self.content = {page: plain(answer) for page, answer in answers.items()}
        self.tags = {page: answer.headers.get("ETag") for page, answer in answers.items()}

    def ask(self, visitor, page):
        """Ask for a page as a browser that has it does: whether it was sent again, its content, and its new tag."""
        answer = visitor.get(page[1], headers={"if-none-match": self.tags[page] or '"none"'})
        if answer.status_code == 304:
            return False, self.content[page], self.tags[page]
        assert answer.status_code == 200, page
        return True, plain(answer), answer.headers.get("ETag")


def plain(answer):
    """The content of an answer, without the tokens of its forms, which are written otherwise each time."""
    return re.sub(rb'name="(csrfmiddlewaretoken|key)" value="[^"]*"', b"", answer.content)


@pytest.mark.slow
def test_whatever_an_act_changes_is_new_at_once(
    owner, visitor, september, subtests, django_capture_on_commit_callbacks
):
    """A page never differs from a fresh one, and a browser that has it gets it again if it changed."""
    ground = Match(owner)
    september.shift(60)  # so that what happens is the last that did
    pages = list(dict.fromkeys(public(visitor, ground.town)))
    as_it_was = PageCopies(visitor, pages)
    showing = set(pages)
    for name, (before, act, shown_on) in ACTS.items():
        looked_at = [page for page in pages if page in showing or page[0] in shown_on]
        with subtests.test(name), transaction.atomic():
            before(ground)
            had = as_it_was if before is skip else PageCopies(visitor, looked_at)
            with django_capture_on_commit_callbacks(execute=True):
                act(ground)
            now = {page: had.ask(visitor, page) for page in looked_at}
            cache.clear()
            afresh = {page: plain(visitor.get(page[1])) for page in looked_at}
            transaction.set_rollback(True)
            assert [page for page in looked_at if now[page][1] != afresh[page]] == []
            changed = {page for page in looked_at if had.content[page] != afresh[page]}
            assert shown_on - {name for name, _ in changed} == set()
            assert {page for page in changed if now[page][2] and now[page][2] == had.tags[page]} == set()
            if name == "entered":  # every page was looked at: where results show, the other acts are looked for
                showing = changed
                assert {name for name, _ in changed} & NEVER == set()
        cache.clear()


NEVER = {"roles", "shared_rules_file"}
"""Pages on which no result is shown."""


@pytest.mark.slow
def test_a_visitor_who_has_a_page_does_not_get_it_again(owner, visitor):
    pages = list(dict.fromkeys(public(visitor, town(owner, "Harbour", 1))))
    had = PageCopies(visitor, pages)
    resent = {name for page in pages for name in page[:1] if had.ask(visitor, page)[0]}
    assert resent == UNKEPT


UNKEPT = {"join_by_link", "invitation", "claim", "stop_letters", "come"}
"""Pages that browsers do not keep: targets of links, and a form with a key of its own each time."""


def test_a_form_is_sent_again_to_a_browser_that_lost_its_token(owner, visitor):
    made_town = town(owner, "Harbour", 1)
    page = next(page for page in pages(made_town) if page[0] == "house_rules")
    had = PageCopies(visitor, [page])
    assert not had.ask(visitor, page)[0]
    visitor.cookies.clear()
    assert had.ask(visitor, page)[0]
