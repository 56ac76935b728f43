"""News of a club."""

from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Act, News
from clubs.services import lookups
from clubs.services.history import ActionRequest, Record, Rows, declare, perform, row_of
from web.errors import Refused
from web.text import number

LONGEST = 20_000
MOST_PINNED = 3


NEWS = declare("news", needs="news", undo=Rows())
NEWS_EDIT = declare("news_edit", needs="news", undo=Rows())
NEWS_PIN = declare("news_pin", needs="news", undo=Rows())
NEWS_DELETION = declare("news_delete", needs="news", undo=Rows())


def write(
    club_id: int, by: User, *, title: str, body: str, is_pinned: bool = False, **how: Unpack[ActionRequest]
) -> Act:
    """Put a piece of news on the club's page. Raises `Refused` with the `field` that is wrong."""

    def do(record: Record) -> str:
        heading, text = _read(title, body)
        if is_pinned:
            _check_pinned(record)
        create(record, heading, text, by, is_pinned=is_pinned)
        return gettext("News: %(heading)s") % {"heading": heading}

    return perform(club_id, do, NEWS, by=by, **how)


def create(record: Record, title: str, body: str, by: User, *, is_pinned: bool = False) -> News:
    """A new piece of news, of words that were checked."""
    words = {"title": title, "body": body, "name": str(by)[:60]}
    news = News(club=record.club, by=by, is_pinned=is_pinned, published_at=record.now, **words)
    record.create(news)
    return news


def edit(news_id: int, by: User, *, title: str, body: str, **how: Unpack[ActionRequest]) -> Act:
    """Change a piece of news. Raises `Refused` with the `field` that is wrong."""

    def do(record: Record) -> str:
        heading, text = _read(title, body)
        if not record.change(row_of(record, News, news_id), title=heading, body=text):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        return gettext("News was changed: %(heading)s") % {"heading": heading}

    return perform(lookups.club_of(News, news_id), do, NEWS_EDIT, by=by, **how)


def pin(news_id: int, by: User, *, is_pinned: bool, **how: Unpack[ActionRequest]) -> Act:
    """Pin a piece of news above the others, or unpin it."""

    def do(record: Record) -> str:
        news = row_of(record, News, news_id)
        if is_pinned and not news.is_pinned:
            _check_pinned(record)
        if not record.change(news, is_pinned=is_pinned):
            raise Refused("nothing_new", gettext("This has already been done."))
        words = gettext("News pinned: %(row)s") if is_pinned else gettext("News unpinned: %(row)s")
        return words % {"row": news}

    return perform(lookups.club_of(News, news_id), do, NEWS_PIN, by=by, **how)


def delete(news_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Delete a piece of news."""

    def do(record: Record) -> str:
        news = row_of(record, News, news_id)
        record.delete(news)
        return gettext("News was deleted: %(row)s") % {"row": news.title}

    return perform(lookups.club_of(News, news_id), do, NEWS_DELETION, by=by, **how)


def _read(title: str, body: str) -> tuple[str, str]:
    heading, text = " ".join(title.split()), body.replace("\r\n", "\n").strip()
    if not heading:
        raise Refused("no_title", gettext("Enter a heading."), field="title")
    if len(heading) > 120:
        raise Refused("too_long", gettext("A heading can have at most 120 characters."), field="title")
    if not text:
        raise Refused("no_words", gettext("Enter some text."), field="body")
    if len(text) > LONGEST:
        raise Refused(
            "too_long",
            gettext("News can have at most %(longest)s characters.") % {"longest": number(LONGEST)},
            field="body",
        )
    return heading, text


def _check_pinned(record: Record) -> None:
    if News.objects.filter(club=record.club, is_pinned=True).count() >= MOST_PINNED:
        raise Refused("too_many", gettext("You can pin %(most)s news items. Unpin one first.") % {"most": MOST_PINNED})
