"""Reads the tags and the pictures of pages, and the words of pictures."""

import io
import re
import shutil
import subprocess
from html import unescape

import pytest
from PIL import Image, ImageOps

from web.link_pictures.canvas import HEIGHT
from web.link_pictures.layouts import BAND

SITE = "https://foothold.example"
HOW_TO_GET = "Reading pictures needs tesseract: apt-get install tesseract-ocr tesseract-ocr-deu"


def tags(page):
    """The Open Graph tags of a page."""
    pairs = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page.content.decode())
    return {name: unescape(value) for name, value in pairs}


def picture_of(client, page):
    """The picture that a page names, as a file."""
    address = tags(page)["image"]
    assert address.startswith(f"{SITE}/pictures/"), address
    answer = client.get(address.removeprefix(SITE))
    assert answer.status_code == 200, address
    assert answer["Content-Type"] == "image/png"
    return answer.content


def read(content, *, width=300):
    """The words that a machine reads on a picture that a chat shows so wide."""
    if shutil.which("tesseract") is None:
        pytest.skip(HOW_TO_GET)
    image = Image.open(io.BytesIO(content)).convert("L")
    small = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    # A machine wants letters of 30 pixels, and dark ones on light; enlarging adds nothing that was not there.
    large = small.resize((small.width * 4, small.height * 4), Image.Resampling.BICUBIC)
    height = large.height * BAND // HEIGHT
    head, rest = large.crop((0, 0, large.width, height)), large.crop((0, height, *large.size))
    return "\n".join(_read(each) for each in (head, ImageOps.invert(head), rest))


def _read(image):
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    command = ["tesseract", "-", "-", "--psm", "11", "--dpi", "300"]
    run = subprocess.run(command, input=buffer.getvalue(), capture_output=True, check=True)
    return run.stdout.decode()


def letters(text):
    """Letters and digits of a text alone, for comparing what was written with what was read."""
    return re.sub(r"[\W_]", "", text.casefold())
