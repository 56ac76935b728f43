"""A whole season from its draw to the next one, next to a tally that is kept here and knows nothing of the site.

Three divisions of eight pairs, with substitutes, walkovers, an adjustment, a rescheduled match, two withdrawals (one
that counts and one that does not) and a correction in the last week.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
import time_machine

from clubs.league import finals, fixtures, table
from clubs.models import Honour, Membership, Season, Team, TeamMember
from clubs.services.leagues import matchday_edits, proposals
from clubs.services.seasons import next_season, season_close, season_setup
from tests.clubs import leagues as makers
from tournaments.models import Pairing, Place, Tournament
from tournaments.services.entries import withdrawal
from tournaments.services.matches import deadlines, point_adjustments, results
from web.errors import Refused

pytestmark = pytest.mark.django_db

TIEBREAKS = ["direct_encounter", "spread", "points_scored"]
DAYS = 7


# The tally


@dataclass
class Tally:
    """A division on paper: the card points of each match, and the decisions of organisers."""

    pairs: list[str]
    met: dict[tuple[str, str], tuple[int, int] | str] = field(default_factory=dict)
    """Card points of the first and of the second; or the absent pair."""
    deducted: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    void: set[str] = field(default_factory=set)
    """Pairs that left so early that nothing of theirs counts."""

    def counting_results(self):
        return {both: result for both, result in self.met.items() if not self.void & set(both)}

    def line(self, pair):
        """Played, won, drawn, lost, for, against, points."""
        won = drawn = lost = scored = conceded = 0
        for both, result in self.counting_results().items():
            if pair not in both:
                continue
            if isinstance(result, str):
                won, lost = won + (result != pair), lost + (result == pair)
                continue
            score, against = result if pair == both[0] else result[::-1]
            scored, conceded = scored + score, conceded + against
            won, drawn, lost = won + (score > against), drawn + (score == against), lost + (score < against)
        points = 2 * won + drawn + self.deducted[pair]
        return won + drawn + lost, won, drawn, lost, scored, conceded, points

    def order(self):
        """The pairs, the best first; those that count for nothing last."""
        ranked = self._by(self._among(self.pairs), lambda pair: self.line(pair)[6])
        return [pair for group in ranked for pair in self._settle(group)] + [
            pair for pair in self.pairs if pair in self.void
        ]

    def _among(self, pairs):
        return [pair for pair in pairs if pair not in self.void]

    def _by(self, pairs, value):
        groups = defaultdict(list)
        for pair in pairs:
            groups[value(pair)].append(pair)
        return [groups[key] for key in sorted(groups, reverse=True)]

    def _settle(self, level):
        """Order pairs with the same points: by the matches among them, then by difference, then by points scored."""
        parts = self._meetings(level)
        ranked = []
        for part in parts:
            spread = self._by(part, lambda pair: self.line(pair)[4] - self.line(pair)[5])
            ranked += [pair for group in spread for each in self._by(group, lambda p: self.line(p)[4]) for pair in each]
        return ranked

    def _meetings(self, level):
        have_met = sum(set(both) <= set(level) for both in self.counting_results())
        if have_met < len(level) * (len(level) - 1) // 2:
            return [level]
        points = dict.fromkeys(level, 0)
        for both, result in self.counting_results().items():
            if set(both) <= set(level):
                for pair in both:
                    if isinstance(result, str):
                        points[pair] += 2 * (result != pair)
                    else:
                        score, against = result if pair == both[0] else result[::-1]
                        points[pair] += 2 * (score > against) + (score == against)
        groups = self._by(level, points.__getitem__)
        return [level] if len(groups) == 1 else [part for group in groups for part in self._meetings(group)]

    def form(self, pair, order):
        """The last five signs, by the order of matches in the fixtures."""
        letters = []
        for both in order:
            result = self.counting_results().get(both)
            if pair in both and result is not None:
                if isinstance(result, str):
                    letters.append("L" if result == pair else "W")
                else:
                    score, against = result if pair == both[0] else result[::-1]
                    letters.append("W" if score > against else "D" if score == against else "L")
        return letters[-5:]


# The season


class SimulatedSeason:
    """The season on the site, and the tally next to it."""

    def __init__(self, club, owner):
        self.club, self.owner, self.chance = club, owner, random.Random(20260907)
        self.season = makers.make_season(club, owner, (8, 8, 8), plan={"tiebreaks": TIEBREAKS}, up=[1, 2], down=[1, 2])
        self.divisions = list(self.season.divisions.all())
        self.tallies = {
            division.level: Tally(list(division.entries.values_list("team__name", flat=True)))
            for division in self.divisions
        }
        self.spans = {}

    def draw(self):
        self.season = makers.draw(self.season, self.owner)
        self.divisions = list(self.season.divisions.select_related("tournament"))
        self.order = {
            division.level: [
                (match.home.name, match.away.name) for day in fixtures.matchdays(division) for match in day.matches
            ]
            for division in self.divisions
        }

    def level(self, name):
        return (int(name.split()[-1]) - 1) // 8 + 1

    def score(self, home, away):
        """Card points by chance: now and then level."""
        score = self.chance.randrange(1000, 6000, 5)
        return score, score if self.chance.random() < 0.08 else self.chance.randrange(1000, 6000, 5)

    def play(self, number, *, but=()):
        """Play a matchday in every division, but these matches."""
        for division in self.divisions:
            for match in fixtures.matchdays(division)[number - 1].matches:
                both = (match.home.name, match.away.name)
                if not match.is_done and both not in but:
                    self.enter(match.pairing, both, self.score(*both))

    def enter(self, pairing, both, score, **how):
        makers.decide(pairing, self.owner, dict(zip(both, score, strict=True)), **how)
        self.tallies[self.level(both[0])].met[both] = score

    def walkover(self, first, second, absent):
        pairing = makers.match(self.season, first, second)
        results.walkover(pairing.pk, [makers.entry(self.season, absent).pk], by=self.owner)
        self.tallies[self.level(first)].met[self.both(first, second)] = absent

    def both(self, first, second):
        """Two pairs as the fixtures have them, the home side first."""
        pairs = [both for both in self.order[self.level(first)] if set(both) == {first, second}]
        return pairs[0]

    def check(self):
        """The site's tables are those of the tally, and no range of final places is wrong or widens."""
        for standings in table.tables(Season.objects.get(pk=self.season.pk)):
            tally = self.tallies[standings.division.level]
            assert [row.team.name for row in standings.rows] == tally.order()
            for row in standings.rows:
                name = row.team.name
                line = (row.played, row.won, row.drawn, row.lost, row.scored, row.conceded)
                if name in tally.void:
                    assert row.place == "–"
                    continue
                assert line == tally.line(name)[:6]
                assert row.points == str(tally.line(name)[6]).replace("-", "−")
                assert "".join(mark.sign for mark in row.form) == "".join(
                    tally.form(name, self.order[tally_level(name)])
                )
                best, worst = self.spans.get(name, (1, 8))
                if standings.has_begun:
                    assert best <= row.best <= worst
                    assert best <= row.worst <= worst
                    self.spans[name] = (row.best, row.worst)


