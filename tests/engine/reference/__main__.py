"""Compare the engine with the reference: `python -m tests.engine.reference --moves 100000 --seed 1`."""

from __future__ import annotations

import argparse
import sys

from tests.engine.reference.compare import compare


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.reference", description=__doc__)
    parser.add_argument("--moves", type=int, default=20_000, help="how many moves to try")
    parser.add_argument("--seed", type=int, default=1, help="which random rules, positions and moves")
    parser.add_argument("--most", type=int, default=20, help="stop after so many differences")
    arguments = parser.parse_args()
    tried = different = 0
    printed = set()
    for number, difference in compare(arguments.seed, arguments.moves):
        tried += 1
        if difference:
            different += 1
            # One of a sort is enough for each ruleset.
            sort = (number, difference.move.split()[0], difference.what[:60])
            if sort in printed:
                continue
            printed.add(sort)
            print(f"{arguments.seed}/{number}: {difference}\n")
            if len(printed) >= arguments.most:
                break
    print(f"{tried} moves tried, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
