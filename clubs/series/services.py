"""Series of a club: created, changed, deleted, and which evenings count."""

from collections.abc import Collection
from datetime import date
from typing import Annotated

from django.utils.translation import gettext

from acts.declaring import On
from acts.fields import day, number, numbers, one_of, words
from clubs.models import Club, Series, SeriesEvent
from clubs.series import evenings
from clubs.services import naming
from clubs.services.history import CLUB, Record, Rows, act
from clubs.services.leagues import titles
from engine.compete.series import BEST, SUM
from web.errors import Refused

LONGEST = 80
MOST = 50
"""Series of one club."""
MOST_EVENINGS = 366

SERIES = On(Series, "club", ("club",))
Name = Annotated[str, words(LONGEST)]
FirstDay = Annotated[date, day(help_text="The first day, by the club’s clock.")]
LastDay = Annotated[date | None, day(help_text="The last day; left out for a series without an end.")]
Measure = Annotated[str, one_of(Series.Measure.values, help_text="What of each evening counts.")]
Way = Annotated[str, one_of(Series.Way.values, help_text="How evenings add up.")]
Number = Annotated[int | None, number(help_text="How many evenings count (best), or are needed (average).")]
Included = Annotated[list[int], numbers(help_text="The events (ids) that count.")]
LeftOut = Annotated[list[int], numbers(help_text="The events (ids) that do not count.")]


@act("series_made", on=CLUB, needs="leagues", undo=Rows())
def make(
    record: Record,
    club: Club,
    *,
    name: Name,
    first_day: FirstDay,
    last_day: LastDay = None,
    measure: Measure = Series.Measure.POINTS.value,
    way: Way = SUM,
    number: Number = None,
) -> str:
    """Create a series: standings over the club’s events between two days."""
    if club.series.count() >= MOST:
        raise Refused("too_many", gettext("A club can have at most %(most)s series.") % {"most": MOST})
    title = _free_name(club, name)
    slug = titles.free_slug(title, set(club.series.values_list("slug", flat=True)), 50, otherwise="series")
    values = _read(first_day, last_day, way, number)
    record.create(Series(club=club, name=title, slug=slug, measure=measure, **values))
    return gettext("Series created: %(called)s.") % {"called": title}


@act("series_changed", on=SERIES, needs="leagues", undo=Rows())
def change(
    record: Record,
    series: Series,
    *,
    name: Name,
    first_day: FirstDay,
    last_day: LastDay = None,
    measure: Measure = Series.Measure.POINTS.value,
    way: Way = SUM,
    number: Number = None,
) -> str:
    """Change the name of a series, its days, or how it counts."""
    title = _free_name(record.club, name, series)
    if not record.change(series, name=title, measure=measure, **_read(first_day, last_day, way, number)):
        raise Refused("nothing_new", gettext("Nothing was changed."))
    return gettext("Series changed: %(called)s.") % {"called": title}


@act("series_evenings", on=SERIES, needs="leagues", undo=Rows())
def choose(record: Record, series: Series, *, included: Included = [], left_out: LeftOut = []) -> str:  # noqa: B006
    """Choose which events count. Events not named count if they are between its days."""
    if both := set(included) & set(left_out):
        raise Refused("twice", gettext("An event cannot count and be left out."), field="included", events=sorted(both))
    candidates = {each.event.pk: each for each in evenings.candidates(series)}
    if unknown := (set(included) | set(left_out)) - set(candidates):
        raise Refused("no_event", gettext("Choose events of this club."), field="included", events=sorted(unknown))
    choices = dict.fromkeys(included, True) | dict.fromkeys(left_out, False)
    changed = [pk for pk, is_counted in choices.items() if candidates[pk].is_counted != is_counted]
    if not changed:
        raise Refused("nothing_new", gettext("Nothing was changed."))
    _set_exceptions(
        record, series, {pk: choices[pk] for pk in changed}, {pk for pk in changed if candidates[pk].is_within}
    )
    return gettext("The evenings that count in %(called)s were changed.") % {"called": series}


@act("series_deleted", on=SERIES, needs="leagues", undo=Rows())
def delete(record: Record, series: Series) -> str:
    """Delete a series. Its evenings stay."""
    name = series.name
    for exception in series.exceptions.all():
        record.delete(exception)
    record.delete(series)
    return gettext("Series deleted: %(called)s.") % {"called": name}


def _set_exceptions(record: Record, series: Series, choices: dict[int, bool], within: Collection[int]) -> None:
    """Store what differs from the days of a series, and forget what no longer does."""
    stored = {exception.event_id: exception for exception in series.exceptions.filter(event__in=choices)}
    for pk, is_counted in choices.items():
        if is_counted == (pk in within):
            record.delete(stored[pk])
        elif pk in stored:
            record.change(stored[pk], is_counted=is_counted)
        else:
            record.create(SeriesEvent(series=series, event_id=pk, is_counted=is_counted))


def _free_name(club: Club, name: str, current: Series | None = None) -> str:
    if not name.strip():
        raise Refused("no_name", gettext("Give the series a name."), field="name")
    title = naming.clean(name, LONGEST, field="name")
    others = club.series.exclude(pk=current.pk if current else 0).values_list("name", flat=True)
    if titles.is_taken(title, others):
        sentence = gettext("A series called %(wished)s already exists.")
        raise Refused("name_taken", sentence % {"wished": title}, field="name")
    return title


def _read(first_day: date, last_day: date | None, way: str, number: int | None) -> dict[str, object]:
    """The days and the counting of a series. Raises `Refused` with the field."""
    if last_day is not None and last_day < first_day:
        raise Refused("bad_days", gettext("The last day must not be before the first."), field="last_day")
    if way == BEST and number is None:
        raise Refused("no_number", gettext("Enter how many evenings count."), field="number")
    needed = 1 if way == SUM or number is None else number
    if not 1 <= needed <= MOST_EVENINGS:
        sentence = gettext("Enter a number of evenings from 1 to %(most)s.")
        raise Refused("bad_number", sentence % {"most": MOST_EVENINGS}, field="number")
    return {"first_day": first_day, "last_day": last_day, "way": way, "number": needed}
