"""The right to do and to undo an act is declared with it, or the code does not load."""

import pytest

from acts.kinds import Anybody, ByAct, ByCase, ByRow, Itself, Never, Rows, Site, Wrong
from acts.table import who_may, who_undoes

NEVER = Never("It was said aloud.")


def check(by, row):
    """Allow everyone."""


@pytest.mark.parametrize("fields", [{"needs": "rules"}, {"undo": NEVER}])
def test_a_declaration_that_leaves_one_of_them_out_is_no_code(history, fields):
    with pytest.raises(TypeError):
        history.declare("x", **fields)


@pytest.mark.parametrize("needs", ["rulez", "", ByCase(("rules", "rulez"))])
def test_a_right_that_the_home_does_not_have_is_no_code(history, needs):
    with pytest.raises(Wrong, match="there is no right"):
        history.declare("x", needs=needs, undo=NEVER)


@pytest.mark.parametrize("undo", [Rows("rulez"), Rows(ByAct(("rules", "rulez"), lambda act: "rules"))])
def test_undoing_by_a_right_that_the_home_does_not_have_is_no_code(history, undo):
    with pytest.raises(Wrong, match="there is no right 'rulez'"):
        history.declare("x", needs="rules", undo=undo)


@pytest.mark.parametrize(
    "needs", [ByRow(check), ByCase(("rules", "news")), Anybody("has a name"), Site("by the clock")]
)
def test_undoing_by_rows_names_a_right_where_doing_does_not(history, needs):
    with pytest.raises(Wrong, match="say who may undo it"):
        history.declare("x", needs=needs, undo=Rows())
    assert history.declare("x", needs=needs, undo=Rows("rules")).undo_rights == ("rules",)


@pytest.mark.parametrize(
    "fields", [{"needs": Anybody(" ")}, {"needs": Itself("")}, {"needs": Site("")}, {"undo": Never("")}]
)
def test_what_is_unusual_says_why(history, fields):
    with pytest.raises(Wrong, match="say why"):
        history.declare("x", **{"needs": "rules", "undo": NEVER, **fields})


def test_acts_that_share_a_kind_agree_on_how_it_is_undone(history):
    history.declare("x", needs="rules", undo=Rows())
    history.declare("x", needs=ByRow(check), undo=Rows("rules"))
    for undo in (NEVER, Rows("news"), Rows(first=check)):
        with pytest.raises(Wrong, match="declared twice"):
            history.declare("x", needs="rules", undo=undo)


def test_the_table_of_acts_says_who_may_and_who_may_undo(history):
    by_act = Rows(ByAct(("rules", "news"), lambda act: "news"), first=check)
    kinds = [
        history.declare("a", needs="rules", undo=Rows()),
        history.declare("b", needs=ByRow(check), undo=by_act),
        history.declare("c", needs=ByCase(("rules", "news")), undo=NEVER),
        history.declare("d", needs=Anybody("Has a name."), undo=NEVER),
        history.declare("e", needs=Site("By the clock."), undo=NEVER),
        history.declare("f", needs=Itself("By the token."), undo=NEVER),
    ]
    name = f"`{check.__module__}.check`"
    assert [who_may(kind.needs) for kind in kinds] == [
        "`rules`",
        f"by the row: {name}",
        "by the case: `rules` or `news`",
        "anyone: Has a name.",
        "the site: By the clock.",
        "the act looks itself: By the token.",
    ]
    assert [who_undoes(kind) for kind in kinds[:3]] == [
        "`rules`",
        f"by the act: `rules` or `news`, unless {name} refuses",
        "nobody: It was said aloud.",
    ]
