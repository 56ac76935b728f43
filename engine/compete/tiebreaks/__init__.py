"""Tie-breaks: what each is called and how it is explained; the modules here work out their values.

Where FIDE has the tie-break, it follows C.07 "Tie-Break Regulations" as in force from September 2023 (section and
article in brackets): wins (7.1), direct encounter (6), cumulative (7.5), Buchholz (8.1), Sonneborn–Berger (9.1),
Koya (9.2), the cut and median modifiers (14.1, 14.2) and unplayed rounds (15 for round robins, 16 for the rest).
"""

from __future__ import annotations

from typing import Final

FIDE_2023: Final = "fide2023"
VIRTUAL_OPPONENT: Final = "virtual_opponent"

UNPLAYED_RULES: Final = {
    FIDE_2023: (
        "FIDE since 2023",
        "A round that was not played counts as one against an opponent with the entry's own final points; for those "
        "who met an entry that stopped, each round it missed at the end counts as drawn.",
    ),
    VIRTUAL_OPPONENT: (
        "Virtual opponent",
        "A round that was not played counts as one against an opponent who had as many points before it and draws "
        "ever after; for those who met an entry, every round it did not play counts as drawn.",
    ),
}
"""Rules for rounds that were not played: name to title and explanation."""

NAMES: Final = {
    "match_points": ("Match points", "All match points, with adjustments."),
    "wins": ("Wins", "The rounds that were won, byes and walkovers worth a win among them."),
    "direct_encounter": (
        "Direct encounter",
        "The points from the matches among those who are level, if they have all met one another.",
    ),
    "spread": (
        "Points difference",
        "Card points made less those of the opponents (at larger tables: of their average), over all matches.",
    ),
    "capped_spread": (
        "Capped difference",
        "The points difference, of which a single match can bring or cost no more than a set amount.",
    ),
    "points_scored": ("Points scored", "All card points made."),
    "buchholz": ("Buchholz", "The sum of the points of everyone who was met."),
    "buchholz_cut1": ("Buchholz, cut 1", "Buchholz without the opponent with the fewest points."),
    "buchholz_cut2": ("Buchholz, cut 2", "Buchholz without the two opponents with the fewest points."),
    "median_buchholz": ("Median Buchholz", "Buchholz without the opponents with the most and the fewest points."),
    "median_buchholz2": (
        "Median Buchholz, two",
        "Buchholz without the two opponents with the most and the two with the fewest points.",
    ),
    "sonneborn_berger": (
        "Sonneborn–Berger",
        "The points of everyone who was met, each times what was scored against them.",
    ),
    "sonneborn_berger_cut1": (
        "Sonneborn–Berger, cut 1",
        "Sonneborn–Berger without the opponent with the fewest points.",
    ),
    "cumulative": ("Cumulative", "The sum of the points held after each round, so that early points count more often."),
    "koya": ("Koya", "The points scored against those who made at least half of all that could be made."),
    "opponents_average": ("Opponents' average", "The average of the points of everyone who was met."),
    "books": ("Books", "All books completed."),
    "going_out": ("Going out", "How often the entry was the first to go out."),
    "best_rounds": ("Best rounds", "The points of a set number of rounds: those that brought the most."),
    "fewest_walkovers": ("Fewest walkovers", "The matches given away without play; fewer is better."),
    "lots": ("Lot", "The place in a draw by lot that everybody can repeat from the published seed; 1 comes first."),
}
"""Every tie-break by name: its title and a sentence that says what is counted. Beside "points" these are the only names."""
