"""The settings of the site, with the receiver of the benchmark of news as an address that requests may go to."""

import os

from config.settings import *  # noqa: F403

TEST_RECEIVERS = (os.environ["BENCH_RECEIVER"],)
