"""The markup of a page to compare with, whatever the line breaks of its templates."""

import re


def squeezed(page):
    """The markup of a response, or markup, with runs of white space as one blank and none beside a tag."""
    markup = page if isinstance(page, str) else page.content.decode()
    return re.sub(r"\s*(<[^<>]*>)\s*", r"\1", re.sub(r"\s+", " ", markup))