def tally_level(name):
    return (int(name.split()[-1]) - 1) // 8 + 1


def on(day, hour=12):
    """A day of the season, counted from its first."""
    return makers.NOW + timedelta(days=6 + day, hours=hour - 12)


def travel_to(moment: datetime):
    return time_machine.travel(moment, tick=False)


@pytest.mark.slow
def test_a_season_from_its_draw_to_promotion(club, staff, in_club):
    owner = staff["owner"]
    with travel_to(makers.NOW):
        run = SimulatedSeason(club, owner)
        give_accounts(club, in_club)
        run.draw()
        run.check()
    for number in range(1, DAYS + 1):
        with travel_to(on(7 * (number - 1), 8)):
            deadlines.sweep()
            assert set(Pairing.objects.filter(round__number=number).values_list("round__status", flat=True)) <= {
                "open",
                "closed",
            }
        with travel_to(on(7 * (number - 1) + 2)):
            before_matchday(run, number)
            run.play(number, but=postponed_matches(run, number))
            run.check()
        with travel_to(on(7 * (number - 1) + 5)):
            after_matchday(run, number)
            run.check()
    last_week(run)
    close_and_move_on(run)


def give_accounts(club, in_club):
    """Let a player of Pair 3 and one of Pair 4 sign in."""
    for number in (3, 4):
        makers.sign_in(club, in_club, f"Ann {number}", f"Zoe{number}")


