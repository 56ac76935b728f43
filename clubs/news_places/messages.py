"""News in words: what is public now, in the language of its place, by the club's clock."""

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override, pgettext

from clubs.league import fixtures, table
from clubs.league.agenda import is_put_off
from clubs.models import Club, Division, Meeting, NewsDelivery, Newsletter, NewsPlace, Season, SeasonEvent
from clubs.news_places import corrections
from clubs.news_places.kinds import LETTER
from clubs.news_places.result_lines import corrected, lines_of, names_of, places_of
from clubs.public.league_link_cards import season_picture
from clubs.public.link_cards import club_picture, meeting_picture
from clubs.public.news_link_cards import newsletter_path, newsletter_picture
from clubs.statistics import evening_words
from clubs.statistics.matchday_words import when_words
from tournaments import outcome
from tournaments.models import Pairing, Round, Tournament
from tournaments.public.link_cards import event_picture
from tournaments.round_names import round_name
from tournaments.seating import by_side
from web.channels.interface import Message
from web.link_cards import absolute
from web.text import on_calendar

MOST_ROWS = 12


def message_of(delivery: NewsDelivery) -> Message | None:
    """The message of a delivery, whose place with its club is loaded; `None` if there is nothing public to say."""
    with override(delivery.place.language):
        words = _words(delivery)
        if words is None:
            return None
        picture = absolute(_picture(delivery))
    title, lines, path = words
    text = "\n".join(lines).strip()
    return Message(delivery.message_key, delivery.kind, title, text, absolute(path), picture)


def test_message(place: NewsPlace, key: str) -> Message:
    """The message that shows that a place works."""
    club = place.club
    with override(place.language):
        text = gettext("This is a test. News of the club will appear here.")
        picture = absolute(club_picture(club))
    return Message(key, "test", club.name, text, absolute(club.get_absolute_url()), picture)


def _picture(delivery: NewsDelivery) -> str:
    """The path of the picture that the link of a message has, in the language of the moment."""
    if delivery.kind == LETTER:
        newsletter = _newsletter_of(delivery)
        return newsletter_picture(newsletter) if newsletter is not None else ""
    if delivery.meeting is not None:
        return meeting_picture(delivery.place.club, delivery.meeting)
    event = delivery.event
    division = division_of(event) if event is not None else None
    if division is not None:
        return season_picture(division)
    return event_picture(event) if event is not None else ""


Words = tuple[str, list[str], str]
"""Title, lines, and the path of the page with more."""


def _words(delivery: NewsDelivery) -> Words | None:
    if delivery.kind == LETTER:
        return _letter(delivery)
    if delivery.meeting is not None:
        return _changed_evening(delivery) if delivery.kind == corrections.KIND else _evening(delivery)
    event = delivery.event
    if event is None or not is_public(event):
        return None
    if delivery.kind == corrections.KIND:
        return _corrected(delivery, event)
    if delivery.kind == "results":
        return _results(event, results_of(delivery))
    if delivery.kind == "drawn":
        return _drawn(event, delivery.about)
    if delivery.kind == "champion":
        return _champion(event)
    return _standings(event, delivery.about)


def is_public(event: Tournament) -> bool:
    """Whether strangers see the event: it is public, and no draft of a season."""
    if event.visibility != Tournament.Visibility.PUBLIC:
        return False
    season = season_of(event)
    return season is None or season.status != Season.Status.DRAFT


def division_of(event: Tournament) -> Division | None:
    """The division that is played as this event."""
    return Division.objects.filter(tournament=event).select_related("season__league__club", "tournament").first()


def season_of(event: Tournament) -> Season | None:
    """The season that an event is part of, as a division or alongside."""
    division = division_of(event)
    if division is not None:
        return division.season
    alongside = SeasonEvent.objects.filter(tournament=event).select_related("season__league__club").first()
    return alongside.season if alongside is not None else None


def _title(event: Tournament) -> str:
    """`Harbour League, Autumn 2026`, with its division if there are several; else the name of the event."""
    division = division_of(event)
    if division is None:
        return event.name
    season = division.season
    name = f"{season.league}, {season}"
    return f"{name}, {division}" if Division.objects.filter(season=season).count() > 1 else name


def _path(event: Tournament) -> str:
    division = division_of(event)
    return division.season.get_absolute_url() if division is not None else event.get_absolute_url()


# Newsletters


def _newsletter_of(delivery: NewsDelivery) -> Newsletter | None:
    sent = Newsletter.objects.exclude(status=Newsletter.Status.DRAFT).filter(club=delivery.place.club_id)
    return sent.filter(pk__in=delivery.about).first()


def _letter(delivery: NewsDelivery) -> Words | None:
    newsletter = _newsletter_of(delivery)
    if newsletter is None:
        return None
    return newsletter.subject, newsletter.body.splitlines(), newsletter_path(newsletter)


# Results


def results_of(delivery: NewsDelivery) -> QuerySet[Pairing]:
    """The matches of a delivery of results that are still done."""
    done = Pairing.objects.filter(round__stage__tournament=delivery.event, status=Pairing.Status.DONE)
    return done.filter(pk__in=delivery.about).order_by("round__number", "number")


