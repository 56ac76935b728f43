"""When CI builds the image, and what of a machine gets into the build; `bin/image` itself needs root and minutes."""

import os
import re
import runpy
import subprocess

import pytest

from tests.config.deployed import ROOT

RUN = (ROOT / ".ci/run").read_text()
TUESDAY = "2"


def of_the_image():
    """The paths whose change has CI build the image."""
    return re.search(r"^of_the_image=\(\n(.*?)^\)", RUN, re.MULTILINE | re.DOTALL)[1].split()


def test_ci_knows_what_the_image_is_made_of_and_built_by():
    paths = of_the_image()
    assert {"Dockerfile", ".dockerignore", "requirements.txt", "compose.yaml", "deploy", "bin/image"} <= set(paths)
    used = set(re.findall(r"bin/lib/(?!environment)\w+\.\w+", "".join((ROOT / path).read_text() for path in by_us())))
    assert used == {path for path in paths if path.startswith("bin/lib/")}
    assert [path for path in paths if not (ROOT / path).exists()] == []


def by_us():
    return ["bin/image", *(path for path in of_the_image() if path.startswith("bin/lib/"))]


@pytest.fixture
def checkout(tmp_path):
    """A repository whose Dockerfile was changed a week ago, and a clock that says what day it is."""
    (tmp_path / "Dockerfile").write_text("FROM scratch\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "Dockerfile")
    git(tmp_path, "commit", "--quiet", "--message", "The image", days=7)
    return tmp_path


def git(folder, *arguments, days=0):
    """Run git in a folder, as if it were so many days ago."""
    now = int(subprocess.run(["date", "+%s"], check=True, capture_output=True, text=True).stdout)
    at = f"{now - days * 86400} +0000"
    names = {f"GIT_{who}_{what}": "ann" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = os.environ | names | {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)


def is_due(folder, weekday=TUESDAY, is_named=0):
    function = re.search(r"^image_is_due\(\) \{.*?^\}", RUN, re.MULTILINE | re.DOTALL)[0]
    script = f"is_named={is_named}\nof_the_image=(Dockerfile)\ndate() {{ echo {weekday}; }}\n{function}\nimage_is_due"
    return subprocess.run(["bash", "-euc", script], cwd=folder, check=False).returncode == 0


def test_ci_builds_no_image_on_other_days(checkout):
    assert not is_due(checkout)


def test_ci_builds_the_image_on_mondays(checkout):
    assert is_due(checkout, weekday="1")


def test_ci_builds_the_image_when_named(checkout):
    assert is_due(checkout, is_named=1)


def test_ci_builds_the_image_the_day_after_a_change(checkout):
    (checkout / "Dockerfile").write_text("FROM scratch\nUSER foothold\n")
    assert is_due(checkout)
    git(checkout, "commit", "--quiet", "--all", "--message", "Not as root")
    assert is_due(checkout)
    (checkout / "notes").write_text("Something else.")
    git(checkout, "add", "notes")
    git(checkout, "commit", "--quiet", "--amend", "--message", "Two days ago", days=2)
    assert not is_due(checkout)


LISTED = """
:env:.default-timeout='60'
:env:.find-links='/some/folder'
global.cert='/some/certificates'
global.default-timeout='15'
global.extra-index-url='file:///some/folder https://packages.example/simple'
global.index-url='https://index.example/simple'
install.user='yes'
"""


def test_the_build_reaches_registries_as_its_machine_does_and_knows_none_of_its_folders():
    reachable = runpy.run_path(str(ROOT / "bin/lib/pip_settings.py"))["reachable"]
    assert reachable(LISTED.strip()) == {
        "default-timeout": "60",
        "extra-index-url": "https://packages.example/simple",
        "index-url": "https://index.example/simple",
    }
