"""Past seasons as organisers keep them, and an independent tally of their points."""

from collections import defaultdict
from datetime import date, timedelta

HEAD = "season;division;matchday;date;home;away;home score;away score;venue;walkover;note"
PAIRS = ("Okafor / Bell", "Lund / Arai", "Haddad / Penrose", "Doyle / Brandt")


def round_robin(teams, *, season="2024/25", division="Premier", first=date(2024, 9, 12), legs=1):
    """Lines of a round robin of teams, by the circle method, with scores that no two matches share."""
    ring, lines = list(teams), []
    days = len(ring) - 1
    for leg in range(legs):
        for number in range(days):
            for at in range(len(ring) // 2):
                home, away = ring[at], ring[-1 - at]
                if leg:
                    home, away = away, home
                matchday = leg * days + number + 1
                day = first + timedelta(weeks=matchday - 1)
                score = (5000 + 137 * matchday + 61 * at, 5200 + 91 * at)
                lines.append(
                    [season, division, str(matchday), day.isoformat(), home, away, *map(str, score), "", "", ""]
                )
            ring.insert(1, ring.pop())
    return lines


def sheet(lines, *, head=HEAD):
    """A file of these lines."""
    return "\n".join([head, *(";".join(line) for line in lines)]) + "\n"


def tally(lines, *, win=2, draw=1):
    """Points by division and team, worked out by hand."""
    points = defaultdict(lambda: defaultdict(int))
    for season, division, _, _, home, away, home_score, away_score, _, walkover, _ in lines:
        totals = points[season, division]
        totals[home] += 0
        totals[away] += 0
        if walkover:
            totals[home] += win if walkover == "away" else 0
            totals[away] += win if walkover == "home" else 0
            continue
        home_score, away_score = int(home_score), int(away_score)
        totals[home] += win if home_score > away_score else draw if home_score == away_score else 0
        totals[away] += win if away_score > home_score else draw if home_score == away_score else 0
    return {key: dict(totals) for key, totals in points.items()}
