"""Tie-breaks: their names and explanations; the modules here work out their values.

If FIDE has the tie-break, it follows C.07 "Tie-Break Regulations" as in force from September 2023 (section and
article in brackets): wins (7.1), direct encounter (6), cumulative (7.5), Buchholz (8.1), Sonneborn–Berger (9.1),
Koya (9.2), the cut and median modifiers (14.1, 14.2) and unplayed rounds (15 for round robins, 16 for the rest).
"""

from __future__ import annotations

from typing import Final

from engine.words import later

FIDE_2023: Final = "fide2023"
VIRTUAL_OPPONENT: Final = "virtual_opponent"

UNPLAYED_RULES: Final = {
    FIDE_2023: (
        later("FIDE since 2023"),
        later(
            "A round that was not played counts as one against an opponent with the entry’s own "
            "final points. For the opponents of an entry that stopped, each round it missed at the "
            "end counts as drawn."
        ),
    ),
    VIRTUAL_OPPONENT: (
        later("Virtual opponent"),
        later(
            "A round that was not played counts as one against an opponent with as many points "
            "before it and only draws after it. For the opponents of an entry, each round it did not "
            "play counts as drawn."
        ),
    ),
}
"""Rules for rounds that were not played: name to title and explanation."""

NAMES: Final = {
    "match_points": (later("Match points"), later("All match points, with adjustments.")),
    "wins": (later("Wins"), later("Rounds won, including byes and walkovers worth a win.")),
    "direct_encounter": (
        later("Direct encounter"),
        later("The points from the matches between the tied entries, if they have all met one another."),
    ),
    "spread": (
        later("Points difference"),
        later("Card points made less those of the opponents (at larger tables: of their average), over all matches."),
    ),
    "capped_spread": (
        later("Capped difference"),
        later("The points difference. A single match adds or costs at most a set amount."),
    ),
    "points_scored": (later("Points scored"), later("All card points made.")),
    "buchholz": (later("Buchholz"), later("The sum of the points of all opponents.")),
    "buchholz_cut1": (later("Buchholz, cut 1"), later("Buchholz without the opponent with the fewest points.")),
    "buchholz_cut2": (later("Buchholz, cut 2"), later("Buchholz without the two opponents with the fewest points.")),
    "median_buchholz": (
        later("Median Buchholz"),
        later("Buchholz without the opponents with the most and the fewest points."),
    ),
    "median_buchholz2": (
        later("Median Buchholz, two"),
        later("Buchholz without the two opponents with the most and the two with the fewest points."),
    ),
    "sonneborn_berger": (
        later("Sonneborn–Berger"),
        later("The points of all opponents, each multiplied by the points scored against that opponent."),
    ),
    "sonneborn_berger_cut1": (
        later("Sonneborn–Berger, cut 1"),
        later("Sonneborn–Berger without the opponent with the fewest points."),
    ),
    "cumulative": (
        later("Cumulative"),
        later("The sum of the points after each round, so early points count more often."),
    ),
    "koya": (later("Koya"), later("The points scored against opponents with at least half of the possible points.")),
    "opponents_average": (later("Opponents’ average"), later("The average points of all opponents.")),
    "books": (later("Books"), later("All books completed.")),
    "going_out": (later("Going out"), later("How often the entry was the first to go out.")),
    "best_rounds": (later("Best rounds"), later("The points of a set number of rounds: those with the most points.")),
    "fewest_walkovers": (later("Fewest walkovers"), later("Matches lost by walkover. Fewer is better.")),
    "lots": (
        later("Lot"),
        later("The place in a draw by lot that anyone can repeat from the published seed. 1 comes first."),
    ),
}
"""Every tie-break by name: its title and a sentence on its value. Apart from "points" these are the only names."""
