"""Published tournaments as rounds: the crosstables of FIDE's "Exercises in tie-breaking" (C.07 of 2023), and a reader."""

from fractions import Fraction

from engine.compete.records import Kind, Played, Round, Unplayed

# FIDE's Swiss tournament, section 2.1: won, drawn or lost (+ = -), with White, Black or by forfeit, and the opponent.
SWISS = """
1 +W9 =B13 =W2 +B15 =W4
2 +B10 +W7 =B1 +W16 =B3
3 =W11 +B6 +W8 =B4 =W2
4 +B12 =BYE +W13 =W3 =B1
5 -W13 -B15 +W11 =B7 +W10
6 -B14 -W3 +BYE +W10 +B8
7 +W15 -B2 -B16 =W5 -B11
8 =B16 +W14 -B3 +W13 -W6
9 -B1 -W10 =BYE -F11 +BYE
10 -W2 +B9 -W15 -B6 -B5
11 =B3 -W16 -B5 +F9 +W7
12 -W4 +BYE +F14 -- --
13 +B5 =W1 -B4 -B8 -W14
14 +W6 -B8 -F12 -- +B13
15 -B7 +W5 +B10 -W1 -B16
16 =W8 +B11 +W7 -B2 +W15
"""

# The same tournament with four more rounds, exercise 25.
LONG_SWISS = """
1 +W9 =B13 =W2 +B15 =W4 =B6 =B3 =W16 +B8
2 +B10 +W7 =B1 +W16 +B3 =W4 -W6 =B15 =W5
3 =W11 +B6 +W8 =B4 -W2 +B16 =W1 +W14 +B10
4 +B12 =BYE +W13 =W3 =B1 =B2 =W16 =B6 +W15
5 -W13 -B15 +W11 =B7 +W10 -B14 +B9 -W8 =B2
6 -B14 -W3 +BYE +W10 +B8 =W1 +B2 =W4 +B16
7 +W15 -B2 -B16 =W5 -B11 -B10 +W13 +W9 +B14
8 =B16 +W14 -B3 +W13 -W6 =B11 =W15 +B5 -W1
9 -B1 -W10 =BYE -F11 +BYE +B13 -W5 -B7 =W12
10 -W2 +B9 -W15 -B6 -B5 +W7 +B12 +W11 -W3
11 =B3 -W16 -B5 +F9 +W7 =W8 -B14 -B10 =W13
12 -W4 +BYE +F14 -- -- -B15 -W10 =B13 =B9
13 +B5 =W1 -B4 -B8 -W14 -W9 -B7 =W12 =B11
14 +W6 -B8 -F12 -- +B13 +W5 +W11 -B3 -W7
15 -B7 +W5 +B10 -W1 -B16 +W12 =B8 =W2 -B4
16 =W8 +B11 +W7 -B2 +W15 -W3 =B4 =B1 -W6
"""

# FIDE's round robin, section 2.2; Helene (5) won by forfeit against Franck (6) in round 4.
ROUND_ROBIN = """
1 =W6 +W2 +B3 -W4 +B5
2 +W5 -B1 +W6 =W3 +B4
3 +W4 +B5 -W1 =B2 +W6
4 -B3 -B6 =W5 +B1 -W2
5 -B2 -W3 =B4 +F6 -W1
6 =B1 +W4 -B2 -F5 -B3
"""

# FIDE's tournament for teams of four, section 2.3: opponents and game points; two for a match won, one for
# one drawn and for a bye that the draw allots (=PAB).
TEAMS = """
1 8:2.5 4:1.5 7:3 2:2.5 5:1.5 +F6 3:2.5
2 9:3 3:4 5:0 1:1.5 13:3 4:2.5 10:3
3 10:2.5 2:0 9:3 6:2.5 4:3 5:3.5 1:1.5
4 11:3 1:2.5 13:3 5:3.5 3:1 2:1.5 9:2.5
5 12:4 6:3 2:4 4:0.5 1:2.5 3:0.5 13:3.5
6 13:2 5:1 8:3 3:1.5 11:2.5 -F1 12:2.5
7 14:2 8:2 1:1 10:2.5 9:2 13:2 --
8 1:1.5 7:2 6:1 12:3.5 10:2 9:2 11:3
9 2:1 12:4 3:1 14:3 7:2 8:2 4:1.5
10 3:1.5 11:1.5 12:2.5 7:1.5 8:2 14:3 2:1
11 4:1 10:2.5 14:2 13:1.5 6:1.5 12:2 8:1
12 5:0 9:0 10:1.5 8:0.5 =PAB 11:2 6:1.5
13 6:2 14:2.5 4:1 11:2.5 2:1 7:2 5:0.5
14 7:2 13:1.5 11:2 9:1 =BYE 10:1 =PAB
"""

HALF = Fraction(1, 2)
KINDS = {"+BYE": Kind.BYE, "=PAB": Kind.BYE, "=BYE": Kind.HALF_BYE, "--": Kind.ZERO_BYE}


def read_crosstable(text, *, win=1):
    """The rounds of a crosstable; a win brings `win`, a draw half of it."""
    lines = {int(entry): results for entry, *results in (line.split() for line in text.strip().splitlines())}
    return [
        read_round({entry: results[index] for entry, results in lines.items()}, win) for index in range(len(lines[1]))
    ]


def read_round(results, win):
    """A round from every entry's own view of it."""
    points = {entry: win * share_of(result) for entry, result in results.items()}
    tables, unplayed = [], []
    for entry, result in results.items():
        opponent = opponent_of(result)
        if result in KINDS:
            unplayed.append(Unplayed(entry, points[entry], KINDS[result]))
        elif result[1] == "F":
            kind = Kind.FORFEIT_WIN if result[0] == "+" else Kind.FORFEIT_LOSS
            unplayed.append(Unplayed(entry, points[entry], kind, opponent))
        elif entry < opponent:
            assert points[entry] + points[opponent] == win, (entry, opponent)
            tables.append(Played((entry, opponent), (points[entry], points[opponent])))
    return Round(tuple(tables), tuple(unplayed))


def share_of(result):
    """The share of a win that a result brings."""
    if ":" in result:
        points = Fraction(result.split(":")[1])
        return Fraction((points > 2) - (points < 2) + 1, 2)
    return {"+": Fraction(1), "=": HALF, "-": Fraction(0)}[result[0]]


def opponent_of(result):
    """Opponent of a result, or nothing."""
    digits = result.split(":")[0].lstrip("+=-WBF")
    return int(digits) if digits.isdigit() else None
