import json
import time

import pytest

POSITION = {"rules": "standard", "opened": {"0": True}, "hands": {"0": "Kc Kd Kh 9d 9s"}}
GOOD = {"name": "three kings", "position": POSITION, "do": ["meld Kc Kd Kh"], "expect": {"after": {"phase": "play"}}}
BAD = {"name": "no pair", "position": POSITION, "do": ["meld Kc Kd"], "expect": {}}
BAD_LINE = (
    "FAIL no pair: expected move 0 (meld Kc Kd) to be accepted, found refused: A new meld needs at least three cards."
)


def test_one_line_a_case_and_the_sum_last(run, write):
    path = write("cases.json", [GOOD, BAD])
    assert run("check", path) == (1, f"ok three kings\n{BAD_LINE}\n1 passed, 1 failed\n", "")


def test_all_right(run, write):
    assert run("check", write("cases.json", [GOOD])) == (0, "ok three kings\n1 passed, 0 failed\n", "")


def test_the_sum_is_over_all_files(run, write):
    ran = run("check", write("a.json", [GOOD]), write("b.json", [GOOD, BAD]))
    assert ran.lines[-1] == "2 passed, 1 failed"


def test_json(run, write):
    path = write("cases.json", [GOOD, BAD])
    ran = run("check", "--json", path)
    expected, actual = BAD_LINE.removeprefix("FAIL no pair: expected ").split(", found ")
    assert ran.status == 1
    assert json.loads(ran.out) == {
        "passed": 1,
        "failed": 1,
        "not_read": 0,
        "cases": [
            {"file": str(path), "name": "three kings", "ok": True},
            {"file": str(path), "name": "no pair", "ok": False, "expected": expected, "found": actual},
        ],
    }


def test_all_files_are_read_before_any_runs(run, write, tmp_path):
    ran = run("check", write("a.json", [GOOD]), tmp_path / "none.json")
    assert (ran.status, ran.out) == (2, "")


def position(**keys):
    return {"name": "it", "position": {"rules": "standard", **keys}, "expect": {}}


SIX_JOKERS = position(hands={"0": "Xr Xr Xr", "1": "Xr Xr"}, pile="Xr")


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        (SIX_JOKERS, "Case 1 (it): The position has 6 × Xr, but the pack has only 5."),
        (position(hands={"0": "Kc 1x"}), "Case 1 (it): In `hands of 0`: '1x' is not a card. "),
        (position(hands={"4": "Kc"}), "Case 1 (it): `hands` names '4'; it goes by number from 0 to 3."),
        (position(phase="lunch"), "Case 1 (it): The phase 'lunch' is not one of "),
        (position(melds={"0": ["K: Kc Qd Kh"]}), "Case 1 (it): The meld `K: Qd Kc Kh` cannot be: "),
        (position(seats=9), "Case 1 (it): Standard does not allow a table of 9. Allowed: "),
        (position(frob=1), "Case 1 (it): A position has no key 'frob'."),
        (
            {**SIX_JOKERS, "position": {"rules": "poker"}},
            "Case 1 (it): Ruleset 'poker' not found. Use one of these: standard, ",
        ),
        ({**SIX_JOKERS, "position": {}}, "Case 1 (it): A position is a JSON object with at least `rules`."),
        ({"name": "it", "expect": {}}, "Case 1 (it) has no position."),
        ({**GOOD, "do": ["frob"]}, "Case 1 (three kings): 'frob' is not a move."),
        ({**GOOD, "do": "draw"}, "Case 1 (three kings): moves must be lists of lines of notation."),
        ({**GOOD, "frob": 1}, "Case 1 (three kings) has an unknown key 'frob'."),
        ({**GOOD, "expect": {"frob": 1}}, "Case 1 (three kings): `expect` must be an object with some of "),
        ({"position": POSITION}, "Case 1 has no name."),
        (17, "Case 1 has no name."),
    ],
)
def test_a_case_that_cannot_be_read(complaint, write, case, sentence):
    path = write("cases.json", [case])
    assert complaint("check", path).startswith(f"{path}: {sentence}")


def test_a_case_that_cannot_be_read_does_not_stop_the_others(run, write):
    path = write("cases.json", [GOOD, SIX_JOKERS, BAD])
    ran = run("check", path)
    assert ran.status == 2
    assert ran.lines == ["ok three kings", BAD_LINE, "1 passed, 1 failed, 1 not read"]
    assert ran.err == f"engine: {path}: Case 2 (it): The position has 6 × Xr, but the pack has only 5.\n"


def test_a_name_that_would_steer_the_terminal_is_escaped(run, write):
    assert run("check", write("c.json", [{**GOOD, "name": "a\n\x1b[31mb"}])).lines[0] == "ok a\\n\\x1b[31mb"


def test_hundreds_of_cases_are_quick(run, write):
    path = write("cases.json", [GOOD] * 500)
    began = time.perf_counter()
    assert run("check", path).lines[-1] == "500 passed, 0 failed"
    assert time.perf_counter() - began < 2
