"""What other sites show for links to news, with the picture of the newsletter that it is the same as."""

from textwrap import wrap

from django.http import Http404
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import pgettext

from clubs.models import News, Newsletter, Season
from clubs.public.league_link_cards import is_public, season_picture
from clubs.public.link_cards import band, club_picture, read_number
from tournaments.public.link_cards import event_picture
from web.link_cards import LinkCard
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.text import on_calendar

A_LINE = 30
"""Characters of a title that fit into a line of a picture."""


def news_card(news: News) -> LinkCard:
    """The card of a piece of news: its title and how it begins."""
    key = f"{news.club.slug}/{news.pk}"
    begins = Truncator(" ".join(news.body.split())).words(30, truncate="…")
    newsletter = news.newsletters.first()
    picture = kinds.address("news", key, _news_version(news))
    return LinkCard(news.title, begins, newsletter_picture(newsletter) if newsletter else picture)


def newsletter_picture(newsletter: Newsletter) -> str:
    """The path of the picture of what a newsletter is about: a season, an event, or its club."""
    season, event = newsletter.season, newsletter.event
    if season is not None and season.status != Season.Status.DRAFT:
        first = season.divisions.select_related("season__league__club", "tournament").order_by("level").first()
        return season_picture(first) if first else club_picture(newsletter.club)
    return event_picture(event) if event is not None and is_public(event) else club_picture(newsletter.club)


def newsletter_path(newsletter: Newsletter) -> str:
    """The public page with more about it: the same as news, or else what it is about."""
    if newsletter.news is not None:
        return reverse("clubs:news", args=[newsletter.club.slug, newsletter.news.pk])
    season, event = newsletter.season, newsletter.event
    if season is not None and season.status != Season.Status.DRAFT:
        return season.get_absolute_url()
    home = event if event is not None and is_public(event) else newsletter.club
    return home.get_absolute_url()


def _news_version(news: News) -> str:
    return kinds.version_of(news.pk, news.title, news.club.version)


def find_news(key: str) -> Picture:
    """The picture of a piece of news: its title. Raises `Http404`."""
    slug, _, pk = key.partition("/")
    news = News.objects.filter(pk=read_number(pk), club__slug=slug).select_related("club").first()
    if news is None:
        raise Http404("News not found.")

    def draw() -> Canvas:
        day = on_calendar(news.published_at.astimezone(news.club.zone), pgettext("date format", "j F Y"))
        return layouts.lines(band(news.club, news.club.name, day), wrap(news.title, A_LINE))

    return Picture(_news_version(news), draw)
