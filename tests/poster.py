"""Playing over the API of a served site, through any fault."""

import http.client
import json
import time
import urllib.error
import urllib.request
from contextlib import suppress

from tests.sites import PATIENCE

FOUR = """
from accounts.services import tokens
from tests.makers import make_person, make_table
people = [make_person(f"p{n}") for n in range(4)]
texts = [tokens.create(user, name="t", scopes=["read", "play"], days=None)[1] for user in people]
seats = [[(first + seat) % 4 for seat in range(4)] for first in range(int(sys.argv[1]))]
slugs = [make_table([people[n] for n in each], name=f"T{number}").slug for number, each in enumerate(seats)]
print(json.dumps([{"slug": slug, "tokens": [texts[n] for n in each]} for slug, each in zip(slugs, seats)]))
"""
"""So many tables of the same four people, created by each in turn: the arguments of a `Poster` for each."""

OUT_OF_STEP = """
SELECT t.id FROM gameplay_table t LEFT JOIN gameplay_move m ON m.table_id = t.id GROUP BY t.id, t.move_count
HAVING count(m.id) != t.move_count OR count(DISTINCT m.number) != t.move_count
    OR COALESCE(MAX(m.number), 0) != t.move_count
"""
"""Tables whose log has a gap, a move too many or one too few."""


class WentAway(Exception):
    """The server took the connection with it, or could not do it just now."""


class Poster:
    """Posts moves of all four seats of one table over the API, and sends one again that got no answer."""

    def __init__(self, address, slug, tokens):
        self.table, self.tokens = f"{address}/api/v1/tables/{slug}/", tokens
        self.acknowledged, self.away = [], []
        """The number of moves after each that was done, and each answer that the site could not do it just now."""

    def ask(self, path, seat, body=None):
        """The answer, asked for until there is one. An answer that refuses is an error here."""
        data = body and json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.tokens[seat]}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.table + path, data, headers)
        while True:
            with suppress(ConnectionError, http.client.HTTPException, WentAway):
                return self.try_once(request)
            time.sleep(0.05)

    def try_once(self, request):
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
            self.away.append((error.headers["Retry-After"], json.load(error)))
            raise WentAway from error
        except (urllib.error.URLError, TimeoutError) as error:
            raise WentAway from error

    def move(self):
        """Make a move; returns the answer."""
        seat = self.ask("", 0)["seat_to_act"]
        choice = self.ask("legal-moves/", seat)
        version, moves = choice["move_count"], choice["moves"]
        # Drawing and discarding only, so that the deal lasts.
        plain = [move for move in moves if move.split()[0] in ("draw", "discard")] or moves
        body = {"moves": [plain[version % len(plain)]], "seen": version, "key": f"key {version}"}
        answer = self.ask("moves/", seat, body)
        self.acknowledged.append(answer["move_count"])
        return answer
