"""A whole match over HTTP while web servers and workers are killed again and again: it ends as if nobody had died."""

import json
import re
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from engine.bots import make_bot
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.view import view
from tests.config.test_backup import manage
from tests.poster import OUT_OF_STEP, Poster

KILL_EVERY = 25
"""So many moves lie between two kills, of a web server and of a worker by turns."""

MATCH = """
from accounts.services import tokens
from gameplay.services import tables
from tests.makers import make_person, make_table
people = [make_person("Ann"), make_person("Ben")]
texts = [tokens.create(user, name="t", scopes=["read", "play"], days=None)[1] for user in people]
table = make_table(people, options={"length": {"deals": 1}}, begun=False)
table.seats.filter(user=None).update(bot="novice", name="Bot")
tables.start(table.pk, people[0])
seats = {seat.user_id: seat.number for seat in table.seats.exclude(user=None)}
by_seat = {seats[user.pk]: text for user, text in zip(people, texts)}
print(json.dumps({"slug": table.slug, "tokens": [by_seat.get(number) for number in range(4)]}))
"""
"""Two people and two bots over one deal, which takes about two hundred moves."""

LOOK = "SELECT status, seat_to_act, move_count, snapshot, rules_json FROM gameplay_table"

TELL = """
from datetime import timedelta
from django.utils import timezone
from accounts.services import notices
notices.send_due(timezone.now() + timedelta(hours=1))
"""
"""Send what waits for its time, as the worker would an hour later."""

TWICE = "SELECT user_id, key FROM accounts_notice GROUP BY user_id, key HAVING count(*) > 1"


def test_a_match_under_kills_is_played_to_its_end(site, kill, wait_for):
    letters = site.folder / "letters"
    site.environment["EMAIL_URL"] = f"filemail:///{letters}"
    prepared = site.run(MATCH)
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        start = {"web": lambda: site.web_on(listener), "worker": site.worker}
        alive = {"web": [site.web_on(listener), site.web_on(listener)], "worker": [site.worker(), site.worker()]}
        site.beat()
        poster = Poster(f"http://127.0.0.1:{listener.getsockname()[1]}", **prepared)
        kills, requests = 0, []
        while (state := waiting_for_somebody(site, prepared["tokens"], wait_for))[0] == "playing":
            _, seat, version, snapshot, rules = state
            if version >= KILL_EVERY * (kills + 1):
                role = ("web", "worker")[kills % 2]
                victim = alive[role].pop(0)
                # In the middle of what follows, sooner or later each time.
                killing = threading.Timer(0.004 * (kills % 5), kill, [victim])
                killing.start()
                alive[role].append(start[role]())
                kills += 1
            move = write_move(make_bot("novice").choose(view(read_position({**snapshot, "rules": rules}), seat)))
            answer = poster.ask("moves/", seat, {"moves": [move], "seen": version, "key": f"k{version}"})
            requests.append((version + 1, move))
            assert answer["log"][0]["number"] == version + 1
    assert kills >= 4
    log = site.rows('SELECT number, seat, text, "by" FROM gameplay_move ORDER BY number')
    assert [number for number, *_ in log] == list(range(1, len(log) + 1))
    assert [(number, text) for number, seat, text, _ in log if prepared["tokens"][seat]] == requests
    assert site.rows(OUT_OF_STEP) == site.rows(TWICE) == []
    assert "Everything fits." in manage(site, "doctor")
    assert site.number("SELECT count(*) FROM gameplay_happening WHERE kind = 'over'") == 1
    with ThreadPoolExecutor() as threads:
        list(threads.map(site.run, [TELL] * 2))
    sent = [text for file in letters.iterdir() for text in re.findall(r"^Message-ID:\s+(\S+)", file.read_text(), re.M)]
    # At most once: of two that begin at once, one may find the other at it and leave a person to the next sweep.
    assert set(Counter(sent).values()) == {1}


def waiting_for_somebody(site, tokens, wait_for):
    """The table once it is over, or a person is to act."""

    def read_state():
        status, seat, version, snapshot, rules = site.rows(LOOK)[0]
        if status == "playing" and (seat is None or tokens[seat] is None):
            return None
        return status, seat, version, *(json.loads(x) if isinstance(x, str) else x for x in (snapshot, rules))

    return wait_for(read_state, "the bots to play", site)
