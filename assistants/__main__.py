"""`python -m assistants --site https://…` serves one assistant over standard input and output."""

import argparse
import os
import sys

from assistants.server import make_server
from assistants.site_api import Site


def main() -> None:
    """Read the address and the token, and serve until the assistant hangs up."""
    parser = argparse.ArgumentParser(prog="assistants", description="Lets an assistant read and organise on a site.")
    parser.add_argument("--site", default=os.environ.get("FOOTHOLD_SITE", ""), help="its address, https://…")
    address = parser.parse_args().site
    try:
        site = Site(address, os.environ.pop("FOOTHOLD_TOKEN", ""))
    except ValueError as error:
        sys.exit(str(error))
    make_server(site).run()


if __name__ == "__main__":
    main()
