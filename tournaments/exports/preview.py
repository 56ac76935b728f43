"""A picture of an event, 1200 × 630 pixels, that other sites show next to a link to it."""

import io
from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext
from PIL import Image, ImageDraw, ImageFont

from tournaments import outcome, stage_standings
from tournaments.exports.lettering import BOLD, REGULAR, drawable, path
from tournaments.exports.source import part
from tournaments.models import Stage, Tournament
from tournaments.public import listing
from tournaments.public.listing import nouns
from web.text import join_words, on_calendar, several

SIZE = (1200, 630)
EDGE = 72
PAPER, INK, SOFT, GREEN = "#faf8f4", "#1d2326", "#55606a", "#1f6b4f"


def picture(event: Tournament, stages: Sequence[Stage], entered: int) -> bytes:
    """The picture as PNG; `entered` is how many entries there are."""
    image = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, SIZE[0], 18), fill=GREEN)
    pen.text((EDGE, 66), "Foothold", font=_font(BOLD, 34), fill=GREEN)
    y = 136
    for line in _broken(pen, drawable(event.name), 76):
        pen.text((EDGE, y), line, font=_font(BOLD, 76), fill=INK)
        y += 88
    y += 14
    for words in (listing.formats(stages), when_and_where(event, entered)):
        if words:
            _line(pen, y, words, REGULAR, 38, SOFT)
            y += 54
    if leader := leader_words(event, stages):
        pen.line((EDGE, 512, SIZE[0] - EDGE, 512), fill=INK, width=3)
        _line(pen, 534, leader, BOLD, 42, INK)
    buffer = io.BytesIO()
    image.quantize(64).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def when_and_where(event: Tournament, entered: int) -> str:
    """`21 November 2026, Lakeside Hall, 16 players`."""
    begins, ends = event.starts_at or event.started_at, event.ended_at
    parts = []
    if begins is not None:
        there = timezone.localtime(begins, event.zone)
        pattern = pgettext("date format", "j F Y")
        text = on_calendar(there, pattern)
        last = timezone.localtime(ends, event.zone) if ends is not None else there
        if last.date() > there.date():
            text = gettext("%(first)s to %(last)s") % {"first": text, "last": on_calendar(last, pattern)}
        parts.append(text)
    online = gettext("online") if event.setting == Tournament.Setting.ONLINE else ""
    parts += [event.venue or online, several(entered, nouns(event)) if entered else ""]
    return ", ".join(each for each in parts if each)


def leader_words(event: Tournament, stages: Sequence[Stage]) -> str:
    """The winner, or the leader of the stage under way; empty if there is none yet."""
    if event.status == Tournament.Status.CANCELLED:
        return gettext("Cancelled")
    begun = [stage for stage in stages if stage.status != Stage.Status.WAITING]
    if not begun or (event.status == Tournament.Status.OVER and begun[-1].pk != stages[-1].pk):
        return ""
    state = part(event, begun[-1]).state
    is_over = event.status == Tournament.Status.OVER
    has_places = state.stage.status == Stage.Status.OVER or not (
        state.plan.is_bracket or state.plan.format == "pod_knockout"
    )
    if not has_places or not any(table.is_decided for each in state.rounds for table in each.tables):
        return ""
    won = outcome.of_state(state) if is_over else None
    ranking = stage_standings.ranking(state) if won is None else ()
    first = [state.entries[place.entry].entry.name for place in ranking if place.rank == 1]
    first += [entry.name for entry in won.champions] if won else []
    if not first or len(first) > 3:
        return ""
    if is_over:
        words = ngettext("Champion: %(names)s", "Champions: %(names)s", len(first))
        return words % {"names": join_words(first)}
    return gettext("Leading: %(names)s") % {"names": join_words(first)}


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path(name), size, layout_engine=ImageFont.Layout.BASIC)


def _line(pen: ImageDraw.ImageDraw, y: int, text: str, name: str, size: int, fill: str) -> None:
    """Write a line, made smaller if it is too wide, and cut if that is not enough."""
    text, width = drawable(text), SIZE[0] - 2 * EDGE
    smallest = round(size * 0.7)
    while size > smallest and pen.textlength(text, font=_font(name, size)) > width:
        size -= 2
    pen.text((EDGE, y), _cut(pen, text, _font(name, size)), font=_font(name, size), fill=fill)


def _broken(pen: ImageDraw.ImageDraw, text: str, size: int) -> list[str]:
    """A name in at most two lines."""
    font, width = _font(BOLD, size), SIZE[0] - 2 * EDGE
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == 2 or pen.textlength(f"{lines[-1]} {word}", font=font) <= width):
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return [_cut(pen, line, font) for line in lines]


def _cut(pen: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont) -> str:
    """The start of the text that fits, with dots for the rest."""
    width = SIZE[0] - 2 * EDGE
    if pen.textlength(text, font=font) <= width:
        return text
    while text and pen.textlength(f"{text}…", font=font) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