def person(name):
    return Membership.objects.get(name=name).user


def postponed_matches(run, number):
    """Pair 3 and Pair 4 have agreed on another day."""
    both = run.both("Pair 3", "Pair 4")
    is_now = makers.match(run.season, *both).round.number == number
    return [both] if is_now else []


def before_matchday(run, number):
    meeting = makers.match(run.season, "Pair 3", "Pair 4")
    if meeting.round.number == number:
        rearrange(run, meeting)
    if number == 2:
        substitute(run)
    if number == 3:
        match = fixtures.matchdays(run.divisions[0])[2].matches[0]
        run.walkover(match.home.name, match.away.name, match.away.name)
    if number == 5:
        match = fixtures.matchdays(run.divisions[2])[4].matches[-1]
        if not match.is_done:
            run.walkover(match.home.name, match.away.name, match.home.name)


def rearrange(run, meeting):
    """One side proposes, the other proposes another time, and that is agreed."""
    home, away = person("Ann 3"), person("Ann 4")
    first, second = (makers.team(run.season, name) for name in ("Pair 3", "Pair 4"))
    proposal = proposals.propose(meeting.pk, home, team_id=first.pk, starts_at=on(43), words="We are away.")
    with pytest.raises(Refused, match="Answer that first"):
        proposals.propose(meeting.pk, away, team_id=second.pk, starts_at=on(44))
    proposal = proposals.counter(proposal.pk, away, starts_at=on(45), venue="The Anchor")
    proposals.accept(proposal.pk, home)
    fixture = fixtures.match(meeting.pk)
    assert (fixture.starts_at, fixture.venue, fixture.is_rearranged) == (on(45), "The Anchor", True)
    assert fixture.deadline_at == on(45) + timedelta(days=1)
    assert not fixture.is_done


def substitute(run):
    """A member of the club without a pair plays one match for Pair 10."""
    [sub] = makers.names(run.club, "Sue Stand-in")
    team = makers.team(run.season, "Pair 10")
    match = next(match for match in fixtures.of_team(team) if match.matchday == 2)
    ann = Membership.objects.get(name="Ann 10")
    matchday_edits.set_line_up(match.pairing.pk, run.owner, team_id=team.pk, membership_ids=[ann.pk, sub.pk])
    place = Place.objects.get(pairing=match.pairing, entry__name="Pair 10")
    played = {member.appearance.membership.name for member in place.entry.members.filter(pk__in=place.players)}
    assert played == {"Ann 10", "Sue Stand-in"}
    other_places = Place.objects.filter(entry=place.entry).exclude(pk=place.pk)
    assert all(place.players == [] for place in other_places)
    assert not TeamMember.objects.filter(membership=sub).exists()


def after_matchday(run, number):
    if number in (3, 4, 5):  # what is decided besides matches may open places again
        run.spans.clear()
    if number == 3:  # under half of the season: nothing of it counts
        withdrawal.withdraw(makers.entry(run.season, "Pair 20").pk, run.owner, at_once=True)
        run.tallies[3].void.add("Pair 20")
    if number == 4:
        stage = run.divisions[1].tournament.stages.get()
        entry = makers.entry(run.season, "Pair 12")
        point_adjustments.adjust(stage.pk, run.owner, entry_id=entry.pk, points="-3", reason="Late twice.")
        run.tallies[2].deducted["Pair 12"] -= 3
    if number == 5:  # over half: what it does not play is lost
        withdrawal.withdraw(makers.entry(run.season, "Pair 14").pk, run.owner, at_once=True)
        tally = run.tallies[2]
        tally.met |= {both: "Pair 14" for both in run.order[2] if "Pair 14" in both and both not in tally.met}
    if number == 7:  # the match that was put off
        both = run.both("Pair 3", "Pair 4")
        run.enter(makers.match(run.season, *both), both, run.score(*both))


