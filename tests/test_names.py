"""Names in the code say the thing: none of the words that words.toml forbids, without an exception that gives its reason."""

import ast
import tomllib

from tests.test_layout import ROOT, project_files

WORDS = tomllib.loads((ROOT / "tests/words.toml").read_text())
EXCEPTIONS = {exception["name"]: exception["reason"] for exception in WORDS["name_exception"]}


def modules():
    """Every Python file of the tree but migrations, whose names are history."""
    return [path for path in project_files() if path.suffix == ".py" and path.parent.name != "migrations"]


def names(tree):
    """Names of functions, classes, parameters and variables; what a class binds may be a column or a key of JSON."""
    columns = {
        target
        for parent in ast.walk(tree)
        if isinstance(parent, ast.ClassDef)
        for statement in parent.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in columns:
            yield node.id


def forbidden(source):
    return {name for name in names(ast.parse(source)) if name.strip("_") in WORDS["names"]["never"]}


def test_no_name_is_one_of_the_words_that_say_nothing():
    uses = {f"{path.relative_to(ROOT)} {name}" for path in modules() for name in forbidden(path.read_text())}
    assert sorted(uses - EXCEPTIONS.keys()) == []
    assert sorted(EXCEPTIONS.keys() - uses) == []


def test_every_exception_has_a_reason():
    assert [name for name, reason in EXCEPTIONS.items() if len(reason.split()) < 3] == []


def test_a_forbidden_name_is_found_and_a_column_is_not():
    assert forbidden("def told(own):\n    one = [made for made in own]\n") == {"told", "own", "one", "made"}
    assert forbidden("class Pair:\n    one = 1\n    own: int = 2\n") == set()