def _results(event: Tournament, done: Iterable[Pairing]) -> Words | None:
    lines = lines_of(done)
    return (_title(event), lines, _path(event)) if lines else None


# Standings


def _standings(event: Tournament, about: Sequence[int]) -> Words | None:
    division = division_of(event)
    if division is None:
        evening = evening_words.read(event)
        if event.status != Tournament.Status.OVER:
            return None
        lines = [evening.lead, *(line for _, rows in evening.standings(MOST_ROWS)[:1] for line in ("", *rows))]
        return event.name, lines, event.get_absolute_url()
    day = next((day for day in fixtures.matchdays(division) if [day.number] == about), None)
    done = [match.pairing for match in day.matches if match.is_done] if day is not None else []
    standings = table.table(division)
    if day is None or not done or standings is None:
        return None
    lines = lines_of(done)
    if later := [str(match) for match in day.matches if not match.is_done and is_put_off(match.pairing)]:
        lines.append(gettext("Played later: %(matches)s") % {"matches": "; ".join(later)})
    lines += ["", *_rows(standings)]
    values = {"event": _title(event), "number": day.number}
    return gettext("%(event)s: matchday %(number)s") % values, lines, division.season.get_absolute_url()


def _rows(standings: table.Table) -> list[str]:
    rows = [f"{row.place}. {row.team.name}, {row.points}" for row in standings.rows[:MOST_ROWS]]
    return [gettext("Standings:"), *rows]


# Corrections


def _corrected(delivery: NewsDelivery, event: Tournament) -> Words | None:
    known = corrections.known_before(delivery, timezone.now())
    changed = known.changed(delivery.place, corrections.facts_now(event, known.facts))
    numbers = [int(key) for key in changed if key.isdecimal()]
    lines = corrected(Pairing.objects.filter(pk__in=numbers).order_by("round__number", "number"))
    if changed & known.standings:
        lines += ["", *_standings_now(event)]
    if corrections.CHAMPION in changed:
        champion = _champion(event)
        lines += ["", *(champion[1] if champion is not None else [gettext("No winner yet.")])]
    title = gettext("Corrected: %(event)s") % {"event": _title(event)}
    return (title, lines, _path(event)) if lines else None


def _standings_now(event: Tournament) -> list[str]:
    division = division_of(event)
    if division is None:
        return [line for _, rows in evening_words.read(event).standings(MOST_ROWS)[:1] for line in rows]
    standings = table.table(division)
    return _rows(standings) if standings is not None else []


# Winners


def _champion(event: Tournament) -> Words | None:
    won = outcome.of(event)
    if event.status != Tournament.Status.OVER or not won.champions:
        return None
    words = won.sentence or gettext("%(names)s won.") % {"names": won.names}
    return _title(event), [words], _path(event)


# Pairings


def _drawn(event: Tournament, about: Sequence[int]) -> Words | None:
    round_ = Round.objects.filter(pk__in=about, stage__tournament=event, status=Round.Status.OPEN).first()
    if round_ is None:
        return None
    division = division_of(event)
    lines = _fixtures(division, round_.number) if division is not None else _tables(round_)
    title = gettext("%(event)s: %(round)s") % {"event": _title(event), "round": round_name(round_.name)}
    return (title, lines, _path(event)) if lines else None


def _fixtures(division: Division, day: int) -> list[str]:
    zone = division.season.league.club.zone
    matches = [match for each in fixtures.matchdays(division) if each.number == day for match in each.matches]
    return [f"{match}: {when_words(match, zone)}" for match in matches if not match.is_done]


def _tables(round_: Round) -> list[str]:
    lines = []
    pairings = list(round_.pairings.exclude(status=Pairing.Status.IDLE).order_by("number"))
    places = places_of(pairing.pk for pairing in pairings)
    for pairing in pairings:
        names = [names_of(side) for side in by_side(places.get(pairing.pk, ()))]
        if len(names) > 1:
            values = {"number": pairing.number, "names": " – ".join(names)}
            lines.append(gettext("Table %(number)s: %(names)s") % values)
    return lines


# Meetings


def _evening(delivery: NewsDelivery) -> Words | None:
    club, meeting = delivery.place.club, delivery.meeting
    if meeting is None or meeting.is_called_off:
        return None
    lines = [line for line in (meeting.venue or club.venue, meeting.words) if line]
    return _meeting_title(club, meeting), lines, reverse("clubs:dates", args=[club.slug])


def _changed_evening(delivery: NewsDelivery) -> Words | None:
    club, meeting = delivery.place.club, delivery.meeting
    known = corrections.known_before(delivery, timezone.now())
    if meeting is None or not known.changed(delivery.place, corrections.meeting_facts(meeting)):
        return None
    words = gettext("Cancelled: %(meeting)s") if meeting.is_called_off else gettext("Changed: %(meeting)s")
    where = "" if meeting.is_called_off else meeting.venue or club.venue
    title = words % {"meeting": _meeting_title(club, meeting)}
    return title, [where] if where else [], reverse("clubs:dates", args=[club.slug])


def _meeting_title(club: Club, meeting: Meeting) -> str:
    day = on_calendar(meeting.starts_at.astimezone(club.zone), pgettext("date format", "l j F, H:i"))
    return gettext("%(what)s: %(day)s") % {"what": meeting.title, "day": day}