def last_week(run):
    """Everything is played; then a result of the second matchday turns out to have been entered the wrong way round."""
    assert set(Tournament.objects.values_list("status", flat=True)) == {"over"}
    division = run.divisions[0]
    match = next(
        match
        for match in fixtures.matchdays(division)[1].matches
        if not match.is_walkover and match.home.score != match.away.score
    )
    both = (match.home.name, match.away.name)
    before = run.tallies[1].order()
    with travel_to(on(47)):
        run.enter(match.pairing, both, (match.away.score, match.home.score), reason="Entered the wrong way round.")
        run.spans.clear()
        run.check()
    assert run.tallies[1].line(both[0]) != before


def close_and_move_on(run):
    season, owner, tallies = run.season, run.owner, run.tallies
    orders = {level: tally.order() for level, tally in tallies.items()}
    with travel_to(on(50)):
        season_close.close(season.pk, owner, request_key="close")
        season_close.close(season.pk, owner, request_key="close")
    season.refresh_from_db()
    assert season.status == "closed"
    ranks = {entry.team.name: entry.final_rank for entry in season.entries.select_related("team")}
    assert [sorted(orders[level], key=ranks.get) for level in (1, 2, 3)] == [orders[level] for level in (1, 2, 3)]
    assert all(entry.place == at for d in run.divisions for at, entry in enumerate(finals.table_order(d), 1))
    check_honours(season, orders)
    check_next(season, owner, orders)


def check_honours(season, orders):
    honours = set(Honour.objects.filter(season=season).values_list("team__name", "title"))
    expected = {(orders[level][0], f"Champion of Division {level}") for level in (1, 2, 3)}
    expected |= {(orders[level][1], f"Runner-up of Division {level}") for level in (1, 2, 3)}
    expected |= {(orders[2][0], "Promoted to Division 1"), (orders[1][7], "Relegated to Division 2")}
    expected |= {(name, "Promoted to Division 2") for name in orders[3][:2]}
    expected |= {(name, "Relegated to Division 3") for name in orders[2][6:]}
    assert honours == expected


def check_next(season, owner, orders):
    """The next season, worked out here by hand: one over the upper border, two over the lower one."""
    first = [*orders[1][:7], orders[2][0]]
    second = [orders[1][7], *orders[2][1:6], *orders[3][:2]]
    third = [*orders[2][6:], *orders[3][2:]]
    preview = next_season.preview(season)
    assert [[move.team.name for move in division.moves] for division in preview.divisions] == [first, second, third]
    whys = {move.team.name: move.why for division in preview.divisions for move in division.moves}
    assert whys[orders[2][0]] == "1st of Division 2: promoted"
    assert whys[orders[2][7]] == "8th of Division 2: relegated"
    assert whys[orders[1][3]] == "4th of Division 1: stays"
    fields = {"name": "Spring 2027", "starts_on": (on(150)).date()}
    new = next_season.make(season.pk, owner, **fields, request_key="next")
    assert next_season.make(season.pk, owner, **fields, request_key="next") == new
    with pytest.raises(Refused, match="created from"):
        next_season.make(season.pk, owner, **fields | {"name": "Summer"})
    assert Season.objects.count() == 2
    made_orders = [list(division.entries.values_list("team__name", flat=True)) for division in new.divisions.all()]
    assert made_orders == [first, second, third]
    next_season.undo_next(season.pk, owner)
    assert Season.objects.get() == season
    season_close.undo_close(season.pk, owner)
    season.refresh_from_db()
    assert (season.status, Honour.objects.count()) == ("running", 0)
    assert Team.objects.count() == 24
    assert season_setup.club_of(season.pk) == season.league.club_id
