"""The guide to a new channel (docs/channels.md) works as it is written."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from tests.receivers import receiver
from web.channels import known
from web.channels.interface import Message

GUIDE = Path(__file__).parents[2] / "docs" / "channels.md"


def steps():
    """The pieces of code of the guide, in order."""
    return re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the guide's channel, as a package of its own."""
    package = tmp_path / "mattermost"
    package.mkdir()
    (package / "__init__.py").write_text(steps()[0])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(known, "CHANNELS", dict(known.CHANNELS))
    yield importlib.import_module("mattermost")
    del sys.modules["mattermost"]


def test_the_channel_of_the_guide_reads_its_address_and_sends(folder):
    exec(steps()[1], {"register": known.register, "MATTERMOST": folder.CHANNEL})
    with receiver() as local:
        channel, where = known.recognise(f"{local.url}/hooks/abc")
        assert channel is folder.CHANNEL
        channel.send(Message("1", "news", "Harbour", "Come and play.", "https://x.org/h"), where)
        assert local.bodies == [{"text": "Harbour\n\nCome and play.\n\nhttps://x.org/h"}]
    assert known.recognise("https://example.org/x")[0].name == "webhook"
