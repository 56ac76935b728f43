"""A championship of 54 players at nine tables of six, driven by a program alone: 54, 18, 6, 1."""

import pytest

pytestmark = pytest.mark.django_db

NAMES = [f"Player {number}" for number in range(1, 55)]


def lines(match, points=None):
    """A result in which the lower number wins, or card points by number of the entry."""
    chosen = points or {}
    return [
        {"entry": place["entry"], "score": chosen.get(place["entry"], 9000 - 10 * place["entry"])}
        for place in match["places"]
    ]


def play(bot, event, round):
    """Enter the result of every table of a round; the matches."""
    matches = bot.get(f"{event}/stages/1/rounds/{round}/")["matches"]
    for match in matches:
        bot.post(f"{event}/stages/1/matches/{match['name']}/decide/", lines=lines(match), known=0)
    return matches


def sizes(bot, event):
    rounds = bot.get(f"{event}/stages/1/rounds/")["rounds"]
    return [(round_["tables"], round_["open"], round_["status"]) for round_ in rounds]


@pytest.mark.slow
def test_54_players_at_nine_tables_of_six_to_their_champion(program, olga):
    bot = program(olga, "events_read", "events_organise", "events_results")
    created = bot.post("events/", 201, name="Harbour Championship", starter="championship", key="k1")
    assert bot.post("events/", 201, name="Harbour Championship", starter="championship", key="k1") == created
    assert (created["status"], created["entry_limit"], created["your_role"]) == ("draft", 54, "owner")
    event = f"events/{created['slug']}"
    bot.post(f"{event}/announce/")

    entries = [{"members": [name]} for name in NAMES]
    first = bot.post(f"{event}/name-list/", 201, entries=entries, is_here=True, key="k2")
    assert first["entries"] == list(range(1, 55))
    assert bot.post(f"{event}/name-list/", 201, entries=entries, is_here=True, key="k2")["entries"] == first["entries"]
    assert bot.get(f"{event}/")["entered"] == 54
    bot.post(f"{event}/seeds/", by="hand", order=list(range(1, 55)))
    bot.post(f"{event}/start/")
    assert sizes(bot, event) == []
    bot.post(f"{event}/stages/1/go/", round=1, key="go-1")
    bot.post(f"{event}/stages/1/go/", round=1, key="go-1")
    assert sizes(bot, event) == [(9, 9, "open")]
    drawn = bot.get(f"{event}/stages/1/rounds/1/")["matches"]
    assert [len(match["places"]) for match in drawn] == [6] * 9
    assert sorted(place["entry"] for match in drawn for place in match["places"]) == list(range(1, 55))

    play(bot, event, 1)
    assert sizes(bot, event) == [(9, 0, "closed")]
    matches = bot.get(f"{event}/stages/1/rounds/1/")["matches"]
    through = {place["entry"] for match in matches for place in match["places"] if place["rank"] <= 2}

    # One result was entered wrongly: the winner of the first table was its last. The preview says what would follow.
    match = bot.get(f"{event}/stages/1/matches/{drawn[0]['name']}/")
    best, worst = match["results"][0]["lines"][0]["entry"], match["results"][0]["lines"][-1]["entry"]
    corrected = lines(match, {best: 10, worst: 9999})
    path = f"{event}/stages/1/matches/{match['name']}/decide/"
    preview = bot.post(path, lines=corrected, preview=True)
    assert preview["act"] is None
    assert preview["preview"] == {
        "has_choice": False,
        "lines": [preview["preview"]["lines"][0], {"sign": "falls", "sentence": "No result is lost."}],
    }
    assert preview["preview"]["lines"][0]["sign"] == "moves"
    assert bot.get(f"{event}/stages/1/matches/{match['name']}/")["newest"] == match["newest"]
    assert bot.post(path, 422, lines=corrected)["code"] == "no_reason"
    assert bot.post(path, 409, lines=corrected, reason="Swapped.", known=0)["code"] == "stale"
    bot.post(path, lines=corrected, reason="Swapped.", known=match["newest"], seen=match["version"])

    bot.post(f"{event}/stages/1/go/", round=2)
    assert sizes(bot, event) == [(9, 0, "closed"), (3, 3, "open")]
    second = bot.get(f"{event}/stages/1/rounds/2/")["matches"]
    playing = {place["entry"] for match in second for place in match["places"]}
    assert len(playing) == 18
    assert len(through) == 18
    assert playing == through - {best} | {worst}
    play(bot, event, 2)
    bot.post(f"{event}/stages/1/go/", round=3)
    final = play(bot, event, 3)
    assert [len(match["places"]) for match in final] == [6]

    over = bot.get(f"{event}/")
    assert over["status"] == "over"
    champion = min(place["entry"] for place in final[0]["places"])
    assert over["champions"] == [f"Player {champion}"]
    standings = bot.get(f"{event}/stages/1/standings/")["tables"][0]["lines"]
    assert (standings[0]["entry"], standings[0]["rank"], len(standings)) == (champion, 1, 54)
    kinds = [act["kind"] for act in bot.get(f"{event}/history/", limit=100)["acts"]]
    assert (kinds.count("go"), kinds.count("result"), kinds[-1]) == (3, 14, "make")
