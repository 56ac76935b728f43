"""The small form that every benchmark has: all of its code runs, in seconds, and nobody judges the figures."""

import argparse


def parsed(parser: argparse.ArgumentParser, **small: object) -> argparse.Namespace:
    """The options of a benchmark; with `--small` those named here have these values."""
    parser.add_argument("--small", action="store_true", help="a short run, to see that it works; no figure is judged")
    options = parser.parse_args()
    if options.small:
        unknown = set(small) - set(vars(options))
        if unknown:
            raise LookupError(f"no options: {', '.join(sorted(unknown))}")
        vars(options).update(small)
    return options
