"""The files of a deployment as tests read them, an environment filled in as they ask, and a browser behind its proxy."""

import os
import re
import subprocess
import sys
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import yaml

from tests.sites import PATIENCE

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / ".env.example"
HOST = "foothold.example"
FILLED_IN = {"SECRET_KEY": "9c5a" * 7 + "0f3b" * 9, "VAPID_KEY": "q" * 43, "POSTGRES_PASSWORD": "0f3b9c5a"}
"""Values for variables that the example leaves empty."""


def example():
    """The variables that .env.example sets, by name."""
    lines = re.findall(r"^([A-Z][A-Z0-9_]*)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)
    return {name: value.strip('"') for name, value in lines}


def optional():
    """The variables that are commented out; an empty one counts as absent."""
    return dict(re.findall(r"^# ([A-Z][A-Z0-9_]*)=(\S*)$", EXAMPLE.read_text(), re.MULTILINE))


def explained(page=ROOT / "docs/deploy.md"):
    """The variables that a page explains in rows of tables, in their order."""
    rows = re.findall(r"^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|", page.read_text(), re.MULTILINE)
    return [name for names in rows for name in re.findall(r"[A-Z0-9_]+", names)]


def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def services():
    return compose()["services"]


def ours():
    """The services of compose.yaml that run our image."""
    return {name: each for name, each in services().items() if each["image"].startswith("${IMAGE")}


def environment_of(service):
    """The environment that compose.yaml sets for a service of ours, with the example filled in."""
    values = {**example(), **FILLED_IN}
    return {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda match: values[match[1]], value)
        for name, value in ours()[service]["environment"].items()
    }


def in_containers(service="web"):
    """The environment of one of our containers, the folders aside."""
    return {**example(), **FILLED_IN, **environment_of(service)}


def by_units():
    """The environment of the units: the example, with what containers do not need."""
    return {**example(), **FILLED_IN, **optional()}


def check(*arguments, **environment):
    """Run `manage.py check` in an environment of these variables only."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check", *arguments],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


class Browser:
    """Sends requests like a browser behind the proxy, and keeps cookies; `more` are additional headers."""

    def __init__(self):
        self.cookies, self.more = {}, {}

    def begin(self, port, path, form=None):
        """Send a request; the connection, on which the answer is to come."""
        headers = {"Host": HOST, "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https", **self.more}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        if form is None:
            connection.request("GET", path, headers=headers)
        else:
            headers |= {"Origin": f"https://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", path, urlencode({**form, "csrfmiddlewaretoken": self.token}), headers)
        return connection

    def ask(self, port, path, form=None):
        """The status and the text of the answer."""
        connection = self.begin(port, path, form)
        answer = connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        if match := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text):
            self.token = match[1]
        connection.close()
        return answer.status, text


def event(stream):
    """The next event of a stream."""
    for line in stream:
        if line.startswith(b"data: "):
            return line.decode().removeprefix("data: ").strip()
    return None
