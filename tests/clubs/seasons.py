"""Past seasons as a secretary has them, and an independent tally of what they come to."""

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
    for season, division, _, _, home, away, one, other, _, walkover, _ in lines:
        own = points[season, division]
        own[home] += 0
        own[away] += 0
        if walkover:
            own[home] += win if walkover == "away" else 0
            own[away] += win if walkover == "home" else 0
            continue
        one, other = int(one), int(other)
        own[home] += win if one > other else draw if one == other else 0
        own[away] += win if other > one else draw if one == other else 0
    return {key: dict(own) for key, own in points.items()}
