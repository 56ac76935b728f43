"""News in words: what is public now, in the language of its place, by the club's clock."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, override, pgettext

from clubs.league import fixtures, table
from clubs.league.agenda import is_put_off
from clubs.models import Club, Division, Meeting, NewsDelivery, NewsPlace, Season, SeasonEvent
from clubs.public.link_cards import club_picture, meeting_picture, season_picture
from clubs.statistics import evening_words
from clubs.statistics.matchday_words import when_words
from tournaments import outcome
from tournaments.models import Pairing, Place, Round, Tournament
from tournaments.public.link_cards import event_picture
from tournaments.round_names import round_name
from web.channels.interface import Message
from web.link_cards import absolute
from web.text import number, on_calendar

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
    if delivery.meeting is not None:
        return _evening(delivery.place.club, delivery.meeting)
    event = delivery.event
    if event is None or not is_public(event):
        return None
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


# Results


def results_of(delivery: NewsDelivery) -> QuerySet[Pairing]:
    """The matches of a delivery of results that are still done."""
    done = Pairing.objects.filter(round__stage__tournament=delivery.event, status=Pairing.Status.DONE)
    return done.filter(pk__in=delivery.about).order_by("round__number", "number")


def _results(event: Tournament, done: Iterable[Pairing]) -> Words | None:
    lines = _lines(done)
    return (_title(event), lines, _path(event)) if lines else None


def _lines(pairings: Iterable[Pairing]) -> list[str]:
    """A line for each match, such as `Whitlock / Brandt 6,420 – 5,985 Doyle / Lund`."""
    pairings = list(pairings)
    places = _places_of(pairings)
    return [_line(places[pairing.pk]) for pairing in pairings if len(places[pairing.pk]) > 1]


def _places_of(pairings: Sequence[Pairing]) -> Mapping[int, Sequence[Place]]:
    places: dict[int, list[Place]] = defaultdict(list)
    for place in Place.objects.filter(pairing__in=pairings).select_related("entry").order_by("number"):
        places[place.pairing_id].append(place)
    return places


def _line(places: Sequence[Place]) -> str:
    sides = _sides(places)
    scores = [side[0].score for side in sides]
    if len(sides) == 2 and None not in scores:
        return f"{_names(sides[0])} {number(scores[0] or 0)} – {number(scores[1] or 0)} {_names(sides[1])}"
    if len(sides) == 2:
        winners = [_names(side) for side in sides if side[0].rank == 1]
        words = gettext("%(team)s won") % {"team": winners[0]} if len(winners) == 1 else gettext("no winner")
        return f"{_names(sides[0])} – {_names(sides[1])}: {words}"
    return ", ".join(_names(side) + ("" if side[0].score is None else f" {number(side[0].score)}") for side in sides)


def _sides(places: Iterable[Place]) -> list[list[Place]]:
    sides: dict[int, list[Place]] = defaultdict(list)
    for place in places:
        sides[place.side].append(place)
    return list(sides.values())


def _names(side: Sequence[Place]) -> str:
    return " / ".join(place.entry.name for place in side if place.entry is not None) or gettext("nobody")


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
    lines = _lines(done)
    if later := [str(match) for match in day.matches if not match.is_done and is_put_off(match.pairing)]:
        lines.append(gettext("Played later: %(matches)s") % {"matches": "; ".join(later)})
    lines += ["", gettext("Standings:")]
    for row in standings.rows[:MOST_ROWS]:
        lines.append(f"{row.place}. {row.team.name}, {row.points}")
    values = {"event": _title(event), "number": day.number}
    return gettext("%(event)s: matchday %(number)s") % values, lines, division.season.get_absolute_url()


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
    places = _places_of(pairings)
    for pairing in pairings:
        names = [_names(side) for side in _sides(places.get(pairing.pk, ()))]
        if len(names) > 1:
            values = {"number": pairing.number, "names": " – ".join(names)}
            lines.append(gettext("Table %(number)s: %(names)s") % values)
    return lines


# Meetings


def _evening(club: Club, meeting: Meeting) -> Words | None:
    if meeting.is_called_off:
        return None
    day = on_calendar(meeting.starts_at.astimezone(club.zone), pgettext("date format", "l j F, H:i"))
    title = gettext("%(what)s: %(day)s") % {"what": meeting.title, "day": day}
    lines = [line for line in (meeting.venue or club.venue, meeting.words) if line]
    return title, lines, reverse("clubs:dates", args=[club.slug])
