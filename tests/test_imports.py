"""No circular import, and no import below the top of a module without the reason next to it."""

import ast
import re
from pathlib import Path

import grimp
import rustworkx

ROOT = Path(__file__).parent.parent
TOP = ("accounts", "acts", "assistants", "clubs", "config", "engine", "gameplay", "operating", "tournaments", "web")

BY_NAME = {
    "acts/loading.py": "every module of a package, so that no kind of act is missing",
    "accounts/second_step/urls.py": "views of allauth that take long to load",
    "engine/cli/__init__.py": "the command that was named on the command line",
    "web/monitoring/error_reporting.py": "the hook for errors, which a setting names",
    "web/server/uvicorn_server.py": "the addresses of the site, which a setting names",
}
"""Modules that import by a text, which no graph sees, and what."""


def circles(imports):
    """A path around each knot of modules, of which each depends on all others. `imports` has a module's, by its name."""
    graph = rustworkx.PyDiGraph()
    places = {module: graph.add_node(module) for module in sorted(imports)}
    for module in places:
        for other in sorted(imports[module]):
            graph.add_edge(places[module], places[other], None)
    knots = (graph.subgraph(knot) for knot in rustworkx.strongly_connected_components(graph) if len(knot) > 1)
    return sorted([knot[node] for node, _ in rustworkx.digraph_find_cycle(knot)] for knot in knots)


def all_imports():
    """Imports of each module, at its top, in its functions and for types alone; with the packages this loads."""
    graph = grimp.build_graph(*TOP, cache_dir=None)
    return {module: with_packages(module, graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def with_packages(module, imported):
    """The same, and the packages around them that `module` is not in itself: to import a module is to load these."""
    names = [name.split(".") for name in imported]
    loaded = {".".join(parts[:size]) for parts in names for size in range(1, len(parts))}
    return {*imported, *(package for package in loaded if not f"{module}.".startswith(f"{package}."))} - {module}


def test_no_modules_import_one_another_in_a_circle():
    assert circles(all_imports()) == []


def test_a_circle_is_found_and_its_path_named():
    imports = {"a": {"b", "d"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"f"}, "f": {"e"}}
    assert [sorted(path) for path in circles(imports)] == [["a", "b", "c"], ["e", "f"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_to_import_a_module_is_to_load_its_package():
    assert with_packages("web.conditional_pages", {"gameplay.page.board"}) == {
        "gameplay.page.board",
        "gameplay.page",
        "gameplay",
    }
    assert with_packages("gameplay.page.hand_panel", {"gameplay.page.board"}) == {"gameplay.page.board"}


# Imports below the top of a module


def late_imports(source):
    """The runs of imports in functions, or for types alone, without a comment on them or above: line and names."""
    lines, tree = source.splitlines(), ast.parse(source)
    for above in ast.walk(tree):
        for body in (getattr(above, name, []) for name in ("body", "orelse", "finalbody", "handlers")):
            if above is tree or not isinstance(body, list):
                continue
            for run in runs(body):
                first, last = run[0].lineno, run[-1].end_lineno
                at_head = above.lineno if isinstance(above, ast.If) and body is above.body else first - 1
                if not any(has_reason(lines[line - 1]) for line in (at_head, first - 1, *range(first, last + 1))):
                    yield first, ", ".join(ast.unparse(statement) for statement in run)


def runs(body):
    """Imports that follow one another."""
    run = []
    for node in [*body, None]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            run.append(node)
        elif run:
            yield run
            run = []


def has_reason(line):
    """Whether a line has a comment for people."""
    comment = line.partition("#")[2].strip()
    return bool(re.sub(r"^(noqa(: ?[A-Z0-9, ]+)?|type: ignore(\[[^]]*\])?)", "", comment).strip(" -#"))


def modules():
    """Every module of the program, by its path."""
    return {path.relative_to(ROOT).as_posix(): path.read_text() for top in TOP for path in (ROOT / top).rglob("*.py")}


def test_an_import_below_the_top_says_why_it_is_there():
    imports = {f"{path}:{line}": text for path, source in modules().items() for line, text in late_imports(source)}
    assert imports == {}


def test_an_import_without_a_reason_is_found():
    source = '''
import top
if TYPE_CHECKING:
    import for_types
if TYPE_CHECKING:  # a reason
    import with_reason
def one():
    """What it does."""
    import silent  # noqa: F401
    act()  # no reason
    # A reason for both.
    import first
    import second
    try:
        from deep import (
            one,  # this is one
        )
    except ImportError:
        import deeper
'''
    assert [text for _, text in late_imports(source)] == ["import for_types", "import silent", "import deeper"]


def test_nothing_is_imported_by_a_text_but_what_is_named_here():
    imports = {
        path for path, source in modules().items() if re.search(r"\b(import_module|import_string|__import__)\(", source)
    }
    assert imports == set(BY_NAME)
